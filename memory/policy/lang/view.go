package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// View is a text folded for matching, with collapsed blanks and offsets into the original.
type View struct {
	Src  string
	Text string
	// from[i] and to[i] are the source bytes of byte i of text.
	from, to []int
}

// MaxRead bounds the bytes of folded text that rules read, with runs of blanks counted as one. A longer text is a
// story, which belongs to the archive (P3).
const MaxRead = 16 << 10

// NewView folds at most limit bytes of src. Runs of blanks count as one, so blanked parts of a
// message (see [memory.Record.Typed]) do not use up the limit.
func NewView(src string, limit int) *View {
	var b strings.Builder
	v := &View{Src: src}
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
	v.Text = b.String()
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

// Source returns the source bytes of text[lo:hi]; lo < hi.
func (v *View) Source(lo, hi int) (int, int) { return v.from[lo], v.to[hi-1] }

// Raw returns the original words of text[lo:hi], on one line.
func (v *View) Raw(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	a, b := v.Source(lo, hi)
	return strings.ToValidUTF8(strings.Join(strings.Fields(v.Src[a:b]), " "), "\uFFFD")
}

// WholeWord reports whether text[lo:hi] is not part of a longer Latin word.
func WholeWord(s string, lo, hi int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:lo])
	first, _ := utf8.DecodeRuneInString(s[lo:])
	last, _ := utf8.DecodeLastRuneInString(s[:hi])
	after, _ := utf8.DecodeRuneInString(s[hi:])
	return !(Latin(before) && Latin(first)) && !(Latin(last) && Latin(after))
}

// FoldedIndex finds the words of part in s, in bytes of s; Latin words only as whole words.
func FoldedIndex(s, part string) (lo, hi int, ok bool) {
	v := NewView(s, len(s)*4+1)
	want := strings.TrimSpace(text.Fold(part))
	if want == "" {
		return 0, 0, false
	}
	for from := 0; ; {
		i := strings.Index(v.Text[from:], want)
		if i < 0 {
			return 0, 0, false
		}
		i += from
		if WholeWord(v.Text, i, i+len(want)) {
			lo, hi = v.Source(i, i+len(want))
			return lo, hi, true
		}
		from = i + 1
	}
}

// ContainsWords reports whether s has the words of part; Latin words only as whole words.
func ContainsWords(s, part string) bool {
	_, _, ok := FoldedIndex(s, part)
	return ok
}

// Latin reports whether r belongs to a word separated by blanks.
func Latin(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.CJK(r)
}

// Capitalised reports whether a text begins with a capital.
func Capitalised(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
