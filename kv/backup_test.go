package kv_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/kv"
)

// fillNotes writes n notes with a text of their own.
func fillNotes(t testing.TB, db *kv.DB, n int, text string) {
	t.Helper()
	for from := 0; from < n; from += 10_000 {
		update(t, db, func(tx *kv.Tx) error {
			for i := from; i < min(n, from+10_000); i++ {
				if err := notes.Put(tx, benchKey(i), note{Text: text, N: i}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func benchKey(i int) []byte { return kv.Key("luna", fmt.Sprintf("%026d", i)) }

// The copy is equal, compact, holds no byte of what was deleted, and can be
// opened as a store.
func TestBackup(t *testing.T) {
	opts := options(storePath(t))
	opts.Buckets = append(opts.Buckets, "empty")
	db := open(t, opts)
	fillNotes(t, db, 2000, strings.Repeat("SECRET", 100))
	update(t, db, func(tx *kv.Tx) error { _, err := notes.DeletePrefix(tx, nil); return err })
	fillNotes(t, db, 20_000, strings.Repeat("kept ", 50)) // more than one transaction of the copy
	appendChanges(t, db, "a", "b")
	update(t, db, func(tx *kv.Tx) error {
		if err := tx.SetMark("indexer", 2); err != nil {
			return err
		}
		_, err := tx.TrimFeed()
		return err
	})

	copied := opts
	copied.Path = filepath.Join(filepath.Dir(opts.Path), "copy.db")
	var done, total, calls int64
	err := db.Backup(t.Context(), copied.Path, func(d, n int64) {
		if d < done || d > n {
			t.Errorf("progress goes from %d to %d of %d", done, d, n)
		}
		done, total = d, n
		calls++
	})
	if err != nil {
		t.Fatal(err)
	}
	if done != total || calls < 10 {
		t.Errorf("progress ended at %d of %d after %d calls", done, total, calls)
	}
	if bytes.Contains(read(t, copied.Path), []byte("SECRET")) {
		t.Error("the copy holds a deleted text")
	}
	if err := db.Backup(t.Context(), copied.Path, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
	again := open(t, copied)
	if again.ID() != db.ID() {
		t.Error("the copy has another id")
	}
	view(t, again, func(tx *kv.Tx) error {
		i := 0
		for e, err := range notes.Scan(tx, nil) {
			if err != nil || e.Value.N != i {
				t.Fatalf("note %d: %v", i, err)
			}
			i++
		}
		if i != 20_000 {
			t.Errorf("%d notes", i)
		}
		return nil
	})
	appendChanges(t, again, "c") // the feed's numbering was copied
	if ids, err := changes(t, again, 2); err != nil || len(ids) != 1 {
		t.Errorf("feed of the copy: %v, %v", ids, err)
	}
	wantModes(t, filepath.Dir(opts.Path))
}

func TestCancelledBackupLeavesNothing(t *testing.T) {
	db := openTemp(t)
	fillNotes(t, db, 5000, "text")
	stop := errors.New("stop")
	for name, run := range map[string]func(context.Context, kv.Progress) error{
		"backup": func(ctx context.Context, p kv.Progress) error { return db.Backup(ctx, db.Path()+".bak", p) },
		"check":  db.Check,
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		before := len(files(t, filepath.Dir(db.Path())))
		err := run(ctx, func(done, _ int64) {
			if done > 0 {
				cancel(stop)
			}
		})
		if !errors.Is(err, stop) {
			t.Errorf("%s: got %v", name, err)
		}
		if after := len(files(t, filepath.Dir(db.Path()))); after != before {
			t.Errorf("%s: %d files, before %d", name, after, before)
		}
	}
	putNotes(t, db, "usable")
}

func TestStats(t *testing.T) {
	db := openTemp(t)
	fillNotes(t, db, 300, strings.Repeat("x", 100))
	s, err := db.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Buckets) != 1 || s.Buckets[0].Name != "notes" || s.Buckets[0].Records != 300 || s.Buckets[0].Bytes < 300*150 {
		t.Errorf("got %+v", s)
	}
	if s.FileBytes < s.Buckets[0].Bytes || s.FreeBytes < 0 || s.FreeBytes > s.FileBytes {
		t.Errorf("got %+v", s)
	}
}
