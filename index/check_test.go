package index

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Check finds what Open would find, and changes nothing.
func TestCheck(t *testing.T) {
	files := damagedIndex(t)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	root := t.TempDir()
	found := 0
	for i := range 40 {
		dir := filepath.Join(root, string(rune('a'+i)))
		how := damage(t, rng, files, names, dir)
		before := content(t, dir)
		checked := Check(context.Background(), dir)
		if diff := content(t, dir); len(diff) != len(before) {
			t.Errorf("%s: %d files before the check, %d after", how, len(before), len(diff))
		}
		ix, err := Open(context.Background(), Options{Dir: dir})
		switch {
		case err == nil:
			if locked := Check(context.Background(), dir); !errors.Is(locked, ErrLocked) {
				t.Errorf("%s: the check of an open index says %v", how, locked)
			}
			_ = ix.Close()
			if checked != nil {
				t.Errorf("%s: opens, but the check says %v", how, checked)
			}
		case checked != nil && !errors.Is(checked, ErrBroken):
			t.Errorf("%s: the check says %v", how, checked)
		case checked != nil:
			found++
		}
	}
	if found < 10 {
		t.Errorf("found %d times only", found)
	}
	if err := Check(context.Background(), filepath.Join(root, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func content(t *testing.T, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		if e.Name() != lockFile { // made, or taken, by looking
			names[e.Name()] = true
		}
	}
	return names
}

// An index whose folder was taken away answers, and says so before anything is
// written that would not last.
func TestAttached(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	ix := mustOpen(t, Options{Dir: dir})
	for n := range uint64(5) {
		apply(t, ix, n+1, historyBatch(n+1))
	}
	before, err := ix.Count()
	if err := errors.Join(err, ix.Attached()); err != nil || before == 0 {
		t.Fatal(before, err)
	}
	// Removing its files one by one would race with the index writing new ones.
	if err := os.Rename(dir, filepath.Join(filepath.Dir(dir), "elsewhere")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := ix.Attached(); !errors.Is(err, ErrBroken) {
			t.Errorf("its folder is gone: %v", err)
		}
		if err := ix.Apply(historyBatch(6), 6); !errors.Is(err, ErrBroken) {
			t.Errorf("applying to nothing: %v", err)
		}
		if n, err := ix.Count(); n != before || err != nil {
			t.Errorf("%d documents of %d, %v", n, before, err)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil { // another folder of the same name
			t.Fatal(err)
		}
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
}
