package dating

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"memoria/index/text"
)

// clock matches a time of day: 3pm, 10:30, 6.30pm, 下午3点, 三点半.
var clock = regexp.MustCompile(`\b\d{1,2}(?:[:.]\d\d)? ?[ap]m\b|\b\d{1,2}:\d\d\b|` +
	`(?:早上|上午|中午|下午|傍晚|晚上|夜里)?(?:\d{1,2}|十[一二]?|[一二两三四五六七八九])(?:点半|点\d{1,2}分?|点)`)

// SameClock reports whether two times of day, as [Clock] returns them, may be equal: "10am" and 10:00, 三点 and 15:00. One
// without a half of the day may be either.
func SameClock(a, b string) bool {
	h, m, halfA := clockOf(a)
	i, n, halfB := clockOf(b)
	return a == b || m == n && h%12 == i%12 && (h == i || !halfA || !halfB)
}

// clockOf returns the hour and the minute of a time of day. half says that the half of the day is known.
func clockOf(s string) (hour, minute int, half bool) {
	m := clockParts.FindStringSubmatch(s)
	if m == nil {
		return -1, -1, true
	}
	hour, minute = number(m[2]), number(m[3])
	if m[4] != "" {
		minute = 30
	}
	late := slices.Contains([]string{"下午", "傍晚", "晚上", "夜里"}, m[1]) || m[5] == "pm"
	if late && hour < 12 {
		hour += 12
	}
	return hour, minute, late || m[5] != "" || m[1] != "" || hour > 12
}

var clockParts = regexp.MustCompile(`^(早上|上午|中午|下午|傍晚|晚上|夜里)?(\d{1,2}|[一二两三四五六七八九十]+)` +
	`(?:[:.点](\d\d?)?分?)?(半)?([ap]m)?$`)

// number is a figure, or a Chinese number up to twelve.
func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	s = strings.ReplaceAll(s, "两", "二")
	n := 0
	for _, r := range s {
		n += max(0, slices.Index(digits, r))
	}
	return n
}

var digits = []rune("零一二三四五六七八九十")

// Clock returns the first time of day that a text names, as it is written, or "" if it names none.
func Clock(s string) string { return strings.ReplaceAll(clock.FindString(text.Fold(s)), " ", "") }
