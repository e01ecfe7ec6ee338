package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// TestTexts checks that the words of messages, items and keys are found with their ids,
// also those in the trash, until they are purged (D2).
func TestTexts(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	const word = "Stradivarius"
	update(t, s, func(tx *store.Tx) error {
		it := full("luna", "item-of-the-word")
		it.Content = "Owns a " + word
		return tx.PutItem(it, "C9", memory.Change{Action: memory.ActionAdded})
	})
	holding := func() (in []string) {
		view(t, s, func(tx *store.Tx) error {
			return tx.Texts(func(x store.Text) {
				if strings.Contains(x.Text, word) {
					in = append(in, x.Bucket+" "+x.Agent+" "+x.ID)
				}
			})
		})
		slices.Sort(in)
		return slices.Compact(in)
	}
	if got := holding(); !slices.Equal(got, []string{"item_versions luna item-of-the-word", "items luna item-of-the-word"}) &&
		!slices.Equal(got, []string{"items luna item-of-the-word"}) {
		t.Errorf("the word is in %q", got)
	}
	update(t, s, func(tx *store.Tx) error { return trash(tx, "luna", "deletion", "item-of-the-word") })
	if got := holding(); !slices.Equal(got, []string{"trash luna item-of-the-word"}) {
		t.Errorf("deleted, the word is in %q", got)
	}
	update(t, s, func(tx *store.Tx) error {
		_, _, err := tx.PurgeTrash(time.Time{})
		return err
	})
	if got := holding(); len(got) > 0 {
		t.Errorf("purged, the word is in %q", got)
	}
	buckets := map[string]bool{}
	view(t, s, func(tx *store.Tx) error {
		return tx.Texts(func(x store.Text) { buckets[x.Bucket] = x.Agent == "luna" || x.Bucket == "departed" })
	})
	for _, name := range []string{"items", "records", "packages", "drafts", "summaries", "working", "texts", "passages", "incoming", "profiles"} {
		if !buckets[name] {
			t.Errorf("nothing of %s was read", name)
		}
	}
}
