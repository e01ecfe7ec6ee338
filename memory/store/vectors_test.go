package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory/store"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// stored lists an agent's vectors by item.
func stored(t *testing.T, s *store.Store, agent string) map[string][]float32 {
	t.Helper()
	out := map[string][]float32{}
	view(t, s, func(tx *store.Tx) error {
		n, err := tx.Count(agent, counter.Vectors)
		if err != nil {
			return err
		}
		for v, err := range tx.Vectors(agent) {
			if err != nil {
				return err
			}
			out[v.ItemID] = v.Values
		}
		if n != len(out) {
			t.Errorf("%d vectors are counted, %d are there", n, len(out))
		}
		return nil
	})
	return out
}

// R9: a vector comes back as it was written, under its item and no other agent's;
// another one takes its place, and a number is never given twice.
func TestVectors(t *testing.T) {
	s := open(t)
	id := codec.VectorID{Hash: 7, Model: "bge"}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.PutVector("luna", "I1", id, []float32{0.6, -0.8}), tx.PutVector("luna", "I2", id, []float32{1, 0}),
			tx.PutVector("luna", "I1", id, []float32{0, 1}), tx.PutVector("sol", "I1", id, []float32{-1, 0}),
			tx.RefuseVector("luna", "I3", id),
		)
	})
	if diff := cmp.Diff(map[string][]float32{"I1": {0, 1}, "I2": {1, 0}}, stored(t, s, "luna")); diff != "" {
		t.Errorf("luna's vectors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]float32{"I1": {-1, 0}}, stored(t, s, "sol")); diff != "" {
		t.Errorf("sol's vectors (-want +got):\n%s", diff)
	}
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.VectorID("luna", "I1")
		if err != nil || got != (codec.VectorID{Number: 3, Hash: 7, Model: "bge"}) {
			t.Errorf("the id is %+v, %v", got, err)
		}
		if got, err := tx.VectorID("luna", "I3"); err != nil || got.Number != 0 {
			t.Errorf("a refused one is %+v, %v", got, err)
		}
		return nil
	})
	n := 1
	for rounds := 0; n > 0; rounds++ {
		update(t, s, func(tx *store.Tx) (err error) { n, err = tx.DropVectors("luna", 2); return err })
		if rounds > 10 {
			t.Fatal("dropping never ends")
		}
	}
	if left := stored(t, s, "luna"); len(left) != 0 || len(stored(t, s, "sol")) != 1 {
		t.Errorf("after dropping luna's: %v", left)
	}
}

// D2: a deleted item's vector is destroyed at once, and is not in the trash; a
// damaged note of which one it is does not save it.
func TestVectorGoesWithItsItem(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		t.Run(fmt.Sprint(damaged), func(t *testing.T) {
			s := open(t)
			fillAll(t, s, "luna")
			if damaged {
				update(t, s, func(tx *store.Tx) error {
					return kv.NewBucket("vector_ids", 1, kv.Bytes()).Put(tx.KV(), kv.Key("luna", "I1"), []byte{1})
				})
			}
			update(t, s, func(tx *store.Tx) error { return trash(tx, "luna", "D2", "I1") })
			if left := stored(t, s, "luna"); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
			update(t, s, func(tx *store.Tx) error {
				_, err := tx.RestoreTrash("luna", "D2", "C9")
				return err
			})
			if left := stored(t, s, "luna"); len(left) != 0 {
				t.Errorf("the trash kept %v", left)
			}
		})
	}
}
