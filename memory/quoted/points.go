package quoted

import (
	"strings"
	"unicode/utf8"

	"memoria/memory/frame"
	"memoria/memory/pattern"
)

// link shows that the document that a sentence points at is elsewhere.
var link = pattern.Regexp(`(?i)https?://|www\.|\b[\w-]+\.(?:com|org|net|io|cn|de|pdf|docx?|txt|md|csv|png|jpe?g)\b`)

// sentence is s[lo:hi]; stop is the character after it, 0 at the end; next is the start of the following text.
type sentence struct {
	lo, hi, next int
	stop         rune
}

// sentences cuts a text at stops, colons and line ends.
func sentences(s string) (out []sentence) {
	lo := 0
	for i, r := range s {
		if !strings.ContainsRune(".!?。！？:：\n", r) {
			continue
		}
		next := i + utf8.RuneLen(r)
		if (r == '.' || r == ':') && next < len(s) && !strings.ContainsRune(" \t\r\n\"'”’)", rune(s[next])) && s[next] < utf8.RuneSelf {
			continue // 3.5, 10:30, example.com
		}
		out = append(out, sentence{lo, i, next, r})
		lo = next
	}
	return append(out, sentence{lo, len(s), len(s), 0})
}

// pointed takes the document after a sentence that points at it: the rest of the message after a colon, or from
// the next line. If a document was found before, the sentence means that one.
func (f *finder) pointed() {
	there := len(f.found) > 0 || len(f.given) > 0
	for _, s := range sentences(f.s) {
		said := strings.TrimSpace(f.s[s.lo:s.hi])
		if said == "" {
			continue
		}
		colon := s.stop == ':' || s.stop == '：'
		if there && !colon {
			continue
		}
		if lo := f.document(s, colon); lo >= 0 && f.pointsAt(said, colon) {
			f.take(lo, len(f.s))
			return
		}
	}
}

// pointsAt reports whether a sentence points at a text that follows.
func (f *finder) pointsAt(said string, colon bool) bool {
	if own().Has(said) {
		return false
	}
	if frame.OnText(said) {
		return true
	}
	if colon && brings().Has(said) {
		return true
	}
	mine := first().Ahead(said) > 0
	return (colon || !mine) && points().Has(said)
}

// document returns where the document begins that a sentence points at, or -1.
func (f *finder) document(s sentence, colon bool) int {
	rest := f.s[s.next:]
	line, behind, _ := strings.Cut(rest, "\n")
	if s.stop == '\n' {
		line, behind = "", rest
	}
	line = strings.TrimLeft(line, " \t.!?。！？…\"'”’)）")
	switch {
	case strings.TrimSpace(rest) == "", link.Match(f.s[s.lo:s.hi]):
		return -1
	case colon:
		return s.next
	case line != "" && f.greets(line):
		return s.next + strings.Index(rest, line)
	case strings.TrimSpace(line) != "" || strings.TrimSpace(behind) == "":
		return -1
	case aside().Ahead(strings.TrimSpace(behind)) > 0:
		return -1
	}
	return len(f.s) - len(behind)
}
