package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// Items of one deletion that one turn made come back with all of the turn's
// changes, however long their histories are.
func TestTakeBackKeepsEveryChange(t *testing.T) {
	s := open(t)
	const versions = 1100
	update(t, s, func(tx *store.Tx) error {
		n := 0
		for _, id := range []string{"I1", "I2"} {
			for v := 1; v <= versions; v++ {
				it := full("luna", id)
				it.Version = v
				n++
				if err := tx.PutItem(it, fmt.Sprintf("C%06d", n), memory.Change{Action: memory.ActionConfirmed, TurnID: "T1"}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	dump := func() (turn, item []memory.Change) {
		view(t, s, func(tx *store.Tx) (err error) {
			if turn, err = tx.TurnChanges("luna", "T1"); err != nil {
				return err
			}
			item, err = tx.Changes("luna", "I2")
			return err
		})
		return turn, item
	}
	turn, item := dump()
	if len(turn) != 2*versions || len(item) != versions {
		t.Fatalf("%d and %d changes were written", len(turn), len(item))
	}
	update(t, s, func(tx *store.Tx) error { return trash(tx, "luna", "D1", "I1", "I2") })
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.RestoreTrash("luna", "D1", "C999999")
		return err
	})
	turnAfter, itemAfter := dump()
	if diff := cmp.Diff(turn, turnAfter); diff != "" {
		t.Errorf("the turn's changes (-before +after):\n%.500s", diff)
	}
	if diff := cmp.Diff(item, itemAfter[:max(len(itemAfter)-1, 0)]); diff != "" {
		t.Errorf("the item's changes (-before +after):\n%.500s", diff)
	}
}

// The number of held items follows every way in which an item can come and go.
func TestHeldIsCounted(t *testing.T) {
	s := open(t)
	want := func(n int) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			if got, err := tx.Count("luna", "held"); err != nil || got != n {
				t.Errorf("held: %d, %v; want %d", got, err, n)
			}
			return nil
		})
	}
	put := func(state memory.State, version int) {
		t.Helper()
		it := full("luna", "I1")
		it.State, it.Version = state, version
		update(t, s, func(tx *store.Tx) error {
			return tx.PutItem(it, fmt.Sprint("C", version), memory.Change{Action: memory.ActionEdited})
		})
	}
	put(memory.StateHeld, 1)
	want(1)
	put(memory.StateHeld, 2)
	want(1)
	put(memory.StateActive, 3)
	want(0)
	put(memory.StateHeld, 4)
	update(t, s, func(tx *store.Tx) error { return trash(tx, "luna", "D1", "I1") })
	want(0)
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.RestoreTrash("luna", "D1", "C9")
		return err
	})
	want(1)
}

// A1: where no record says what stood before it, as in old stores, a session is read
// backwards from any of its records, and no further.
func TestPathWithoutParents(t *testing.T) {
	s := open(t)
	update(t, s, func(tx *store.Tx) error {
		for i, id := range []string{"R5", "R1", "R3", "R2"} {
			session := "S1"
			if i == 1 {
				session = "S2"
			}
			if err := tx.AppendRecord(memory.Record{ID: id, AgentID: "luna", SessionID: session}); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, s, func(tx *store.Tx) error {
		for id, want := range map[string][]string{"R2": {"R2", "R3", "R5"}, "R3": {"R3", "R5"}, "R1": {"R1"}} {
			var got []string
			for r, err := range tx.Path("luna", id) {
				if err != nil {
					return err
				}
				got = append(got, r.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("up to %s: %v, want %v", id, got, want)
			}
		}
		for _, err := range tx.Path("luna", "R9") {
			t.Errorf("a record that is not there was found: %v", err)
		}
		return nil
	})
}

// An item that cannot be read keeps nobody from learning something like it.
func TestUnreadableItemIsNotLike(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	update(t, s, func(tx *store.Tx) error {
		it := full("luna", "I3")
		if err := tx.PutItem(it, "C8", memory.Change{Action: memory.ActionAdded}); err != nil {
			return err
		}
		return kv.NewBucket("items", 1, kv.Bytes()).Put(tx.KV(), kv.Key("luna", "I1"), []byte("?"))
	})
	view(t, s, func(tx *store.Tx) error {
		like, err := tx.ItemsLike("luna", "preference/tea", "")
		if err != nil || len(like) != 1 || like[0].ID != "I3" {
			t.Errorf("alike: %v, %v", like, err)
		}
		return nil
	})
}

// A head is exact: what is scored after a start is what was scored before.
func TestHeadIsExact(t *testing.T) {
	s := open(t)
	it := full("luna", "I1")
	it.Confidence, it.Importance = 1.0/3, 0.9747895123
	update(t, s, func(tx *store.Tx) error { return tx.PutItem(it, "C1", memory.Change{}) })
	view(t, s, func(tx *store.Tx) error {
		for h, err := range tx.Heads("luna") {
			if err != nil {
				return err
			}
			if diff := cmp.Diff(store.HeadOf(it), h); diff != "" {
				t.Errorf("head (-item +head):\n%s", diff)
			}
		}
		return nil
	})
}
