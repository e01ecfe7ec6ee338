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
