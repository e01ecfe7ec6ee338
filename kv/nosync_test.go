package kv_test

import (
	"testing"

	"memoria/kv"
)

// A store that does not wait for the disk is the same store: what was committed
// is there for the next owner, and its pages are whole.
func TestNoSync(t *testing.T) {
	opts := options(storePath(t))
	opts.NoSync = true
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	const n = 200
	for i := range n {
		if err := db.Update(func(tx *kv.Tx) error { return notes.Put(tx, kv.Key(uint64(i)), note{N: i}) }); err != nil {
			t.Fatal(err)
		}
	}
	mustClose(t, db)
	opts.NoSync = false
	db = open(t, opts) // checks it at the end
	err = db.View(func(tx *kv.Tx) error {
		for i := range n {
			if got, err := notes.Get(tx, kv.Key(uint64(i))); err != nil || got.N != i {
				t.Errorf("%d: %+v, %v", i, got, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
