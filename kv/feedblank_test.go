package kv_test

import (
	"slices"
	"testing"

	"memoria/kv"
)

// D2: what is blanked says nothing of an agent any more; the numbering and the
// entries of others stay.
func TestBlankFeed(t *testing.T) {
	db := open(t, options(storePath(t)))
	appendChanges(t, db, "a", "b")
	update(t, db, func(tx *kv.Tx) error {
		_, err := tx.Append(kv.Change{Agent: "lun", Kind: "item", ID: "c", Op: "put"})
		return err
	})
	appendChanges(t, db, "d")
	update(t, db, func(tx *kv.Tx) error { return tx.BlankFeed("luna") })
	if ids, err := changes(t, db, 0); err != nil || !slices.Equal(ids, []string{"", "", "c", ""}) {
		t.Errorf("left are %q, %v", ids, err)
	}
	view(t, db, func(tx *kv.Tx) error {
		for c, err := range tx.Changes(0) {
			if err != nil || c.Agent == "luna" {
				t.Errorf("entry %d: %+v, %v", c.Seq, c, err)
			}
		}
		return nil
	})
}
