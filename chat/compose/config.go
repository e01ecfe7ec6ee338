package compose

import "memoria/memory/bounds"

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

// Config is the [context] table of the configuration.
type Config struct {
	// Order lists the layers that are sent, in their order; a layer that is not
	// listed is switched off (C1).
	Order []string `toml:"order"`
	// HistoryTokens is the budget of the window, MemoryTokens that of recalled
	// memory (C3, C4).
	HistoryTokens int `toml:"history_tokens"`
	MemoryTokens  int `toml:"memory_tokens"`
	// EvidenceTokens is the strict limit of quotes from the archive (A3); 0 quotes
	// nothing.
	EvidenceTokens int `toml:"evidence_tokens"`
}

// DefaultConfig returns the defaults of C1, C3, C4 and A3.
func DefaultConfig() Config {
	return Config{Order: DefaultOrder(), HistoryTokens: 16384, MemoryTokens: 2048, EvidenceTokens: 1024}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{
		bounds.SomeOf("order", DefaultOrder()...),
		bounds.Between("history_tokens", 0, 1_000_000),
		bounds.Between("memory_tokens", 0, 1_000_000),
		bounds.Between("evidence_tokens", 0, 1_000_000),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
