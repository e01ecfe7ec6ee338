package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// sourced are the buckets that layout 5 lacked.
var sourced = []string{"items_held", "item_sources"}

// lookedUp checks that held items and items by source are those that a scan of all items finds,
// and returns the number of both.
func lookedUp(t rapid.TB, s *store.Store, agent string) (held, made int) {
	t.Helper()
	err := s.View(func(tx *store.Tx) error {
		var want []string
		from, heldFrom := map[string][]string{"R none": nil}, map[string]bool{}
		for it, err := range tx.Items(agent) {
			if err != nil {
				return err
			}
			if it.State == memory.StateHeld {
				want = append(want, it.ID)
			}
			for _, ev := range it.Evidence {
				if it.State == memory.StateHeld {
					heldFrom[ev.RecordID] = true
				}
				if of := from[ev.RecordID]; !slices.Contains(of, it.ID) {
					from[ev.RecordID] = append(of, it.ID)
				}
			}
		}
		sources, err := store.HeldSources(tx, agent)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(heldFrom, sources); diff != "" {
			t.Errorf("sources of held items (-scan +index):\n%s", diff)
		}
		for _, page := range [][2]int{{0, 0}, {1, 0}, {2, 1}, {0, 1}, {3, 9}} {
			limit, offset := page[0], page[1]
			some := want[min(offset, len(want)):]
			if limit > 0 {
				some = some[:min(limit, len(some))]
			}
			got, err := tx.HeldItems(agent, limit, offset)
			if err != nil {
				return err
			}
			if diff := cmp.Diff(strings.Join(some, " "), idsOf(got)); diff != "" {
				t.Errorf("held, %d after %d (-scan +index):\n%s", limit, offset, diff)
			}
		}
		for record, ids := range from {
			got, err := tx.ItemsFromRecords(agent, []string{record, "R none", record})
			if err != nil {
				return err
			}
			if diff := cmp.Diff(strings.Join(ids, " "), idsOf(got)); diff != "" {
				t.Errorf("made from %s (-scan +index):\n%s", record, diff)
			}
			made += len(ids)
		}
		if n, err := tx.Count(agent, "held"); err != nil || n != len(want) {
			t.Errorf("%d are counted as held, %d are: %v", n, len(want), err)
		}
		held = len(want)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return held, made
}

func idsOf(all []memory.Item) string {
	ids := make([]string, 0, len(all))
	for _, it := range all {
		ids = append(ids, it.ID)
	}
	return strings.Join(ids, " ")
}

// Q3, K2: whatever is written, deleted, restored, imported and relinked, held items and the items made
// from a record are found as by a scan.
func TestSourcesEqualScan(t *testing.T) {
	sawHeld, sawMade := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s, err := store.Open(store.Options{
			Path: filepath.Join(t.TempDir(), "m.db"), Now: clock(), Logger: slog.New(slog.DiscardHandler), NoSync: true,
		})
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close()
		n, deletions, gone := 0, []string{}, ""
		id := func() string { n++; return fmt.Sprintf("N%04d", n) }
		existing := func(tx *store.Tx) (ids []string) {
			for id, err := range tx.ItemIDs("luna") {
				if err != nil {
					rt.Fatal(err)
				}
				ids = append(ids, id)
			}
			return ids
		}
		item := func(tx *store.Tx) memory.Item { // a new one, or another version
			it := full("luna", rapid.SampledFrom(append(existing(tx), id())).Draw(rt, "item"))
			it.State = rapid.SampledFrom([]memory.State{memory.StateActive, memory.StateHeld, memory.StateInactive}).Draw(rt, "state")
			it.Version, it.Evidence = n, nil
			for _, r := range rapid.SliceOfN(rapid.IntRange(1, 4), 0, 3).Draw(rt, "records") {
				it.Evidence = append(it.Evidence, memory.Evidence{RecordID: fmt.Sprint("R", r), SessionID: "S1"})
			}
			return it
		}
		remove := func(tx *store.Tx, damaged bool) error {
			ids := existing(tx)
			if len(ids) == 0 {
				return nil
			}
			victim := rapid.SampledFrom(ids).Draw(rt, "deleted")
			if damaged {
				if err := kv.NewBucket("items", 1, kv.Bytes()).Put(tx.KV(), kv.Key("luna", victim), []byte("?")); err != nil {
					return err
				}
			}
			deletions = append(deletions, id())
			return trash(tx, "luna", deletions[len(deletions)-1], victim)
		}
		steps := map[string]func(tx *store.Tx) error{
			"put": func(tx *store.Tx) error {
				return tx.PutItem(item(tx), id(), memory.Change{Action: memory.ActionEdited})
			},
			"import": func(tx *store.Tx) error {
				it := item(tx)
				value, err := json.Marshal(it)
				return errors.Join(err, store.Portables()["items"].Put(tx, kv.Key("luna", it.ID), value))
			},
			"use": func(tx *store.Tx) error {
				for _, id := range existing(tx) {
					if _, err := tx.TouchItem("luna", id); err != nil {
						return err
					}
				}
				return nil
			},
			"delete":         func(tx *store.Tx) error { return remove(tx, false) },
			"delete damaged": func(tx *store.Tx) error { return remove(tx, true) },
			"restore": func(tx *store.Tx) error {
				if len(deletions) == 0 {
					return nil
				}
				d := deletions[len(deletions)-1]
				deletions = deletions[:len(deletions)-1]
				_, err := tx.RestoreTrash("luna", d, id())
				return err
			},
			"delete all": func(tx *store.Tx) error {
				gone, deletions = id(), nil
				_, err := tx.TrashAgent("luna", gone)
				if errors.Is(err, store.ErrNotFound) {
					return nil
				}
				return err
			},
			"restore all": func(tx *store.Tx) error {
				_, err := tx.RestoreAgent("luna", gone)
				if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInUse) {
					return nil
				}
				return err
			},
			"lose the indexes": func(tx *store.Tx) error {
				for _, name := range sourced {
					b := kv.NewBucket(name, 1, kv.Bytes())
					if _, err := b.DeletePrefix(tx.KV(), nil); err != nil {
						return err
					}
					if err := b.Put(tx.KV(), kv.Key("luna", "R1", "I9"), nil); err != nil { // dangling
						return err
					}
				}
				return tx.Relink()
			},
		}
		names := []string{"put", "put", "put", "import", "use", "delete", "delete damaged", "restore", "delete all", "restore all", "lose the indexes"}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 1, 20).Draw(rt, "steps") {
			if err := s.Update(steps[name]); err != nil {
				rt.Fatalf("%s: %v", name, err)
			}
			held, made := lookedUp(rt, s, "luna")
			sawHeld, sawMade = sawHeld+held, sawMade+made
		}
	})
	if sawHeld == 0 || sawMade == 0 {
		t.Errorf("nothing was compared: %d held, %d made", sawHeld, sawMade)
	}
}

