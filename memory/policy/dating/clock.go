package dating

import (
	"regexp"
	"strings"

	"memoria/index/text"
)

// clock matches a time of day: 3pm, 10:30, 6.30pm, 下午3点, 三点半.
var clock = regexp.MustCompile(`\b\d{1,2}(?:[:.]\d\d)? ?[ap]m\b|\b\d{1,2}:\d\d\b|` +
	`(?:早上|上午|中午|下午|傍晚|晚上|夜里)?(?:\d{1,2}|十[一二]?|[一二两三四五六七八九])(?:点半|点\d{1,2}分?|点)`)

// Clock returns the first time of day that a text names, as it is written, or "" if it names none.
func Clock(s string) string { return strings.ReplaceAll(clock.FindString(text.Fold(s)), " ", "") }
