package retrieve

import (
	"math"
	"time"

	"memoria/memory"
)

// Constants of R5 and R6 that are not configuration.
const (
	preferenceBoost = 1.5
	topicBoost      = 1.3
	halfLifeDays    = 7
	frequencyTop    = 101 // ln(1 + 100): more than a hundred uses count as a hundred
	// timeBoost multiplies the relevance of items learned or confirmed in the time that
	// the message names (R12).
	timeBoost = 2.5
)

// Candidate is an item that may be chosen.
type Candidate struct {
	Head memory.Head
	// Relevance is how well the item's words match, absolute, 0–1 (R3a): see
	// [Relevance] and [Share]. [Rank] combines it with Meaning.
	Relevance float64
	// Topic is the part of Relevance that only the topic's words give.
	Topic float64
	// OnTopic says that the item matches the session's topic (R6).
	OnTopic bool
	// Distinctive says that the item has a distinctive word of the query, Own that the
	// word is the message's and not its topic's.
	Distinctive bool
	Own         bool
	// Meaning is the similarity of the item's vector to the message's, 0–1: see
	// [Gauge.Meaning]. It is 0 without vectors. Near says that the similarity alone is
	// a reason to choose the item: see [Gauge.Near].
	Meaning float64
	Near    bool
}

// topicOnly reports whether only the topic's words match the item.
func (c Candidate) topicOnly() bool { return c.Topic > 0 && c.Topic >= c.Relevance && !c.Near }

// Found is the result of an index search, or a scan, for a query.
type Found struct {
	Candidates []Candidate
	// Distinctive says that the memory has a distinctive word of the query: one of its
	// own, a word with one of its prefixes, a word of AskedWords or AskedGrams, or,
	// with TopicAlone, one of the topic.
	Distinctive bool
	// IDF is the Σ idf of the message's keywords; 0 without the index.
	IDF float64
	// Weight is the weight of meaning relative to words: see [Combine].
	Weight float64
}

// Recency returns 2^(−days/7) since touched, 1 for the present and the future (R5).
func Recency(touched, now time.Time) float64 {
	days := now.Sub(touched).Hours() / 24
	return math.Exp2(-max(days, 0) / halfLifeDays)
}

// Frequency returns min(1, ln(1 + accesses) / ln 101) (R5).
func Frequency(accesses int) float64 {
	return min(1, math.Log1p(float64(max(accesses, 0)))/math.Log(frequencyTop))
}

// scorer computes R5's weighted sum for the candidates of one query.
type scorer struct {
	q       Query
	w       Weights
	meaning float64 // weight of a meaning in a relevance
	divisor float64 // the best relevance: keyword_score is relative to it (R3a)
	now     time.Time
}

// newScorer determines the divisor: the best relevance from the message itself or, if
// all are 0, the best match of the topic (R3a).
func newScorer(q Query, found Found, w Weights, now time.Time) scorer {
	s := scorer{q: q, w: w, meaning: found.Weight, now: now}
	topic := 0.0
	for _, c := range found.Candidates {
		if !c.Head.Recallable(now) {
			continue
		}
		own := c
		own.Relevance -= c.Topic
		s.divisor = max(s.divisor, s.relevance(own))
		topic = max(topic, c.Topic)
	}
	if s.divisor == 0 {
		s.divisor = topic
	}
	return s
}

// relevance combines words, meaning and time.
func (s scorer) relevance(c Candidate) float64 {
	r := Combine(c.Relevance, c.Meaning, s.meaning)
	if !s.q.When.All() && c.Head.In(s.q.When.From, s.q.When.To) {
		r *= timeBoost
	}
	return r
}

// relative converts a relevance to a keyword_score, 0–1.
func (s scorer) relative(relevance float64) float64 {
	if s.divisor == 0 {
		return 0
	}
	return min(1, relevance/s.divisor)
}

// score returns a candidate with its parts, not yet chosen.
func (s scorer) score(c Candidate) Ranked {
	relevance := s.relevance(c)
	p := memory.Parts{
		Relevance:      min(1, relevance),
		KeywordScore:   s.relative(relevance),
		VectorScore:    c.Meaning,
		CategoryBoost:  1,
		RecencyScore:   Recency(c.Head.LastTouched(), s.now),
		FrequencyScore: Frequency(c.Head.AccessCount),
		Confidence:     c.Head.Confidence,
		TopicBoost:     1,
	}
	preference := s.q.Preference && c.Head.Type == memory.TypePreference
	if preference {
		p.CategoryBoost = preferenceBoost
	}
	if c.OnTopic {
		p.TopicBoost = topicBoost
	}
	words := 1.0 // the words' share of the keyword score
	if joined := Combine(c.Relevance, c.Meaning, s.meaning); joined > 0 {
		words = c.Relevance / joined
	}
	k := memory.Parts{
		KeywordScore:   p.KeywordScore * s.w.Keyword * words,
		VectorScore:    p.KeywordScore * s.w.Keyword * (1 - words),
		CategoryBoost:  p.CategoryBoost * s.w.Category,
		RecencyScore:   p.RecencyScore * s.w.Recency,
		FrequencyScore: p.FrequencyScore * s.w.Frequency,
		Confidence:     p.Confidence * s.w.Confidence,
		TopicBoost:     p.TopicBoost,
	}
	sum := k.KeywordScore + k.VectorScore + k.CategoryBoost + k.RecencyScore + k.FrequencyScore + k.Confidence
	return Ranked{
		ID: c.Head.ID, Score: sum * p.TopicBoost, Parts: p, Contribution: k,
		Candidate: c, relevance: relevance, preference: preference,
	}
}
