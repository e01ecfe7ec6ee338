package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"memoria/memory"
)

// Config is how retrieval scores and chooses; part of the [memory] table.
type Config struct {
	// TopN is the number of items that reach the model (R1).
	TopN int `toml:"rag_top_n"`
	// MinRelevance is the keyword score an item must exceed to be chosen (R5).
	MinRelevance float64 `toml:"min_relevance"`
	Weights      Weights `toml:"weights"`
}

// Weights are the factors of R5.
type Weights struct {
	Keyword    float64 `toml:"keyword"`
	Category   float64 `toml:"category"`
	Recency    float64 `toml:"recency"`
	Frequency  float64 `toml:"frequency"`
	Confidence float64 `toml:"confidence"`
}

// Numbers of R5 and R6 that are not configuration.
const (
	preferenceBoost = 1.5
	topicBoost      = 1.3
	halfLifeDays    = 7
	frequencyTop    = 101 // ln(1 + 100): a hundred uses count as always
)

// DefaultConfig returns R1's number and R5's weights.
func DefaultConfig() Config {
	return Config{
		TopN:         5,
		MinRelevance: 0.2,
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
	for name, w := range map[string]float64{
		"keyword": c.Weights.Keyword, "category": c.Weights.Category, "recency": c.Weights.Recency,
		"frequency": c.Weights.Frequency, "confidence": c.Weights.Confidence,
	} {
		if !(w >= 0 && w <= 1) {
			return fmt.Errorf("weights.%s is %v; allowed are 0 to 1", name, w)
		}
	}
	return nil
}

// Candidate is an item that might be chosen.
type Candidate struct {
	Head memory.Head
	// Keyword is how well the words match, 0–1 (R3a, or R4's share).
	Keyword float64
	// OnTopic says that the item matches the session's topic (R6).
	OnTopic bool
}

// Ranked is a candidate with its score and what became of it.
type Ranked struct {
	ID           string
	Score        float64
	Parts        memory.Parts // raw
	Contribution memory.Parts // raw times weight
	Chosen       bool
	Why          string
}

// Rank scores the candidates at the time now and chooses at most cfg.TopN of
// them (R5, R6, R8). It returns all that may be recalled, best first, the
// chosen ones before the others; candidates that may not come back (R7) are
// left out. Equal scores are ordered by id, newest first.
func Rank(q Query, candidates []Candidate, cfg Config, now time.Time) []Ranked {
	out := make([]Ranked, 0, len(candidates))
	hashes := make(map[string]uint64, len(candidates))
	for _, c := range candidates {
		if !c.Head.Recallable(now) {
			continue
		}
		hashes[c.Head.ID] = c.Head.ContentHash
		out = append(out, score(q, c, cfg.Weights, now))
	}
	slices.SortFunc(out, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
	choose(out, hashes, cfg)
	slices.SortStableFunc(out, func(a, b Ranked) int {
		return cmp.Compare(rank(a), rank(b))
	})
	return out
}

func rank(r Ranked) int {
	if r.Chosen {
		return 0
	}
	return 1
}

func score(q Query, c Candidate, w Weights, now time.Time) Ranked {
	p := memory.Parts{
		KeywordScore:   c.Keyword,
		CategoryBoost:  1,
		RecencyScore:   Recency(c.Head.LastTouched(), now),
		FrequencyScore: Frequency(c.Head.AccessCount),
		Confidence:     c.Head.Confidence,
		TopicBoost:     1,
	}
	if q.Preference && c.Head.Type == memory.TypePreference {
		p.CategoryBoost = preferenceBoost
	}
	if c.OnTopic {
		p.TopicBoost = topicBoost
	}
	k := memory.Parts{
		KeywordScore:   p.KeywordScore * w.Keyword,
		CategoryBoost:  p.CategoryBoost * w.Category,
		RecencyScore:   p.RecencyScore * w.Recency,
		FrequencyScore: p.FrequencyScore * w.Frequency,
		Confidence:     p.Confidence * w.Confidence,
		TopicBoost:     p.TopicBoost,
	}
	sum := k.KeywordScore + k.CategoryBoost + k.RecencyScore + k.FrequencyScore + k.Confidence
	return Ranked{ID: c.Head.ID, Score: sum * p.TopicBoost, Parts: p, Contribution: k}
}

// Recency is 2^(−days/7) since touched, 1 for the present and the future (R5).
func Recency(touched, now time.Time) float64 {
	days := now.Sub(touched).Hours() / 24
	return math.Exp2(-max(days, 0) / halfLifeDays)
}

// Frequency is min(1, ln(1 + accesses) / ln 101) (R5).
func Frequency(accesses int) float64 {
	return min(1, math.Log1p(float64(max(accesses, 0)))/math.Log(frequencyTop))
}

// choose marks the best candidates and gives every one its reason.
func choose(sorted []Ranked, hashes map[string]uint64, cfg Config) {
	chosen := 0
	taken := map[uint64]bool{}
	for i := range sorted {
		r := &sorted[i]
		switch {
		case r.Parts.KeywordScore <= cfg.MinRelevance:
			r.Why = fmt.Sprintf("below the minimum: its words match %.2f, more than %.2f is needed", r.Parts.KeywordScore, cfg.MinRelevance)
		case taken[hashes[r.ID]]:
			r.Why = "duplicate: a better item says the same"
		case chosen >= cfg.TopN:
			r.Why = fmt.Sprintf("over the number: %d items are sent", cfg.TopN)
		default:
			taken[hashes[r.ID]] = true
			chosen++
			r.Chosen, r.Why = true, why(*r)
		}
	}
}

// why names what speaks for an item, the strongest part first.
func why(r Ranked) string {
	parts := []struct {
		name string
		x    float64
	}{
		{"its words match", r.Contribution.KeywordScore},
		{"recent", r.Contribution.RecencyScore},
		{"often used", r.Contribution.FrequencyScore},
		{"sure", r.Contribution.Confidence},
	}
	slices.SortStableFunc(parts, func(a, b struct {
		name string
		x    float64
	}) int {
		return cmp.Compare(b.x, a.x)
	})
	var names []string
	for _, p := range parts {
		if p.x >= 0.05 {
			names = append(names, p.name)
		}
	}
	if r.Parts.CategoryBoost > 1 {
		names = append(names, "a preference, and you voice one")
	}
	if r.Parts.TopicBoost > 1 {
		names = append(names, "about the current topic")
	}
	return strings.Join(names, ", ")
}

// Share is R4's keyword score: the share of the query's words, Chinese grams
// and prefixes that occur in the folded text.
func Share(q Query, folded string) (share float64, onTopic bool) {
	contains := func(s string) bool { return strings.Contains(folded, s) }
	wanted, found := 0, 0
	for _, list := range [][]string{q.Terms, q.Prefixes} {
		for _, t := range list {
			wanted++
			if contains(t) {
				found++
			}
		}
	}
	onTopic = slices.ContainsFunc(q.TopicTerms, contains)
	if wanted == 0 {
		if onTopic {
			return 1, true
		}
		return 0, false
	}
	return float64(found) / float64(wanted), onTopic
}
