package recall

import (
	"context"
	"slices"

	"memoria/memory/bounds"
	"memoria/memory/retrieve"
)

// The values of [Config].LoadOnStart.
const (
	LoadAll = "all"
	LoadHot = "hot"
)

// Scoring is the configuration of how items are scored and chosen, named so that it can
// be embedded.
type Scoring = retrieve.Config

// Config holds the settings of retrieval; part of the [memory] table.
type Config struct {
	Scoring
	// LoadOnStart is LoadAll, or LoadHot to keep only the heads of the HotItems items
	// touched last in memory (L3).
	LoadOnStart string `toml:"recall_load_on_start" effect:"restart"`
	HotItems    int    `toml:"recall_max_items" effect:"restart"`
	// Triggers are the reasons for which a turn searches the archive (A2), see
	// [retrieve.Triggers].
	Triggers []string `toml:"archive_triggers"`
	// Archive holds the weights of a search of the archive (R11); they are no settings.
	Archive retrieve.ArchiveRanking `toml:"-"`
}

type configKey struct{}

// WithConfig returns a context whose requests use cfg instead of the configuration of the
// reader, for a caller that is configured otherwise than the memory it uses.
func WithConfig(ctx context.Context, cfg Config) context.Context {
	return context.WithValue(ctx, configKey{}, cfg)
}

// configOf returns the configuration of a request: its own, or else the current one.
func configOf(ctx context.Context, current Config) Config {
	if own, ok := ctx.Value(configKey{}).(Config); ok {
		return own
	}
	return current
}

// DefaultConfig returns the defaults of the specification (L3, R11).
func DefaultConfig() Config {
	return Config{
		Scoring: retrieve.DefaultConfig(), LoadOnStart: LoadAll, HotItems: 200, Triggers: retrieve.Triggers(),
		Archive: retrieve.DefaultArchiveRanking(),
	}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return slices.Concat(retrieve.Settings(), []bounds.Setting{
		bounds.OneOf("recall_load_on_start", LoadAll, LoadHot),
		bounds.Between("recall_max_items", 1, 10_000_000),
		bounds.SomeOf("archive_triggers", retrieve.Triggers()...),
	})
}
