package kv_test

import (
	"errors"
	"testing"
	"time"

	"memoria/kv"
)

// The house's rule "One time": a transaction has one frozen time.
func TestOneTime(t *testing.T) {
	c := newClock()
	opts := options(storePath(t))
	opts.Now = func() time.Time { return c.Now().In(time.FixedZone("east", 8*3600)) }
	db := open(t, opts)
	update(t, db, func(tx *kv.Tx) error {
		c.Add(time.Hour)
		if !tx.Now().Equal(testStart) || tx.Now().Location() != time.UTC {
			t.Errorf("got %v, want %v in UTC", tx.Now(), testStart)
		}
		if _, err := tx.Append(kv.Change{ID: "x", Time: c.Now()}); err != nil {
			return err
		}
		for change, err := range tx.Changes(0) {
			if err != nil || !change.Time.Equal(testStart) {
				t.Errorf("change at %v, %v", change.Time, err)
			}
		}
		return nil
	})
}

func TestClockSetBack(t *testing.T) {
	c := newClock()
	opts := options(storePath(t))
	opts.Now = c.Now
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	putNotes(t, db, "a")
	mustClose(t, db)

	timeIs := func(db *kv.DB, want time.Time) {
		t.Helper()
		view(t, db, func(tx *kv.Tx) error {
			if !tx.Now().Equal(want) {
				t.Errorf("got %v, want %v", tx.Now(), want)
			}
			return nil
		})
	}
	c.Add(-time.Minute)
	db = open(t, opts) // the time of the last commit is kept in the store
	timeIs(db, testStart)
	putNotes(t, db, "b")
	c.Add(-5 * time.Minute)
	timeIs(db, testStart.Add(-6*time.Minute)) // the clock had been ahead: it is believed
	putNotes(t, db, "c")
	c.Add(-time.Second)
	timeIs(db, testStart.Add(-6*time.Minute))
	c.Add(time.Hour)
	timeIs(db, testStart.Add(54*time.Minute-time.Second))
}

func TestErrorRollsBack(t *testing.T) {
	db := openTemp(t)
	boom := errors.New("boom")
	ran := false
	err := db.Update(func(tx *kv.Tx) error {
		tx.OnCommit(func() { ran = true })
		if err := notes.Put(tx, kv.Key("a"), note{}); err != nil {
			return err
		}
		if _, err := tx.Append(kv.Change{ID: "a"}); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) || ran {
		t.Errorf("got %v, handler ran: %v", err, ran)
	}
	wantEmpty(t, db)
}

func wantEmpty(t *testing.T, db *kv.DB) {
	t.Helper()
	view(t, db, func(tx *kv.Tx) error {
		n, err := notes.Count(tx, nil)
		if n != 0 || err != nil {
			t.Errorf("%d notes, %v", n, err)
		}
		oldest, last, err := tx.FeedBounds()
		if oldest != 1 || last != 0 || err != nil {
			t.Errorf("feed from %d to %d, %v", oldest, last, err)
		}
		return nil
	})
}

func TestPanicRollsBackAndPropagates(t *testing.T) {
	db := openTemp(t)
	for name, run := range map[string]func(func(*kv.Tx) error) error{"update": db.Update, "view": db.View} {
		func() {
			defer func() {
				if r := recover(); r != "boom" {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			_ = run(func(tx *kv.Tx) error {
				if name == "update" {
					if err := notes.Put(tx, kv.Key("a"), note{}); err != nil {
						t.Error(err)
					}
				}
				panic("boom")
			})
		}()
	}
	wantEmpty(t, db)
	putNotes(t, db, "the lock is free")
}

func TestOnCommitRunsAfterTheCommit(t *testing.T) {
	db := openTemp(t)
	var order []int
	update(t, db, func(tx *kv.Tx) error {
		for i := range 2 {
			tx.OnCommit(func() {
				order = append(order, i)
				view(t, db, func(tx *kv.Tx) error {
					_, err := notes.Get(tx, kv.Key("a"))
					return err
				})
				putNotes(t, db, "from a handler")
			})
		}
		return notes.Put(tx, kv.Key("a"), note{})
	})
	if len(order) != 2 || order[0] != 0 || order[1] != 1 {
		t.Errorf("handlers ran as %v", order)
	}
}

func TestUseAfterTheEnd(t *testing.T) {
	db := openTemp(t)
	putNotes(t, db, "a")
	var kept *kv.Tx
	update(t, db, func(tx *kv.Tx) error { kept = tx; return nil })
	if _, err := notes.Get(kept, kv.Key("a")); !errors.Is(err, kv.ErrTxDone) {
		t.Errorf("get: %v", err)
	}
	if err := notes.Put(kept, kv.Key("a"), note{}); !errors.Is(err, kv.ErrTxDone) {
		t.Errorf("put: %v", err)
	}
	if _, errs := scanned(notes.Scan(kept, nil)); len(errs) != 1 || !errors.Is(errs[0], kv.ErrTxDone) {
		t.Errorf("scan: %v", errs)
	}
	mustClose(t, db)
	mustClose(t, db) // twice is allowed
	for name, err := range map[string]error{
		"view":   db.View(func(*kv.Tx) error { return nil }),
		"update": db.Update(func(*kv.Tx) error { return nil }),
	} {
		if !errors.Is(err, kv.ErrClosed) {
			t.Errorf("%s on a closed store: %v", name, err)
		}
	}
}

// Readers see the snapshot of their begin and are not stopped by a writer.
func TestSnapshot(t *testing.T) {
	db := openTemp(t)
	putNotes(t, db, "a")
	update(t, db, func(tx *kv.Tx) error {
		if err := notes.Put(tx, kv.Key("b"), note{}); err != nil {
			return err
		}
		done := make(chan error)
		go func() {
			done <- db.View(func(tx *kv.Tx) error {
				wantKeys(t, notes.Scan(tx, nil), "a")
				return nil
			})
		}()
		return <-done
	})
}
