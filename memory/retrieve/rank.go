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

// footing is the relevance that the best candidate must exceed if the memory has no
// distinctive word of the message; see the package comment.
const footing = 0.43

// footingOfUser is the footing of a question about the user, whose everyday words ("when do
// we move house") are more likely to mean the memory that has them.
const footingOfUser = 0.2

// nearBest is the minimum share of the best relevance for an item without a distinctive
// word. Without it an answered question would also recall items that share a character
// or an everyday word with it. On the open sets it costs at most 0.3 points of R@5.
const nearBest = 0.05

// Ranked is a candidate with its score and decision.
type Ranked struct {
	Candidate
	ID           string
	Score        float64
	Parts        memory.Parts // raw
	Contribution memory.Parts // raw times weight
	Chosen       bool
	Why          string // reason for the decision (R8)

	relevance  float64 // as Parts.Relevance, but not capped at 1
	preference bool    // a preference, and the message voices one
	fits       bool    // chosen, or only beyond rag_top_n

	// place and fit are Score and relevance, limited below those of items with the
	// message's own words if the topic alone would rank the item above.
	place, fit float64
	heldBack   bool
}

// Rank scores the candidates at the time now and chooses at most cfg.TopN (R5, R6, R8).
// It returns all recallable candidates (R7), chosen ones first, each part best first.
// Equal scores are ordered by id, newest first.
//
// Relevance decides twice before the score does: whether a candidate fits at all, and
// which ⌈1.5·N⌉ fitting ones the score may order. So age and use decide between
// memories that fit about equally well, and never prefer one that fits much worse.
//
// R6 boosts items about the topic by 1.3. An item without a distinctive word of the
// message still ranks below all items with one, whatever the topic adds. If the message
// has no subject and does not refer back ([Query.TopicAlone]), an item found only by
// the topic's words is not chosen, and the topic gives no footing.
func Rank(q Query, found Found, cfg Config, now time.Time) []Ranked {
	if q.TimeOnly {
		return rankByTime(q, found, cfg, now)
	}
	s := newScorer(q, found, cfg.Weights, now)
	scored := make([]Ranked, 0, len(found.Candidates))
	best := 0.0
	for _, c := range found.Candidates {
		if !c.Head.Recallable(now) {
			continue
		}
		own := c.Relevance
		if !q.TopicAlone {
			own -= c.Topic
		}
		best = max(best, own)
		scored = append(scored, s.score(c))
	}
	holdBack(scored)
	all := make([]*Ranked, len(scored)) // pointers, since the values are large
	for i := range scored {
		all[i] = &scored[i]
	}
	l := limits{
		q: q, cfg: cfg, best: best, footing: found.Distinctive || best > q.footing(),
		answered: slices.ContainsFunc(scored, func(r Ranked) bool { return r.preference && r.Own }),
	}
	slices.SortFunc(all, byRelevance)
	l.apply(all)
	slices.SortFunc(all, byScore)
	out := make([]Ranked, len(all))
	for i, r := range all {
		out[i] = *r
	}
	return out
}

// rankByTime chooses items learned or confirmed in the time that the message names,
// newest first (R12).
func rankByTime(q Query, found Found, cfg Config, now time.Time) []Ranked {
	s := newScorer(q, found, cfg.Weights, now)
	var all []Ranked
	for _, c := range found.Candidates {
		if c.Head.Recallable(now) && c.Head.In(q.When.From, q.When.To) {
			all = append(all, s.score(c))
		}
	}
	slices.SortFunc(all, func(a, b Ranked) int {
		return cmp.Or(b.Head.LastConfirmedAt.Compare(a.Head.LastConfirmedAt), cmp.Compare(b.ID, a.ID))
	})
	for i := range all {
		if all[i].Chosen, all[i].fits = i < cfg.TopN, true; all[i].Chosen {
			all[i].Why = "learned or confirmed in the time that you name"
		} else {
			all[i].Why = fmt.Sprintf("no room: %d go along (rag_top_n), and others are newer", cfg.TopN)
		}
	}
	return all
}

