package store_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// portable returns all portable rows of an agent, by bucket and key.
func portable(t testing.TB, s *store.Store, agent string) map[string]string {
	t.Helper()
	rows := map[string]string{}
	view(t, s, func(tx *store.Tx) error {
		for name, bucket := range store.Portables() {
			for r, err := range bucket.Rows(tx, agent) {
				if err != nil {
					return err
				}
				var owner, count string
				if name == "counts" && kv.Unpack(r.Key, &owner, &count) == nil && counter.Name(count).Local() {
					continue
				}
				rows[name+" "+string(r.Key)] = string(r.Value)
			}
		}
		return nil
	})
	return rows
}

// everything returns all rows of a store but its own, as bytes.
func everything(t testing.TB, s *store.Store) map[string]string {
	t.Helper()
	rows := map[string]string{}
	view(t, s, func(tx *store.Tx) error {
		for _, name := range store.BucketNames() {
			if name == "trash" { // of another version
				continue
			}
			for e, err := range kv.NewBucket(name, 1, kv.Bytes()).Scan(tx.KV(), nil) {
				if err != nil {
					return err
				}
				rows[name+" "+string(e.Key)] = string(e.Value)
			}
		}
		return nil
	})
	return rows
}

// TestPortables checks that all rows of an agent survive JSON and another store, and that
// their index entries are complete (D1).
func TestPortables(t *testing.T) {
	from, to := open(t), open(t)
	fillAll(t, from, "luna")
	fillAll(t, from, "sol")
	want := portable(t, from, "luna")
	if len(want) < 20 {
		t.Fatalf("only %d rows", len(want))
	}
	var before, after uint64
	view(t, to, func(tx *store.Tx) (err error) { _, before, err = tx.KV().FeedBounds(); return err })
	update(t, to, func(tx *store.Tx) error {
		for _, name := range slices.Sorted(maps.Keys(store.Portables())) {
			for row, value := range want {
				if key, ok := strings.CutPrefix(row, name+" "); ok {
					if err := store.Portables()[name].Put(tx, []byte(key), []byte(value)); err != nil {
						return errors.Join(errors.New(name), err)
					}
				}
			}
		}
		return nil
	})
	if diff := cmp.Diff(want, portable(t, to, "luna")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := portable(t, to, "sol"); len(got) > 0 {
		t.Errorf("rows of another agent: %q", got)
	}
	view(t, to, func(tx *store.Tx) (err error) { _, after, err = tx.KV().FeedBounds(); return err })
	if after-before != 3 { // I1, R1 and R3
		t.Errorf("%d changes were announced, want 3", after-before)
	}
	complete := everything(t, to)
	update(t, to, func(tx *store.Tx) error { return tx.Relink() })
	if diff := cmp.Diff(everything(t, to), complete); diff != "" {
		t.Errorf("index entries are not those of Relink (-relinked +written):\n%s", diff)
	}
}

// TestPortableReplaces checks that a newer version of an item replaces its index entries.
func TestPortableReplaces(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	update(t, s, func(tx *store.Tx) error {
		items := store.Portables()["items"]
		value, err := items.Get(tx, kv.Key("luna", "I1"))
		if err != nil {
			return err
		}
		it := string(value)
		return items.Put(tx, kv.Key("luna", "I1"), []byte(it[:len(it)-1]+`,"key":"drink","content":"Likes cocoa","state":"held"}`))
	})
	complete := everything(t, s)
	update(t, s, func(tx *store.Tx) error { return tx.Relink() })
	if diff := cmp.Diff(everything(t, s), complete); diff != "" {
		t.Errorf("index entries are not those of Relink (-relinked +written):\n%s", diff)
	}
	update(t, s, func(tx *store.Tx) error {
		err := store.Portables()["items"].Put(tx, kv.Key("luna", "I9"), []byte(`{"id":5}`))
		if !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("a malformed item: %v", err)
		}
		return nil
	})
}
