package policy

import (
	"bytes"
	"slices"
	"strings"
	"sync"

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

// Classes of the examples in which users tell something of themselves, or say how they want to be answered.
const (
	Telling = "self"
	ruling  = "rule"
	// smallTalk is the class of what is said for the moment.
	smallTalk = "talk"
)

// doubts says of what kind a message is that tells nothing of its writer, for the reason why something waits.
var doubts = map[string]string{
	"code": "a program or test data", "text": "a text", "play": "a game", "others": "about somebody else", "talk": "of the moment",
}

// How probable something must be, chosen on examples of writers whom the model did not know; go run ./memory/policy/cmd
// prints the figures.
const (
	sureToTell   = 0.6  // that a message tells something of its writer, for what rules read in it to be active
	sureToKeep   = 0.8  // the same, for what is kept as it was said
	sureToState  = 0.3  // the same, where rules read nearly all of it
	mayTell      = 0.4  // the same, for words that no rule reads to wait for the user
	tellsAtAny   = 0.8  // the same, for a piece without a topic to be kept
	teachesPiece = 0.3  // that such a piece teaches something
	enoughWords  = 2    // words of such a piece
	sureOrder    = 0.97 // that a message says how the user wants to be answered, for an order to be kept
)

// Lexicon returns the groups of words of data/groups.txt.
var Lexicon = sync.OnceValue(func() *classify.Lexicon {
	l, err := classify.ReadLexicon(bytes.NewReader(embedded("groups.txt")))
	if err != nil {
		panic("policy: " + err.Error()) // it is embedded
	}
	return l
})

var (
	gists  = model("messages.txt")
	shares = model("pieces.txt")
)

// model reads a model of data/ once.
func model(name string) func() *classify.Model {
	return sync.OnceValue(func() *classify.Model {
		m, err := classify.Read(bytes.NewReader(embedded(name)), Lexicon())
		if err != nil {
			panic("policy: " + name + ": " + err.Error()) // it is embedded
		}
		return m
	})
}

func embedded(name string) []byte {
	b, err := data.ReadFile("data/" + name)
	if err != nil {
		panic("policy: " + err.Error()) // the binary is broken
	}
	return b
}

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

// ReadExamples reads examples for the model of messages, with their signs. Those of writers for whom rules were written
// have none: the rules read them better than anybody else's.
func ReadExamples(path string) ([]classify.Example, error) {
	out, err := classify.ReadExamples(path)
	for i, e := range out {
		if !e.Known {
			r := newReader(e.Text)
			r.read()
			out[i].Signs = r.signs()
		}
	}
	return out, err
}

// doubted marks what a message teaches that most probably tells nothing of its writer. What is kept as it was said
// goes where there is more doubt, and so does the vague end of something.
func (r *reader) doubted(found []Candidate) []Candidate {
	if len(found) == 0 || r.gist.class == "" {
		return found
	}
	sure := sureToTell
	if r.share() >= mostOfIt {
		sure = sureToState
	}
	for i, c := range found {
		vague := c.AsSaid() || c.Rule == ruleOver
		switch {
		case c.Explicit, c.Correction, c.OnlyEnds() && !vague, !vague && r.alone(c):
		case vague && r.gist.tells < sureToKeep, r.gist.tells < sure:
			found[i].Doubt = r.gist.class
		}
	}
	return slices.DeleteFunc(found, func(c Candidate) bool {
		return c.Doubt != "" && (c.Rule == ruleOver || c.AsSaid() && r.gist.tells < mayTell)
	})
}

// Nothing is the class of the examples of pieces that teach nothing; the others are the types of what they teach.
const Nothing = "none"

// Cut returns the pieces of a message as the model of pieces sees them: folded, and with a question mark behind one that
// is marked as a question.
func Cut(message string) (out []string) {
	for _, p := range newReader(message).pieces() {
		out = append(out, p.seen())
	}
	return out
}

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

// anything is the topic of what speaks of no other.
var anything = topic{name: "other", title: "said", typ: memory.TypeFact, weight: importanceFact}

// Plays returns how probable it is that a message begins a game or gives out a part (P5b).
func Plays(message string) float64 { return gists().Probabilities(message)["play"] }
