package kv_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"memoria/kv"
)

const pageSize = 4096

// used are the pages of a store's file that hold something.
func used(data []byte) (out []int) {
	for at := 0; at+pageSize <= len(data); at += pageSize {
		if bytes.ContainsFunc(data[at:at+pageSize], func(r rune) bool { return r != 0 }) {
			out = append(out, at)
		}
	}
	return out
}

func kindOf(page []byte) uint16 { return binary.NativeEndian.Uint16(page[8:]) }

// putAs writes damaged data over a closed store and leaves size and time as they were.
func putAs(t *testing.T, path string, data []byte) {
	t.Helper()
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data)
	if err := os.Chtimes(path, stat.ModTime(), stat.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// K4: whatever is damaged, and although neither size nor time of the file tells, the store
// is refused as it lies, or works: what can be read is right, and so is what is written.
func TestDamageThatKeepsSizeAndTime(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs side by side")
	}
	damages := map[string]func(page []byte, rnd *rand.Rand){
		"a bit of the header":   func(p []byte, rnd *rand.Rand) { p[rnd.IntN(16)] ^= 1 << rnd.IntN(8) },
		"a bit of an element":   func(p []byte, rnd *rand.Rand) { p[16+rnd.IntN(64)] ^= 1 << rnd.IntN(8) },
		"a bit anywhere":        func(p []byte, rnd *rand.Rand) { p[rnd.IntN(pageSize)] ^= 1 << rnd.IntN(8) },
		"a sector of zeros":     func(p []byte, rnd *rand.Rand) { clear(p[rnd.IntN(8)*512:][:512]) },
		"all zeros":             func(p []byte, _ *rand.Rand) { clear(p) },
		"itself for a child":    func(p []byte, _ *rand.Rand) { copy(p[24:32], p[:8]) },
		"another kind":          func(p []byte, rnd *rand.Rand) { p[8] = byte(1 << rnd.IntN(5)) },
		"more elements":         func(p []byte, rnd *rand.Rand) { p[10] += byte(1 + rnd.IntN(9)) },
		"numbers of a freelist": func(p []byte, rnd *rand.Rand) { p[16+8*rnd.IntN(4)] ^= byte(1 + rnd.IntN(255)) },
	}
	opts := options(storePath(t))
	opts.LockTimeout = time.Second
	healthy := aged(t, opts)
	rnd := rand.New(rand.NewPCG(1, 2))
	refused, worked := 0, 0
	for name, damage := range damages {
		for _, at := range used(healthy) {
			data := bytes.Clone(healthy)
			damage(data[at:at+pageSize], rnd)
			putAs(t, opts.Path, data)
			what := fmt.Sprintf("%s at page %d, of kind %d", name, at/pageSize, kindOf(healthy[at:]))
			db, err := kv.Open(opts)
			if err != nil {
				refused++
				if !errors.Is(err, kv.ErrDamaged) {
					t.Errorf("%s: %v", what, err)
				}
				if !bytes.Equal(read(t, opts.Path), data) {
					t.Errorf("%s: it was refused and written", what)
				}
			} else {
				worked++
				wantWorking(t, db, what)
			}
			remove(t, opts.Path+".lock")
		}
	}
	t.Logf("%d refused, %d worked", refused, worked)
	if refused < 50 || worked < 50 {
		t.Error("the damage is no test")
	}
}

// aged makes a closed store with branches, large records and a free list, and returns it.
func aged(t *testing.T, opts kv.Options) []byte {
	t.Helper()
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 6 {
		update(t, db, func(tx *kv.Tx) error {
			for i := range 60 {
				n := round*60 + i
				if err := notes.Put(tx, kv.Key(fmt.Sprintf("k%04d", n)), note{Text: textOf(n), N: n}); err != nil {
					return err
				}
			}
			if round > 2 {
				_, err := notes.DeletePrefix(tx, kv.Key(fmt.Sprintf("k%04d", round*7)))
				return err
			}
			return nil
		})
	}
	mustClose(t, db)
	return read(t, opts.Path)
}

func textOf(n int) string {
	if n%50 == 49 {
		return strings.Repeat(fmt.Sprint("long ", n, " "), 1500)
	}
	return fmt.Sprint("note ", n, strings.Repeat(" and more", n%20))
}

// wantWorking reads all, writes, closes, and reads again.
func wantWorking(t *testing.T, db *kv.DB, what string) {
	t.Helper()
	readable := map[int]bool{}
	look := func(db *kv.DB, tx *kv.Tx) error {
		seen := map[int]bool{}
		for e, err := range notes.Scan(tx, nil) {
			var r *kv.RecordError
			if errors.As(err, &r) {
				continue
			}
			if err != nil {
				return err
			}
			if seen[e.Value.N] = true; e.Value.N < 1000 && e.Value.Text != textOf(e.Value.N) {
				t.Errorf("%s: record %d is wrong", what, e.Value.N)
			}
		}
		for n := range readable {
			if !seen[n] {
				t.Errorf("%s: record %d is lost", what, n)
			}
		}
		readable = seen
		return nil
	}
	view(t, db, func(tx *kv.Tx) error { return look(db, tx) })
	for round := range 4 {
		update(t, db, func(tx *kv.Tx) error {
			for i := range 40 {
				n := 1000 + round*40 + i
				readable[n] = true
				if err := notes.Put(tx, kv.Key(fmt.Sprintf("n%04d", n)), note{Text: "new", N: n}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	view(t, db, func(tx *kv.Tx) error { return look(db, tx) })
	err := db.Check(context.Background(), nil)
	if found := (*kv.CheckError)(nil); err != nil && (!errors.As(err, &found) || len(found.Pages) > 0) {
		t.Errorf("%s: after writing: %v", what, err)
	}
	mustClose(t, db)
}

// K5: what cannot be read is known from the open on.
func TestUnreadableAtTheOpen(t *testing.T) {
	opts := options(storePath(t))
	healthy := damageable(t, opts, 101)
	if db := open(t, opts); db.Unreadable() != nil {
		t.Error("all is well")
	} else {
		mustClose(t, db)
	}
	putAs(t, opts.Path, []byte(strings.Replace(string(healthy), damagedText, strings.ToUpper(damagedText), 1)))
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, db)
	if found := db.Unreadable(); found == nil || len(found.Records) != 1 || found.Records[0].Bucket != "notes" {
		t.Errorf("%+v", found)
	}
}
