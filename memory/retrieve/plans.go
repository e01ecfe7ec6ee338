package retrieve

import (
	_ "embed"
	"strings"
	"sync"
	"time"

	"memoria/index/text"
	"memoria/memory"
)

//go:embed data/plans.txt
var plansTable string

// plans holds the forms of data/plans.txt: those that ask for plans, and those that ask to
// make one.
var plans = sync.OnceValues(func() (asking, making []string) {
	for line := range strings.Lines(plansTable) {
		list, to := line, &asking
		if after, ok := strings.CutPrefix(line, "!"); ok {
			list, to = after, &making
		}
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		for form := range strings.SplitSeq(list, "|") {
			*to = append(*to, text.Fold(strings.TrimSpace(form)))
		}
	}
	return asking, making
})

// planWords are the words of the forms that ask for plans, as an index has them.
var planWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	asking, _ := plans()
	for _, form := range asking {
		for _, w := range text.Words(form) {
			words[w] = true
		}
	}
	return words
})

// readPlans records whether a message asks for plans, and for which time: the one it names,
// as a future one, or from now on.
func (q *Query) readPlans(message string, now time.Time) {
	if now.IsZero() || !asksForPlans(message) {
		return
	}
	at, ok := text.Resolve(message, now, now.Location(), true)
	switch {
	case ok && (at.To.IsZero() || at.To.After(now)):
		q.AsksPlans, q.PlansIn = true, Span{From: at.From, To: at.To}
	case !ok && (q.Personal || asksForAny(message)):
		q.AsksPlans, q.PlansIn = true, Span{From: now}
	}
}

// asksForAny reports whether a question asks what there is: "any appointments?", "what's on?", 有什么安排. Other
// questions without a person and a time are about somebody else's plans, such as a railway's.
func asksForAny(message string) bool {
	folded := text.Fold(message)
	if words := strings.Fields(folded); len(words) <= 3 && len(words) > 0 && strings.HasPrefix(words[0], "what") {
		return true // "what's coming up"
	}
	return strings.HasPrefix(folded, "any") || strings.Contains(folded, "有什么") || strings.Contains(folded, "有啥")
}

func asksForPlans(message string) (asks bool) {
	folded := text.Fold(message)
	if !asksSomething(folded) && !strings.HasPrefix(folded, "any") {
		return false
	}
	asking, making := plans()
	for _, c := range clauses(message) {
		for _, form := range making {
			if c.holds(form) {
				return false
			}
		}
		for _, form := range asking {
			asks = asks || c.holds(form)
		}
	}
	return asks
}

// Due reports whether an item is among the plans that a message asks for: a goal whose date ends
// in [Query.PlansIn]. If the message names no time, goals without a date are plans, too.
func (q Query) Due(h memory.Head) bool {
	if !q.AsksPlans || h.Type != memory.TypeGoal || h.State != memory.StateActive {
		return false
	}
	if h.ValidTo.IsZero() {
		return q.PlansIn.To.IsZero()
	}
	last := h.ValidTo.Add(-time.Nanosecond) // the date ends there
	return q.PlansIn.Has(last)
}

// plansRelevance is the least relevance of an item that a question about plans asks for; its
// words add to it.
const plansRelevance = 0.5

// due raises the relevance of a candidate that is among the plans asked for.
func (c *Candidate) due() {
	c.Relevance = plansRelevance + (1-plansRelevance)*min(c.Relevance, 1)
	c.Distinctive, c.Own = true, true
}
