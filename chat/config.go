package chat

import (
	"time"

	"memoria/memory/bounds"
)

// Config is the [chat] table of the configuration.
type Config struct {
	// PassiveTimeout is the idle time after which a message no longer simply
	// belongs to the session (S1), and the session's working memory ends (W4).
	PassiveTimeout time.Duration `toml:"passive_timeout"`
	// HardTimeout is the idle time after which a session ends by itself (S6). One
	// below PassiveTimeout counts as that.
	HardTimeout time.Duration `toml:"hard_timeout"`
	// SmartContext says that between the two it is judged whether a message goes
	// on with the session (S2, S3).
	SmartContext bool `toml:"smart_context_enabled"`
	// SmartModel is the model that judges; empty is the one that answers.
	SmartModel string `toml:"smart_context_model"`
	// SmartTimeout bounds the judging (S4).
	SmartTimeout time.Duration `toml:"smart_context_timeout"`
	// SmartJudge is who judges: one of the Judge constants (S4).
	SmartJudge string `toml:"smart_context_judge"`
	// ContextLimit is the number of messages in the rolling window (C2).
	ContextLimit int `toml:"context_limit"`
}

// Who judges (S4).
const (
	JudgeAuto  = "auto"  // the model, and the rules where no model is configured at all
	JudgeModel = "model" // the model alone
	JudgeRules = "rules" // the rules alone
)

// DefaultConfig returns the defaults of the specification (S1, S3, S4, S6, I5).
func DefaultConfig() Config {
	return Config{
		PassiveTimeout: 30 * time.Minute, HardTimeout: 24 * time.Hour,
		SmartContext: true, SmartTimeout: 8 * time.Second, SmartJudge: JudgeAuto, ContextLimit: 20,
	}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{
		bounds.Between("passive_timeout", time.Second, 30*24*time.Hour),
		bounds.Between("hard_timeout", time.Second, 365*24*time.Hour),
		bounds.Between("smart_context_timeout", 100*time.Millisecond, 2*time.Minute),
		bounds.OneOf("smart_context_judge", JudgeAuto, JudgeModel, JudgeRules),
		bounds.Between("context_limit", 2, 1000),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }

// hard is the idle time after which a session ends by itself.
func (c Config) hard() time.Duration { return max(c.PassiveTimeout, c.HardTimeout) }

// The layers that a package can have, by the names used in the configuration
// (C1). The new message always comes last and is not listed.
const (
	layerPersona   = "persona"
	layerProfile   = "profile"
	layerSummaries = "summaries"
	layerWindow    = "window"
	layerWorking   = "working"
	layerRecall    = "recall"
	// layerEvidence is there in turns that look into the archive (A2).
	layerEvidence = "evidence"
)

// DefaultOrder puts what rarely changes first and what changes with every turn
// last, so that a server can go on from the part of the prompt it knows (C1).
func DefaultOrder() []string {
	return []string{layerPersona, layerProfile, layerSummaries, layerWindow, layerWorking, layerRecall, layerEvidence}
}

// ContextConfig is the [context] table of the configuration.
type ContextConfig struct {
	// Order lists the layers that are sent, in their order; a layer that is not
	// listed is switched off (C1).
	Order []string `toml:"order"`
	// HistoryTokens is the budget of the window, MemoryTokens that of recalled
	// memory (C3, C4).
	HistoryTokens int `toml:"history_tokens"`
	MemoryTokens  int `toml:"memory_tokens"`
	// EvidenceTokens is the strict limit of what is quoted from the archive (A3); 0
	// is none.
	EvidenceTokens int `toml:"evidence_tokens"`
}

// DefaultContext returns the defaults of C1, C3, C4 and A3.
func DefaultContext() ContextConfig {
	return ContextConfig{Order: DefaultOrder(), HistoryTokens: 16384, MemoryTokens: 2048, EvidenceTokens: 1024}
}

// ContextSettings declares the bounds of [ContextConfig].
func ContextSettings() []bounds.Setting {
	return []bounds.Setting{
		bounds.SomeOf("order", DefaultOrder()...),
		bounds.Between("history_tokens", 0, 1_000_000),
		bounds.Between("memory_tokens", 0, 1_000_000),
		bounds.Between("evidence_tokens", 0, 1_000_000),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c ContextConfig) Validate() error { return bounds.Check(c, ContextSettings()) }
