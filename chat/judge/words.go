package judge

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// word is a word that says something about a subject.
type word struct {
	forms  []string // as text.Words has them, the whole first
	weight float64  // how much it says, see below
	fields []uint8  // see data/fields.txt
	name   bool     // a name, a title, a number of some length, an identifier
	latin  bool
}

// How much a word says. One that is in any talk says a third of one that is not,
// and a name half as much again: few other messages would have it.
const (
	weightName   = 1.5
	weightFull   = 1.0
	weightNumber = 0.4 // a count
	weightThin   = 0.35
	weightLeast  = 0.25
)

// entry is what is known of a word wherever it stands.
type entry struct {
	word
	stop bool // it says nothing
	back bool // it points back
}

// entry looks a token up.
func (r *reader) entry(t text.Token) entry {
	e, ok := r.met[t.Text]
	if !ok {
		e = newEntry(t)
		r.met[t.Text] = e
	}
	return e
}

func newEntry(t text.Token) entry {
	e := entry{back: pointsBack(t.Text), stop: text.IsStop(t.Text)}
	if !e.stop {
		e.forms = text.Words(t.Text)
	}
	if e.stop = len(e.forms) == 0; e.stop {
		return e
	}
	for _, f := range e.forms {
		for _, n := range fieldIndex()[f] {
			if !slices.Contains(e.fields, n) {
				e.fields = append(e.fields, n)
			}
		}
	}
	switch t.Kind {
	case text.Chinese:
		e.chinese(t.Text)
	case text.Number:
		e.weight, e.name = weightNumber, len(t.Text) > 3
	default:
		e.latin, e.weight = true, weightFull
	}
	switch {
	case e.name:
		e.weight = weightName
	case thin()[e.forms[0]]:
		e.weight = min(e.weight, weightThin)
	}
	return e
}

// chinese weighs a Chinese word by how rare it is: in full where it stands twice
// in a million words, as little as any where it stands a thousand times. What the
// dictionary does not have is a name. A single character is too often a part of
// something else.
func (w *word) chinese(s string) {
	f, single := text.Frequency(s), utf8.RuneCountInString(s) == 1
	switch {
	case single:
		w.weight = weightThin
	case f == 0:
		w.weight, w.name = weightName, true
	default:
		const full, least = 2, 1000
		share := math.Log(f/full) / math.Log(least/full)
		w.weight = weightFull - (weightFull-weightLeast)*min(1, max(0, share))
	}
	if len(w.fields) == 0 && !single { // 红茶 is a 茶
		w.fields = fieldIndex()[string(w.head())]
	}
}

// head is the last character of a Chinese word, which says what kind of thing it
// is.
func (w *word) head() rune {
	r, _ := utf8.DecodeLastRuneInString(w.forms[0])
	return r
}

// identifier reports whether a Latin word is a name: it has a capital that does
// not only begin the sentence, a digit, or a mark inside.
func identifier(s string, first bool) bool {
	if len(s) < 2 {
		return false
	}
	for i, r := range s {
		switch {
		case unicode.IsUpper(r):
			if i > 0 || !first {
				return true
			}
		case unicode.IsDigit(r), strings.ContainsRune("_./@#+", r):
			return true
		}
	}
	return false
}
