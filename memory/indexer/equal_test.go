package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

// Q3: whatever is done to the items, and whatever becomes of the index between
// and during it, the index ends up equal to the store.
func TestEqualsStore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "world")
		if err != nil {
			t.Fatal(err)
		}
		w := newWorldAt(t, dir)
		defer w.store.Close()
		m := &machine{w: w}
		defer func() { _ = m.f.Close() }()
		m.f = w.open(indexer.Recall)
		do := map[string]func(*rapid.T){
			"write":   m.write,
			"reopen":  m.reopen,
			"rebuild": func(*rapid.T) { m.f.Rebuild() },
			"trim":    m.trim,
			"lose":    m.lose,
			"compare": func(*rapid.T) { w.wantEqual(m.f) },
		}
		names := []string{"write", "write", "write", "reopen", "rebuild", "trim", "lose", "compare"}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 1, 8).Draw(rt, "steps") {
			do[name](rt)
		}
		w.wantEqual(m.f)
	})
}

// machine is what rapid drives.
type machine struct {
	w     *world
	f     *indexer.Follower
	items []memory.Item
	trash []string
}

var conditions = []memory.State{memory.StateActive, memory.StateActive, memory.StateHeld, memory.StateMuted, memory.StateInactive}

// write makes one transaction of a few changes.
func (m *machine) write(rt *rapid.T) {
	n := rapid.IntRange(1, 8).Draw(rt, "changes")
	m.w.update(func(tx *store.Tx) error {
		for range n {
			if err := m.change(rt, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *machine) change(rt *rapid.T, tx *store.Tx) error {
	op := rapid.IntRange(0, 9).Draw(rt, "op")
	switch {
	case op < 4 || len(m.items) == 0:
		it := m.w.item(fmt.Sprintf("tea number %d", len(m.items)))
		m.items = append(m.items, it)
		return m.put(tx, it)
	case op == 9 && len(m.trash) > 0:
		last := len(m.trash) - 1
		back, err := tx.RestoreTrash(luna, m.trash[last], m.w.ids.New(tx.Now()))
		m.items, m.trash = append(m.items, back.Items...), m.trash[:last]
		return err
	}
	i := rapid.IntRange(0, len(m.items)-1).Draw(rt, "item")
	if op < 7 {
		it := &m.items[i]
		it.State = rapid.SampledFrom(conditions).Draw(rt, "state")
		it.Version++
		return m.put(tx, *it)
	}
	deletion := m.w.ids.New(tx.Now())
	id := m.items[i].ID
	m.items, m.trash = append(m.items[:i:i], m.items[i+1:]...), append(m.trash, deletion)
	_, err := tx.Trash(luna, deletion, nil, []string{id})
	return err
}

func (m *machine) put(tx *store.Tx, it memory.Item) error {
	return tx.PutItem(it, m.w.ids.New(tx.Now()), memory.Change{Action: memory.ActionEdited})
}

func (m *machine) reopen(*rapid.T) {
	m.w.close(m.f)
	m.f = m.w.open(indexer.Recall)
}

// trim does what a closing program does.
func (m *machine) trim(*rapid.T) {
	m.w.close(m.f)
	if err := indexer.Trim(m.w.store); err != nil {
		m.w.Fatal(err)
	}
	m.f = m.w.open(indexer.Recall)
}

// lose removes some of the files between two openings.
func (m *machine) lose(rt *rapid.T) {
	m.w.close(m.f)
	paths, err := filepath.Glob(filepath.Join(m.w.dir, luna, "recall", "*"))
	if err != nil {
		m.w.Fatal(err)
	}
	for _, p := range paths {
		if rapid.Bool().Draw(rt, "lost") {
			if err := os.Remove(p); err != nil {
				m.w.Fatal(err)
			}
		}
	}
	m.f = m.w.open(indexer.Recall)
}

// Writers, searches, rebuilds and the end of it all at the same time: no search
// fails otherwise than by not being ready, and Close comes back.
func TestAllAtOnce(t *testing.T) {
	for round := range 2 {
		w := newWorld(t)
		w.fill(300)
		f := w.open(indexer.Recall)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for ctx.Err() == nil {
					_, err := f.Search(ctx, find("tea"))
					if err != nil && !errors.Is(err, indexer.ErrNotReady) && ctx.Err() == nil {
						t.Errorf("search: %v", err)
						return
					}
				}
			})
		}
		all.Go(func() {
			for range 5 {
				f.Rebuild()
				f.Status()
			}
		})
		for range 20 {
			w.put(w.item("more tea"))
		}
		if round%2 == 0 {
			f.Rebuild()
			w.wantEqual(f)
		} else {
			f.Rebuild()
			w.close(f)
			if err := f.Settle(t.Context()); !errors.Is(err, indexer.ErrNotReady) {
				t.Errorf("settling what is closed: %v", err)
			}
			f.Rebuild() // nothing happens
			if st := f.Status(); st.State != indexer.StateClosed {
				t.Errorf("status after closing: %+v", st)
			}
		}
		cancel()
		all.Wait()
		w.close(f)
	}
}
