package journal

import (
	"time"

	"memoria/memory/bounds"
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

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{
		bounds.Between("archive_every", time.Minute, 30*24*time.Hour),
		bounds.Between("archive_messages", 1, softLimit),
		bounds.Between("hits", 0, MostHits),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
