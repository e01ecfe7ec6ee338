package kv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/kv"
)

// A file can be checked and read without being opened: nothing is written to it
// or beside it.
func TestCheckFile(t *testing.T) {
	opts := options(storePath(t))
	healthy := damageable(t, opts, 101)
	copied := filepath.Join(t.TempDir(), "copy.db")
	write(t, copied, healthy)
	info, err := kv.CheckFile(context.Background(), copied, nil)
	if err != nil || info.ID == "" || info.Schema != 1 || info.Last.IsZero() || info.Bytes != int64(len(healthy)) {
		t.Errorf("%+v, %v", info, err)
	}
	n := 0
	err = kv.ViewFile(copied, func(tx *kv.Tx) (err error) {
		n, err = notes.Count(tx, nil)
		return err
	})
	if err != nil || n != 101 {
		t.Errorf("%d notes, %v", n, err)
	}
	if got := fmt.Sprint(files(t, filepath.Dir(copied))); got != "[copy.db]" {
		t.Errorf("the check left %s", got)
	}
	for name, test := range map[string]struct {
		data []byte
		want error
	}{
		"record": {[]byte(strings.Replace(string(healthy), damagedText, strings.ToUpper(damagedText), 1)), kv.ErrChecksum},
		"empty":  {nil, kv.ErrMissing},
		"cut":    {healthy[:3*4096], kv.ErrDamaged},
		"text":   {[]byte("something else"), kv.ErrDamaged},
	} {
		write(t, copied, test.data)
		if _, err := kv.CheckFile(context.Background(), copied, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := kv.CheckFile(context.Background(), copied+".not", nil); !errors.Is(err, kv.ErrMissing) {
		t.Errorf("no file: %v", err)
	}
	open(t, opts)
	var locked *kv.LockedError
	if _, err := kv.CheckFile(context.Background(), opts.Path, nil); !errors.As(err, &locked) {
		t.Errorf("an open store: %v", err)
	}
}

// What is acknowledged lies where the store lies: not in a file that was taken
// away or replaced. When it is back, the store goes on.
func TestTakenAwayWhileOpen(t *testing.T) {
	opts := options(storePath(t))
	db := open(t, opts)
	putNotes(t, db, "one")
	put := func() error {
		return db.Update(func(tx *kv.Tx) error { return notes.Put(tx, kv.Key("two"), note{}) })
	}
	if err := os.Rename(opts.Path, opts.Path+".away"); err != nil {
		t.Fatal(err)
	}
	if err := put(); !errors.Is(err, kv.ErrGone) {
		t.Errorf("taken away: %v", err)
	}
	write(t, opts.Path, []byte("another file"))
	if err := db.Probe(); !errors.Is(err, kv.ErrGone) {
		t.Errorf("replaced: %v", err)
	}
	if err := os.Rename(opts.Path+".away", opts.Path); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Probe(), put()); err != nil {
		t.Errorf("back again: %v", err)
	}
	view(t, db, func(tx *kv.Tx) error {
		n, err := notes.Count(tx, nil)
		if n != 2 {
			t.Errorf("%d notes", n)
		}
		return err
	})
}

// A replaced store is the other one, and what was there is kept.
func TestReplace(t *testing.T) {
	opts := options(storePath(t))
	db := open(t, opts)
	putNotes(t, db, "old")
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := db.Backup(context.Background(), backup, nil); err != nil {
		t.Fatal(err)
	}
	putNotes(t, db, "old", "new")
	aside := filepath.Join(filepath.Dir(opts.Path), "aside")
	var locked *kv.LockedError
	if err := kv.Replace(opts.Path, backup, aside, 0); !errors.As(err, &locked) {
		t.Errorf("an open store: %v", err)
	}
	mustClose(t, db)
	for _, damage := range []func() error{
		func() error { return nil },
		func() error { return os.Truncate(opts.Path, 0) },
		func() error { return os.Remove(opts.Path) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		before, beforeErr := os.ReadFile(opts.Path)
		aside += "x"
		if err := kv.Replace(opts.Path, backup, aside, 0); err != nil {
			t.Fatal(err)
		}
		kept, keptErr := os.ReadFile(filepath.Join(aside, filepath.Base(opts.Path)))
		if string(kept) != string(before) || (keptErr == nil) != (beforeErr == nil) {
			t.Errorf("kept %d bytes of %d, %v", len(kept), len(before), keptErr)
		}
		again, err := kv.Open(opts)
		if err != nil {
			t.Fatal(err)
		}
		view(t, again, func(tx *kv.Tx) error {
			n, err := notes.Count(tx, nil)
			if n != 1 {
				t.Errorf("%d notes", n)
			}
			return err
		})
		if !again.WasClean() {
			t.Error("a replaced store counts as not closed")
		}
		mustClose(t, again)
		wantModes(t, filepath.Dir(opts.Path))
	}
	if err := kv.Replace(opts.Path, opts.Path+".id", aside+"y", 0); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("with something else: %v", err)
	}
}

// A clock that panics is its owner's fault, and takes nothing with it.
func TestPanickingClock(t *testing.T) {
	opts := options(storePath(t))
	broken := false
	opts.Now = func() time.Time {
		if broken {
			panic("no time")
		}
		return testStart
	}
	db := open(t, opts)
	for _, run := range []func(func(*kv.Tx) error) error{db.View, db.Update} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			broken = true
			_ = run(func(*kv.Tx) error { return nil })
		}()
	}
	broken = false
	putNotes(t, db, "goes on") // would wait for ever for a lock that leaked
}

// A migration is preceded by a checked copy where the owner wants it.
func TestMigrationCopy(t *testing.T) {
	opts := options(storePath(t))
	damageable(t, opts, 3)
	copied := filepath.Join(filepath.Dir(opts.Path), "backups", "before.db")
	opts.Schema = 2
	opts.MigrationCopy = func(have uint64) string {
		if have != 1 {
			t.Errorf("migrating from %d", have)
		}
		return copied
	}
	opts.Migrate = func(tx *kv.Tx, _ uint64) error {
		_, err := notes.DeletePrefix(tx, nil)
		return err
	}
	mustClose(t, open(t, opts))
	info, err := kv.CheckFile(context.Background(), copied, nil)
	if err != nil || info.Schema != 1 {
		t.Errorf("the copy: %+v, %v", info, err)
	}
	opts.Schema = 1
	var newer *kv.SchemaError
	if _, err := kv.Open(opts); !errors.As(err, &newer) || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("a newer store: %v", err)
	}
}
