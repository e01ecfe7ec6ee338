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
	Source string // where it came from: "memory.md", "preference 2026-01-28"
	Text   string // the text as stored; any content is safe
}

// NewNonce returns a fresh random nonce for a fence: six letters, 28 bits in few tokens (C6).
// What stands between the marks cannot hold it in any case ([Line]); it has to be hard to
// guess for texts that stand elsewhere in the request. Store it with the package, so that
// the same bytes can be shown again.
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

// FenceHead renders what stands above the lines of a fence, which is data that cannot pass
// for anything else (C6):
//
//	## Memory
//	this conversation; 3 of 214 notes
//	--- data NONCE
//	[topic] "packing for Lisbon"
//	[preference 2026-01-28] "uses pnpm, not npm"
//	--- end NONCE
//
// parts say what the lines are. Each line is a [Line], ended by a line break; below them
// stands [FenceTail]. Whatever the texts and sources hold, a nonce of six or more letters
// and digits stands in the two marks only, and every line between them begins with a
// bracket. No lines, no fence (C4).
//
// Errors are those of Render; with an *OverrideError the text is complete.
func (s *Set) FenceHead(nonce string, parts []string) (string, error) {
	heading, err := s.Render(MemoryHeader, FenceData{Parts: parts})
	if heading == "" {
		return "", err
	}
	return heading + "\n--- data " + cleanNonce(nonce) + "\n", err
}

// FenceTail is what stands below the lines of a fence.
func FenceTail(nonce string) string { return "--- end " + cleanNonce(nonce) }

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
