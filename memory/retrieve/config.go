package retrieve

import "memoria/memory/bounds"

// Config holds the settings of scoring and selection; part of the [memory] table.
type Config struct {
	// TopN is the maximum number of items sent to the model (R1).
	TopN int `toml:"rag_top_n"`
	// MinRelevance is the absolute relevance (R3a) that a chosen item must exceed (R5).
	MinRelevance float64 `toml:"min_relevance"`
	// Diversify is the penalty for similarity to an item already chosen, 0 (off) to 1;
	// see [Diversify] (R10).
	Diversify float64 `toml:"diversify"`
	// ExpandQuery (on by default) adds usual synonyms of the message's words; see [Expand]
	// (R10).
	ExpandQuery bool `toml:"expand_query"`
	// Rerank checks the best items for closeness of the message's words; see
	// [Closeness] (R10).
	Rerank  bool    `toml:"rerank"`
	Weights Weights `toml:"weights"`
}

// Weights are the weights of R5.
type Weights struct {
	Keyword    float64 `toml:"keyword"`
	Category   float64 `toml:"category"`
	Recency    float64 `toml:"recency"`
	Frequency  float64 `toml:"frequency"`
	Confidence float64 `toml:"confidence"`
}

// DefaultConfig returns the number of R1 and the weights of R5.
func DefaultConfig() Config {
	return Config{
		TopN:         5,
		MinRelevance: 0.002,
		ExpandQuery:  true,
		Weights:      Weights{Keyword: 0.4, Category: 0.2, Recency: 0.15, Frequency: 0.1, Confidence: 0.15},
	}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{
		bounds.Between("rag_top_n", 0, 100),
		bounds.Between("min_relevance", 0.0, 1),
		bounds.Between("diversify", 0.0, 1),
		bounds.Between("weights.keyword", 0.0, 1),
		bounds.Between("weights.category", 0.0, 1),
		bounds.Between("weights.recency", 0.0, 1),
		bounds.Between("weights.frequency", 0.0, 1),
		bounds.Between("weights.confidence", 0.0, 1),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
