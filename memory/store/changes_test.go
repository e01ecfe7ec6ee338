package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// ways are the ids of what happened, as each way leads to it.
func ways(t testing.TB, s *store.Store, agent string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	view(t, s, func(tx *store.Tx) error {
		for c, err := range tx.ChangesBefore(agent, "") {
			if err != nil {
				return err
			}
			out["newest first"] = append(out["newest first"], c.ID+" "+c.ItemID)
		}
		for id, err := range tx.ChangeIDs(agent) {
			if err != nil {
				return err
			}
			out["ids"] = append(out["ids"], id)
		}
		group, err := tx.GroupChanges(agent, "G1")
		for _, c := range group {
			out["group"] = append(out["group"], c.ID)
		}
		return err
	})
	return out
}

// P9: what happened is found by its time, its id and its generation; with its
// item it goes, and comes back.
func TestWaysToChanges(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	want := map[string][]string{
		"newest first": {"C2 I1", "C1 I1"}, // I2 is in the trash
		"ids":          {"C1", "C2"},
		"group":        {"C1"},
	}
	if diff := cmp.Diff(want, ways(t, s, "luna")); diff != "" {
		t.Error(diff)
	}
	view(t, s, func(tx *store.Tx) error {
		var older []string
		for c, err := range tx.ChangesBefore("luna", "C2") {
			if err != nil {
				return err
			}
			older = append(older, c.ID)
		}
		c, err := tx.Change("luna", "C2")
		if !slices.Equal(older, []string{"C1"}) || c.ID != "C2" || c.Action != memory.ActionEdited {
			t.Errorf("older than C2: %v; C2 is %+v", older, c)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { return trash(tx, "luna", "D2", "I1") })
	if got := ways(t, s, "luna"); len(got) != 0 {
		t.Errorf("of a deleted item is left %v", got)
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.RestoreTrash("luna", "D2", "C9")
		return err
	})
	want["newest first"], want["ids"] = append([]string{"C9 I1"}, want["newest first"]...), append(want["ids"], "C9")
	if diff := cmp.Diff(want, ways(t, s, "luna")); diff != "" {
		t.Error(diff)
	}
}

// A store of layout 1 is brought up to date, and a copy of it is made before.
func TestMigration(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "m.db"), filepath.Join(dir, "before.db")
	names := slices.DeleteFunc(store.BucketNames(), func(n string) bool { return n == "change_times" || n == "change_groups" })
	db, err := kv.Open(kv.Options{Path: path, Now: clock(), Schema: 1, Buckets: names})
	if err != nil {
		t.Fatal(err)
	}
	changes := kv.NewBucket("item_changes", 1, kv.JSON[memory.Change]())
	err = db.Update(func(tx *kv.Tx) error {
		if err := changes.Put(tx, kv.Key("luna", "I1", "C1"), memory.Change{ItemID: "I1", Action: memory.ActionAdded, Generation: "G1"}); err != nil {
			return err
		}
		return changes.Put(tx, kv.Key("luna", "I1", "C2"), memory.Change{ItemID: "I1", Action: memory.ActionEdited})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Path: path, Now: clock(), MigrationCopy: func(have uint64) string {
		if have != 1 {
			t.Errorf("it had layout %d", have)
		}
		return copied
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := map[string][]string{"newest first": {"C2 I1", "C1 I1"}, "ids": {"C1", "C2"}, "group": {"C1"}}
	if diff := cmp.Diff(want, ways(t, s, "luna")); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(copied); err != nil {
		t.Errorf("no copy: %v", err)
	}
}

// Layout 3 stored is_active beside the state. Opening such a store leaves the state as the only
// source: an item that was active by its state alone is inactive, in its head too (L1).
func TestMigrationDropsIsActive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	db, err := kv.Open(kv.Options{Path: path, Now: clock(), Schema: 3, Buckets: store.BucketNames()})
	if err != nil {
		t.Fatal(err)
	}
	old := map[string]string{
		"I1": `{"id":"I1","agent_id":"luna","content":"tea","is_active":true,"state":"active","metadata":{"rule":"like"},"trust":"user","version":2}`,
		"I2": `{"id":"I2","agent_id":"luna","content":"rum","is_active":false,"state":"active","trust":"user","version":1}`,
		"I3": `{"id":"I3","agent_id":"luna","content":"gin","is_active":false,"state":"muted","trust":"user","version":1}`,
		"I4": `not JSON`,
	}
	items, versions := kv.NewBucket("items", 1, kv.Bytes()), kv.NewBucket("item_versions", 1, kv.Bytes())
	err = db.Update(func(tx *kv.Tx) error {
		for id, text := range old {
			if err := items.Put(tx, kv.Key("luna", id), []byte(text)); err != nil {
				return err
			}
		}
		return versions.Put(tx, kv.Key("luna", "I1", uint64(1)), []byte(old["I2"]))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Path: path, Now: clock(), MigrationCopy: func(uint64) string { return filepath.Join(t.TempDir(), "copy.db") }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(func(tx *store.Tx) error {
		for id, want := range map[string]memory.State{"I1": memory.StateActive, "I2": memory.StateInactive, "I3": memory.StateMuted} {
			it, err := tx.Item("luna", id)
			if err != nil || it.State != want {
				t.Errorf("%s is %s: %v", id, it.State, err)
			}
			value, err := items.Get(tx.KV(), kv.Key("luna", id))
			if err != nil || strings.Contains(string(value), "is_active") {
				t.Errorf("%s is stored as %s: %v", id, value, err)
			}
		}
		if it, err := tx.Item("luna", "I1"); err != nil || it.Metadata.Rule != "like" {
			t.Errorf("metadata of I1: %+v: %v", it.Metadata, err)
		}
		if v, err := tx.ItemVersion("luna", "I1", 1); err != nil || v.State != memory.StateInactive {
			t.Errorf("version 1 is %s: %v", v.State, err)
		}
		for h, err := range tx.Heads("luna") {
			if err != nil || h.ID != "I2" || h.State != memory.StateInactive {
				t.Errorf("head %+v: %v", h, err)
			}
		}
		if value, err := items.Get(tx.KV(), kv.Key("luna", "I4")); err != nil || string(value) != old["I4"] {
			t.Errorf("the unreadable item is %q: %v", value, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
