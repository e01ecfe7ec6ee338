package words

import (
	"testing"
	"time"
)

// A4: a person sees how a question's time was understood.
func TestSpan(t *testing.T) {
	at := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		got, err := time.Parse("2006-01-02 15:04", s)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, tt := range []struct{ from, to, want string }{
		{"", "", ""},
		{"2026-01-27 00:00", "2026-01-28 00:00", "2026-01-27"},
		{"2026-01-19 00:00", "2026-01-26 00:00", "2026-01-19 to 2026-01-25"},
		{"2025-03-01 00:00", "2025-04-01 00:00", "2025-03"},
		{"2025-01-01 00:00", "2026-01-01 00:00", "2025"},
		{"2025-03-01 00:00", "", "since 2025-03-01"},
		{"", "2025-05-03 00:00", "before 2025-05-03"},
		{"2026-01-27 18:00", "2026-01-28 05:00", "2026-01-27 18:00 to 2026-01-28 05:00"},
		{"2026-01-27 12:00", "2026-01-27 18:00", "2026-01-27 12:00 to 18:00"},
		{"2026-01-28 10:30", "2026-01-29 00:00", "2026-01-28 10:30 to 2026-01-29"},
	} {
		if got := screen.Span(at(tt.from), at(tt.to), time.UTC); got != tt.want {
			t.Errorf("%s – %s: %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
	if got := screen.Span(at("2026-01-27 16:00"), at("2026-01-28 16:00"), time.FixedZone("", 8*3600)); got != "2026-01-28" {
		t.Errorf("in another zone: %q", got)
	}
}

// A time is written as it is read aloud, and in four cells.
func TestTimes(t *testing.T) {
	now := time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ got, want string }{
		{screen.Age(now, now), "now"}, {screen.Age(now, now.Add(-90*time.Minute)), "1h"}, {screen.Age(now, now.Add(-5*time.Minute)), "5m"},
		{screen.Age(now, now.AddDate(0, 0, -9)), "9d"}, {screen.Age(now, now.AddDate(-2, 0, -9)), "2y"}, {screen.Age(now, time.Time{}),
			""}, {screen.Age(time.Time{}, now), ""},
		{screen.Ago(now, now), "just now"}, {screen.Ago(now, now.Add(-5*time.Minute)), "5 minutes ago"}, {screen.Ago(now, now.Add(-time.Hour)), "1 hour ago"},
		{screen.Ago(now, now.AddDate(0, 0, -9)), "9 days ago"}, {screen.Ago(now, now.AddDate(0, 0, -31)), "on 2025-12-28"}, {screen.Ago(now, time.Time{}), "just now"},
		{Moment(now, time.UTC), "2026-01-28 12:00"}, {Moment(time.Time{}, time.UTC), ""}, {Day(now, time.UTC), "2026-01-28"},
		{English.Seconds(420 * time.Millisecond), "420 milliseconds"}, {English.Seconds(1500 * time.Millisecond), "1.5 seconds"},
		{English.Left(now, now.Add(9*time.Second+time.Millisecond)), "10 seconds"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{English.Count(1, "memory"), "1 memory"}, {English.Count(2, "memory"), "2 memories"}, {English.Count(0, "day"), "0 days"},
		{English.Count(2, "turn is"), "2 turns are"}, {English.Count(1, "turn is"), "1 turn is"}, {English.Count(3, "more line has"), "3 more lines have"},
		{English.Count(2, "old damaged copy"), "2 old damaged copies"}, {English.Count(2, "memory waits"), "2 memories wait"},
		{Bytes(999), "999 B"}, {Bytes(1280), "1.3 kB"}, {Bytes(999_500), "1.0 MB"}, {Bytes(48_000_000), "48 MB"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
