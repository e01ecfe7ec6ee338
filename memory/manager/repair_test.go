package manager_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// rows reads everything in a store, by bucket and key.
func rows(t *testing.T, path string) map[string]map[string][]byte {
	t.Helper()
	out := map[string]map[string][]byte{}
	err := kv.ViewFile(path, func(tx *kv.Tx) error {
		for _, name := range store.BucketNames() {
			out[name] = map[string][]byte{}
			for e, err := range kv.NewBucket(name, 255, kv.Bytes()).Scan(tx, nil) {
				if err != nil {
					return err
				}
				out[name][string(e.Key)] = e.Value
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// linked are the buckets that only lead to others.
var linked = []string{
	"item_heads", "item_keys", "item_hashes", "items_held", "item_sources", "change_times", "change_groups", "record_places", "bookmarks",
	"session_times", "turn_sessions", "profile_items",
}

// K2: what leads to records is made anew from them as it was, all of it or what is missing.
func TestRelink(t *testing.T) {
	noRace(t)
	dir, _ := healthy(t)
	path := filepath.Join(dir, "memoria.db")
	want := rows(t, path)
	for _, drop := range [][]string{nil, linked} {
		st, err := store.Open(store.Options{Path: path, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		err = st.Update(func(tx *store.Tx) error {
			for _, name := range drop {
				if len(want[name]) == 0 && !slices.Contains([]string{"items_held", "bookmarks", "profile_items", "change_groups"}, name) {
					t.Errorf("nothing is in %s", name)
				}
				if _, err := kv.NewBucket(name, 1, kv.Bytes()).DeletePrefix(tx.KV(), nil); err != nil {
					return err
				}
			}
			return tx.Relink()
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
		got := rows(t, path)
		for _, name := range store.BucketNames() {
			for key, value := range want[name] {
				if !bytes.Equal(got[name][key], value) {
					t.Errorf("%v dropped: %s %q is %q, was %q", len(drop) > 0, name, key, got[name][key], value)
				}
			}
			if len(got[name]) != len(want[name]) {
				t.Errorf("%v dropped: %s has %d rows, had %d", len(drop) > 0, name, len(got[name]), len(want[name]))
			}
		}
	}
}

// repaired mends a data folder and returns what was done.
func repaired(t *testing.T, dir string) *vault.Repair {
	t.Helper()
	r, err := vault.PrepareRepair(t.Context(), dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := r.Apply()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(kept, "memoria.db")); err != nil {
		t.Errorf("the damaged file is not kept: %v", err)
	}
	report, err := vault.Check(t.Context(), dir)
	if err != nil || !report.OK() {
		t.Errorf("after mending: %+v, %v", report.Areas, err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "memoria.db.new-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return r
}

// primary are the buckets whose rows nothing else says.
var primary = []string{"items", "records"}

// K1: one record that cannot be read costs that record and nothing else, in whatever bucket
// it lies, and nothing at all when a backup has it or it can be derived.
func TestOneUnreadableRecord(t *testing.T) {
	noRace(t)
	for _, backup := range []bool{false, true} {
		dir, _ := healthy(t)
		path := filepath.Join(dir, "memoria.db")
		if backup {
			m := must(openReal(dir))(t)
			must(m.Vault().Backup(t.Context(), nil))(t)
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		} else if err := os.RemoveAll(filepath.Join(dir, "backups")); err != nil {
			t.Fatal(err)
		}
		want, data := rows(t, path), must(os.ReadFile(path))(t)
		for _, bucket := range store.BucketNames() {
			at, victim := 0, ""
			for _, key := range slices.Sorted(maps.Keys(want[bucket])) {
				if v := want[bucket][key]; len(v) > 20 && bytes.Count(data, v) == 1 {
					at, victim = bytes.Index(data, v), key
					break
				}
			}
			if at == 0 {
				continue
			}
			damaged := bytes.Clone(data)
			damaged[at+7] ^= 1
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			r := repaired(t, dir)
			if r.Salvaged.Unreadable[bucket] != 1 || r.Whole {
				t.Errorf("%s: %+v", bucket, r.Salvaged)
			}
			got := rows(t, path)
			for _, name := range primary {
				for key, v := range want[name] {
					lost := name == bucket && key == victim && !backup
					if there := bytes.Equal(got[name][key], v); !there && !lost {
						t.Errorf("a bad record in %s costs %s %q", bucket, name, key)
					}
				}
			}
			for _, name := range linked {
				for key := range want[name] {
					if _, there := got[name][key]; !there && (backup || !slices.Contains(append(primary, "item_changes", "profiles", "packages", "sessions"), bucket)) {
						t.Errorf("a bad record in %s costs %s %q", bucket, name, key)
					}
				}
			}
		}
	}
}

// K2: of stores with one to five lost pages at least 95 of 100 records that no lost page
// held are there after the repair without a backup; and nothing that was deleted is back
// after one with a backup that has it. MEMORIA_SALVAGES sets the number of stores.
func TestSalvage(t *testing.T) {
	noRace(t)
	stores := often(t, "SALVAGES", 15)
	dir, _ := healthy(t)
	deleted := deleteSome(t, dir)
	path := filepath.Join(dir, "memoria.db")
	want, data := rows(t, path), must(os.ReadFile(path))(t)
	seed := seedOf(t)
	rnd := rand.New(rand.NewPCG(seed, 1))
	used := usedPages(data)
	held, there, inPrimary, primaryThere := 0, 0, 0, 0
	for n := range stores {
		damaged := bytes.Clone(data)
		var lost []int
		for range 1 + rnd.IntN(5) {
			page := used[rnd.IntN(len(used))]
			lost = append(lost, page)
			for i := range 4096 {
				damaged[page*4096+i] = byte(rnd.Uint32() * uint32(n%2))
			}
		}
		to := filepath.Join(t.TempDir(), "data")
		copyFolder(t, dir, to)
		if err := os.WriteFile(filepath.Join(to, "memoria.db"), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		alone := n%3 > 0
		if alone {
			_ = os.RemoveAll(filepath.Join(to, "backups"))
		}
		repaired(t, to)
		got := rows(t, filepath.Join(to, "memoria.db"))
		for _, name := range store.BucketNames() {
			for key, value := range want[name] {
				if !alone || len(value) == 0 || !bytes.Contains(damaged, value) { // an empty value is in every page
					continue
				}
				held++
				_, ok := got[name][key]
				if ok {
					there++
				}
				if slices.Contains(primary, name) {
					if inPrimary++; ok {
						primaryThere++
					}
				}
			}
		}
		for _, word := range deleted {
			for name, in := range got {
				for key, value := range in {
					if bytes.Contains(value, []byte(word)) {
						t.Errorf("store %d, pages %v lost: %q is back in %s %q", n, lost, word, name, key)
					}
				}
			}
		}
	}
	share := func(n, of int) string { return fmt.Sprintf("%.1f %% of %d", 100*float64(n)/float64(of), of) }
	t.Logf("%d stores: %s records, of memories and messages %s", stores, share(there, held), share(primaryThere, inPrimary))
	if float64(there) < 0.95*float64(held) || float64(primaryThere) < 0.95*float64(inPrimary) {
		t.Error("too little")
	}
}

// deleteSome lets a memory delete what a backup of it has, and returns words of that.
func deleteSome(t *testing.T, dir string) []string {
	t.Helper()
	ctx := t.Context()
	m := must(openReal(dir))(t)
	agent := killAgents[0]
	const word, said = "Quizzacious", "vellichorian"
	it := must(m.Learning().AddItem(ctx, agent, memory.Item{Content: "Owns a " + word}))(t)
	in := must(m.KeepIncoming(ctx, agent, "My lamp is "+said, nil, ""))(t)
	turn := must(m.BeginTurn(ctx, agent, in.ID, manager.Place{}))(t)
	b := must(m.Vault().Backup(ctx, nil))(t)
	must(m.DeleteItems(ctx, agent, it.ID))(t)
	must(m.DeleteSession(ctx, agent, turn.Session.ID, true))(t)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	must(m.Learning().AddItem(ctx, agent, memory.Item{Content: "Owns a new lamp"}))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{word, said} {
		if !bytes.Contains(must(os.ReadFile(b.Path))(t), []byte(w)) {
			t.Fatalf("the backup has no %s", w)
		}
	}
	return []string{word, said}
}

func usedPages(data []byte) (out []int) {
	for page := 2; (page+1)*4096 <= len(data); page++ {
		if bytes.ContainsFunc(data[page*4096:(page+1)*4096], func(r rune) bool { return r != 0 }) {
			out = append(out, page)
		}
	}
	return out
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(path, from)
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		src, err := os.Open(path)
		if err != nil {
			return err
		}
		defer src.Close()
		dst, err := os.OpenFile(filepath.Join(to, rel), os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer dst.Close()
		_, err = io.Copy(dst, src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
