package phrase

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/pattern"
)

// gapLength is the maximum number of characters matched by a gap.
const gapLength = 40

// List is a set of phrases. The zero value holds none. It is safe for concurrent use.
type List struct {
	anywhere, ahead pattern.Pattern // ahead matches only at the beginning
	some            bool
}

// Load reads several files into one list.
func Load(fsys fs.FS, names ...string) (List, error) {
	var lines []string
	for _, name := range names {
		b, err := fs.ReadFile(fsys, name)
		if err != nil {
			return List{}, fmt.Errorf("reading phrases: %w", err)
		}
		lines = append(lines, pattern.Lines(string(b))...)
	}
	return New(lines...), nil
}

// Must returns l, or panics if err is not nil. It is meant for embedded files.
func Must(l List, err error) List {
	if err != nil {
		panic(err)
	}
	return l
}

// New returns a list of phrases. Longer phrases are tried first. It is compiled when a text has a word of a phrase.
func New(phrases ...string) List {
	if len(phrases) == 0 {
		return List{}
	}
	all := sync.OnceValue(func() string {
		sorted := slices.SortedStableFunc(slices.Values(phrases), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		for i, p := range sorted {
			sorted[i] = expression(strings.ToValidUTF8(p, "")) // the rest is quoted, so that it compiles
		}
		return "(?i)(?:" + strings.Join(sorted, "|") + ")"
	})
	return List{anywhere: pattern.Lazy(all), ahead: pattern.Lazy(func() string { return "^" + all() }), some: true}
}

// Find returns the byte offsets of the first phrase in s.
func (l List) Find(s string) (lo, hi int, ok bool) {
	if !l.possible(s) {
		return 0, 0, false
	}
	m := l.anywhere.Find(s)
	if m == nil {
		return 0, 0, false
	}
	return m[0], m[1], true
}

// Has reports whether s contains a phrase.
func (l List) Has(s string) bool { return l.possible(s) && l.anywhere.Match(s) }

// Ahead returns the length in bytes of the phrase at the beginning of s, or 0.
func (l List) Ahead(s string) int {
	if !l.possible(s) {
		return 0
	}
	m := l.ahead.Find(s)
	if m == nil {
		return 0
	}
	return m[1]
}

// possible reports whether s has a word of a phrase.
func (l List) possible(s string) bool { return l.some && l.anywhere.PossibleLower(strings.ToLower(s)) }

// gap is a single character. Three ASCII dots are not a gap.
const gap = "…"

// expression converts a phrase to the syntax of package regexp. Optional words include the blank
// after them, or at the end of the phrase the blank before them.
func expression(phrase string) string {
	tokens := tokensOf(phrase)
	var b strings.Builder
	for i, token := range tokens {
		inner, optional := strings.CutPrefix(token, "[")
		inner = strings.TrimSuffix(inner, "]")
		next := ""
		if i+1 < len(tokens) && tokens[i+1] != gap && !(i+2 == len(tokens) && tokens[i+1][0] == '[') {
			next = between(inner, tokens[i+1])
		}
		switch {
		case token == gap:
			fmt.Fprintf(&b, `[^.!?。！？\n]{0,%d}?`, gapLength)
		case optional && i > 0 && i+1 == len(tokens):
			b.WriteString("(?:" + between(tokens[i-1], inner) + place(inner) + ")?")
		case optional:
			b.WriteString("(?:" + place(inner) + next + ")?")
		default:
			b.WriteString(place(inner) + next)
		}
	}
	return b.String()
}

// tokensOf splits a phrase at the blanks outside brackets.
func tokensOf(phrase string) []string {
	phrase = strings.ReplaceAll(phrase, gap, " "+gap+" ")
	open := false
	return strings.FieldsFunc(phrase, func(r rune) bool {
		switch r {
		case '[', '(':
			open = true
		case ']', ')':
			open = false
		}
		return !open && r == ' '
	})
}

// between returns the expression of the blank between two words. Next to a Chinese character it is
// optional.
func between(a, b string) string {
	if strings.IndexFunc(a+b, text.Han) >= 0 {
		return `\s*`
	}
	return `[ \t\x{a0}]+`
}

// place returns the expression of a token: its alternatives, without the round brackets.
func place(token string) string {
	token = strings.TrimSuffix(strings.TrimPrefix(token, "("), ")")
	var out []string
	for alternative := range strings.SplitSeq(token, "/") {
		words := strings.Fields(alternative)
		var e strings.Builder
		for i, w := range words {
			e.WriteString(word(w))
			if i+1 < len(words) {
				e.WriteString(between(w, words[i+1]))
			}
		}
		out = append(out, e.String())
	}
	return "(?:" + strings.Join(out, "|") + ")"
}

// word returns the expression of a word. A Latin word matches only whole, unless it ends in a star.
func word(w string) string {
	stem, prefix := strings.CutSuffix(w, "*")
	e := marks.Replace(regexp.QuoteMeta(stem))
	if stem != "" && latin(stem[0]) {
		e = `\b` + e
	}
	switch {
	case prefix:
		e += `\w*`
	case stem != "" && latin(stem[len(stem)-1]):
		e += `\b`
	}
	return e
}

// marks replaces punctuation by a class that also has its typographic or full-width form.
var marks = strings.NewReplacer("'", "['’]", ":", "[:：]", ",", "[,，]")

func latin(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// Fold returns s with traditional Chinese characters replaced by simplified ones. Byte offsets are preserved: a
// character is replaced only by one of the same length.
func Fold(s string) string {
	if strings.IndexFunc(s, text.Han) < 0 || !utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if !text.Han(r) {
			return r
		}
		to := []rune(text.Fold(string(r)))
		if len(to) == 1 && len(string(to[0])) == len(string(r)) {
			return to[0]
		}
		return r
	}, s)
}