// older copies a store, as a program of an older layout would have written it, without some buckets.
func older(t *testing.T, from string, layout uint64, without []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.db")
	names := slices.DeleteFunc(store.BucketNames(), func(n string) bool { return slices.Contains(without, n) })
	db, err := kv.Open(kv.Options{Path: path, Now: clock(), Schema: layout, Buckets: names})
	if err != nil {
		t.Fatal(err)
	}
	err = kv.ViewFile(from, func(old *kv.Tx) error {
		return db.Update(func(tx *kv.Tx) error {
			for _, name := range names {
				version := uint8(1)
				if name == "trash" {
					version = 2
				}
				b := kv.NewBucket(name, version, kv.Bytes())
				for e, err := range b.Scan(old, nil) {
					if err == nil {
						err = b.Put(tx, e.Key, e.Value)
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// K5, K7: a store of layout 5 has neither index. Opened for reading it is scanned; opened for writing it
// gets both, and a copy of it is made before. A deletion of the older program can be undone.
func TestMigrationLinksSources(t *testing.T) {
	from := filepath.Join(t.TempDir(), "now.db")
	s, err := store.Open(store.Options{Path: from, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	fillAll(t, s, "sol")
	update(t, s, func(tx *store.Tx) error {
		var errs []error
		for i, state := range []memory.State{memory.StateHeld, memory.StateActive, memory.StateHeld, memory.StateInactive} {
			it := full("luna", fmt.Sprint("I", i))
			it.State, it.Evidence = state, []memory.Evidence{{RecordID: "R1"}, {RecordID: fmt.Sprint("R", i%2)}}
			errs = append(errs, tx.PutItem(it, fmt.Sprint("C", i), memory.Change{}))
		}
		for _, name := range sourced { // so that they are not in the trash either
			_, err := kv.NewBucket(name, 1, kv.Bytes()).DeletePrefix(tx.KV(), nil)
			errs = append(errs, err)
		}
		_, err := tx.TrashAgent("sol", "D9")
		return errors.Join(append(errs, err)...)
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := older(t, from, 5, sourced)
	check := func(o store.Options) *store.Store {
		t.Helper()
		o.Path, o.Now = path, clock()
		s, err := store.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if held, made := lookedUp(t, s, "luna"); held != 2 || made != 6 {
			t.Errorf("%d held, %d made from records", held, made)
		}
		return s
	}
	if err := check(store.Options{ReadOnly: true}).Close(); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "before.db")
	s = check(store.Options{MigrationCopy: func(have uint64) string {
		if have != 5 {
			t.Errorf("it had layout %d", have)
		}
		return copied
	}})
	defer s.Close()
	if _, err := os.Stat(copied); err != nil {
		t.Errorf("no copy: %v", err)
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.RestoreAgent("sol", "D9")
		return err
	})
	if held, made := lookedUp(t, s, "sol"); held != 1 || made != 1 {
		t.Errorf("restored: %d held, %d made from records", held, made)
	}
}
