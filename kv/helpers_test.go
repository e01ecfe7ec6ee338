package kv_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"memoria/kv"
)

// note is the value of most tests.
type note struct {
	Text string `json:"text"`
	N    int    `json:"n"`
}

var notes = kv.NewBucket("notes", 1, kv.JSON[note]())

// clock is a clock that the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

var testStart = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

func newClock() *clock { return &clock{now: testStart} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func options(path string) kv.Options {
	return kv.Options{
		Path:        path,
		LockTimeout: 30 * time.Millisecond,
		Now:         newClock().Now,
		Schema:      1,
		Buckets:     []string{notes.Name()},
	}
}

func storePath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data", "memoria.db")
}

// open opens a store and closes it at the end of the test, after a check.
func open(t testing.TB, opts kv.Options) *kv.DB {
	t.Helper()
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Check(context.Background(), nil); err != nil && !errors.Is(err, kv.ErrClosed) {
			t.Error(err)
		}
		mustClose(t, db)
	})
	return db
}

func openTemp(t testing.TB) *kv.DB {
	t.Helper()
	return open(t, options(storePath(t)))
}

func mustClose(t testing.TB, db *kv.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func update(t testing.TB, db *kv.DB, fn func(*kv.Tx) error) {
	t.Helper()
	if err := db.Update(fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, db *kv.DB, fn func(*kv.Tx) error) {
	t.Helper()
	if err := db.View(fn); err != nil {
		t.Fatal(err)
	}
}
