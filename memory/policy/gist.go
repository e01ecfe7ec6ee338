package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/classify"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// gist classifies a message as a whole, by a model trained on examples: rules read clauses, and the same
// clause is a statement in one message and a line of a game in another.
type gist struct {
	class string  // the most probable class without statements
	tells float64 // probability that the user tells something about himself, or how to be answered
	rule  float64 // probability of the latter
}

// doubts are the reasons for holding, by the class of the message.
var doubts = map[string]string{
	"code":    "looks like code or test data",
	"text":    "looks like part of a text",
	"play":    "looks like part of a game",
	"others":  "seems to be about somebody else",
	smallTalk: "seems to be said for the moment",
}

// Probability thresholds, chosen on examples of authors unknown to the model; go run ./memory/policy/cmd
// prints the figures.
const (
	// For a message telling something about its author:
	sureToTell  = 0.6 // results of rules are active
	sureToKeep  = 0.7 // pieces in the user's words are active
	sureToEnd   = 0.8 // what a piece says is over ends
	sureAlone   = 0.5 // the same for one short statement
	sureToState = 0.3 // results of rules are active if they are nearly all of the message, or it is one short statement
	mayTell     = 0.4 // pieces in the user's words are held instead of dropped
	tellsAtAny  = 0.7 // a piece without a topic is kept

	teachesPiece = 0.3 // such a piece teaches something
	// teachesOfOthers is the same for a piece about somebody of the user's.
	teachesOfOthers = 0.6
	// teachesUnclear is the same for a Chinese piece without a subject.
	teachesUnclear = 0.8
	// sureOfKnown is what a message needs to tell if it names somebody known: what is said of those is seldom a story.
	sureOfKnown = 0.15
	// sureOfKin is the same for one short statement about the user's kin that a rule has read.
	sureOfKin   = 0.2
	enoughWords = 2   // words of such a piece
	sureOrder   = 0.8 // an order is kept: the message says how the user wants to be answered
)

func (r *reader) gistOf(message string) gist {
	p := gists().Probabilities(message, r.signs()...)
	return gist{class: classify.Best(p, Telling, ruling), tells: p[Telling] + p[ruling], rule: p[ruling]}
}

// alone reports whether the sentence of a candidate by itself surely tells something. In small talk any
// sentence may; elsewhere only the first one, because the rest may be material: "I'm vegan. What do you think
// of this mail?"
func (r *reader) alone(c Candidate) bool {
	for i, s := range r.sentences {
		lo, hi := r.v.Source(s.Lo, s.Hi)
		if c.Offset < lo || c.Offset >= hi {
			continue
		}
		p := gists().Probabilities(r.v.Src[lo:hi], "rules read it")
		return len(r.sentences) > 1 && (i == 0 || r.gist.class == smallTalk) && p[Telling] >= tellsAtAny
	}
	return false
}

// signs returns the results of named rules as features for the model of messages.
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

// share returns the share of the message read by named rules, between 0 and 1.
func (r *reader) share() float64 {
	read := 0
	for _, f := range r.found {
		if !f.AsSaid() && f.Rule != ruleOver {
			read += f.Length
		}
	}
	return float64(read) / float64(max(1, len(strings.TrimSpace(r.v.Src))))
}

// mostOfIt is the share of a message that rules must read for it to contain little
// else.
const mostOfIt = 0.8

// doubted marks candidates of a message that probably tells nothing about its author. With more doubt it
// drops pieces in the user's words and vague ends.
func (r *reader) doubted(found []Candidate) []Candidate {
	if len(found) == 0 || r.gist.class == "" {
		return found
	}
	sure, keep, end := sureToTell, sureToKeep, sureToEnd
	switch {
	case r.isStatement():
		sure, keep, end = sureToState, sureAlone, sureAlone
	case r.share() >= mostOfIt:
		sure = sureToState
	}
	for i, c := range found {
		vague := c.AsSaid() || c.Rule == ruleOver
		switch {
		case r.ofKnown(c) && r.gist.tells >= sureOfKnown:
		case c.Rule == ruleVisitor && r.isStatement(): // who comes to the user's home
		case strings.HasPrefix(c.Key, "relation/") && r.isStatement() && r.gist.class == "others" && r.gist.tells >= sureOfKin:
		case c.Explicit, c.Correction, c.OnlyEnds() && !vague, !vague && r.alone(c):
		case c.Rule == ruleOver && r.gist.tells < end, vague && r.gist.tells < keep, !vague && r.gist.tells < sure:
			found[i].Doubt = r.gist.class
		}
	}
	return slices.DeleteFunc(found, func(c Candidate) bool {
		return c.Doubt != "" && (c.Rule == ruleOver || c.AsSaid() && r.gist.tells < mayTell)
	})
}

