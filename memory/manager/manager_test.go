package manager_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// clock is set by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: start} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

const luna = "luna"

// measures reports whether times count. Where they do not nothing waits for the disk:
// what is lost by that is lost with the machine alone.
func measures(t testing.TB) bool {
	_, is := t.(*testing.B)
	return is
}

func openAt(t testing.TB, dir string, c *clock, change func(*write.Config)) *manager.Manager {
	t.Helper()
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules // no job waits for a model
	if change != nil {
		change(&cfg)
	}
	m, err := manager.Open(t.Context(), manager.Options{Dir: dir, Config: cfg, Now: c.Now, NoSync: !measures(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func open(t testing.TB) (*manager.Manager, *clock) {
	t.Helper()
	c := newClock()
	return openAt(t, filepath.Join(t.TempDir(), "data"), c, nil), c
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func say(t testing.TB, m *manager.Manager, agent, session, text string) (manager.Turn, []memory.Change) {
	t.Helper()
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, agent, text, nil, ""))(t)
	turn := must(m.BeginTurn(ctx, agent, in.ID, manager.Place{SessionID: session}))(t)
	_, err := m.FinishTurn(ctx, memory.Record{
		AgentID: agent, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: "I see.", Status: memory.StatusComplete, Model: "test",
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	var changes []memory.Change
	if err := m.Learning().Learn(ctx, agent, func(l learning.Learned) { changes = append(changes, l.Changes...) }); err != nil {
		t.Fatal(err)
	}
	return turn, changes
}

func contents(items []memory.Item) []string {
	out := []string{}
	for _, it := range items {
		out = append(out, it.Content)
	}
	return out
}

func recalled(t testing.TB, m *manager.Manager, agent, text string) []memory.Item {
	t.Helper()
	if err := m.Recall().Settle(t.Context(), agent); err != nil {
		t.Fatal(err)
	}
	res := must(m.Recall().Retrieve(t.Context(), agent, recall.Query{Text: text}))(t)
	if res.Degraded != "" {
		t.Fatalf("retrieval is degraded: %s", res.Degraded)
	}
	var out []memory.Item
	for _, s := range res.Chosen {
		out = append(out, s.Item)
	}
	return out
}

// D4: everything below the data folder is readable by its owner alone.
func TestModes(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	say(t, m, luna, "", "I like oolong tea")
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Agents are walls: nothing of one is found by another.
func TestAgentsAreWalls(t *testing.T) {
	m, _ := open(t)
	turn, changes := say(t, m, luna, "", "My name is Bo and I like oolong tea")
	for _, other := range []string{"sol", "lun", "luna-2"} {
		if got := recalled(t, m, other, "what is my name, oolong tea"); len(got) != 0 {
			t.Errorf("%s recalls %v", other, contents(got))
		}
		if _, err := m.Lookup().Item(t.Context(), other, changes[0].ItemID); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s reads an item: %v", other, err)
		}
		if _, err := m.DeleteItems(t.Context(), other, changes[0].ItemID); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s deletes an item: %v", other, err)
		}
		if r := must(m.Lookup().Records(t.Context(), other, turn.Session.ID))(t); len(r) != 0 {
			t.Errorf("%s reads records", other)
		}
	}
	for _, bad := range []string{"", "../luna", "Luna", "a/b", strings.Repeat("a", 65)} {
		if _, err := m.Lookup().Items(t.Context(), bad, lookup.ItemFilter{}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("agent %q: %v", bad, err)
		}
	}
}

// A second opening is refused and names the process.
func TestSecondOpening(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	openAt(t, dir, c, nil)
	_, err := manager.Open(t.Context(), manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: c.Now, LockTimeout: time.Millisecond})
	var locked *vault.LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
}

// noRace leaves a test out of the short run, which is the race detector's: it is slow there,
// and what it does at once others do there too.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one call after the other, slow under the race detector; other tests race the same code")
	}
}
