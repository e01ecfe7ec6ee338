package retrieve_test

import (
	"testing"
	"time"

	"memoria/memory/retrieve"
)

// I2, A4: a time is read as people and models write it.
func TestTimeRanges(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) // a Saturday
	day := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		at, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for s, want := range map[string][2]string{
		"last March":                    {"2026-03-01", "2026-04-01"},
		"March":                         {"2026-03-01", "2026-04-01"},
		"2025":                          {"2025-01-01", "2026-01-01"},
		"2026-01":                       {"2026-01-01", "2026-02-01"},
		"上周三":                           {"2026-11-11", "2026-11-12"},
		"2026-01..2026-02":              {"2026-01-01", "2026-03-01"},
		"2026-01 – 2026-02":             {"2026-01-01", "2026-03-01"},
		"2026-01-05/2026-01-09":         {"2026-01-05", "2026-01-10"},
		"2026/1/5..2026/1/9":            {"2026-01-05", "2026-01-10"},
		"2026/1/5":                      {"2026-01-05", "2026-01-06"},
		"去年三月～去年五月":                     {"2025-03-01", "2025-06-01"},
		"..2026-02":                     {"", "2026-03-01"},
		"2026-02..":                     {"2026-02-01", ""},
		"from 2026-01-05 to 2026-01-09": {"2026-01-05", "2026-01-10"},
		"Friday":                        {"2026-11-20", "2026-11-21"},
	} {
		from, to, ok := retrieve.ParseTimeRange(s, now, time.UTC)
		if !ok || !from.Equal(day(want[0])) || !to.Equal(day(want[1])) {
			t.Errorf("%q: %s to %s, %v", s, from, to, ok)
		}
	}
	for _, s := range []string{"", "  ", "..", "pigs", "2026-05..2026-01", "pigs..2026", "99"} {
		if from, to, ok := retrieve.ParseTimeRange(s, now, time.UTC); ok {
			t.Errorf("%q: %s to %s", s, from, to)
		}
	}
	if from, to, ok := retrieve.JoinTimes("2026-01-05T10:00:00Z", "", now, time.UTC); !ok || from.Hour() != 10 || !to.IsZero() {
		t.Errorf("%s to %s, %v", from, to, ok)
	}
}
