package policy

import (
	"time"

	"memoria/memory/bounds"
)

// PIIPolicy says what happens to a conclusion that holds personal data (P5).
type PIIPolicy string

// The ways to treat personal data.
const (
	PIIKeep   PIIPolicy = "keep"   // written like anything else, with lowered confidence
	PIIRedact PIIPolicy = "redact" // written with the data itself blacked out
	PIIAsk    PIIPolicy = "ask"    // held in the inbox until the user says yes
	PIIDrop   PIIPolicy = "drop"   // never written
)

// Config holds what a user may change about the policy. Durations are given as strings in TOML ("720h").
type Config struct {
	// PIIPolicy is one of keep, redact, ask (default) and drop (P5). An explicit "remember" is a yes to ask.
	PIIPolicy PIIPolicy `toml:"pii_policy"`
	// ConsolidateTurns is the number of turns not yet consolidated past which a running session is
	// consolidated before its end (P7); 0 means at the end only.
	ConsolidateTurns int `toml:"consolidate_turns"`
	// ForgetImportance is the importance (0–1) at and below which an unused item decays (P8).
	ForgetImportance float64 `toml:"forget_importance"`
	// ForgetUnused is how long an unimportant item may lie unused before it decays (P8).
	ForgetUnused time.Duration `toml:"forget_unused"`
	// ForgetFloor is the confidence (0–1) below which a decaying item is deactivated (P8).
	ForgetFloor float64 `toml:"forget_floor"`
	// DeleteAfter is how long an item stays inactive before it may be deleted (P8); at least 30 days.
	DeleteAfter time.Duration `toml:"delete_after"`
	// EvictionThreshold is the number of active items past which the least sure are put aside (L5); 0 means
	// that there is no limit.
	EvictionThreshold int `toml:"eviction_threshold"`
}

const (
	day = 24 * time.Hour

	// minDeleteAfter is P8's thirty days: as long as a change can be undone (P9).
	minDeleteAfter = 30 * day
)

// Default returns the configuration that holds when the user says nothing.
func Default() Config {
	return Config{
		PIIPolicy:        PIIAsk,
		ConsolidateTurns: 20,
		ForgetImportance: 0.4,
		ForgetUnused:     90 * day,
		ForgetFloor:      0.25,
		DeleteAfter:      minDeleteAfter,
	}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{
		bounds.OneOf("pii_policy", PIIKeep, PIIRedact, PIIAsk, PIIDrop),
		bounds.AtLeast("consolidate_turns", 0),
		bounds.Between("forget_importance", 0.0, 1),
		bounds.Between("forget_floor", 0.0, 1),
		bounds.Positive[time.Duration]("forget_unused"),
		bounds.AtLeast("eviction_threshold", 0),
		bounds.AtLeast("delete_after", minDeleteAfter),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
