package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/classify"
)

// gist is what a message is as a whole, told by a model that was trained on examples: rules read clauses, and the same
// clause is a statement in one message and a line of a part in another.
type gist struct {
	class string  // the most probable one of those that tell nothing
	tells float64 // how probable it is that the user tells something of himself, or says how he wants to be answered
	rule  float64 // how probable the latter is
}

// doubts say why something waits, by the class of its message.
var doubts = map[string]string{
	"code":    "looks like code or test data",
	"text":    "looks like part of a text",
	"play":    "looks like part of a game",
	"others":  "seems to be about somebody else",
	smallTalk: "seems to be said for the moment",
}

// How probable something must be, chosen on examples of writers whom the model did not know; go run ./memory/policy/cmd
// prints the figures.
const (
	// That a message tells something of its writer …
	sureToTell  = 0.6 // … for what rules read in it to be active
	sureToKeep  = 0.8 // … for what is kept in the user's words to be active
	sureAlone   = 0.5 // … for that when the message is one short statement
	sureToState = 0.3 // … for what rules read to be active when that is nearly all of the message, or it is one short statement
	mayTell     = 0.4 // … for what is kept in the user's words to wait, rather than to be dropped
	tellsAtAny  = 0.8 // … for a piece without a topic to be kept

	teachesPiece = 0.3 // that such a piece teaches something
	enoughWords  = 2   // words of such a piece
	sureOrder    = 0.8 // that a message says how the user wants to be answered, for an order to be kept
)

func (r *reader) gistOf(message string) gist {
	p := gists().Probabilities(message, r.signs()...)
	return gist{class: classify.Best(p, Telling, ruling), tells: p[Telling] + p[ruling], rule: p[ruling]}
}

// alone reports whether the sentence of a candidate, without the rest of the message, surely tells something. In small
// talk that holds for every sentence; elsewhere for the first one only, because what follows may be material: "I'm
// vegan. What do you think of this mail?"
func (r *reader) alone(c Candidate) bool {
	for i, s := range r.sentences {
		lo, hi := r.v.source(s.lo, s.hi)
		if c.Offset < lo || c.Offset >= hi {
			continue
		}
		p := gists().Probabilities(r.v.src[lo:hi], "rules read it")
		return len(r.sentences) > 1 && (i == 0 || r.gist.class == smallTalk) && p[Telling] >= tellsAtAny
	}
	return false
}

// signs say for the model of messages what the named rules have read.
func (r *reader) signs() (out []string) {
	for _, f := range r.found {
		if !f.AsSaid() && f.Rule != ruleOver {
			kind, _, _ := strings.Cut(f.Rule, "-")
			out = append(out, "rule "+kind)
		}
	}
	switch share := r.share(); {
	case share >= mostOfIt:
		return append(out, "rules read it")
	case share > 0:
		return append(out, "rules read some")
	}
	return append(out, "rules read nothing")
}

// share is how much of the message named rules have read, between 0 and 1.
func (r *reader) share() float64 {
	read := 0
	for _, f := range r.found {
		if !f.AsSaid() && f.Rule != ruleOver {
			read += f.Length
		}
	}
	return float64(read) / float64(max(1, len(strings.TrimSpace(r.v.src))))
}

// mostOfIt is how much of a message rules must read for it to have little else in it.
const mostOfIt = 0.8

// doubted marks what a message teaches that most probably tells nothing of its writer. What is kept as it was said
// goes where there is more doubt, and so does the vague end of something.
func (r *reader) doubted(found []Candidate) []Candidate {
	if len(found) == 0 || r.gist.class == "" {
		return found
	}
	sure, keep := sureToTell, sureToKeep
	switch {
	case r.isStatement():
		sure, keep = sureToState, sureAlone
	case r.share() >= mostOfIt:
		sure = sureToState
	}
	for i, c := range found {
		vague := c.AsSaid() || c.Rule == ruleOver
		switch {
		case c.Explicit, c.Correction, c.OnlyEnds() && !vague, !vague && r.alone(c):
		case vague && r.gist.tells < keep, !vague && r.gist.tells < sure:
			found[i].Doubt = r.gist.class
		}
	}
	return slices.DeleteFunc(found, func(c Candidate) bool {
		return c.Doubt != "" && (c.Rule == ruleOver || c.AsSaid() && r.gist.tells < mayTell)
	})
}

// isStatement reports whether the message is one short sentence that asks nothing.
func (r *reader) isStatement() bool {
	return len(r.sentences) == 1 && !r.question && utf8.RuneCountInString(strings.TrimSpace(r.v.src)) <= shortStatement
}

const shortStatement = 70 // characters

func (p piece) seen() string {
	if p.question {
		return p.text + "?"
	}
	return p.text
}

// tells reports what a piece that speaks of no known topic teaches, in a message that leaves no doubt: something of the
// user, or how to be answered.
func (r *reader) tells(p piece) (topic, bool) {
	ended := func(f located) bool { return f.sentence == p.sentence && len(f.Ends) > 0 }
	if r.gist.tells < tellsAtAny || size(p.text) < enoughWords || p.question || r.ruled(p, false) || keptOver.Match(p.text) || supposed.Match(p.text) ||
		slices.ContainsFunc(r.found, ended) {
		return topic{}, false
	}
	chance := shares().Probabilities(p.seen())
	t := anything
	t.typ = memory.Type(classify.Best(chance, Nothing))
	switch {
	case p.asks, p.of == Listener, r.gist.rule > 0.5:
		t.typ = memory.TypeRule
		return t, r.gist.rule >= sureOrder
	case p.of == Another, !p.own, keptHalf.Match(p.text), keptPast.Match(p.text), keptOwn.Match(p.text) && !keptFirst.Match(p.text):
		return t, false
	}
	return t, 1-chance[Nothing] >= teachesPiece
}

// orders reports whether a text surely says how the user wants to be answered.
func (r *reader) orders(s string) bool { return gists().Probabilities(s)[ruling] >= sureOrder }

// keepOrders keeps, in the user's words, the sentences of which no rule makes anything and which say how he wants to be
// answered, in a message that does.
func (r *reader) keepOrders() {
	for i := range r.sentences {
		s := r.trimmed(i)
		lo, hi := r.v.source(s.lo, s.hi)
		read := func(f located) bool { return f.sentence == i }
		if s.lo >= s.hi || hi-lo > maxKept || slices.ContainsFunc(r.found, read) || onlyOnce.Match(r.masked[s.lo:s.hi]) {
			continue
		}
		if len(r.sentences) == 1 || r.orders(r.v.src[lo:hi]) {
			t := anything
			t.typ = memory.TypeRule
			r.keepWords(&t, i, s.lo, s.hi)
		}
	}
}

// anything is the topic of what speaks of no other.
var anything = topic{name: "other", title: "said", typ: memory.TypeFact, weight: importanceFact}

// Plays returns how probable it is that a message begins a game or assigns a role (P5b), between 0 and 1.
func Plays(message string) float64 { return gists().Probabilities(message)["play"] }
