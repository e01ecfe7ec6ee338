package lang

import (
	"strings"

	"memoria/memory/pattern"
)

// MaskByte replaces every byte that is not the user speaking: code, and quotations in which somebody
// says "I". It is a control character that folding keeps and no rule matches.
const MaskByte = "\x01"

var (
	fences     = pattern.Regexp("(?s)(?:```|~~~).*?(?:```|~~~|$)")
	quoteLines = pattern.Regexp(`(?m)^\s*>.*$`)
	inlineCode = pattern.Regexp("`[^`\n]+`")
	quotation  = Form("quotation")
	speaker    = Form("speaker")
	orderAhead = Form("orderAhead")
)

// Mask masks quoted text. The result has the length of s.
func Mask(s string) string {
	s = strings.ReplaceAll(s, MaskByte, " ")
	b := []byte(s)
	blot := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b[i] = MaskByte[0]
		}
	}
	for _, m := range fences.FindAll(s) {
		blot(m[0], m[1])
	}
	for _, m := range quoteLines.FindAll(s) {
		blot(m[0], m[1])
	}
	for _, m := range inlineCode.FindAll(s) {
		if in := s[m[0]:m[1]]; len(in) > 40 || speaker.Match(in) {
			blot(m[0], m[1])
		}
	}
	for _, m := range quotation.FindAll(s) {
		if speaker.Match(s[m[0]:m[1]]) && !orderAhead.Match(s[max(0, m[0]-48):m[0]]) {
			blot(m[0], m[1])
		}
	}
	return string(b)
}
