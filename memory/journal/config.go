package journal

import (
	"time"

	"memoria/memory/bounds"
)

// Config is the [journal] table.
type Config struct {
	// Enabled enables writing and searching the journal.
	Enabled bool `toml:"enabled"`
	// Every is the maximum time between two archivings, Messages the number of pending
	// messages that triggers one (J3).
	Every    time.Duration `toml:"archive_every"`
	Messages int           `toml:"archive_messages"`
	// Hits is the maximum number of journal passages sent with a message (C4); 0 means
	// none.
	Hits int `toml:"hits"`
}

// Limits of the history (J2).
const (
	softLimit = 200
	hardLimit = 300
	hardBytes = 10 << 20
)

// DefaultConfig returns the default settings.
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
