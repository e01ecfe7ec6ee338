package instruct

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// RightValue returns the words of a correction that take the place of wrong ones in what an item says: of "i study law" it
// returns "law" where "medicine" is wrong in "Studies medicine.". It is empty where none can be told.
func RightValue(right, wrong, content string) string {
	right = strings.Trim(right, " ,.!?，。！？")
	if strings.ContainsFunc(right, text.Han) {
		return rightChinese(right, wrong, content)
	}
	known := append(text.Words(wrong), text.Words(content)...)
	lo, hi, open := -1, 0, false
	for _, t := range text.Tokens(right) { // the last run of words that the item does not have
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

const maxValue = 5 // words of a value

// rightChinese is RightValue for Chinese, whose words have no blanks between them: it is what stands between the words
// around the wrong value, or behind the verb.
func rightChinese(right, wrong, content string) string {
	before, after, ok := strings.Cut(text.Fold(content), text.Fold(wrong))
	folded := text.Fold(right)
	if !ok || len(folded) != len(right) {
		before, after, folded = "", "", right
	}
	lo, hi := 0, len(right)
	around := false
	for n := 0; n < len(before); n++ { // the longest end of what stands before
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
	for _, verb := range []string{"是", "叫", "系", "係"} {
		if at := strings.LastIndex(value, verb); at >= 0 && at+len(verb) < len(value) {
			value, around = value[at+len(verb):], true
		}
	}
	for _, lead := range []string{"我们", "我的", "我", "俺", "今年", "现在"} {
		value = strings.TrimPrefix(value, lead)
	}
	value = strings.TrimRight(value, "的啦啊呀哦喔了呢 ")
	if !around && utf8.RuneCountInString(value) > 8 {
		return ""
	}
	return value
}

// IsStatement reports whether the right words of a correction are a whole sentence about the user, rather than a value.
func IsStatement(words string) bool {
	p, _ := newPlain(words, respelled())
	for _, self := range []string{"i ", "im ", "ive ", "id ", "my ", "we ", "our ", "我", "俺"} {
		if strings.HasPrefix(p.text, self) {
			return true
		}
	}
	return false
}
