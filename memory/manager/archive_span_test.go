package manager_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/memory/manager"
	"memoria/memory/recall"
)

// weeks is a memory with a message of the user a day, for 20 days.
func weeks(t *testing.T, dir string, c *clock) (*manager.Manager, []string) {
	t.Helper()
	m := openAt(t, dir, c, nil)
	var sessions []string
	for day := range 20 {
		session := ""
		if day%4 > 0 {
			session = sessions[len(sessions)-1]
		}
		about := []string{"kiln", "陶艺课"}[day%2]
		turn, _ := say(t, m, luna, session, fmt.Sprintf("day %d: the %s", day, about))
		if session == "" {
			sessions = append(sessions, turn.Session.ID)
		}
		c.Add(24*time.Hour - time.Second)
	}
	say(t, m, "sol", "", "day 3: the kiln")
	return m, sessions
}

// A4: the archive is asked for words, a session and a time, in any combination,
// and pages through what it finds, whether the index answers or not.
func TestSearchArchiveBySpan(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m, sessions := weeks(t, dir, c)
	ctx := t.Context()
	day := func(n int) time.Time { return start.AddDate(0, 0, n).Truncate(24 * time.Hour) }
	check := func(how string) {
		t.Helper()
		for _, tt := range []struct {
			q     recall.ArchiveQuery
			days  []int // of the user's messages, in the order found
			total int
		}{
			{recall.ArchiveQuery{Text: "kiln", From: day(4), To: day(9)}, []int{4, 6, 8}, 3},
			{recall.ArchiveQuery{Text: "陶艺课", From: day(15)}, []int{15, 17, 19}, 3},
			{recall.ArchiveQuery{Text: "kiln", To: day(3)}, []int{0, 2}, 2},
			{recall.ArchiveQuery{Text: "kiln", From: day(4), To: day(9), SessionID: sessions[2]}, []int{8}, 1},
			{recall.ArchiveQuery{From: day(4), To: day(7)}, []int{6, 5, 4}, 6},
			{recall.ArchiveQuery{From: day(4), To: day(7), Limit: 2, Offset: 2}, []int{5}, 6},
			{recall.ArchiveQuery{Text: "the", From: day(4), To: day(6)}, []int{5, 4}, 4},
			{recall.ArchiveQuery{SessionID: sessions[0], Limit: 3}, []int{3}, 8},
			{recall.ArchiveQuery{Limit: 4}, []int{19, 18}, 40},
			{recall.ArchiveQuery{From: day(100)}, nil, 0},
			{recall.ArchiveQuery{To: time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)}, nil, 0},
			{recall.ArchiveQuery{Text: "kiln", From: time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(11000, 1, 1, 0, 0, 0, 0, time.UTC), Limit: 1, Offset: 99}, nil, 10},
			{recall.ArchiveQuery{Text: "unheard", From: day(1)}, nil, 0},
			{recall.ArchiveQuery{Text: "the"}, nil, 0},
		} {
			page := must(m.Recall().SearchArchive(ctx, luna, tt.q))(t)
			var days []int
			for _, h := range page.Hits {
				var n int
				if _, err := fmt.Sscanf(h.Record.Content, "day %d:", &n); err == nil {
					days = append(days, n)
				}
				if h.Title == "" {
					t.Errorf("%s: %+v: no title in %+v", how, tt.q, h)
				}
			}
			if tt.q.Text == "kiln" || tt.q.Text == "陶艺课" { // equally good ones have no order to speak of
				slices.Sort(days)
			}
			if !slices.Equal(days, tt.days) || page.Total != tt.total {
				t.Errorf("%s: %+v finds the days %v of %d, want %v of %d", how, tt.q, days, page.Total, tt.days, tt.total)
			}
		}
		for _, tt := range []struct {
			q    recall.ArchiveQuery
			want []int
		}{
			{recall.ArchiveQuery{From: day(4), To: day(12)}, []int{2, 1}},
			{recall.ArchiveQuery{From: day(4), To: day(12), Limit: 1, Offset: 1}, []int{1}},
			{recall.ArchiveQuery{Text: "kiln", From: day(13), To: day(14)}, nil}, // no kiln on that day
			{recall.ArchiveQuery{Text: "kiln", To: day(1)}, []int{0}},
		} {
			var got []int
			for _, h := range must(m.Recall().FindSessions(ctx, luna, tt.q))(t) {
				got = append(got, slices.Index(sessions, h.Session.ID))
				if h.Total == 0 {
					t.Errorf("%s: %+v: %+v", how, tt.q, h)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %+v finds the sessions %v, want %v", how, tt.q, got, tt.want)
			}
		}
	}
	must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: "x"}))(t) // opens the index
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions { // a title may hold the words too
		must(m.RenameSession(ctx, luna, s, "pots"))(t)
	}
	check("index")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, "index")
	if err := errors.Join(os.RemoveAll(index), os.WriteFile(index, []byte("a file, not a folder"), 0o600)); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	check("scan")
	if page := must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: "kiln"}))(t); page.Degraded == "" {
		t.Error("nobody says that it was slow")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Recall().SearchArchive(ended, luna, recall.ArchiveQuery{Text: "kiln"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A question's time and words are told apart.
func TestAskArchive(t *testing.T) {
	q := recall.AskArchive("陶艺 last week", start, time.UTC) // start is a Saturday
	if q.Text != "陶艺" || !q.From.Equal(time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC)) || !q.To.Equal(q.From.AddDate(0, 0, 7)) {
		t.Errorf("asked for %+v", q)
	}
}
