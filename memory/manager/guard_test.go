package manager

import (
	"bytes"
	"context"
	"errors"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// logged is a log that several goroutines may write.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// What libraries write to the global log goes to the manager's log while it is
// open, also with several managers, and never to the terminal.
func TestGlobalLogDoesNotReachTheTerminal(t *testing.T) {
	var terminal logged
	before := log.Writer()
	log.SetOutput(&terminal)
	defer log.SetOutput(before)
	openWith := func(l *logged) *Manager {
		m, err := Open(t.Context(), Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: time.Now, Logger: l.logger()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = m.Close() })
		return m
	}
	var one, two logged
	first, second := openWith(&one), openWith(&two)
	log.Printf("error loading snapshot: %d", 1)
	_ = first.Close() // not in the order of opening
	log.Printf("error loading snapshot: %d", 2)
	_, _ = first.Close(), second.Close()
	if s := two.String(); !strings.Contains(s, `level=WARN msg="error loading snapshot: 1"`) || !strings.Contains(s, "snapshot: 2") {
		t.Errorf("the newest manager's log: %s", s)
	}
	if strings.Contains(one.String(), "snapshot") || terminal.String() != "" {
		t.Errorf("other log %q, terminal %q", one.String(), terminal.String())
	}
	log.Printf("back")
	if !strings.Contains(terminal.String(), "back") {
		t.Error("closing did not give the global log back")
	}
	var wg sync.WaitGroup
	var many logged
	for range 4 {
		wg.Go(func() {
			m, err := Open(context.Background(), Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: time.Now, Logger: many.logger()})
			if err != nil {
				t.Error(err)
				return
			}
			log.Printf("at once")
			_ = m.Close()
		})
	}
	wg.Wait()
	if n := strings.Count(many.String(), "at once"); n != 4 || strings.Contains(terminal.String(), "at once") {
		t.Errorf("%d of 4 lines, terminal %q", n, terminal.String())
	}
}

// A panic over one left-over file ends neither the process nor the sweep.
func TestOrphanSweepSurvivesAPanic(t *testing.T) {
	var l logged
	o := Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: time.Now, Logger: l.logger()}
	for _, o.ReadOnly = range []bool{false, true} { // read-only, nothing runs in the background
		m, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !o.ReadOnly {
			_ = m.Close()
			continue
		}
		store := m.Store
		defer func() { m.Store = store; _ = m.Close() }()
		m.Store = nil // every look-up panics
		sweepPanics(t, m, &l)
	}
}

func sweepPanics(t *testing.T, m *Manager, l *logged) {
	v := m.Vault()
	dir := filepath.Join(v.Dir(), vault.MessageFolder, "luna")
	for _, name := range []string{"R1", "R2"} {
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name+".txt"), []byte("long"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	m.removeOrphans()
	m.Tasks.Wait()
	if n := strings.Count(l.String(), "fault while removing a left-over file"); n != 2 {
		t.Errorf("%d faults in the log, want 2: %s", n, l.String())
	}
	if _, err := os.Stat(filepath.Join(v.Dir(), vault.MessageFolder, "luna", "R1.txt")); err != nil {
		t.Error(err)
	}
}

// A panic in the purge timer is survived, and the deletion finished later.
func TestPurgeTimerSurvivesAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l logged
		var broken atomic.Bool
		now := func() time.Time {
			if broken.Load() {
				panic("I live in Lisbon")
			}
			return time.Now()
		}
		m, err := Open(t.Context(), Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: time.Now, Logger: l.logger()})
		if err != nil {
			t.Fatal(err)
		}
		m.Now = now // the store keeps its own
		defer func() { _ = m.Close() }()
		it, err := m.learning.AddItem(t.Context(), "luna", memory.Item{Type: memory.TypeFact, Content: "lives in Lisbon"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.DeleteItems(t.Context(), "luna", it.ID); err != nil {
			t.Fatal(err)
		}
		broken.Store(true)
		time.Sleep(write.DeletionUndoTime + time.Second)
		synctest.Wait()
		if s := l.String(); !strings.Contains(s, "fault while finishing deletions") || !strings.Contains(s, "fault while planning deletions") || strings.Contains(s, "Lisbon") {
			t.Errorf("log: %s", s)
		}
		broken.Store(false)
		time.Sleep(write.DeletionUndoTime)
		synctest.Wait()
		if trashed(t, m) {
			t.Error("the deletion was not finished")
		}
	})
}

func trashed(t *testing.T, m *Manager) (there bool) {
	t.Helper()
	err := m.Store.View(func(tx *store.Tx) error {
		oldest, err := tx.OldestTrash()
		there = !oldest.IsZero()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}
