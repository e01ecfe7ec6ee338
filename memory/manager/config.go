package manager

import (
	"slices"

	"memoria/memory/bounds"
	"memoria/memory/policy"
	"memoria/memory/recall"
)

// What a turn is analysed by (L2).
const (
	AnalysisAuto  = "auto"  // rules, and the model where there is one
	AnalysisRules = "rules" // rules alone
)

// The parts of the [memory] table that belong to other rooms, named so that both
// can be embedded.
type (
	// Recall is how items are loaded, scored and chosen, and the archive searched.
	Recall = recall.Config
	// Rules is how items are admitted and forgotten.
	Rules = policy.Config
)

// Config is the [memory] table of the configuration.
type Config struct {
	Recall
	Rules
	// MaxContent is the longest content of an item, in characters.
	MaxContent int `toml:"atomic_content_max_length"`
	// Analysis is AnalysisAuto or AnalysisRules.
	Analysis string `toml:"analysis"`
	// SummaryLimit is how many summaries of ended sessions go with a message; 0
	// is none.
	SummaryLimit int `toml:"session_summary_limit"`
	// AgenticSearch lets the model search the memory by itself, at most SearchLimit
	// times a turn (I2).
	AgenticSearch bool `toml:"enable_agentic_search"`
	SearchLimit   int  `toml:"agentic_search_limit"`
	// Archival keeps what was said in a session when that has ended (A1), and
	// ArchivalDefault also when the user has not marked the session to be kept.
	Archival        bool `toml:"archival_enabled"`
	ArchivalDefault bool `toml:"archival_default_write"`
	// UserProfile says that the profile goes to the model (I5). It is kept in either
	// case.
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

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return slices.Concat(recall.Settings(), policy.Settings(), []bounds.Setting{
		bounds.Between("atomic_content_max_length", 20, 20_000),
		bounds.Between("agentic_search_limit", 1, 20),
		bounds.OneOf("analysis", AnalysisAuto, AnalysisRules),
		bounds.Between("session_summary_limit", 0, 20),
	})
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
