package quote

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// Needle knows the words of a question again in a message, in whatever form
// they stand there.
type Needle struct {
	terms  map[string]bool // words as an index stores them
	begins string          // the word being typed
	runs   []string        // Chinese, Japanese, Korean: any place where they stand
}

// New makes a needle of the words of a question.
func New(query string) Needle {
	n := Needle{terms: map[string]bool{}}
	tokens := text.Tokens(query)
	meant := slices.DeleteFunc(slices.Clone(tokens), func(t text.Token) bool { return text.IsStop(t.Text) })
	if len(meant) == 0 { // nothing but small words: then these are meant
		meant = tokens
	}
	for i, t := range meant {
		if t.Kind != text.Word && t.Kind != text.Number {
			n.runs = append(append(n.runs, t.Text), text.Words(t.Text)...)
			continue
		}
		n.terms[t.Text] = true
		for _, w := range text.Words(t.Text) {
			n.terms[w] = true
		}
		if i == len(meant)-1 && len(t.Text) > 1 {
			n.begins = t.Text
		}
	}
	return n
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// find returns the places where the words stand, in order, without overlaps.
func (n Needle) find(s string) []span {
	var found []span
	for _, t := range text.Tokens(s) {
		if (t.Kind == text.Word || t.Kind == text.Number) && n.means(t, s) {
			found = append(found, span{t.Start, t.End})
		}
	}
	if len(n.runs) > 0 {
		found = append(found, n.findRuns(s)...)
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	out := found[:0]
	for _, f := range found {
		if last := len(out) - 1; last >= 0 && f.from <= out[last].to {
			out[last].to = max(out[last].to, f.to)
			continue
		}
		out = append(out, f)
	}
	return out
}

func (n Needle) means(t text.Token, s string) bool {
	if n.terms[t.Text] || n.begins != "" && strings.HasPrefix(t.Text, n.begins) {
		return true
	}
	return slices.ContainsFunc(text.Words(s[t.Start:t.End]), func(w string) bool { return n.terms[w] })
}

// findRuns looks in the text folded rune by rune, so that places lead back.
func (n Needle) findRuns(s string) (found []span) {
	var folded strings.Builder
	var from []int // place in s of each folded byte
	for i, r := range s {
		f := string(r)
		if r >= utf8.RuneSelf {
			f = text.Fold(f)
		}
		folded.WriteString(f)
		for range len(f) {
			from = append(from, i)
		}
	}
	from = append(from, len(s))
	for _, run := range n.runs {
		for at, whole := 0, folded.String(); ; {
			i := strings.Index(whole[at:], run)
			if i < 0 || run == "" {
				break
			}
			at += i + len(run)
			found = append(found, span{from[at-len(run)], from[at]})
		}
	}
	return found
}