// isStatement reports whether the message is one short sentence and not a question.
func (r *reader) isStatement() bool {
	return len(r.sentences) == 1 && !r.question && utf8.RuneCountInString(strings.TrimSpace(r.v.Src)) <= shortStatement
}

const shortStatement = 70 // characters

func (p piece) seen() string {
	if p.question {
		return p.text + "?"
	}
	return p.text
}

// tells returns what a piece without a known topic teaches, in a message without doubt: of the user, or how to answer.
func (r *reader) tells(p piece) (topic, bool) {
	ended := func(f located) bool {
		return f.sentence == p.sentence && len(f.Ends) > 0 && f.Rule != ruleSingle &&
			!(p.near() && (isMere(f.Candidate) || strings.HasSuffix(f.Key, "/name") && !r.within(f.Candidate, p)))
	}
	least := tellsAtAny
	switch {
	case p.near() && r.knows(p.lo, p.hi):
		least = sureOfKnown
	case p.near():
		least = sureToTell
	}
	switch {
	case r.gist.tells < least, size(p.text) < enoughWords, p.question, keptOver.Match(p.text), supposed.Match(p.text),
		r.ruled(p, false), slices.ContainsFunc(r.found, ended), sentenceEmotion(p.text, false) != "":
		return topic{}, false
	}
	chance := shares().Probabilities(p.seen())
	t := anything
	t.typ = memory.Type(classify.Best(chance, Nothing))
	switch {
	case p.asks, p.of == subject.Listener, r.gist.rule > 0.5:
		t.typ = memory.TypeRule
		return t, r.gist.rule >= sureOrder
	case p.near() && !p.void && !keptHalf.Match(p.text) && (!keptPast.Match(p.text) && !didOnce.Match(p.text) || lastingNews.Match(p.text)):
		t.typ = memory.TypeRelationship
		return t, 1-chance[Nothing] >= teachesOfOthers || p.coming()
	case lang.HasHan(p.text) && p.of == subject.Unclear && !p.own && !p.void: // 我 is left out
		return t, 1-chance[Nothing] >= teachesUnclear || p.coming() && 1-chance[Nothing] >= teachesOfOthers
	case p.of == subject.Another, !p.own, keptHalf.Match(p.text), keptPast.Match(p.text), keptOwn.Match(p.text) && !keptFirst.Match(p.text):
		return t, false
	}
	return t, 1-chance[Nothing] >= teachesPiece
}

// within reports whether a candidate was read in a piece.
func (r *reader) within(c Candidate, p piece) bool {
	lo, hi := r.v.Source(p.lo, p.hi)
	return lo < c.Offset+c.Length && c.Offset < hi
}

// orders reports whether a text surely says how the user wants to be answered.
func (r *reader) orders(s string) bool { return gists().Probabilities(s)[ruling] >= sureOrder }

// keepOrders keeps, in the user's words, sentences without a matching rule that say how to be answered, in a
// message that does.
func (r *reader) keepOrders() {
	for i := range r.sentences {
		s := r.trimmed(i)
		lo, hi := r.v.Source(s.Lo, s.Hi)
		read := func(f located) bool { return f.sentence == i }
		if s.Lo >= s.Hi || hi-lo > maxKept || slices.ContainsFunc(r.found, read) || onlyOnce.Match(r.masked[s.Lo:s.Hi]) {
			continue
		}
		if len(r.sentences) == 1 || r.orders(r.v.Src[lo:hi]) {
			t := anything
			t.typ = memory.TypeRule
			r.keepWords(&t, i, s.Lo, s.Hi)
		}
	}
}

// anything is the topic of pieces without another topic.
var anything = topic{name: "other", title: "said", typ: memory.TypeFact, weight: importanceFact}

// Plays returns the probabilities that a message begins a game or assigns a role (P5b), and that it tells of its author.
func Plays(message string) (plays, tells float64) {
	p := gists().Probabilities(message)
	return p["play"], p[Telling]
}
