package learning

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
)

// Bounds of a statement that is kept because it is about something known.
const (
	leastRelated, mostRelated = 4, 160 // characters
	nearestRelated            = 5      // items it is compared with
	relatedConfidence         = 0.7
	relatedImportance         = 0.4
	relatedPlays              = 0.3 // probability of a game or a story above which nothing is kept
	relatedTells              = 0.2 // probability that the user tells of himself below which nothing is kept
)

var news, tale = patternOf("", "news", ""), patternOf("", "tale", "")

// related proposes a statement in the user's words that no rule has read, if it tells news of something that an active item
// names: "paid Shona the last of it" after "I owe Shona 200". What is known may be over, so the answer should have both.
func related(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) []Proposal {
	typed := strings.TrimSpace(said.Typed())
	if n := utf8.RuneCountInString(typed); n < leastRelated || n > mostRelated || len(said.Foreign()) > 0 ||
		said.Frame.Covers(0, len(said.Content)) || strings.ContainsAny(typed, "?？`{}\n") || retrieve.Asks(typed) ||
		!news.Match(text.Fold(typed)) || tale.Match(text.Fold(typed)) {
		return nil
	}
	if plays, tells := policy.Plays(typed); plays > relatedPlays || tells < relatedTells {
		return nil
	}
	if !slices.ContainsFunc(w.Recall().Similar(ctx, a.ID, typed, nearestRelated), func(c retrieve.Candidate) bool {
		it, err := w.Lookup().Item(ctx, a.ID, c.Head.ID)
		return err == nil && c.Distinctive && c.Own && it.State == memory.StateActive && isAboutSome(it.Type) && sharesThing(typed, it)
	}) {
		return nil
	}
	return asSaid(w, said, func(c *policy.Candidate) {
		c.Explicit, c.Confidence, c.Importance = false, relatedConfidence, relatedImportance
		c.Reason = "news of something that is known"
	})
}

// isAboutSome reports whether items of a type are about something that can change.
func isAboutSome(t memory.Type) bool {
	return t == memory.TypeRelationship || t == memory.TypeGoal || t == memory.TypeFact
}

// sharesThing reports whether an item has a keyword of a text that is more than what somebody is to the user.
func sharesThing(said string, it memory.Item) bool {
	has := text.Words(it.Content)
	return slices.ContainsFunc(text.Keywords(said), func(k string) bool {
		return !retrieve.NamesRelation(k) && !dateWord.Match(text.Fold(k)) &&
			slices.ContainsFunc(text.QueryTerms(k), func(t string) bool { return slices.Contains(has, t) })
	})
}
