package manager_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// history is a random life of one agent's items.
type history struct {
	*rapid.T
	ctx       context.Context
	m         *manager.Manager
	turns     []string
	deletions []string
}

func (h *history) ok(err error, but ...error) {
	h.Helper()
	for _, allowed := range but {
		if errors.Is(err, allowed) {
			return
		}
	}
	if err != nil {
		h.Fatal(err)
	}
}

func (h *history) items() []memory.Item {
	h.Helper()
	page, err := h.m.Lookup().Items(h.ctx, luna, lookup.ItemFilter{All: true})
	h.ok(err)
	return page.Items
}

// one draws one of the items; false when there is none.
func (h *history) one() (memory.Item, bool) {
	all := h.items()
	if len(all) == 0 {
		return memory.Item{}, false
	}
	return all[rapid.IntRange(0, len(all)-1).Draw(h.T, "item")], true
}

func (h *history) changes() []memory.Change {
	h.Helper()
	page, err := h.m.Lookup().Changes(h.ctx, luna, lookup.ChangeFilter{})
	h.ok(err)
	return page.Changes
}

func (h *history) actions() map[string]func(*rapid.T) {
	said := []string{
		"My name is Bo", "My name is Ann", "My name is Cleo", "I like tea", "I don't like tea", "Remember that I live in Rome",
		"I live in Paris", "I live in Rome", "I like tea. My name is Bo. I live in Paris", "My name is Ann. No, my name is Bo",
	}
	keys := []string{"name", "home", "preference/tea"}
	states := []memory.State{memory.StateActive, memory.StateActive, memory.StateMuted, memory.StateHeld, memory.StateInactive}
	return map[string]func(*rapid.T){
		"say": func(t *rapid.T) {
			h.turns = append(h.turns, h.say(rapid.SampledFrom(said).Draw(t, "words")))
		},
		"add": func(t *rapid.T) {
			_, err := h.m.Learning().AddItem(h.ctx, luna, memory.Item{Content: "by hand", Key: rapid.SampledFrom(keys).Draw(t, "key")})
			h.ok(err)
		},
		"edit": func(t *rapid.T) {
			it, ok := h.one()
			if !ok {
				return
			}
			how := rapid.IntRange(0, 2).Draw(t, "how")
			_, err := h.m.Learning().EditItem(h.ctx, luna, it.ID, func(it *memory.Item) {
				switch how {
				case 0:
					it.Content = strings.TrimRight(it.Content, "!") + "!"
				case 1:
					it.State = rapid.SampledFrom(states).Draw(t, "state")
				case 2:
					it.Key = rapid.SampledFrom(keys).Draw(t, "key")
				}
			})
			h.ok(err)
		},
		"delete": func(*rapid.T) {
			if it, ok := h.one(); ok {
				d, err := h.m.DeleteItems(h.ctx, luna, it.ID)
				h.ok(err)
				h.deletions = append(h.deletions, d.ID)
			}
		},
		"take back": func(*rapid.T) {
			if n := len(h.deletions); n > 0 {
				_, err := h.m.UndoDeletion(h.ctx, luna, h.deletions[n-1])
				h.ok(err, manager.ErrGone)
				h.deletions = h.deletions[:n-1]
			}
		},
		"undo": func(t *rapid.T) {
			if all := h.changes(); len(all) > 0 {
				h.undo(func() (learning.Undone, error) {
					return h.m.Learning().Undo(h.ctx, luna, all[rapid.IntRange(0, len(all)-1).Draw(t, "change")].ID)
				})
			}
		},
		"undo last": func(*rapid.T) {
			h.undo(func() (learning.Undone, error) { return h.m.Learning().UndoLast(h.ctx, luna) })
		},
		"undo turn": func(t *rapid.T) {
			if len(h.turns) == 0 {
				return
			}
			own := h.own()
			h.undo(func() (learning.Undone, error) {
				return h.m.Learning().UndoTurn(h.ctx, luna, h.turns[rapid.IntRange(0, len(h.turns)-1).Draw(t, "turn")])
			})
			now := map[string]memory.Item{}
			for _, it := range h.items() {
				now[it.ID] = it
			}
			// What the user wrote stays: only its neighbours may be others.
			for id, before := range own {
				if diff := cmp.Diff(before, now[id], said2); diff != "" {
					t.Fatalf("the user's own item %s was touched:\n%s", id, diff)
				}
			}
		},
		"": func(*rapid.T) { h.check() },
	}
}

// said2 leaves the links out too.
var said2 = cmp.Options{restored, cmpopts.IgnoreFields(memory.Item{}, "Supersedes", "SupersededBy")}

