package judge

import (
	"math"
	"slices"
	"time"
)

// Rules judges without a model: whether now continues before, the session's last
// messages, oldest first. It is a pure function, and takes at most some milliseconds
// for any input.
func Rules(before []Message, now Message) Scores {
	t, i, e := weigh(before, now).numbers()
	return Scores{TopicRelevance: ten(t), IntentContinuity: ten(i), EntityReference: ten(e)}
}

// Likeness returns the total of Rules before rounding, 0 to 1, for evaluation.
func Likeness(before []Message, now Message) float64 {
	t, i, e := weigh(before, now).numbers()
	return 0.4*t + 0.4*i + 0.2*e
}

func ten(x float64) int { return int(math.Round(10 * x)) }

// evidence is the evidence for a continuation, as log odds: 0 is neutral, 1 is three to
// one for it, -2 seven to one against it.
type evidence struct {
	topic, intent, entity float64
}

// lean is the prior for a continuation, as log odds. Without it a quarter of the
// continuations of our own set began a new session, which costs more than a new topic in
// an old one: F6 corrects both, but only a split loses the context. It does not change the
// order of two messages, and so neither AUC nor the best F1.
const lean = 0.3

// numbers turns the evidence into three numbers from 0 to 1. Each has its own evidence
// in full and half of the others': an answer to a question is most likely on its topic, in
// any words, and a message without common words and references hardly has the same aim.
func (e evidence) numbers() (topic, intent, entity float64) {
	half := (e.topic+e.intent+e.entity)/2 + lean
	return odds(half + e.topic/2), odds(half + e.intent/2), odds(half + e.entity/2)
}

