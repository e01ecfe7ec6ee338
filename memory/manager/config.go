package manager

import (
	"fmt"

	"memoria/memory/policy"
	"memoria/memory/retrieve"
)

// How much of the items' heads lies in memory (L3).
const (
	LoadAll = "all"
	LoadHot = "hot"
)

// What a turn is analysed by (L2).
const (
	AnalysisAuto  = "auto"  // rules, and the model where there is one
	AnalysisRules = "rules" // rules alone
)

// The parts of the [memory] table that belong to other rooms, named so that both
// can be embedded.
type (
	// Scoring is how items are scored and chosen.
	Scoring = retrieve.Config
	// Rules is how items are admitted and forgotten.
	Rules = policy.Config
)

// Config is the [memory] table of the configuration.
type Config struct {
	Scoring
	Rules
	// LoadOnStart is LoadAll, or LoadHot to keep only the HotItems last used in
	// memory.
	LoadOnStart string `toml:"recall_load_on_start"`
	HotItems    int    `toml:"recall_max_items"`
	// MaxContent is the longest content of an item, in characters.
	MaxContent int `toml:"atomic_content_max_length"`
	// Analysis is AnalysisAuto or AnalysisRules.
	Analysis string `toml:"analysis"`
	// SummaryLimit is how many summaries of ended sessions go with a message; 0
	// is none.
	SummaryLimit int `toml:"session_summary_limit"`
	// Triggers are the reasons for which a turn looks into the archive (A2), see
	// [retrieve.Triggers]; none is never.
	Triggers []string `toml:"archive_triggers"`
	// AgenticSearch lets the model search the memory by itself, at most SearchLimit
	// times a turn (I2).
	AgenticSearch bool `toml:"enable_agentic_search"`
	SearchLimit   int  `toml:"agentic_search_limit"`
	// Archive holds the weights of a search of the archive (R11); they are no settings.
	Archive retrieve.ArchiveRanking `toml:"-"`
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
		Scoring: retrieve.DefaultConfig(), Rules: policy.Default(),
		LoadOnStart: LoadAll, HotItems: 200, MaxContent: 600, Analysis: AnalysisAuto, SummaryLimit: 3,
		Triggers: retrieve.Triggers(), SearchLimit: 3, UserProfile: true, Archival: true, ArchivalDefault: true,
		Archive: retrieve.DefaultArchiveRanking(),
	}
}

// Validate reports the first value that is out of its range.
func (c Config) Validate() error {
	if err := c.Scoring.Validate(); err != nil {
		return err
	}
	if err := c.Rules.Validate(); err != nil {
		return err
	}
	if c.LoadOnStart != LoadAll && c.LoadOnStart != LoadHot {
		return fmt.Errorf("recall_load_on_start is %q; allowed are %q and %q", c.LoadOnStart, LoadAll, LoadHot)
	}
	if c.HotItems < 1 || c.HotItems > 10_000_000 {
		return fmt.Errorf("recall_max_items is %d; allowed are 1 to 10000000", c.HotItems)
	}
	if c.MaxContent < 20 || c.MaxContent > 20_000 {
		return fmt.Errorf("atomic_content_max_length is %d; allowed are 20 to 20000", c.MaxContent)
	}
	if c.SearchLimit < 1 || c.SearchLimit > 20 {
		return fmt.Errorf("agentic_search_limit is %d; allowed are 1 to 20", c.SearchLimit)
	}
	if c.Analysis != AnalysisAuto && c.Analysis != AnalysisRules {
		return fmt.Errorf("analysis is %q; allowed are %q and %q", c.Analysis, AnalysisAuto, AnalysisRules)
	}
	if c.SummaryLimit < 0 || c.SummaryLimit > 20 {
		return fmt.Errorf("session_summary_limit is %d; allowed are 0 to 20", c.SummaryLimit)
	}
	return retrieve.ValidTriggers(c.Triggers)
}