// own are the items that are as the user wrote them last.
func (h *history) own() map[string]memory.Item {
	out := map[string]memory.Item{}
	for _, it := range h.items() {
		past, err := h.m.Lookup().History(h.ctx, luna, it.ID)
		h.ok(err)
		for _, c := range past {
			if c.Version == it.Version && c.Origin == memory.OriginUser && (c.Action == memory.ActionAdded || c.Action == memory.ActionEdited) {
				out[it.ID] = it
			}
		}
	}
	return out
}

func (h *history) say(text string) string {
	in, err := h.m.KeepIncoming(h.ctx, luna, text, nil, "")
	h.ok(err)
	turn, err := h.m.BeginTurn(h.ctx, luna, in.ID, manager.Place{})
	h.ok(err)
	_, err = h.m.FinishTurn(h.ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.", Status: memory.StatusComplete,
	}, true)
	h.ok(err)
	h.ok(h.m.Learning().Learn(h.ctx, luna, nil))
	return turn.Record.TurnID
}

// undo holds what was brought back against the version that it was.
func (h *history) undo(do func() (learning.Undone, error)) {
	before := map[string]map[int]memory.Item{}
	for _, it := range h.items() {
		before[it.ID] = h.versions(it)
	}
	u, err := do()
	h.ok(err, lookup.ErrNotFound)
	for _, c := range u.Did {
		switch {
		case c.Restores > 0:
			if diff := cmp.Diff(before[c.ItemID][c.Restores], *c.Item, said2); diff != "" {
				h.Fatalf("%s of %s is not version %d again:\n%s", c.Action, c.ItemID, c.Restores, diff)
			}
		case c.Action == memory.ActionUndone:
			if c.Item.State != memory.StateInactive {
				h.Fatalf("taken out and %s", c.Item.State)
			}
		}
	}
}

// versions are all that is kept of an item.
func (h *history) versions(it memory.Item) map[int]memory.Item {
	out := map[int]memory.Item{}
	for v := 1; v <= it.Version; v++ {
		old, err := h.m.Lookup().ItemVersion(h.ctx, luna, it.ID, v)
		h.ok(err)
		out[v] = old
	}
	return out
}

// check: no two active items fill one slot, and each item has its history.
func (h *history) check() {
	slots := map[string]string{}
	for _, it := range h.items() {
		if it.IsActive() != (it.State == memory.StateActive) {
			h.Fatalf("%s is %s, and active: %v", it.ID, it.State, it.IsActive())
		}
		if it.State == memory.StateActive && it.Key != "" {
			if other := slots[it.Key]; other != "" {
				h.Fatalf("%s and %s both fill %s", other, it.ID, it.Key)
			}
			slots[it.Key] = it.ID
		}
		past, err := h.m.Lookup().History(h.ctx, luna, it.ID)
		h.ok(err)
		made := map[int]int{}
		for _, c := range past {
			if c.Action != memory.ActionRestored {
				made[c.Version]++
			}
		}
		for v, old := range h.versions(it) {
			if made[v] != 1 || old.Version != v {
				h.Fatalf("%s: version %d was made by %d changes and says it is %d", it.ID, v, made[v], old.Version)
			}
		}
	}
}

// blocked reports whether an item stays because the slot that it would go back to
// is filled: two that the user let change places stand in each other's way.
func (h *history) blocked(id string) bool {
	changes, err := h.m.Lookup().History(h.ctx, luna, id)
	h.ok(err)
	for _, c := range changes {
		if c.Undone || c.Undo != "" {
			continue
		}
		u, err := h.m.Learning().Undo(h.ctx, luna, c.ID)
		h.ok(err)
		if len(u.Did) > 0 {
			return false
		}
		if slices.Contains(whys(u), "another memory fills its place by now") {
			return true
		}
	}
	return false
}

// P9, P4: whatever is said, written, edited, deleted, undone and undone again in
// whatever order, no two active items contradict, none lacks its history, and the
// user's own words stay. Everything undone leaves nothing active but what cannot
// go back.
func TestUndoInAnyOrder(t *testing.T) {
	fewer(t, 30)
	ctx := t.Context()
	c := newClock()
	m, err := manager.Open(ctx, manager.Options{
		Dir: filepath.Join(t.TempDir(), "data"), Config: write.DefaultConfig(), Now: c.Now, NoSync: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{T: rt, ctx: ctx, m: m}
		_, err := m.ClearItems(ctx, luna)
		h.ok(err)
		h.ok(m.Trash().Purge(ctx))
		rt.Repeat(h.actions())
		for {
			u, err := m.Learning().UndoLast(ctx, luna)
			if errors.Is(err, lookup.ErrNotFound) {
				break
			}
			h.ok(err)
			if len(u.Did) == 0 {
				rt.Fatalf("the last change cannot be undone: %v", whys(u))
			}
			h.check()
		}
		for _, it := range h.items() {
			if it.IsActive() && !h.blocked(it.ID) {
				rt.Fatalf("everything is undone, and %s is active: %+v", it.ID, it)
			}
		}
	})
}
