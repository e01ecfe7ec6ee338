package judge

import (
	"math"
	"strings"
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
	return 3*saturate(old) - 1.5*saturate(fresh/1.5)
}

func intentOf(c context, m said, idle time.Duration) float64 {
	if len(m.clauses) == 0 {
		return 0
	}
	e := 0.0
	first := m.clauses[0]
	if m.cues&goOn != 0 {
		e += 1.2
	}
	if m.cues&shift != 0 {
		e -= 3
	}
	if m.cues&turn != 0 {
		e -= 1
	}
	if first.cues&answer != 0 {
		e += 0.7
	}
	if first.cues&greet != 0 && c.last.cues&greet == 0 {
		e -= 1.5
	}
	if c.last.cues&closing != 0 {
		e -= 0.5
	}
	if c.last.asks() && !first.asks && first.cues&open == 0 {
		e += 1
	}
	e += opens(c, m)
	if idle > time.Hour {
		e -= min(0.6, 0.15*math.Log2(float64(idle/time.Hour)))
	}
	return e
}

// opens weighs what a message brings up.
func opens(c context, m said) float64 {
	worst := 0.0
	for _, cl := range m.clauses {
		_, fresh := c.masses(cl.words)
		if cl.cues&(open|turn) == 0 || cl.cues&(back|goOn) != 0 {
			continue
		}
		w := 1.5 * saturate(2*fresh)
		if cl.asks {
			w += 0.5 * saturate(2*fresh)
		}
		worst = max(worst, w)
	}
	return -worst
}

func entityOf(c context, m said) float64 {
	e := -0.5
	if m.cues&back != 0 {
		e += 1
	}
	for _, w := range m.words {
		if !w.name {
			continue
		}
		if c.match(w) > 0.5 {
			e += 1
		} else {
			e -= 0.5
		}
	}
	return min(2, max(-1.5, e))
}

var _ = strings.Contains
