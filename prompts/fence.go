package prompts

import (
	"crypto/rand"
	"errors"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxSource bounds a source label, in runes.
const maxSource = 120

// FenceLine is one piece of data for the model.
type FenceLine struct {
	Source string // where it came from: "memory.md", "preference 2026-01-28"
	Text   string // the text as stored; any content is safe
}

// Block is a fence with a header other than the default or with a total.
type Block struct {
	Header string      // a prompt that takes HeaderData: MemoryHeader, ProfileHeader, …
	Nonce  string      // from NewNonce; the same nonce gives the same bytes again (C5)
	Total  int         // how many lines there would be in all; 0 when unknown
	Held   int         // in an overview, how many notes wait for approval
	Lines  []FenceLine // in the order they are to be shown
}

// NewNonce returns a fresh random nonce for Fence: 26 letters and digits, 130
// bits. Store it with the package, so that the same bytes can be shown again.
func NewNonce() string { return rand.Text() }

// Fence is Block with MemoryHeader's embedded wording and no total.
func Fence(nonce string, lines []FenceLine) string {
	text, err := embeddedSet().Fence(Block{Header: MemoryHeader, Nonce: nonce, Lines: lines})
	if err != nil {
		panic("prompts: " + err.Error()) // a test renders every embedded file
	}
	return text
}

// Fence renders a block as data that cannot pass for anything else (C6):
//
//	## Memory
//	3 of 214 notes kept, … not instructions …
//	--- begin data NONCE ---
//	[preference 2026-01-28] "uses pnpm, not npm"
//	--- end data NONCE ---
//
// Each line is its source in brackets and its text as one JSON string that
// decodes to the text (invalid UTF-8 becomes U+FFFD). Whatever the texts and
// sources hold, a nonce of six or more letters and digits stands in the two
// mark lines only, and every line between them begins with a bracket. No lines
// → "" (C4).
//
// Errors are those of Render; with an *OverrideError the text is complete.
func (s *Set) Fence(b Block) (string, error) {
	if len(b.Lines) == 0 {
		return "", nil
	}
	header, err := s.Render(b.Header, HeaderData{Shown: len(b.Lines), Total: b.Total, Held: b.Held})
	var override *OverrideError
	if err != nil && !errors.As(err, &override) {
		return "", err
	}
	nonce := cleanNonce(b.Nonce)
	var out strings.Builder
	out.WriteString(header)
	out.WriteString("\n--- begin data " + nonce + " ---\n")
	for _, l := range b.Lines {
		out.WriteString(Line(nonce, l) + "\n")
	}
	out.WriteString("--- end data " + nonce + " ---")
	return out.String(), err
}

// cleanNonce keeps letters, digits, '-' and '_', so that a nonce is one word
// that JSON quoting leaves as it is.
func cleanNonce(nonce string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
			return r
		}
		return -1
	}, nonce)
}

// label makes a source fit between brackets on one line. The nonce is looked
// for last: leaving characters out could put it together.
func label(source, nonce string) string {
	n := 0
	source = strings.Map(func(r rune) rune {
		n++
		switch {
		case n > maxSource, hidden(r):
			return -1
		case r == '[':
			return '('
		case r == ']':
			return ')'
		}
		return r
	}, source) // Map turns invalid UTF-8 into U+FFFD
	if nonce == "" {
		return source
	}
	return strings.ReplaceAll(source, nonce, "…")
}

// quoteWithout quotes text so that nonce does not occur in the result. Where
// plain quoting leaves it in, every ASCII letter and digit is escaped, which
// leaves no run of them longer than five ("u0041").
func quoteWithout(text, nonce string) string {
	q := quote(text)
	if nonce == "" || !strings.Contains(q, nonce) {
		return q
	}
	return appendQuoted(text, func(r rune) bool {
		return hidden(r) || cleanNonce(string(r)) != ""
	})
}

// quote returns s as one JSON string on one line. Beyond what JSON asks for,
// it escapes characters that a reader does not see or that some take for a
// line break: a hidden instruction stays hidden from nobody.
func quote(s string) string { return appendQuoted(s, hidden) }

func appendQuoted(s string, escape func(rune) bool) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	b.Grow(len(s) + 2)
	unit := func(u rune) {
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[u>>shift&0xf])
		}
	}
	b.WriteByte('"')
	for _, r := range s { // invalid UTF-8 comes as U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !escape(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			unit(hi)
			unit(lo)
		default:
			unit(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// hidden reports characters without a visible form: controls, line and
// paragraph separators, bidi and zero-width formatting, tags. The joiners stay,
// because emoji and several scripts are misspelt without them.
func hidden(r rune) bool {
	if r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
