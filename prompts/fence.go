package prompts

import (
	"crypto/rand"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxSource bounds a source label, in runes.
const maxSource = 120

// FenceLine is one piece of data for the model.
type FenceLine struct {
	Source string // origin: "memory.md", "preference 2026-01-28"
	Text   string // the text as stored; any content is safe
}

// NewNonce returns a fresh random nonce for a fence: six letters, 28 bits in few tokens (C6).
// Lines between the marks cannot contain it ([Line]). It has to be hard to guess for texts
// elsewhere in the request. Store it with the package to reproduce the same bytes.
func NewNonce() string {
	const length = 6
	nonce := make([]byte, 0, length)
	for len(nonce) < length {
		for _, c := range rand.Text() {
			if c >= 'A' && c <= 'Z' && len(nonce) < length {
				nonce = append(nonce, byte(c)+'a'-'A')
			}
		}
	}
	return string(nonce)
}

// FenceHead renders the head of a fence, which marks its lines as data (C6):
//
//	## Memory
//	this conversation; 3 of 214 notes
//	--- data NONCE
//	[topic] "packing for Lisbon"
//	[preference 2026-01-28] "uses pnpm, not npm"
//	--- end NONCE
//
// parts describe the lines. Each line is a [Line] with a line break; [FenceTail] follows
// the last. Whatever the texts and sources contain, a nonce of six or more letters and
// digits occurs only in the two marks, and every line between them begins with a bracket.
// Without lines there is no fence (C4).
//
// Errors are those of Render; with an *OverrideError the text is complete.
func (s *Set) FenceHead(nonce string, parts []string) (string, error) {
	heading, err := s.Render(MemoryHeader, FenceData{Parts: parts})
	if heading == "" {
		return "", err
	}
	return heading + "\n--- data " + cleanNonce(nonce) + "\n", err
}

// FenceTail returns the end of a fence.
func FenceTail(nonce string) string { return "--- end " + cleanNonce(nonce) }

// cleanNonce keeps letters, digits, '-' and '_', so that a nonce is one word that JSON
// quoting leaves unchanged.
func cleanNonce(nonce string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
			return r
		}
		return -1
	}, nonce)
}

// label makes a source fit between brackets on one line. It replaces the nonce last,
// since removing characters could create it.
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

// quoteWithout quotes text so that the result does not contain nonce. If plain quoting
// leaves it in, every ASCII letter and digit is escaped, which leaves runs of at most
// five ("u0041").
func quoteWithout(text, nonce string) string {
	q := quote(text)
	if nonce == "" || !strings.Contains(q, nonce) {
		return q
	}
	return appendQuoted(text, func(r rune) bool {
		return hidden(r) || cleanNonce(string(r)) != ""
	})
}

// quote returns s as one JSON string on one line. In addition to JSON's rules, it
// escapes invisible characters and uncommon line breaks, to expose hidden instructions.
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
	for _, r := range s { // invalid UTF-8 becomes U+FFFD
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

// hidden reports characters without a visible form: controls, line and paragraph
// separators, bidi and zero-width formatting, tags. The joiners are kept, since emoji
// and several scripts need them.
func hidden(r rune) bool {
	if r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
