package ledger_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/ledger"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// items is a memory by hand: each item with all its versions and changes.
type items map[string]*ledger.Entry

func (m items) world(kept func(id string, n int) (memory.Item, bool)) ledger.World {
	return ledger.World{
		Now: noon,
		Entry: func(id string) (ledger.Entry, bool, error) {
			e, ok := m[id]
			if !ok {
				return ledger.Entry{}, false, nil
			}
			out := *e
			out.Version = func(n int) (memory.Item, bool) { return kept(id, n) }
			return out, true, nil
		},
		Active: func(key string) (ids []string, err error) {
			for id, e := range m {
				if e.Item.Key == key && e.Item.State == memory.StateActive {
					ids = append(ids, id)
				}
			}
			return ids, nil
		},
		Near: func(c memory.Change) ([]memory.Change, error) { return []memory.Change{c}, nil },
	}
}

func item(id, content string, version int) memory.Item {
	return memory.Item{ID: id, Key: id, Content: content, State: memory.StateActive, Version: version}
}

func change(id, of string, version int, a memory.Action) memory.Change {
	return memory.Change{ID: id, ItemID: of, Version: version, Action: a, Origin: memory.OriginTurn, Time: noon}
}

func none(string, int) (memory.Item, bool) { return memory.Item{}, false }

func TestWhatIsLeft(t *testing.T) {
	added, said := change("C1", "a", 1, memory.ActionAdded), change("C2", "a", 2, memory.ActionConfirmed)
	two := &ledger.Entry{Item: item("a", "tea", 2), Changes: []memory.Change{added, said}}
	old := added
	old.Time = noon.Add(-ledger.Keep - time.Second)
	back := change("C3", "a", 2, memory.ActionRestored)
	for name, c := range map[string]struct {
		entry *ledger.Entry
		undo  memory.Change
		want  string
	}{
		"said again":     {two, added, "it was said again since"},
		"not kept":       {two, said, "the version before it is not kept any more"},
		"gone":           {two, change("C9", "b", 1, memory.ActionAdded), "the memory is not there any more"},
		"too old":        {&ledger.Entry{Item: item("a", "tea", 1), Changes: []memory.Change{old}}, old, "it is older than 30 days and final"},
		"restored":       {two, back, "it took a deletion back; delete the memory instead"},
		"note is damage": {&ledger.Entry{Item: item("a", "tea", 2), Changes: []memory.Change{added}}, added, "it was changed since"},
	} {
		p, err := ledger.Undo(items{"a": c.entry}.world(none), []memory.Change{c.undo})
		if err != nil || len(p.Steps) != 0 || len(p.Left) != 1 || p.Left[0].Why != c.want {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// P9: an undo is taken back as far as its parts hang together: one that was
// touched since keeps back only what it was linked to.
func TestRedoInParts(t *testing.T) {
	out := func(id string) memory.Item {
		it := item(id, id, 2)
		it.State = memory.StateInactive
		return it
	}
	undone := func(id, of, takes string) memory.Change {
		c := change(id, of, 2, memory.ActionUndone)
		c.Undo, c.Undoes = "U1", []string{takes}
		return c
	}
	m := items{}
	var undo []memory.Change
	for i, id := range []string{"a", "b", "c"} {
		u := undone([]string{"U1", "U2", "U3"}[i], id, "C"+id)
		undo = append(undo, u)
		m[id] = &ledger.Entry{Item: out(id), Changes: []memory.Change{change("C"+id, id, 1, memory.ActionAdded), u}}
	}
	edited := m["b"]
	edited.Item.Version, edited.Item.Content = 3, "by hand"
	edited.Changes = append(edited.Changes, change("E", "b", 3, memory.ActionEdited))
	links := map[string]string{"b": "a"} // b had replaced a, before the undo
	p, err := ledger.Redo(m.world(func(id string, n int) (memory.Item, bool) {
		it := item(id, id, n)
		it.Supersedes = links[id]
		return it, true
	}), undo)
	if err != nil {
		t.Fatal(err)
	}
	var steps, left []string
	for _, s := range p.Steps {
		steps = append(steps, s.Item.ID)
		if s.Restores != 1 || s.Action != memory.ActionRedone || !cmp.Equal(s.Undoes, []string{"U3"}) || !s.Item.IsActive() || s.Item.Version != 2 {
			t.Errorf("step %+v", s)
		}
	}
	for _, l := range p.Left {
		left = append(left, l.Change.ItemID+" "+l.Why)
	}
	why := " what it brought about was changed since"
	if diff := cmp.Diff([][]string{{"c"}, {"a" + why, "b" + why}}, [][]string{steps, left}); diff != "" {
		t.Error(diff)
	}
}

// What is undone is told from the notes alone: an undo that was itself undone
// counts for nothing.
func TestUndoneIn(t *testing.T) {
	first, undo, redo := change("C1", "a", 1, memory.ActionAdded), change("C2", "a", 2, memory.ActionUndone), change("C3", "a", 3, memory.ActionRedone)
	undo.Undoes, redo.Undoes = []string{"C1"}, []string{"C2"}
	for n, want := range map[int]map[string]bool{1: {}, 2: {"C1": true}, 3: {"C2": true}} {
		if diff := cmp.Diff(want, ledger.UndoneIn([]memory.Change{first, undo, redo}[:n])); diff != "" {
			t.Errorf("%d changes:\n%s", n, diff)
		}
	}
}
