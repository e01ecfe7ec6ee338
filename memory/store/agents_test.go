package store_test

import (
	"bytes"
	"errors"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// rows is every row of the store, those of the feed too, by bucket and key.
func rows(t testing.TB, s *store.Store) map[string]string {
	t.Helper()
	out := map[string]string{}
	view(t, s, func(tx *store.Tx) error {
		for _, name := range append(store.BucketNames(), "kv.feed", "kv.marks") {
			b := kv.NewBucket(name, 2, kv.Bytes())
			for key, err := range b.Keys(tx.KV(), nil) {
				if err != nil {
					return err
				}
				v, err := b.Get(tx.KV(), key)
				if err != nil {
					return err
				}
				out[name+"\x00"+string(key)] = string(v)
			}
		}
		return nil
	})
	return out
}

// of leaves the rows whose key begins with the agent.
func of(all map[string]string, agent string) map[string]string {
	out := maps.Clone(all)
	maps.DeleteFunc(out, func(k, _ string) bool {
		_, key, _ := bytes.Cut([]byte(k), []byte{0})
		return !bytes.HasPrefix(key, kv.Prefix(agent))
	})
	return out
}

func trashAgent(t testing.TB, s *store.Store, agent, id string) (d store.Deleted) {
	t.Helper()
	update(t, s, func(tx *store.Tx) (err error) {
		d, err = tx.TrashAgent(agent, id)
		return err
	})
	return d
}

// D2, I4: a whole agent goes, and comes back byte for byte; others are untouched.
func TestTrashAgent(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	fillAll(t, s, "lunar")
	before := rows(t, s)
	d := trashAgent(t, s, "luna", "DX")
	if d.Items != 1 || d.Sessions != 1 || d.Messages != 2 || d.Profiles != 1 || d.Title != "the luna" || !d.Agent {
		t.Errorf("it says %+v", d)
	}
	after := rows(t, s)
	for key := range of(after, "luna") {
		if !bytes.HasPrefix([]byte(key), []byte("trash\x00")) && !bytes.HasPrefix([]byte(key), []byte("deletions\x00")) {
			t.Errorf("%q is still there", key)
		}
	}
	if diff := cmp.Diff(of(before, "lunar"), of(after, "lunar")); diff != "" {
		t.Error("another agent was touched\n", diff)
	}
	view(t, s, func(tx *store.Tx) error {
		if all, err := tx.Agents(); err != nil || len(all) != 1 || all[0] != "lunar" {
			t.Errorf("agents %v, %v", all, err)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error {
		if err := tx.PutDraft(memory.Draft{AgentID: "luna", Text: "since"}); err != nil {
			return err
		}
		_, err := tx.RestoreAgent("luna", "DX")
		return err
	})
	want := of(before, "luna")
	maps.DeleteFunc(want, func(k, _ string) bool { // an older deletion is final by it
		return bytes.HasPrefix([]byte(k), []byte("trash\x00")) || bytes.HasPrefix([]byte(k), []byte("deletions\x00"))
	})
	if diff := cmp.Diff(want, of(rows(t, s), "luna")); diff != "" {
		t.Errorf("it did not come back as it was (-was +is)\n%s", diff)
	}
}

// D2: after the purge no row of any bucket names the agent or holds its words.
func TestPurgedAgentLeavesNothing(t *testing.T) {
	s := open(t)
	fillAll(t, s, "canary")
	fillAll(t, s, "sol")
	trashAgent(t, s, "canary", "DX")
	update(t, s, func(tx *store.Tx) error {
		_, _, err := tx.PurgeTrash(tx.Now())
		return err
	})
	for key, value := range rows(t, s) {
		if bytes.Contains([]byte(key+value), []byte("canary")) {
			t.Errorf("%q still names it: %q", key, value)
		}
	}
	view(t, s, func(tx *store.Tx) error {
		gone, err := tx.DepartedAt("canary")
		if err != nil || gone.IsZero() {
			t.Errorf("departed %v, %v", gone, err)
		}
		if gone, err := tx.DepartedAt("sol"); err != nil || !gone.IsZero() {
			t.Errorf("sol departed %v, %v", gone, err)
		}
		return nil
	})
	err := s.Update(func(tx *store.Tx) error {
		_, err := tx.RestoreAgent("canary", "DX")
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it came back: %v", err)
	}
}

// An agent that was begun anew keeps what it has; of nothing nothing can be deleted.
func TestRestoreAgentInUse(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	trashAgent(t, s, "luna", "DX")
	update(t, s, func(tx *store.Tx) error { return tx.PutIncoming(memory.Record{ID: "R9", AgentID: "luna"}) })
	err := s.Update(func(tx *store.Tx) error {
		_, err := tx.RestoreAgent("luna", "DX")
		return err
	})
	if !errors.Is(err, store.ErrInUse) {
		t.Errorf("got %v", err)
	}
	err = s.Update(func(tx *store.Tx) error {
		_, err := tx.TrashAgent("nobody", "DY")
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}
