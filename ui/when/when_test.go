package when

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
		if got := Span(at(tt.from), at(tt.to), time.UTC); got != tt.want {
			t.Errorf("%s – %s: %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
	if got := Span(at("2026-01-27 16:00"), at("2026-01-28 16:00"), time.FixedZone("", 8*3600)); got != "2026-01-28" {
		t.Errorf("in another zone: %q", got)
	}
}
