package judge

import (
	"math"
	"time"
	"unicode/utf8"
)

// Rules judges without a model: whether now continues before, the last messages
// of the session, oldest first.
func Rules(before []Message, now Message) Scores {
	t, i, e := weigh(before, now).numbers()
	return Scores{TopicRelevance: ten(t), IntentContinuity: ten(i), EntityReference: ten(e)}
}

// Likeness is what Rules rounds: the same weighted sum, 0 to 1, in fine steps.
func Likeness(before []Message, now Message) float64 {
	t, i, e := weigh(before, now).numbers()
	return 0.4*t + 0.4*i + 0.2*e
}

func ten(x float64) int { return int(math.Round(10 * min(1, max(0, x)))) }

// evidence is what speaks for a continuation, as log odds: 0 says nothing, 1
// about three to one, -2 one to seven.
type evidence struct {
	topic, intent, entity float64
}

// numbers turns the evidence into three numbers from 0 to 1. Each has its own
// evidence in full and the others' in part.
func (e evidence) numbers() (topic, intent, entity float64) {
	sum := e.topic + e.intent + e.entity
	return odds(0.5*e.topic + 0.5*sum), odds(0.5*e.intent + 0.5*sum), odds(0.5*e.entity + 0.5*sum)
}

func odds(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// weigh compares a message with those before it.
func weigh(before []Message, now Message) (e evidence) {
	m := read(now.Text)
	c := newContext(before)
	e.topic = topicOf(c, m)
	e.intent = intentOf(c, m, Idle(before, now))
	e.entity = entityOf(c, m)
	return e
}

// context is what stands before a message.
type context struct {
	last   said
	mass   float64            // of all words
	near   map[string]float64 // each form of a word, with how near its last message is
	fields map[uint8]float64  // the weight of each field
	hans   map[rune]float64   // last characters of Chinese words
	stems  []string           // Latin forms
}

// fade is how much less a message counts than the one after it.
const fade = 0.85

func newContext(before []Message) context {
	c := context{near: map[string]float64{}, fields: map[uint8]float64{}, hans: map[rune]float64{}}
	near := 1.0
	for k := len(before) - 1; k >= 0; k-- {
		m := read(before[k].Text)
		if k == len(before)-1 {
			c.last = m
		}
		for _, w := range m.words {
			c.note(w, near)
			c.mass += w.weight
		}
		near *= fade
	}
	return c
}

func (c *context) note(w word, near float64) {
	for _, f := range w.forms {
		if c.near[f] == 0 && w.latin {
			c.stems = append(c.stems, f)
		}
		c.near[f] = max(c.near[f], near)
	}
	for _, f := range w.fields {
		c.fields[f] += near * w.weight / float64(len(w.fields))
	}
	if !w.latin && utf8.RuneCountInString(w.forms[0]) > 1 {
		r, _ := utf8.DecodeLastRuneInString(w.forms[0])
		c.hans[r] = max(c.hans[r], near)
	}
}

// settled says how far the conversation has a topic, 0 to 1: what has not been
// spoken of takes any.
func (c *context) settled() float64 { return saturate(2 * c.mass) }

// match says how far the context has a word already, 0 to 1.
func (c *context) match(w word) float64 {
	best := 0.0
	for k, f := range w.forms {
		share := 1.0
		if k > 0 {
			share = 0.7 // a part of it
		}
		best = max(best, share*c.near[f])
	}
	if best > 0.5 {
		return best
	}
	for _, f := range w.fields {
		best = max(best, 0.7*saturate(c.fields[f]/0.6))
	}
	if w.latin {
		for _, s := range c.stems {
			if n := len(s); n >= 4 && len(w.forms[0]) >= 4 && prefix(s, w.forms[0])*3 >= 2*max(n, len(w.forms[0])) {
				best = max(best, 0.7*c.near[s])
			}
		}
		return best
	}
	r, _ := utf8.DecodeLastRuneInString(w.forms[0])
	return max(best, 0.35*c.hans[r])
}

func prefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// saturate grows from 0 to 1: half at 1.
func saturate(x float64) float64 { return x / (1 + x) }

// masses are how much the words say that the context has, and that it has not.
func (c *context) masses(words []word) (old, fresh float64) {
	for _, w := range words {
		m := c.match(w)
		old += w.weight * m
		fresh += w.weight * (1 - m)
	}
	return old, fresh
}

func topicOf(c context, m said) float64 {
	old, fresh := c.masses(m.words)
	if m.answers(c) || m.deep || m.cues&(goOn|edit) != 0 {
		fresh /= 2 // an answer, and what is said about something known, has words of its own
	}
	return 3*saturate(old) - 1.5*saturate(fresh/1.5)*c.settled()
}

// answers reports whether the message answers the last one, which is a question.
func (m said) answers(c context) bool {
	if len(m.clauses) == 0 || !c.last.asks() {
		return false
	}
	first := m.clauses[0]
	if first.cues&greet != 0 && c.last.cues&greet == 0 {
		return false
	}
	return !first.asks && first.cues&shift == 0 && (first.cues&open == 0 || opening(c, first) < 0.3)
}

func intentOf(c context, m said, idle time.Duration) float64 {
	if len(m.clauses) == 0 {
		return 0
	}
	e, first := 0.0, m.clauses[0]
	if m.cues&goOn != 0 {
		e += 1.2
	}
	if m.cues&edit != 0 {
		e += 0.8
	}
	if m.cues&link != 0 {
		e += 0.5
	}
	if m.cues&mirror != 0 && m.weight < 1 {
		e += 1.2
	}
	if m.cues&shift != 0 {
		e -= 3
	}
	if m.cues&turn != 0 {
		e -= 1
	}
	heard := 0.0
	if first.cues&answer != 0 && (!first.asks || first.bare) {
		heard += 0.7
	}
	if m.answers(c) {
		heard += 1
	}
	if first.cues&greet != 0 && c.last.cues&greet == 0 {
		e -= 1.5
	}
	if c.last.cues&closing != 0 {
		e -= 0.5
	}
	switch {
	case m.weight < 0.5 && (first.cues&(greet|closing) == 0 || m.deep || m.cues&goOn != 0):
		e += 1 // without what was said it says nothing
	case m.weight < 1.5 && m.answers(c) && m.cues&open == 0 && !first.mine:
		e += 0.6 // half a sentence
	}
	// People take up what was said before they leave it: the more is opened, the less that counts.
	o := opens(c, m)
	e += heard*(1-o) - 1.8*o
	if idle > time.Hour {
		e -= min(0.6, 0.15*math.Log2(float64(idle/time.Hour)))
	}
	return e
}

// opens says how much a message brings up, 0 to 1: that of the clause that
// brings up most.
func opens(c context, m said) float64 {
	most := 0.0
	for _, cl := range m.clauses {
		much := opening(c, cl)
		switch {
		case cl.cues&(turn|shift) != 0, cl.cues&open != 0:
		case cl.cues&ask != 0 && cl.asks:
			much *= 0.6
		case cl.asks:
			much *= 0.3
		case cl.mine && !m.answers(c):
			much *= 0.4
		default:
			continue
		}
		most = max(most, much)
	}
	return most
}

// opening says how much of a clause is new, if it is not tied to what was said.
func opening(c context, cl clause) float64 {
	if (cl.deep || cl.cues&(goOn|edit) != 0) && cl.cues&shift == 0 {
		return 0
	}
	old, fresh := c.masses(cl.words)
	return saturate(3*fresh) * fresh / (old + fresh + 0.01) * c.settled()
}

func entityOf(c context, m said) float64 {
	e := -0.5
	if m.deep {
		e += 1.2
	} else if m.cues&back != 0 {
		e += 0.4
	}
	if m.definite {
		e += 0.4
	}
	again := 0.0
	for _, w := range m.words {
		known := c.near[w.forms[0]]
		switch {
		case w.name && known > 0:
			again += 1
		case w.name && !m.deep && m.cues&goOn == 0:
			e -= 0.5
		case w.weight > 0.5 && known > 0:
			again += 0.5 * known
		}
	}
	return min(2.5, max(-1.5, e)+again)
}