func (q Query) footing() float64 {
	if q.AboutUser {
		return footingOfUser
	}
	return footing
}

// holdBack keeps items that R6 ranks below the message's own words there, however much
// the topic adds.
func holdBack(all []Ranked) {
	score, relevance := math.Inf(1), math.Inf(1)
	for _, r := range all {
		if r.Own || r.Near {
			score, relevance = min(score, r.Score), min(relevance, r.relevance)
		}
	}
	for i := range all {
		r := &all[i]
		if r.place, r.fit = r.Score, r.relevance; r.OnTopic && !r.Own && !r.Near {
			r.place, r.fit = min(r.place, score), min(r.fit, relevance)
			r.heldBack = r.place < r.Score || r.fit < r.relevance
		}
	}
}

// byRelevance orders candidates by fit.
func byRelevance(a, b *Ranked) int {
	return cmp.Or(cmp.Compare(b.fit, a.fit), truth(a.heldBack)-truth(b.heldBack),
		cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
}

// byScore orders chosen candidates first, then by score.
func byScore(a, b *Ranked) int {
	return cmp.Or(truth(b.Chosen)-truth(a.Chosen), cmp.Compare(b.place, a.place), truth(a.heldBack)-truth(b.heldBack),
		cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// limits holds the selection criteria.
type limits struct {
	q       Query
	cfg     Config
	best    float64 // the highest relevance
	footing bool
	// answered says that a preference matches the subject of a question about
	// preferences. Then the other preferences need to match like any item.
	answered bool
}

// apply marks the chosen candidates, which are sorted by relevance, and gives every
// candidate its reason.
func (l limits) apply(all []*Ranked) {
	fit := make([]*Ranked, 0, len(all))
	taken := make(map[uint64]bool, len(all))
	for _, r := range all {
		if r.Why = l.against(r); r.Why != "" {
			continue
		}
		if h := r.Head.ContentHash; h != 0 && taken[h] {
			r.Why = "duplicate: another memory says the same"
			continue
		}
		taken[r.Head.ContentHash] = true
		r.fits = true
		fit = append(fit, r)
	}
	ordered := fit[:min(len(fit), int(math.Ceil(1.5*float64(l.cfg.TopN))))]
	slices.SortFunc(ordered, byScore)
	over := fmt.Sprintf("no room: %d go along (rag_top_n), and others fit better", l.cfg.TopN)
	for i, r := range fit {
		if r.Chosen = i < l.cfg.TopN; r.Chosen {
			r.Why = why(r)
		} else {
			r.Why = over
		}
	}
}

// against returns the reason against a candidate, or "".
func (l limits) against(r *Ranked) string {
	switch {
	case r.preference && l.q.AsksPreference && (!l.answered || r.Own): // R5: a footing in every preference
		return ""
	case r.topicOnly() && !l.q.TopicAlone:
		return "not called for: about the topic, which the message does not mention"
	case !l.footing && !r.Near:
		return "below the minimum: shares only everyday words with the message"
	case r.Parts.Relevance <= l.cfg.MinRelevance:
		return fmt.Sprintf("below the minimum: relevance %.3g, more than %.3g is needed", r.Parts.Relevance, l.cfg.MinRelevance)
	case r.Relevance == 0 && !r.Near:
		return "below the minimum: no word matches, and the meaning is not near enough"
	case !r.Distinctive && !r.Near && r.Relevance < nearBest*l.best:
		return "below the minimum: shares an everyday word, and others fit much better"
	}
	return ""
}

// worthAWord is the minimum contribution that is named as a reason.
const worthAWord = 0.05

// why returns the reasons for an item, strongest first.
func why(r *Ranked) string {
	type part struct {
		name string
		x    float64
	}
	words := "its words match"
	if r.topicOnly() {
		words = "the topic's words match"
	}
	parts := []part{
		{words, r.Contribution.KeywordScore},
		{"recent", r.Contribution.RecencyScore},
		{"often used", r.Contribution.FrequencyScore},
		{"sure", r.Contribution.Confidence},
	}
	if r.Relevance == 0 {
		parts = parts[1:]
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
