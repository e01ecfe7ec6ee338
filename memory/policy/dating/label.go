package dating

import (
	"regexp"
	"strings"

	"memoria/memory/policy/lang"
)

// WithoutLabel removes the date that [Words] had put behind words that are replaced, from the text that follows them.
// The rest of that date may stand between: "December" of "3rd December (3 December 2026)".
func WithoutLabel(after string) string {
	m := label.FindStringIndex(after)
	if m == nil || m[0] > 0 && !restOfDate.MatchString(after[:m[0]]) {
		return after
	}
	return after[:m[0]] + after[m[1]:]
}

// Labelled reports whether a content has such a date.
func Labelled(content string) bool { return label.MatchString(content) }

var (
	label      = regexp.MustCompile(` \([^()]*\d{4}\)|（\d{4}年[^（）]*）`)
	restOfDate = regexp.MustCompile(`^(?: of)? \p{Lu}\p{L}+(?: \d{4})?$|^[日号]?$`)
)

// Replace replaces the first part of s that folds like old, with its date. What the new words share with the text
// around it stands there once: 上海静安区 in place of 徐汇 in 住在上海徐汇区.
func Replace(s, old, with string) string {
	lo, hi, ok := lang.FoldedIndex(s, old)
	if !ok {
		return with
	}
	before, after := s[:lo], s[hi:]
	for n := range with {
		if n > 0 && strings.HasSuffix(before, with[:n]) && lang.HasHan(with[:n]) {
			with = with[n:]
			break
		}
	}
	for n := range with {
		if n > 0 && strings.HasPrefix(after, with[n:]) && lang.HasHan(with[n:]) {
			with = with[:n]
			break
		}
	}
	return before + with + WithoutLabel(after)
}
