package judge

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// word is a meaningful word.
type word struct {
	forms  []string // as from text.Words, the whole first
	weight float64  // its meaningfulness, see below
	fields []uint8  // see data/fields.txt
	name   bool     // a name, a title, a number of some length, an identifier
	latin  bool
}

// Weights of words. A common word has a third of the weight of others, a name half as
// much again: few other messages would have it.
const (
	weightName   = 1.5
	weightFull   = 1.0
	weightNumber = 0.4 // a count
	weightThin   = 0.35
	weightLeast  = 0.25
)

// entry is the context-free information about a word.
type entry struct {
	word
	stop bool // no meaning
	back bool // refers back
}

// entry looks up a token.
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

// chinese weighs a Chinese word by its rarity: full weight at two occurrences per
// million words, the minimum at a thousand. A word missing in the dictionary is a name.
// A single character is too often part of something else.
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

// head returns the last character of a Chinese word, which names its kind.
func (w *word) head() rune {
	r, _ := utf8.DecodeLastRuneInString(w.forms[0])
	return r
}

// identifier reports whether a Latin word is a name: it has a capital other than at the
// start of a sentence, a digit, or an internal mark.
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
