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
	// MinRelevance is the relevance an item must exceed to be chosen (R5): its
	// keyword score, and with vectors what [Combine] makes of it.
	MinRelevance float64 `toml:"min_relevance"`
	// Diversify is how much an item counts less for being like one that is chosen
	// already, 0 (off) to 1; see [Diversify] (R10).
	Diversify float64 `toml:"diversify"`
	// ExpandQuery also looks for what is usually meant along with the message's
	// words, and for words of the best items; see [Expand] (R10).
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

// Numbers of R5 and R6 that are not configuration.
const (
	preferenceBoost = 1.5
	topicBoost      = 1.3
	halfLifeDays    = 7
	frequencyTop    = 101 // ln(1 + 100): a hundred uses count as always

	// footing is the keyword score that the best candidate must exceed where the
	// memory holds no distinctive word of the message; see the package's comment.
	footing = 0.3
	// nearBest is the share of the best keyword score that an item needs which
	// holds no distinctive word itself.
	nearBest = 0.1
)

// DefaultConfig returns R1's number and R5's weights.
func DefaultConfig() Config {
	return Config{
		TopN:         5,
		MinRelevance: 0.002,
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

// Candidate is an item that might be chosen.
type Candidate struct {
	Head memory.Head
	// Keyword is how well the words match, 0–1: see [Relevance] and [Share].
	Keyword float64
	// Topic is the part of Keyword that only the topic's words give.
	Topic float64
	// OnTopic says that the item matches the session's topic (R6).
	OnTopic bool
	// Distinctive says that the item itself holds one of the query's distinctive
	// words.
	Distinctive bool
	// Own says that one of them is the message's own, not its topic's.
	Own bool
	// Meaning is how near the item's vector is to the message's, 0–1: see
	// [Gauge.Meaning]. 0 without vectors.
	Meaning float64
	// Near says that it is so near that this alone is a reason: see [Gauge.Near].
	Near bool
}

// topicOnly reports whether nothing but the topic's words speaks for the item.
func (c Candidate) topicOnly() bool { return c.Topic > 0 && c.Topic >= c.Keyword && !c.Near }

// Found is what the index, or a scan, has for a query.
type Found struct {
	Candidates []Candidate
	// Distinctive says that the memory holds one of the query's distinctive
	// words, a word that begins as one of its prefixes, a word of AskedWords or
	// AskedGrams, or, with TopicAlone, a distinctive word of the topic.
	Distinctive bool
	// IDF is the Σ idf of the message's keywords; 0 when the index was not asked.
	IDF float64
	// Weight is how much of what the words leave open a meaning fills up: see
	// [Combine].
	Weight float64
}

// Ranked is a candidate with its score and what became of it.
type Ranked struct {
	ID           string
	Score        float64
	Parts        memory.Parts // raw
	Contribution memory.Parts // raw times weight
	Chosen       bool
	Why          string

	hash        uint64 // of the content; 0 is none
	relevance   float64
	near        bool
	distinctive bool
	own         bool
	topicOnly   bool
	fits        bool // it is chosen, or only over the number
	idle        bool // the topic speaks for it, but the message does not call for that
	// place is what it is ordered by: its score, see order.
	place float64
}

// Rank scores the candidates at the time now and chooses at most cfg.TopN of
// them (R5, R6, R8). It returns all that may be recalled, the chosen ones before
// the others, each best first; candidates that may not come back (R7) are left
// out. Equal scores are ordered by id, newest first.
//
// R6 lifts what is about the topic by a third, and that alone would put a memory
// of the topic above the answer to a question about something else. So an item
// that only the topic's words found comes after all that hold a distinctive word
// of the message, whatever its score. Where the message has no subject of its own
// and points at nothing said before ([Query.TopicAlone]), it is not chosen at all,
// and the topic gives no footing.
func Rank(q Query, found Found, cfg Config, now time.Time) []Ranked {
	all := make([]Ranked, 0, len(found.Candidates))
	best, said := 0.0, 0.0
	for _, c := range found.Candidates {
		if !c.Head.Recallable(now) {
			continue
		}
		best, said = max(best, c.Keyword), max(said, c.Keyword-c.Topic)
		all = append(all, score(q, c, found.Weight, cfg.Weights, now))
	}
	if !q.TopicAlone {
		best = said
	}
	sorted := make([]*Ranked, len(all))
	for i := range all {
		sorted[i] = &all[i]
	}
	order(sorted)
	choose(sorted, cfg, best, found.Distinctive || best > footing)
	out := make([]Ranked, 0, len(all))
	for _, chosen := range []bool{true, false} {
		for _, r := range sorted {
			if r.Chosen == chosen {
				out = append(out, *r)
			}
		}
	}
	return out
}

func score(q Query, c Candidate, weight float64, w Weights, now time.Time) Ranked {
	relevance := Combine(c.Keyword, c.Meaning, weight)
	p := memory.Parts{
		KeywordScore:   c.Keyword,
		VectorScore:    c.Meaning,
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
		VectorScore:    (relevance - c.Keyword) * w.Keyword,
		CategoryBoost:  p.CategoryBoost * w.Category,
		RecencyScore:   p.RecencyScore * w.Recency,
		FrequencyScore: p.FrequencyScore * w.Frequency,
		Confidence:     p.Confidence * w.Confidence,
		TopicBoost:     p.TopicBoost,
	}
	sum := k.KeywordScore + k.VectorScore + k.CategoryBoost + k.RecencyScore + k.FrequencyScore + k.Confidence
	return Ranked{
		ID: c.Head.ID, Score: sum * p.TopicBoost, Parts: p, Contribution: k, hash: c.Head.ContentHash,
		relevance: relevance, near: c.Near, distinctive: c.Distinctive || c.Near, own: c.Own || c.Near, topicOnly: c.topicOnly(), idle: c.topicOnly() && !q.TopicAlone,
	}
}

// order sorts by score, but what only the topic found behind the last item that
// holds a distinctive word of the message.
func order(ranked []*Ranked) {
	last := math.Inf(1)
	for _, r := range ranked {
		if r.own {
			last = min(last, r.Score)
		}
	}
	for _, r := range ranked {
		if r.place = r.Score; r.topicOnly {
			r.place = min(r.place, last)
		}
	}
	behind := func(r *Ranked) int {
		if r.topicOnly && r.place < r.Score {
			return 1
		}
		return 0
	}
	slices.SortFunc(ranked, func(a, b *Ranked) int {
		return cmp.Or(cmp.Compare(b.place, a.place), behind(a)-behind(b), cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
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

// choose marks the best candidates and gives every one its reason. Without
// footing nothing is chosen; best is the highest keyword score.
func choose(sorted []*Ranked, cfg Config, best float64, footing bool) {
	chosen := 0
	taken := map[uint64]bool{}
	over := fmt.Sprintf("over the number: %d items are sent", cfg.TopN)
	for _, r := range sorted {
		switch {
		case r.relevance <= cfg.MinRelevance:
			r.Why = fmt.Sprintf("below the minimum: its words match %.3g, more than %.3g is needed", r.Parts.KeywordScore, cfg.MinRelevance)
		case r.idle:
			r.Why = "not called for: it is about the topic, which the message does not come back to"
		case r.Parts.KeywordScore == 0 && !r.near:
			r.Why = "below the minimum: none of its words match, and its meaning is not near enough"
		case !footing && !r.near:
			r.Why = "below the minimum: it shares nothing but everyday words"
		case !r.distinctive && r.Parts.KeywordScore < nearBest*best:
			r.Why = "below the minimum: it shares an everyday word, while others hold what the message is about"
		case taken[r.hash]:
			r.Why = "duplicate: a better item says the same"
		case chosen >= cfg.TopN:
			r.Why, r.fits = over, true
		default:
			taken[r.hash] = r.hash != 0
			chosen++
			r.Chosen, r.fits, r.Why = true, true, why(*r)
		}
	}
}

// worthAWord is the least contribution that is named as a reason.
const worthAWord = 0.05

// why names what speaks for an item, the strongest part first.
func why(r Ranked) string {
	type part struct {
		name string
		x    float64
	}
	words := "its words match"
	if r.topicOnly {
		words = "the topic's words match"
	}
	parts := []part{
		{words, r.Contribution.KeywordScore},
		{"recent", r.Contribution.RecencyScore},
		{"often used", r.Contribution.FrequencyScore},
		{"sure", r.Contribution.Confidence},
	}
	if r.Parts.VectorScore > 0 {
		parts = slices.Insert(parts, 1, part{"its meaning is near", r.Contribution.VectorScore})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.x, a.x) })
	var names []string
	for i, p := range parts {
		if p.x >= worthAWord || i == 0 {
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
