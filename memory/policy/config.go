package policy

import (
	"time"

	"memoria/memory/bounds"
)

// PIIPolicy says how conclusions with personal data are treated (P5).
type PIIPolicy string

// The ways to treat personal data.
const (
	PIIKeep   PIIPolicy = "keep"   // written like anything else, with lowered confidence
	PIIRedact PIIPolicy = "redact" // written with the data redacted
	PIIAsk    PIIPolicy = "ask"    // held in the inbox until approved
	PIIDrop   PIIPolicy = "drop"   // never written
)

// Config holds the user's settings of the policy. Durations are strings in TOML ("720h").
type Config struct {
	// PIIPolicy is one of keep, redact, ask (default) and drop (P5). An explicit "remember" is an approval.
	PIIPolicy PIIPolicy `toml:"pii_policy"`
	// ConsolidateTurns is the number of unconsolidated turns above which a running session is
	// consolidated (P7); 0 means only at the end.
	ConsolidateTurns int `toml:"consolidate_turns"`
	// ForgetImportance is the maximum importance (0–1) of an item that decays when unused
	// (P8).
	ForgetImportance float64 `toml:"forget_importance"`
	// ForgetUnused is the time without use after which an unimportant item decays (P8).
	ForgetUnused time.Duration `toml:"forget_unused"`
	// ForgetFloor is the confidence (0–1) below which a decaying item is deactivated (P8).
	ForgetFloor float64 `toml:"forget_floor"`
	// DeleteAfter is the time that an item stays inactive before it may be deleted (P8); at least 30
	// days.
	DeleteAfter time.Duration `toml:"delete_after"`
	// EvictionThreshold is the maximum number of active items; the least certain beyond it are deactivated
	// (L5). 0 means no limit.
	EvictionThreshold int `toml:"eviction_threshold"`
}

const (
	day = 24 * time.Hour

	// minDeleteAfter is the thirty days of P8, the undo time of a change (P9).
	minDeleteAfter = 30 * day
)

// Default returns the default configuration.
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
