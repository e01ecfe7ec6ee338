package judge

import (
	"unicode/utf8"

	"memoria/index/text"
)

// context is the conversation before a message.
type context struct {
	last    said               // beginning and end of the last message
	mass    float64            // total weight of words
	near    map[string]float64 // each form of a word: 1 in the last message, less in those before
	fields  map[uint8]float64  // the weight of each field
	heads   map[rune]float64   // the heads of Chinese words, as near
	latin   []string           // the forms of Latin words
	senders map[string]bool    // names of the participants
}

// fade is the weight of a message relative to the next one: of six, the first counts
// slightly less than half of the last.
const fade = 0.85

func newContext(r *reader, before []Message) context {
	c := context{
		near: map[string]float64{}, fields: map[uint8]float64{}, heads: map[rune]float64{}, senders: map[string]bool{},
	}
	for _, m := range before {
		for _, f := range text.Words(m.Sender) {
			c.senders[f] = true
		}
	}
	if len(before) > 0 {
		c.last = r.frame(before[len(before)-1].Text)
	}
	near := 1.0
	for k := len(before) - 1; k >= 0; k-- {
		for _, w := range r.words(before[k].Text) {
			c.note(w, near)
		}
		near *= fade
	}
	return c
}

func (c *context) note(w word, near float64) {
	c.mass += w.weight
	for _, f := range w.forms {
		if w.latin && c.near[f] == 0 {
			c.latin = append(c.latin, f)
		}
		c.near[f] = max(c.near[f], near)
	}
	for _, f := range w.fields {
		c.fields[f] += near * w.weight / float64(len(w.fields))
	}
	if !w.latin && utf8.RuneCountInString(w.forms[0]) > 1 {
		c.heads[w.head()] = max(c.heads[w.head()], near)
	}
}

// settled returns how far the conversation has a topic, 0 to 1: after mere greetings
// any topic fits.
func (c *context) settled() float64 { return saturate(2 * c.mass) }

// How far a missing word is known: by a part of it, another word of its field, one with
// a similar beginning (teach, teacher), or one of its kind (王府井 and 水井 are not
// much alike, but 红茶 and 绿茶 are).
const (
	knownPart  = 0.7
	knownField = 0.7 // at most
	knownStem  = 0.7
	knownKind  = 0.35
)

// match returns how far the context already has a word, 0 to 1.
func (c *context) match(w word) float64 {
	best := 0.0
	for k, f := range w.forms {
		share := 1.0
		if k > 0 {
			share = knownPart
		}
		best = max(best, share*c.near[f])
	}
	if best > knownField {
		return best
	}
	// Long answers have words of many fields, so each counts less.
	usual := 0.5 + 0.03*c.mass
	for _, f := range w.fields {
		best = max(best, knownField*saturate(c.fields[f]/usual))
	}
	if !w.latin {
		return max(best, knownKind*c.heads[w.head()])
	}
	for _, s := range c.latin {
		if alike(s, w.forms[0]) {
			best = max(best, knownStem*c.near[s])
		}
	}
	return best
}

// alike reports whether two stems begin with the same two thirds.
func alike(a, b string) bool {
	shorter, longer := min(len(a), len(b)), max(len(a), len(b))
	if shorter < 4 || 3*shorter < 2*longer {
		return false
	}
	n := 0
	for n < shorter && a[n] == b[n] {
		n++
	}
	return 3*n >= 2*longer && n >= 4
}

// masses returns the weights of the words that the context has, and that it lacks.
// Participants' names are ignored.
func (c *context) masses(words []word) (old, fresh float64) {
	for _, w := range words {
		if c.senders[w.forms[0]] {
			continue
		}
		m := c.match(w)
		old += w.weight * m
		fresh += w.weight * (1 - m)
	}
	return old, fresh
}

// saturate grows from 0 to 1: half at 1.
func saturate(x float64) float64 { return x / (1 + x) }
