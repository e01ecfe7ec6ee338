package dating

import "regexp"

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