func odds(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// weigh compares a message with the previous ones.
func weigh(before []Message, now Message) evidence {
	r := newReader()
	m, c := r.read(now.Text), newContext(r, before)
	if len(before) == 0 || len(m.clauses) == 0 {
		return evidence{-3, -3, -3} // nothing to continue, or no message
	}
	return evidence{
		topic: c.topic(m), intent: c.intent(m, Idle(before, now)), entity: c.entity(m),
	}
}

// topic weighs common words against new ones. One good common word (old = 1) outweighs
// any number of new ones, since people add something with every message.
func (c *context) topic(m said) float64 {
	const inCommon, isNew = 3, 1.5
	old, fresh := c.masses(m.words)
	if c.answered(m) || m.tied() {
		fresh /= 2 // an answer, or a remark on something known, has new words
	}
	return inCommon*saturate(old) - isNew*saturate(fresh/1.5)*c.settled()
}

// tied reports whether the message needs context to be understood.
func (m said) tied() bool {
	return m.deep || m.cues&(goOn|edit) != 0 || m.clauses[0].fragment
}

// answered reports whether the message answers a question in the last one. To an offer
// of help only yes and no are answers.
func (c *context) answered(m said) bool {
	first := m.clauses[0]
	asks, offers := c.last.asks()
	switch {
	case !asks && (!offers || first.cues&answer == 0):
		return false
	case first.asks, first.cues&(shift|closing) != 0, c.greets(m):
		return false
	}
	return first.cues&open == 0 || c.opening(first) < 0.3
}

// greets reports whether the message begins a conversation with a greeting, and does
// not return one.
func (c *context) greets(m said) bool {
	return m.clauses[0].cues&greet != 0 && c.last.cues&greet == 0
}

// Evidence for and against the same intent. Explicit phrases count most, usual
// behaviour less.
const (
	saysOther  = -3   // "by the way"
	saysTurn   = -1   // "tell me about"
	saysHello  = -1.5 // a greeting in the middle of a conversation
	saysOn     = 1.2  // "as I said", "what else?", 继续
	saysEdit   = 1.2  // "make it shorter", 把…
	saysLink   = 0.5  // also, but, because
	saysMirror = 1.2  // "and you?"
	saysMore   = 1.2  // "and for Windows?"
	answers    = 1    // a question is answered
	listens    = 0.7  // it begins with "yes", "oh", "that is nice"
	nothing    = 1    // no meaningful word: incomprehensible alone
	half       = 0.6  // few words, after a question: an ellipsis
	about      = 0.5  // a statement about the referent
	ofYou      = 0.5  // a statement about the other party, who must have said something
	closed     = -0.5 // the last message took leave
	opensUp    = -1.8 // a new matter is brought up, see opens
)

func (c *context) intent(m said, idle time.Duration) float64 {
	first := m.clauses[0]
	e := c.outright(m)
	switch short := m.weight < much; {
	case short && (first.cues&(greet|closing) == 0 || m.deep || m.cues&goOn != 0):
		e += nothing
	case m.weight < 3*much && c.answered(m) && m.cues&open == 0 && !first.mine:
		e += half
	}
	heard := 0.0
	if m.deep && m.weight >= much {
		heard += about
	}
	if slices.ContainsFunc(m.clauses, func(cl clause) bool { return cl.yours && !cl.asks }) {
		heard += ofYou
	}
	if c.last.cues&closing != 0 {
		e += closed
	}
	if first.cues&answer != 0 && (!first.asks || first.bare) {
		heard += listens
	}
	if c.answered(m) {
		heard += answers
	}
	// People take up the last message before they leave it: the more is opened, the less that
	// counts.
	o := c.opens(m)
	return e + heard*(1-o) + opensUp*o - lapse(idle)
}

// outright returns the evidence of cue phrases.
func (c *context) outright(m said) (e float64) {
	for _, by := range []struct {
		of    class
		value float64
	}{{goOn, saysOn}, {edit, saysEdit}, {shift, saysOther}, {turn, saysTurn}, {link, saysLink}} {
		if m.cues&by.of != 0 {
			e += by.value
		}
	}
	if m.cues&mirror != 0 && m.weight < 2*much {
		e += saysMirror
	}
	if m.clauses[0].fragment {
		e += saysMore
	}
	if c.greets(m) {
		e += saysHello
	}
	return e
}

// lapse returns the evidence of the pause: hardly any below an hour, since people
// return to a task after a meal as they left it, and never as much as words.
func lapse(idle time.Duration) float64 {
	if idle <= time.Hour {
		return 0
	}
	return min(0.6, 0.15*math.Log2(idle.Hours()))
}

// opens returns how much a message brings up, 0 to 1: the maximum over its clauses.
func (c *context) opens(m said) (most float64) {
	answered := c.answered(m)
	for _, cl := range m.clauses {
		share := 0.0
		switch {
		case cl.cues&(open|turn|shift) != 0:
			share = 1
		case cl.cues&ask != 0 && cl.asks:
			share = 0.6
		case cl.mine && !answered:
			share = 0.4 // an unasked statement about the author
		case cl.asks:
			share = 0.3
		}
		most = max(most, share*c.opening(cl))
	}
	return most
}

// opening returns how much of a clause is new, unless it depends on the context.
func (c *context) opening(cl clause) float64 {
	if cl.cues&shift == 0 && (cl.deep || cl.cues&(goOn|edit) != 0 || cl.fragment) {
		return 0
	}
	old, fresh := c.masses(cl.words)
	share := saturate(3*fresh) * fresh / (old + fresh + 0.01) * c.settled()
	for _, w := range cl.words {
		if w.name && c.near[w.forms[0]] > 0 {
			return share * 0.3 // it asks about something mentioned
		}
	}
	return share
}

// Evidence for and against references to the context.
const (
	noReference = -0.3 // most continuations do not name their subject
	pointsDeep  = 1.2  // it refers to something outside itself
	pointsSome  = 0.4  // it has a demonstrative, perhaps for its own words
	isDefinite  = 0.4  // "the file": which one?
	nameAgain   = 1
	wordAgain   = 0.5
	nameNew     = -0.5
	mostRef     = 3
)

func (c *context) entity(m said) float64 {
	e, again := noReference, 0.0
	switch {
	case m.deep:
		e += pointsSome + (pointsDeep-pointsSome)*(1-c.opens(m))
	case m.cues&back != 0:
		e += pointsSome
	}
	if m.definite {
		e += isDefinite
	}
	unknown := false
	for _, w := range m.words {
		near := c.near[w.forms[0]]
		switch {
		case c.senders[w.forms[0]]:
		case w.name && near > 0:
			again += nameAgain
		case w.name && !m.tied():
			unknown = true
		case w.weight > much && near > 0:
			again += wordAgain * near
		}
	}
	if unknown {
		e += nameNew
	}
	return min(mostRef, e+again)
}
