package retrieve

import (
	"strings"
	"time"

	"memoria/index/text"
)

// maxTimeRange is the maximum length of a time range, in bytes.
const maxTimeRange = 200

// ParseTimeRange parses a time as people and models write it: the phrases of
// [text.Dates] ("last March", 上周三), also without prepositions ("March", "2025"); ranges
// ("2026-01..2026-02", where one side may be missing); and RFC 3339. ok is false if
// there is no time.
func ParseTimeRange(s string, now time.Time, loc *time.Location) (from, to time.Time, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxTimeRange {
		return from, to, false
	}
	if left, right, two := cutRange(s); two {
		return joinTimes(left, right, now, loc)
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, at.Add(time.Second), true
	}
	for _, lead := range []string{"", "in ", "on "} {
		if _, from, to, ok = text.Dates(lead+s, now, loc); ok {
			return from, to, true
		}
	}
	return from, to, false
}

// JoinTimes parses a range given as two times, each as for ParseTimeRange; one may be
// empty. ok is false if one cannot be parsed, or to ends before from begins.
func JoinTimes(from, to string, now time.Time, loc *time.Location) (_, _ time.Time, ok bool) {
	return joinTimes(strings.TrimSpace(from), strings.TrimSpace(to), now, loc)
}

func joinTimes(left, right string, now time.Time, loc *time.Location) (from, to time.Time, ok bool) {
	if left == "" && right == "" {
		return from, to, false
	}
	if left != "" {
		if from, _, ok = ParseTimeRange(left, now, loc); !ok {
			return time.Time{}, time.Time{}, false
		}
	}
	if right != "" {
		if _, to, ok = ParseTimeRange(right, now, loc); !ok {
			return time.Time{}, time.Time{}, false
		}
	}
	return from, to, from.IsZero() || to.IsZero() || from.Before(to)
}

// ranges are the signs between two times. A slash also occurs in dates, and separates
// only what looks like two dates.
var ranges = text.LazyRegexp(`^(.*?)\s*(?:\.{2,3}|…|～|~|–|—|/)\s*(.*)$`)

var slashDates = text.LazyRegexp(`^\d{4}-\d{2}(-\d{2}\S*)?/\d{4}-\d{2}(-\d{2}\S*)?$`)

func cutRange(s string) (left, right string, ok bool) {
	if strings.Contains(s, "/") && !slashDates().MatchString(s) {
		s, restore := strings.ReplaceAll(s, "/", "\x00"), strings.NewReplacer("\x00", "/")
		m := ranges().FindStringSubmatch(s)
		if m == nil {
			return "", "", false
		}
		return restore.Replace(m[1]), restore.Replace(m[2]), true
	}
	m := ranges().FindStringSubmatch(s)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
