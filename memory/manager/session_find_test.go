package manager_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

// findable is a store with four sessions, and their ids by what they are about.
func findable(t *testing.T, dir string, c *clock) (*manager.Manager, map[string]string) {
	t.Helper()
	m := openAt(t, dir, c, nil)
	ids := map[string]string{}
	for _, s := range []struct {
		about string
		said  []string
	}{
		{"deploy", []string{"The deploy script uses pnpm", "Does the script build the image first?", "Then push it", "And pnpm again", "pnpm once more"}},
		{"茶", []string{"周末我们去喝普洱茶", "好的，普洱茶很香"}},
		{"cello", []string{"I practise the cello in the evening", "One script of the play"}},
		{"empty", []string{"hello there"}},
	} {
		id := ""
		for _, said := range s.said {
			turn, _ := say(t, m, luna, id, said)
			id = turn.Session.ID
		}
		ids[s.about] = id
	}
	say(t, m, "sol", "", "普洱茶 pnpm script cello")
	must(m.RenameSession(t.Context(), luna, ids["empty"], "Zeppelins 与飞艇"))(t)
	return m, ids
}

// A4: a session is found by any of its words and by its title, in both
// languages, the best first, whether the index answers or the messages are read.
func TestFindSessions(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m, ids := findable(t, dir, c)
	ctx := t.Context()
	check := func(how string) {
		t.Helper()
		for _, want := range []struct {
			text  string
			first []string // by what they are about
			total int      // of the first
		}{
			{"pnpm script", []string{"deploy", "cello"}, 4},
			{"普洱茶", []string{"茶"}, 2},
			{"zeppelins", []string{"empty"}, 0},
			{"飞艇", []string{"empty"}, 0},
			{"the evening cello", []string{"cello"}, 1},
			{"submarine", nil, 0},
			{"  ", nil, 0},
		} {
			hits := must(m.Recall().FindSessions(ctx, luna, recall.ArchiveQuery{Text: want.text}))(t)
			if len(hits) != len(want.first) {
				t.Errorf("%s: %q finds %d sessions: %+v", how, want.text, len(hits), hits)
				continue
			}
			for i, h := range hits {
				if h.Session.ID != ids[want.first[i]] {
					t.Errorf("%s: %q finds %q at %d", how, want.text, h.Session.Title, i)
				}
				if len(h.Hits) > 3 || h.Score <= 0 || h.Score > 1 || len(h.Hits) > h.Total {
					t.Errorf("%s: %q: %+v", how, want.text, h)
				}
				for j, hit := range h.Hits {
					if hit.Record.SessionID != h.Session.ID || hit.Record.Content == "" || j > 0 && hit.Score > h.Hits[j-1].Score {
						t.Errorf("%s: %q: %+v", how, want.text, hit)
					}
				}
			}
			if len(hits) > 0 && hits[0].Total != want.total {
				t.Errorf("%s: %q: %d messages of the first", how, want.text, hits[0].Total)
			}
		}
		if hits := must(m.Recall().FindSessions(ctx, luna, recall.ArchiveQuery{Text: "script", Limit: 1}))(t); len(hits) != 1 {
			t.Errorf("%s: limited to %d", how, len(hits))
		}
		one := must(m.Recall().FindSessions(ctx, luna, recall.ArchiveQuery{Text: "script", SessionID: ids["cello"]}))(t)
		if len(one) != 1 || one[0].Session.ID != ids["cello"] {
			t.Errorf("%s: in one session: %+v", how, one)
		}
	}
	must(m.Recall().FindSessions(ctx, luna, recall.ArchiveQuery{Text: "x"}))(t) // opens the index
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
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
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Recall().FindSessions(ended, luna, recall.ArchiveQuery{Text: "script"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A message whose words lie in a file of its own is found and shown whole.
func TestFindSessionsByLongMessage(t *testing.T) {
	noRace(t)
	m, _ := open(t)
	long := "zeppelin " + strings.Repeat("words and ", memory.MaxContent/8)
	turn, _ := say(t, m, luna, "", long)
	for _, settle := range []bool{false, true} {
		if settle {
			if err := m.Recall().Settle(t.Context(), luna); err != nil {
				t.Fatal(err)
			}
		}
		hits := must(m.Recall().FindSessions(t.Context(), luna, recall.ArchiveQuery{Text: "zeppelin"}))(t)
		if len(hits) != 1 || hits[0].Session.ID != turn.Session.ID || hits[0].Hits[0].Record.Content != long {
			t.Errorf("settled %v: %d hits", settle, len(hits))
		}
	}
}
