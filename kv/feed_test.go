package kv_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
)

func appendChanges(t *testing.T, db *kv.DB, ids ...string) {
	t.Helper()
	update(t, db, func(tx *kv.Tx) error {
		for _, id := range ids {
			if _, err := tx.Append(kv.Change{Agent: "luna", Kind: "item", ID: id, Op: "put"}); err != nil {
				return err
			}
		}
		return nil
	})
}

func changes(t *testing.T, db *kv.DB, after uint64) (ids []string, failed error) {
	t.Helper()
	view(t, db, func(tx *kv.Tx) error {
		for c, err := range tx.Changes(after) {
			if err != nil {
				failed = err
				continue
			}
			if after++; c.Seq != after {
				t.Errorf("sequence %d, want %d", c.Seq, after)
			}
			ids = append(ids, c.ID)
		}
		return nil
	})
	return ids, failed
}

// The house's rule "One write": a change and its feed entry are one
// transaction, and a follower goes on from its mark after a restart.
func TestFeedAndMarksAcrossReopen(t *testing.T) {
	opts := options(storePath(t))
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	appendChanges(t, db, "a", "b", "c")
	update(t, db, func(tx *kv.Tx) error { return tx.SetMark("indexer", 2) })
	mustClose(t, db)

	db = open(t, opts)
	appendChanges(t, db, "d")
	view(t, db, func(tx *kv.Tx) error {
		mark, err := tx.Mark("indexer")
		if mark != 2 || err != nil {
			t.Errorf("mark %d, %v", mark, err)
		}
		for c, err := range tx.Changes(3) {
			want := kv.Change{Seq: 4, Time: testStart, Agent: "luna", Kind: "item", ID: "d", Op: "put"}
			if diff := cmp.Diff(want, c); diff != "" || err != nil {
				t.Errorf("(-want +got):\n%s%v", diff, err)
			}
		}
		return nil
	})
	if ids, err := changes(t, db, 2); err != nil || !cmp.Equal(ids, []string{"c", "d"}) {
		t.Errorf("after the mark: %v, %v", ids, err)
	}
}

func TestTrimFeed(t *testing.T) {
	db := openTemp(t)
	trim := func() (n int) {
		t.Helper()
		update(t, db, func(tx *kv.Tx) (err error) { n, err = tx.TrimFeed(); return err })
		return n
	}
	mark := func(follower string, seq uint64) {
		t.Helper()
		update(t, db, func(tx *kv.Tx) error { return tx.SetMark(follower, seq) })
	}
	appendChanges(t, db, "a", "b", "c", "d")
	if n := trim(); n != 0 {
		t.Errorf("without followers %d entries were removed", n)
	}
	update(t, db, func(tx *kv.Tx) error {
		m, err := tx.Follow("vectors")
		if m != 0 {
			t.Errorf("a new follower begins at %d", m)
		}
		return err
	})
	mark("indexer", 3)
	if n := trim(); n != 0 {
		t.Errorf("%d entries removed that a follower has not seen", n)
	}
	mark("vectors", 2)
	if n := trim(); n != 2 {
		t.Errorf("%d entries removed, want 2", n)
	}
	if ids, err := changes(t, db, 2); err != nil || !cmp.Equal(ids, []string{"c", "d"}) {
		t.Errorf("left: %v, %v", ids, err)
	}
	if _, err := changes(t, db, 1); !errors.Is(err, kv.ErrTrimmed) {
		t.Errorf("before the oldest: got %v, want ErrTrimmed", err)
	}
	if _, err := changes(t, db, 5); err == nil {
		t.Error("a position behind the end is accepted")
	}
	update(t, db, func(tx *kv.Tx) error {
		if err := tx.SetMark("indexer", 5); err == nil {
			t.Error("a mark behind the end is accepted")
		}
		marks, err := tx.Marks()
		if want := map[string]uint64{"indexer": 3, "vectors": 2}; !cmp.Equal(marks, want) {
			t.Errorf("marks %v, want %v", marks, want)
		}
		return errors.Join(err, tx.Unfollow("vectors"), tx.SetMark("indexer", 4))
	})
	if n := trim(); n != 2 {
		t.Errorf("%d entries removed, want 2", n)
	}
	appendChanges(t, db, "e") // the numbering goes on
	if ids, err := changes(t, db, 4); err != nil || !cmp.Equal(ids, []string{"e"}) {
		t.Errorf("after trimming all: %v, %v", ids, err)
	}
	stats, err := db.Stats()
	if err != nil || stats.Oldest != 5 || stats.Last != 5 || !cmp.Equal(stats.Marks, map[string]uint64{"indexer": 4}) {
		t.Errorf("stats %+v, %v", stats, err)
	}
}

func TestTrimIsBounded(t *testing.T) {
	db := openTemp(t)
	update(t, db, func(tx *kv.Tx) error {
		for range 10_500 {
			if _, err := tx.Append(kv.Change{}); err != nil {
				return err
			}
		}
		return tx.SetMark("indexer", 10_500)
	})
	for _, want := range []int{10_000, 500, 0} {
		update(t, db, func(tx *kv.Tx) error {
			n, err := tx.TrimFeed()
			if n != want {
				t.Errorf("removed %d, want %d", n, want)
			}
			return err
		})
	}
}

func TestWatch(t *testing.T) {
	db := openTemp(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ch := db.Watch(ctx)
		awake := func() bool {
			select {
			case _, ok := <-ch:
				return ok
			default:
				return false
			}
		}
		if !awake() {
			t.Error("a follower is not woken at the beginning")
		}
		putNotes(t, db, "not in the feed")
		if awake() {
			t.Error("woken by a commit without a change")
		}
		if err := db.Update(func(tx *kv.Tx) error {
			if _, err := tx.Append(kv.Change{}); err != nil {
				return err
			}
			return errors.New("rolled back")
		}); err == nil || awake() {
			t.Error("woken by what did not happen")
		}
		appendChanges(t, db, "a")
		appendChanges(t, db, "b")
		if !awake() || awake() {
			t.Error("two commits are not merged into one wake-up")
		}
		appendChanges(t, db, "c")
		cancel()
		synctest.Wait()
		if _, ok := <-ch; ok {
			t.Error("the channel is not closed with its context")
		}
	})
}

func TestCloseEndsWatch(t *testing.T) {
	db := openTemp(t)
	ch := db.Watch(t.Context())
	mustClose(t, db)
	for range ch {
		t.Error("woken after close")
	}
	for range db.Watch(t.Context()) {
		t.Error("woken after close")
	}
}
