package manager_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory/vault"
)

func init() { children["__repair"] = repairChild }

// repairChild repairs a folder and says how far it is.
func repairChild(dir string) error {
	fmt.Println("begins")
	r, err := vault.PrepareRepair(context.Background(), dir, time.Now)
	if err != nil {
		return err
	}
	fmt.Println("prepared")
	if _, err := r.Apply(); err != nil {
		return err
	}
	fmt.Println("applied")
	<-time.After(hangLimit) // it is killed when all is done, too
	return nil
}

// K1, K2: killed at any moment of a repair, the damaged store is where it was or kept
// aside, byte by byte, and a second repair finds what one that was not killed finds:
// nothing more is lost, and nothing that was deleted is back.
func TestKillInRepair(t *testing.T) {
	noRace(t)
	dir, _ := healthy(t)
	deleted := deleteSome(t, dir)
	rnd := rand.New(rand.NewPCG(seedOf(t), 2))
	data := must(os.ReadFile(filepath.Join(dir, "memoria.db")))(t)
	pages := usedPages(data)
	stages := map[string]int{}
	for n := range kills(t, 4) {
		damaged := bytes.Clone(data)
		for range 1 + rnd.IntN(5) {
			clear(damaged[pages[rnd.IntN(len(pages))]*4096:][:4096])
		}
		var dirs [2]string // one is repaired in peace
		for i := range dirs {
			dirs[i] = filepath.Join(t.TempDir(), "data")
			copyFolder(t, dir, dirs[i])
			if n%2 == 0 {
				_ = os.RemoveAll(filepath.Join(dirs[i], "backups"))
			}
			if err := os.WriteFile(filepath.Join(dirs[i], "memoria.db"), damaged, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		repaired(t, dirs[0])
		took := time.Since(began)

		stage, lines, within := "", 1, took
		if n/2%2 == 1 { // in the middle of putting it in place, which takes no time
			lines, within = 2, took/8
		}
		killedAfter(t, "__repair", dirs[1], lines, within, func(what, _ string) { stage = what })
		stages[stage]++
		wantStore(t, dirs[1], damaged)
		if report, err := vault.Check(t.Context(), dirs[1]); err != nil || !report.OK() {
			repaired(t, dirs[1])
		}
		same(t, dirs[0], dirs[1])
		for _, word := range deleted {
			if bytes.Contains(must(os.ReadFile(filepath.Join(dirs[1], "memoria.db")))(t), []byte(word)) {
				t.Errorf("%q is back", word)
			}
		}
		m := must(openReal(dirs[1]))(t) // what the kill left is swept away
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dirs[1], "memoria.db.new-*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if t.Failed() {
			t.Fatalf("in round %d, killed after %q", n, stage)
		}
	}
	t.Logf("killed after %v", stages)
}

// wantStore checks that a store with these bytes lies in a folder or was kept aside.
func wantStore(t *testing.T, dir string, want []byte) {
	t.Helper()
	kept, err := filepath.Glob(filepath.Join(dir, "*", "memoria.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(kept, filepath.Join(dir, "memoria.db")) {
		if b, err := os.ReadFile(path); err == nil && bytes.Equal(b, want) {
			return
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	t.Errorf("the damaged store is nowhere: %v", kept)
}

// same compares what nothing else says of two stores: as many memories and messages, and
// alike under the same number. What lay on a lost page has a new one.
func same(t *testing.T, one, two string) {
	t.Helper()
	a, b := rows(t, filepath.Join(one, "memoria.db")), rows(t, filepath.Join(two, "memoria.db"))
	for _, name := range primary {
		if len(a[name]) != len(b[name]) {
			t.Errorf("%d %s without a kill, %d with one", len(a[name]), name, len(b[name]))
		}
		for key, value := range a[name] {
			if other, there := b[name][key]; there && !bytes.Equal(value, other) {
				t.Errorf("%s %q differs", name, key)
			}
		}
	}
}
