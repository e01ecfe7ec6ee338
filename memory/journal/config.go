package journal

import (
	"fmt"
	"time"
)

// Config is the [journal] table.
type Config struct {
	// Enabled lets the journal be written and searched.
	Enabled bool `toml:"enabled"`
	// Every is the longest time between two archivings, Messages how many messages may wait
	// before one begins (J3).
	Every    time.Duration `toml:"archive_every"`
	Messages int           `toml:"archive_messages"`
	// Hits is how many passages of the journal go with a message at most (C4); 0 is none.
	Hits int `toml:"hits"`
}

// Limits of the history (J2).
const (
	softLimit = 200
	hardLimit = 300
	hardBytes = 10 << 20
)

// DefaultConfig returns the settings of a fresh installation.
func DefaultConfig() Config {
	return Config{Enabled: true, Every: 6 * time.Hour, Messages: 100, Hits: 5}
}

// Validate says which value is out of its bounds.
func (c Config) Validate() error {
	switch {
	case c.Every < time.Minute || c.Every > 30*24*time.Hour:
		return fmt.Errorf("archive_every is %v; allowed are 1m to 720h", c.Every)
	case c.Messages < 1 || c.Messages > softLimit:
		return fmt.Errorf("archive_messages is %d; allowed are 1 to %d", c.Messages, softLimit)
	case c.Hits < 0 || c.Hits > MostHits:
		return fmt.Errorf("hits is %d; allowed are 0 to %d", c.Hits, MostHits)
	}
	return nil
}
