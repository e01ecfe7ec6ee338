package manager_test

import (
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
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
		from, to, ok := manager.ParseTimeRange(s, now, time.UTC)
		if !ok || !from.Equal(day(want[0])) || !to.Equal(day(want[1])) {
			t.Errorf("%q: %s to %s, %v", s, from, to, ok)
		}
	}
	for _, s := range []string{"", "  ", "..", "pigs", "2026-05..2026-01", "pigs..2026", "99"} {
		if from, to, ok := manager.ParseTimeRange(s, now, time.UTC); ok {
			t.Errorf("%q: %s to %s", s, from, to)
		}
	}
	if from, to, ok := manager.JoinTimes("2026-01-05T10:00:00Z", "", now, time.UTC); !ok || from.Hour() != 10 || !to.IsZero() {
		t.Errorf("%s to %s, %v", from, to, ok)
	}
}

// I2, L4: a search finds items and messages of one agent in a time, and marks
// nothing as used; what need not be found is not.
func TestSearchMemories(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	early, err := m.AddItem(ctx, luna, memory.Item{Content: "The kiln is gas-fired"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.AddItem(ctx, "sol", memory.Item{Content: "A kiln of another agent"}); err != nil {
		t.Fatal(err)
	}
	middle := c.Now().Add(24 * time.Hour)
	c.Add(48 * time.Hour)
	late, err := m.AddItem(ctx, luna, memory.Item{Content: "The kiln broke"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		q    manager.MemoryQuery
		want []string
	}{
		{manager.MemoryQuery{Keyword: "kiln", Items: 5}, []string{early.ID, late.ID}},
		{manager.MemoryQuery{Keyword: "kiln", Items: 5, To: middle}, []string{early.ID}},
		{manager.MemoryQuery{Keyword: "kiln", Items: 5, From: middle}, []string{late.ID}},
		{manager.MemoryQuery{Keyword: "zeppelin", Items: 5}, nil},
		{manager.MemoryQuery{Items: 5, From: middle}, nil},
	} {
		found, err := m.SearchMemories(ctx, luna, tt.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found.Items {
			got = append(got, s.Item.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) || found.Total != len(tt.want) || len(found.Messages) != 0 {
			t.Errorf("%+v finds %v of %d, %d messages", tt.q, got, found.Total, len(found.Messages))
		}
	}
	if it, err := m.Item(ctx, luna, early.ID); err != nil || it.AccessCount != 0 {
		t.Errorf("access count %d, %v", it.AccessCount, err)
	}
}
