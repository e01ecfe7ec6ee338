package instruct

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
)

// RightValue returns the words of a correction that replace the wrong ones in an item's content: for "i study
// law" and the wrong "medicine" in "Studies medicine." it returns "law". It is empty if undetermined.
func RightValue(right, wrong, content string) string {
	right = strings.Trim(slipBehind.ReplaceAllString(right, ""), " ,.!?，。！？")
	if strings.ContainsFunc(right, text.Han) {
		return rightChinese(right, wrong, content)
	}
	known := append(text.Words(wrong), text.Words(content)...)
	lo, hi, open := -1, 0, false
	for _, t := range text.Tokens(right) { // the last run of words missing in the item
		words := text.Words(right[t.Start:t.End])
		if len(words) == 0 || slices.Contains(known, words[0]) {
			open = false
			continue
		}
		if !open {
			lo, open = t.Start, true
		}
		hi = t.End
	}
	if lo < 0 || len(strings.Fields(right[lo:hi])) > maxValue {
		return ""
	}
	return right[lo:hi]
}

// slipBehind says behind a right value that the other was a slip: 八十一，记错了.
var slipBehind = regexp.MustCompile(`[\s,.!，。！]+(?:是)?(?:我|你)?(?:刚才|刚刚)?(?:记|说|打|写|搞|弄)(?:错|岔|反)了?[\s.!。！]*$`)

const maxValue = 5 // words of a value

// rightChinese is RightValue for Chinese, which has no blanks between words: the text between the words
// around the wrong value, or after the verb.
func rightChinese(right, wrong, content string) string {
	before, after, ok := strings.Cut(text.Fold(content), text.Fold(wrong))
	folded := text.Fold(right)
	if !ok || len(folded) != len(right) {
		before, after, folded = "", "", right
	}
	lo, hi := 0, len(right)
	around := false
	for n := 0; n < len(before); n++ { // the longest suffix of the text before
		if tail := before[n:]; utf8.RuneStart(before[n]) && strings.Contains(folded, tail) {
			lo, around = strings.Index(folded, tail)+len(tail), true
			break
		}
	}
	for n := len(after); n > 0; n-- {
		if head := strings.TrimRight(after[:n], "。. "); head != "" && utf8.ValidString(head) {
			if at := strings.Index(folded[lo:], head); at > 0 {
				hi, around = lo+at, true
				break
			}
		}
	}
	value := right[lo:hi]
	for _, verb := range values().Words("beforeValue") {
		if at := strings.LastIndex(value, verb); at >= 0 && at+len(verb) < len(value) {
			value, around = value[at+len(verb):], true
		}
	}
	for _, lead := range values().Words("afterVerb") {
		value = strings.TrimPrefix(value, lead)
	}
	value = strings.TrimRight(value, "的啦啊呀哦喔了呢 ")
	if !around && utf8.RuneCountInString(value) > 8 {
		return ""
	}
	return value
}

// IsStatement reports whether the right words of a correction are a whole sentence about the user, not a
// value.
func IsStatement(words string) bool {
	p, _ := newPlain(words, respelled())
	_, ok := begunBy(p.text, ofOneself())
	return ok
}

// TakesPlace reports whether a value found in a clause can replace an old one: the clause has little else, or
// begins like a description, and a name replaces a name.
func TakesPlace(value, old, clause string) bool {
	if value == "" || strings.ContainsFunc(clause, text.Han) {
		return value != ""
	}
	was, _ := utf8.DecodeRuneInString(old)
	is, _ := utf8.DecodeRuneInString(value)
	if unicode.IsUpper(was) && !unicode.IsUpper(is) && clause != strings.ToLower(clause) {
		return false
	}
	return len(strings.Fields(clause)) <= fewWords || saysHow(clause)
}

const fewWords = 4

// saysHow reports whether a clause begins like a description.
func saysHow(clause string) bool {
	p, _ := newPlain(clause, respelled())
	_, ok := begunBy(p.text, describes())
	return ok
}

var (
	ofOneself = phrases("ofOneself")
	describes = phrases("describes")
)

// pauses end a clause of a correction.
const pauses = ",;:!?.–—\n，；：！？。…"

// RightWords returns the clause of a correction with the most new words: words not in the wrong item and not
// used for plain descriptions. Names and numbers count most. It is empty if nothing is new.
func RightWords(correction string, wrong memory.Item) (clause string) {
	known := text.Words(wrong.Content)
	most := 0
	for _, c := range clauses(correction) {
		score := 0
		if saysHow(c) {
			score = 2
		}
		news := false
		for _, t := range text.Tokens(c) {
			word := c[t.Start:t.End]
			forms := text.Words(word)
			if len(forms) == 0 || slices.Contains(known, forms[0]) || Lexicon().Has(word) {
				continue
			}
			news = true
			score++
			if first, _ := utf8.DecodeRuneInString(word); t.Start > 0 && unicode.IsUpper(first) || unicode.IsDigit(first) {
				score += 2
			}
		}
		if news && score > most {
			clause, most = c, score
		}
	}
	return clause
}

// clauses returns the parts of a text between pauses; a mark between digits or letters is
// not a pause.
func clauses(s string) (out []string) {
	from := 0
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if strings.ContainsRune(pauses, r) && !(r < utf8.RuneSelf && (unicode.IsLetter(next) || unicode.IsDigit(next))) ||
			r == '-' && i > 0 && s[i-1] == ' ' && next == ' ' {
			out, from = append(out, s[from:i]), i+utf8.RuneLen(r)
		}
	}
	out = append(out, s[from:])
	for i, c := range out {
		out[i] = strings.TrimSpace(c)
	}
	return slices.DeleteFunc(out, func(c string) bool { return c == "" })
}
