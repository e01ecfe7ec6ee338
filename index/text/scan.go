package text

import (
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Word    Kind = iota // letters of an alphabet, perhaps with digits and joining marks: node.js, gpt-4.1, C++
	Number              // digits, perhaps with marks between them: 3.14, 1,000, 10:30, 2026-01-28
	Chinese             // Han characters
	Kana                // Japanese hiragana or katakana
	Hangul              // Korean
)

// Token is one word of a text.
type Token struct {
	Text       string // folded; not stemmed
	Start, End int    // source bytes [Start, End) in the original
	Kind       Kind
}

// Tokens cuts a text into words. Tokens come in order, do not overlap, and begin and
// end between the original's runes. Together they cover every letter, digit and Han
// character. Punctuation, emoji and white space belong to none, except for marks inside
// compounds (C++, .NET, node.js, e-mail addresses, URLs, paths). It runs in linear
// time.
func Tokens(s string) []Token {
	f := foldRunes(s)
	out := make([]Token, 0, len(s)/8+4)
	for i := 0; i < len(f.runes); {
		out, i = f.token(out, i)
	}
	return out
}

// add appends a token. One original character may fold to several words (㍿, ½); they
// become one token.
func add(out []Token, t Token) []Token {
	if last := len(out) - 1; last >= 0 && t.Start < out[last].End {
		out[last].Text += t.Text
		out[last].End = max(out[last].End, t.End)
		return out
	}
	return append(out, t)
}

// folded is a folded text with the source of each rune.
type folded struct {
	source string
	runes  []rune
	spans  []span
}

// span is the source of a folded rune. The offsets have 32 bits to halve the memory: a
// text is a message or a file of at most some megabytes.
type span struct {
	start, end uint32
	same       bool // the rune is unchanged
}

func foldRunes(s string) *folded {
	n := utf8.RuneCountInString(s)
	f := &folded{source: s, runes: make([]rune, 0, n), spans: make([]span, 0, n)}
	eachFolded(s, func(r rune, start, end int) {
		f.runes = append(f.runes, r)
		same := end-start == utf8.RuneLen(r) && (r >= utf8.RuneSelf || rune(s[start]) == r)
		if same && r >= utf8.RuneSelf {
			was, _ := utf8.DecodeRuneInString(s[start:end])
			same = was == r
		}
		f.spans = append(f.spans, span{uint32(start), uint32(end), same})
	})
	return f
}

// token appends the tokens of the run that begins at i, if any, and returns where to
// continue.
func (f *folded) token(out []Token, i int) ([]Token, int) {
	switch r := f.runes[i]; {
	case Han(r):
		return f.chinese(out, i)
	case kana(r):
		j := f.run(i, func(x rune) bool { return kana(x) && (hiragana(x) == hiragana(r) || x == 'ー') })
		return add(out, f.make(i, j, Kana)), j
	case hangul(r):
		j := f.run(i, hangul)
		return add(out, f.make(i, j, Hangul)), j
	default:
		if classOf(r) == 0 {
			return out, i + 1
		}
		if j, kind := f.latin(i); j > i {
			return add(out, f.make(i, j, kind)), j
		}
		return out, i + 1
	}
}

func hiragana(r rune) bool { return r <= 0x309F }

func (f *folded) chinese(out []Token, i int) ([]Token, int) {
	run := f.runes[i:f.run(i, Han)]
	var buffer [64]int
	start := i
	for _, end := range joinNames(run, walk(run, buffer[:0])) {
		out = add(out, f.make(start, i+end, Chinese))
		start = i + end
	}
	return out, i + len(run)
}

func (f *folded) run(i int, in func(rune) bool) int {
	for i < len(f.runes) && in(f.runes[i]) {
		i++
	}
	return i
}

// make returns the token of the runes [i, j). Its text shares the original's memory if
// possible.
func (f *folded) make(i, j int, kind Kind) Token {
	start, end, same := int(f.spans[i].start), int(f.spans[j-1].end), true
	for k := i; k < j && same; k++ {
		same = f.spans[k].same && (k == i || f.spans[k].start == f.spans[k-1].end)
	}
	if same {
		return Token{Text: f.source[start:end], Start: start, End: end, Kind: kind}
	}
	return Token{Text: string(f.runes[i:j]), Start: start, End: end, Kind: kind}
}

// at returns the rune at i, or 0 outside the text.
func (f *folded) at(i int) rune {
	if i < 0 || i >= len(f.runes) {
		return 0
	}
	return f.runes[i]
}

// class is a set of roles of a rune.
type class uint8

const (
	inWord  class = 1 << iota // letters, marks and digits
	inDigit                   // digits
	inPath                    // characters of paths
	inURL                     // characters of URLs
)

// asciiClasses is classOf for the first 128 characters.
var asciiClasses = func() (table [128]class) {
	mark := func(c class, chars string) {
		for _, r := range chars {
			table[r] |= c
		}
	}
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	mark(inDigit, digits)
	mark(inWord|inPath|inURL, digits+letters)
	mark(inPath, "-._~/@+")
	mark(inURL, "-._~:/?#@!$&*+,;=%'")
	return table
}()

func classOf(r rune) class {
	switch {
	case r < 0x80:
		return asciiClasses[r]
	case CJK(r):
		return 0
	case unicode.IsDigit(r):
		return inWord | inDigit | inPath | inURL
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return inWord | inPath | inURL
	}
	return 0
}

// letter reports whether r is a letter, mark or digit of an alphabetic word.
func letter(r rune) bool { return classOf(r)&inWord != 0 }

func digit(r rune) bool { return classOf(r)&inDigit != 0 }
