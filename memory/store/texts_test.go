package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// TestValues checks that every record is visited, also those in the trash, until they are
// purged (D2).
func TestValues(t *testing.T) {
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
			return tx.Values(func(bucket string, _ []byte, value any) {
				if it, ok := value.(memory.Item); ok && strings.Contains(it.Content, word) {
					in = append(in, bucket+" "+it.AgentID+" "+it.ID)
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
		return tx.Values(func(bucket string, _ []byte, value any) { buckets[bucket] = value != nil })
	})
	for _, name := range []string{"items", "records", "packages", "drafts", "summaries", "working", "texts", "passages", "incoming", "profiles"} {
		if !buckets[name] {
			t.Errorf("nothing of %s was read", name)
		}
	}
}
