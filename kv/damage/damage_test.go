package damage_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/kv"
	"memoria/kv/damage"
)

// folder holds a small store and another file.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	db, err := kv.Open(kv.Options{Path: filepath.Join(dir, "a.db"), Now: now, Schema: 1, Buckets: []string{"rows"}})
	if err != nil {
		t.Fatal(err)
	}
	rows := kv.NewBucket("rows", 1, kv.Bytes())
	for n := range 40 {
		err := db.Update(func(tx *kv.Tx) error {
			return rows.Put(tx, kv.Key(fmt.Sprint(n)), bytes.Repeat([]byte{'x'}, 300))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes"), []byte("one\ntwo é\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every kind happens, changes something, is the same for the same seed and leaves the
// folder it is given alone.
func TestFolder(t *testing.T) {
	dir := folder(t)
	before := content(t, dir)
	seen := map[string]bool{}
	for seed := range uint64(250) {
		var did [2]string
		var made [2]string
		for i := range did {
			to := filepath.Join(t.TempDir(), "copy")
			var err error
			if did[i], err = damage.Folder(rand.New(rand.NewPCG(seed, 1)), dir, to, "a.db"); err != nil {
				t.Fatal(err)
			}
			made[i] = content(t, to)
		}
		if did[0] != did[1] || made[0] != made[1] {
			t.Fatalf("seed %d does %q and %q", seed, did[0], did[1])
		}
		if did[0] == "" || made[0] == before {
			t.Errorf("seed %d, %q, changes nothing", seed, did[0])
		}
		for part := range strings.SplitSeq(did[0], ", ") {
			_, kind, _ := strings.Cut(part, ": ")
			seen[kind] = true
		}
	}
	for _, name := range damage.Kinds() {
		if !seen[name] {
			t.Errorf("%q never happens", name)
		}
	}
	if n := len(damage.Kinds()); n < 30 {
		t.Errorf("%d kinds", n)
	}
	if content(t, dir) != before {
		t.Error("the folder itself was changed")
	}
}

func content(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", e.Name(), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
