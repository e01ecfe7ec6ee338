package quoted

import (
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// marks are the quotation marks that have a beginning and an end.
var marks = []struct{ open, close string }{
	{"“", "”"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"„", "“"}, {"„", "”"}, {`"`, `"`}, {"＂", "＂"},
}

// speech takes quoted statements that are not part of the sentence around them. The rules can read a sentence
// with a title or a word in quotation marks.
func (f *finder) speech() {
	for _, m := range marks {
		for at := 0; ; {
			i := strings.Index(f.s[at:], m.open)
			if i < 0 {
				break
			}
			lo := at + i
			inner := lo + len(m.open)
			j := strings.Index(f.s[inner:], m.close)
			if j < 0 {
				break
			}
			hi := inner + j + len(m.close)
			if m.open == m.close && strings.Contains(f.s[inner:inner+j], "\n") && !f.wholeLines(lo, hi) {
				at = inner // the two need not belong together
				continue
			}
			if f.apart(lo, hi) && f.states(f.s[inner:inner+j]) {
				f.take(lo, hi)
			}
			at = hi
		}
	}
}

// wholeLines reports whether s[lo:hi] begins a line and ends one.
func (f *finder) wholeLines(lo, hi int) bool {
	return strings.TrimSpace(f.s[strings.LastIndexByte(f.s[:lo], '\n')+1:lo]) == "" && f.ended(hi)
}

// ended reports whether nothing of a sentence follows.
func (f *finder) ended(hi int) bool {
	rest := strings.TrimLeft(f.s[hi:], " \t\u3000")
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || strings.ContainsRune("\r\n.!?。！？…,，;；)）", r)
}

// apart reports whether a quotation is not part of the user's sentence: it is alone, or follows a colon, a comma
// or a word of saying.
func (f *finder) apart(lo, hi int) bool {
	if !f.ended(hi) {
		return false
	}
	before := strings.TrimRight(f.s[strings.LastIndexByte(f.s[:lo], '\n')+1:lo], " \t\u3000")
	lead := strings.TrimRight(before, ":：,， \t")
	if endsWith(keeps().Find, lead) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.ContainsRune(":：,，.!?。！？…;；(（", r) || endsWith(says().Find, lead)
}

// endsWith reports whether s ends in a phrase.
func endsWith(find func(string) (int, int, bool), s string) bool {
	for at := 0; at < len(s); {
		_, hi, ok := find(s[at:])
		if !ok || hi == 0 {
			return false
		}
		if at+hi == len(s) {
			return true
		}
		at += hi
	}
	return false
}

const (
	fewWords = 3 // in a statement
	fewHan   = 4 // characters in a Chinese one
)

// states reports whether words in quotation marks are a whole statement or order and no name, title or term.
func (f *finder) states(s string) bool {
	s = strings.TrimSpace(s)
	han := 0
	for _, r := range s {
		if text.Han(r) {
			han++
		}
	}
	if len(strings.Fields(s)) < fewWords && han < fewHan {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return first().Has(s) || orders().Ahead(s) > 0 || strings.ContainsRune(".!?。！？…", r)
}
