package retrieve

import "fmt"

// Config is how retrieval scores and chooses; part of the [memory] table.
type Config struct {
	// TopN is the number of items that reach the model (R1).
	TopN int `toml:"rag_top_n"`
	// MinRelevance is the absolute relevance (R3a) that an item must exceed to be
	// chosen (R5).
	MinRelevance float64 `toml:"min_relevance"`
	// Diversify is how much an item counts less for being like one that is chosen
	// already, 0 (off) to 1; see [Diversify] (R10).
	Diversify float64 `toml:"diversify"`
	// ExpandQuery (on by default) also looks for what usually means the same as the message's
	// words; see [Expand] (R10).
	ExpandQuery bool `toml:"expand_query"`
	// Rerank looks into the best items for the message's words standing together; see
	// [Closeness] (R10).
	Rerank  bool    `toml:"rerank"`
	Weights Weights `toml:"weights"`
}

// Weights are the factors of R5.
type Weights struct {
	Keyword    float64 `toml:"keyword"`
	Category   float64 `toml:"category"`
	Recency    float64 `toml:"recency"`
	Frequency  float64 `toml:"frequency"`
	Confidence float64 `toml:"confidence"`
}

// DefaultConfig returns R1's number and R5's weights.
func DefaultConfig() Config {
	return Config{
		TopN:         5,
		MinRelevance: 0.002,
		ExpandQuery:  true,
		Weights:      Weights{Keyword: 0.4, Category: 0.2, Recency: 0.15, Frequency: 0.1, Confidence: 0.15},
	}
}

// Validate reports the first value that is out of its range.
func (c Config) Validate() error {
	if c.TopN < 0 || c.TopN > 100 {
		return fmt.Errorf("rag_top_n is %d; allowed are 0 to 100", c.TopN)
	}
	if !(c.MinRelevance >= 0 && c.MinRelevance <= 1) {
		return fmt.Errorf("min_relevance is %v; allowed are 0 to 1", c.MinRelevance)
	}
	if !(c.Diversify >= 0 && c.Diversify <= 1) {
		return fmt.Errorf("diversify is %v; allowed are 0 to 1", c.Diversify)
	}
	for _, w := range []struct {
		name   string
		weight float64
	}{
		{"keyword", c.Weights.Keyword}, {"category", c.Weights.Category}, {"recency", c.Weights.Recency},
		{"frequency", c.Weights.Frequency}, {"confidence", c.Weights.Confidence},
	} {
		if !(w.weight >= 0 && w.weight <= 1) {
			return fmt.Errorf("weights.%s is %v; allowed are 0 to 1", w.name, w.weight)
		}
	}
	return nil
}
