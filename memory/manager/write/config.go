package write

import (
	"slices"

	"memoria/memory/bounds"
	"memoria/memory/policy"
	"memoria/memory/recall"
)

// Values of Analysis (L2).
const (
	AnalysisAuto  = "auto"  // rules, and a model if available
	AnalysisRules = "rules" // rules only
)

// Parts of the [memory] table that other packages define, renamed for embedding.
type (
	// Recall configures how items are loaded and selected, and the archive searched.
	Recall = recall.Config
	// Rules configures how items are admitted and forgotten.
	Rules = policy.Config
)

// Config is the [memory] table of the configuration.
type Config struct {
	Recall
	Rules
	// MaxContent is the maximum content length of an item, in characters.
	MaxContent int `toml:"atomic_content_max_length"`
	// Analysis is AnalysisAuto or AnalysisRules.
	Analysis string `toml:"analysis"`
	// SummaryLimit is how many summaries of ended sessions are sent with a message; 0
	// means none.
	SummaryLimit int `toml:"session_summary_limit"`
	// AgenticSearch lets the model search the memory, up to SearchLimit times a turn
	// (I2).
	AgenticSearch bool `toml:"enable_agentic_search"`
	SearchLimit   int  `toml:"agentic_search_limit"`
	// Archival keeps the messages of ended sessions (A1). ArchivalDefault does so also
	// for sessions that the user did not mark to be kept.
	Archival        bool `toml:"archival_enabled"`
	ArchivalDefault bool `toml:"archival_default_write"`
	// UserProfile sends the profile to the model (I5). The profile is maintained either
	// way.
	UserProfile bool `toml:"enable_user_profile"`
}

// DefaultConfig returns the defaults of the specification (L3, I5).
func DefaultConfig() Config {
	return Config{
		Recall: recall.DefaultConfig(), Rules: policy.Default(),
		MaxContent: 600, Analysis: AnalysisAuto, SummaryLimit: 3,
		SearchLimit: 3, UserProfile: true, Archival: true, ArchivalDefault: true,
	}
}

// Settings returns the bounds of [Config].
func Settings() []bounds.Setting {
	return slices.Concat(recall.Settings(), policy.Settings(), []bounds.Setting{
		bounds.Between("atomic_content_max_length", 20, 20_000),
		bounds.Between("agentic_search_limit", 1, 20),
		bounds.OneOf("analysis", AnalysisAuto, AnalysisRules),
		bounds.Between("session_summary_limit", 0, 20),
	})
}

// Validate returns the out-of-bounds values as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
