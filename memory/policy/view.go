package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// view is a text folded for matching, with collapsed blanks and offsets into the original.
type view struct {
	src  string
	text string
	// from[i] and to[i] are the source bytes of byte i of text.
	from, to []int
}

// newView folds at most limit bytes of src. Runs of blanks count as one, so blanked parts of a
// message (see [memory.Record.Typed]) do not use up the limit.
func newView(src string, limit int) *view {
	var b strings.Builder
	v := &view{src: src}
	emit := func(s string, lo, hi int) {
		b.WriteString(s)
		for range len(s) {
			v.from, v.to = append(v.from, lo), append(v.to, hi)
		}
	}
	blank, line := false, true
	for i := 0; i < len(src) && b.Len() < limit; {
		r, size := utf8.DecodeRuneInString(src[i:])
		switch {
		case r == '\n':
			if !line || blank {
				emit("\n", i, i+size)
			}
			blank, line = false, true
		case unicode.IsSpace(r):
			if !blank && !line {
				emit(" ", i, i+size)
			}
			blank = true
		default:
			emit(foldRune(src[i:i+size], r), i, i+size)
			blank, line = false, false
		}
		i += size
	}
	v.text = b.String()
	return v
}

func foldRune(s string, r rune) string {
	switch {
	case r < utf8.RuneSelf:
		return strings.ToLower(s)
	case r == '“' || r == '”' || r == '„':
		return `"`
	case r == utf8.RuneError:
		return "\uFFFD"
	}
	return text.Fold(s)
}

// source returns the source bytes of text[lo:hi]; lo < hi.
func (v *view) source(lo, hi int) (int, int) { return v.from[lo], v.to[hi-1] }

// raw returns the original words of text[lo:hi], on one line.
func (v *view) raw(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	a, b := v.source(lo, hi)
	return strings.ToValidUTF8(strings.Join(strings.Fields(v.src[a:b]), " "), "\uFFFD")
}

// wholeWord reports whether text[lo:hi] is not part of a longer Latin word.
func wholeWord(s string, lo, hi int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:lo])
	first, _ := utf8.DecodeRuneInString(s[lo:])
	last, _ := utf8.DecodeLastRuneInString(s[:hi])
	after, _ := utf8.DecodeRuneInString(s[hi:])
	return !(latin(before) && latin(first)) && !(latin(last) && latin(after))
}

// foldedIndex finds the words of part in s, in bytes of s; Latin words only as whole words.
func foldedIndex(s, part string) (lo, hi int, ok bool) {
	v := newView(s, len(s)*4+1)
	want := strings.TrimSpace(text.Fold(part))
	if want == "" {
		return 0, 0, false
	}
	for from := 0; ; {
		i := strings.Index(v.text[from:], want)
		if i < 0 {
			return 0, 0, false
		}
		i += from
		if wholeWord(v.text, i, i+len(want)) {
			lo, hi = v.source(i, i+len(want))
			return lo, hi, true
		}
		from = i + 1
	}
}

// containsWords reports whether s has the words of part; Latin words only as whole words.
func containsWords(s, part string) bool {
	_, _, ok := foldedIndex(s, part)
	return ok
}

// latin reports whether r belongs to a word separated by blanks.
func latin(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.CJK(r)
}
