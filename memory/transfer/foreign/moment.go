package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"
)

// moment is a time of an export: seconds since 1970, as a number or text, or a date. The
// zero moment is a time that is missing or null, or has no meaning.
type moment struct {
	time.Time
	wrong bool // there is something, but it is no time
}

// ahead is how far a clock may be wrong: later times have no meaning.
const ahead = 24 * time.Hour

var errTime = errors.New("it is not a time")

// UnmarshalJSON never fails: a time that cannot be read is marked as wrong.
func (m *moment) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var err error
	if m.Time, err = readTime(b); err != nil {
		m.wrong = true
	}
	return nil
}

func readTime(b []byte) (time.Time, error) {
	if seconds, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64); err == nil {
		return fromSeconds(seconds)
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errTime
}

func fromSeconds(s float64) (time.Time, error) {
	if math.IsNaN(s) || math.Abs(s) > 1e14 {
		return time.Time{}, errTime
	}
	whole, part := math.Modf(s)
	return time.Unix(int64(whole), int64(part*1e9)).UTC().Round(time.Microsecond), nil
}

// within returns the moment if it is after 1970 and not in the future, and otherwise no
// time.
func (m moment) within(now time.Time) time.Time {
	if m.Unix() <= 0 || m.After(now.Add(ahead)) {
		return time.Time{}
	}
	return m.Time
}

// loose is a text of which anything but a text is empty.
type loose string

// UnmarshalJSON never fails.
func (l *loose) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*l = loose(s)
	}
	return nil
}
