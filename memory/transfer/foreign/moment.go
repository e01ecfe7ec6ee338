package foreign

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// moment is a time of an export: seconds since 1970, as a number or text, or RFC 3339.
// The zero moment is a time that is missing, null or implausible.
type moment struct{ time.Time }

// The span of plausible times. No chat with a model is older, and a clock may be wrong
// by a day.
var earliest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

const ahead = 24 * time.Hour

// UnmarshalJSON never fails: a time that cannot be read is missing.
func (m *moment) UnmarshalJSON(b []byte) error {
	text := string(bytes.Trim(b, `"`))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		m.Time = fromSeconds(seconds)
		return nil
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			m.Time = t.UTC()
			return nil
		}
	}
	return nil
}

func fromSeconds(s float64) time.Time {
	if math.IsNaN(s) || math.Abs(s) > 1e14 {
		return time.Time{}
	}
	if s > 1e11 { // milliseconds
		s /= 1000
	}
	whole, part := math.Modf(s)
	return time.Unix(int64(whole), int64(part*1e9)).UTC().Round(time.Microsecond)
}

// within returns the moment if it is plausible, and otherwise no time.
func (m moment) within(now time.Time) time.Time {
	if m.Before(earliest) || m.After(now.Add(ahead)) {
		return time.Time{}
	}
	return m.Time
}
