package manager_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
)

// inChild has more patience than the program: under load the start of a process alone
// can take its time, and a store must not be called damaged for that.
func inChild() manager.Verifier { return manager.InChildFor(time.Minute, os.Args[0], "__verify") }

// unclean is a data folder with something in it whose owner died, and the path
// of its store.
func unclean(t testing.TB) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	c := newClock()
	m := openAt(t, dir, c, nil)
	for i := range 40 {
		must(m.AddItem(t.Context(), luna, memory.Item{Content: fmt.Sprintf("Cello number %d is by %s", i, strings.Repeat("Guadagnini ", 20))}))(t)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "memoria.db")
	crashed(t, path)
	return dir, path
}

// crashed leaves the lock file of a process that died.
func crashed(t testing.TB, path string) {
	t.Helper()
	if err := os.WriteFile(path+".lock", []byte("4194304\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func openVerified(dir string, v manager.Verifier) (*manager.Manager, error) {
	return manager.Open(context.Background(), manager.Options{
		Dir: dir, Config: manager.DefaultConfig(), Now: newClock().Now, Verify: v,
	})
}

// Q3: whatever becomes of the child that checks a store after a crash, the
// program goes on: with the store, or with an error that calls it damaged. A
// child that cannot be started proves nothing.
func TestVerifierFates(t *testing.T) {
	for how, want := range map[string]string{
		"__verify": "", "__crash": "broke off", "__hang": "did not end", "__silent": "said nothing", "": "",
	} {
		dir, _ := unclean(t)
		limit := time.Minute // under load the start of a process alone can take its time
		if how == "__hang" {
			limit = 200 * time.Millisecond
		}
		v := manager.InChildFor(limit, os.Args[0], how)
		if how == "" {
			v = manager.InChild(nil, filepath.Join(dir, "no such program"))
		}
		m, err := openVerified(dir, v)
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", how, err)
				continue
			}
			_ = m.Close()
			continue
		}
		var lost *manager.LostError
		if !errors.As(err, &lost) || !errors.Is(err, manager.ErrDamaged) || !strings.Contains(err.Error(), want) || lost.Backup != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// A store that was closed is not checked again, one that changed since is.
func TestVerifiedOnlyWhenDue(t *testing.T) {
	dir, path := unclean(t)
	calls := 0
	count := func(ctx context.Context, path string) error {
		calls++
		return manager.InProcess(ctx, path)
	}
	cycle := func() {
		t.Helper()
		m, err := openVerified(dir, count)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cycle()
	if calls != 1 {
		t.Errorf("after a crash it was checked %d times", calls)
	}
	cycle()
	if calls != 1 {
		t.Errorf("after a clean end it was checked again")
	}
	at := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	cycle()
	if calls != 2 {
		t.Error("a store that was touched meanwhile was not checked")
	}
}

// Records that cannot be read do not keep the others away: the memory opens and
// says so, and it can be backed up.
func TestUnreadableRecordsAreTold(t *testing.T) {
	dir, path := unclean(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(b), "Cello number 7 ")
	if at < 0 {
		t.Fatal("the item is not in the file")
	}
	for i := at; i >= 0; { // all copies, old and new
		b[i] ^= 0x20
		next := strings.Index(string(b[i+1:]), "Cello number 7 ")
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	crashed(t, path)
	m, err := openVerified(dir, inChild())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	st := must(m.Status(t.Context(), luna))(t)
	if !strings.Contains(st.Damage, "cannot be read") {
		t.Errorf("the damage is told as %q", st.Damage)
	}
	// A backup of all the others is better than none, and says what it is.
	made := must(m.Backup(t.Context(), nil))(t)
	if all := must(m.Backups())(t); len(all) != 1 || all[0] != made || !made.Partial || made.Kind != manager.BackupManual {
		t.Errorf("backups: %v, made %v", all, made)
	}
}
