package manager_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/manager"
)

func init() { children["__agent"] = agentChild }

// withDoomed lets an agent hear something in a group of two.
func withDoomed(ctx context.Context, m *manager.Manager, group, id string) error {
	_, err := m.AddGroup(ctx, memory.Group{ID: group, Members: []string{"mate", id}})
	if errors.Is(err, memory.ErrInvalid) { // it is there
		_, err = m.EditGroup(ctx, group, func(g *memory.Group) { g.Members = []string{"mate", id} })
	}
	if err == nil {
		_, err = talking(ctx, m, group, "", "Good morning.", said{"mate", "I see."})
	}
	return err
}

// agentChild fills an agent, deletes it, takes that back or makes it final, for ever.
func agentChild(dir string) error {
	ctx := context.Background()
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		id := fmt.Sprintf("doomed-%d", time.Now().UnixNano())
		if _, err := m.Agents().CreateAgent(ctx, memory.Agent{ID: id, Persona: canary}); err != nil {
			return err
		}
		long := strings.Repeat(canary+" ", memory.MaxContent/10)
		if _, err := m.KeepIncoming(ctx, id, long, nil, ""); err != nil {
			return err
		}
		for i := range 20 {
			if _, err := m.Learning().AddItem(ctx, id, memory.Item{Content: fmt.Sprintf("%s %d", canary, i), Type: memory.TypeFact}); err != nil {
				return err
			}
		}
		pair := fmt.Sprintf("pair-%d", n%2+1)
		if err := withDoomed(ctx, m, pair, id); err != nil {
			return err
		}
		fmt.Println("delete", id)
		d, err := m.DeleteAgent(ctx, id)
		if err != nil {
			return err
		}
		fmt.Println("deleted", id)
		if n%3 == 1 {
			fmt.Println("back", id)
			if _, err := m.UndoAgentDeletion(ctx, id, d.ID); err != nil {
				return err
			}
			continue
		}
		if err := m.Trash().Purge(ctx); err != nil {
			return err
		}
		fmt.Println("final", id)
	}
}

// D2, S9, Q3: killed at any moment of deleting an agent or taking it back, it is whole or
// gone, for its groups too, the next start finishes it, and another agent is as it was.
func TestKilledWhileDeletingAnAgent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	m := must(openReal(dir))(t)
	say(t, m, luna, "", "I like oolong tea")
	before := seeAll(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for range kills(t, 3) {
		state := map[string]string{} // what was said last of each agent
		killedAfter(t, "__agent", dir, 1+rand.IntN(9), 4*time.Millisecond, func(what, id string) { state[id] = what })
		m := must(openReal(dir))(t)
		for id, what := range state {
			info := must(m.Lookup().Agent(t.Context(), id))(t)
			switch whole, none := info.Memories == 20 && info.Persona == canary, info.Empty() && info.Persona == ""; {
			case !whole && !none:
				t.Errorf("after %q %s is %+v", what, id, info)
			case whole && (what == "deleted" || what == "final"), none && what == "filled":
				t.Errorf("after %q %s is whole: %v", what, id, whole)
			}
		}
		wantInGroups(t, m, state)
		if err := m.Trash().Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
			t.Fatal("another agent was touched\n", diff)
		}
		for _, g := range must(m.Lookup().Groups(t.Context()))(t) {
			must(m.DeleteGroup(t.Context(), g.ID, true))(t)
		}
		var left []string
		for _, a := range must(m.Lookup().Agents(t.Context()))(t) {
			if a.ID != luna {
				left = append(left, a.ID)
				must(m.DeleteAgent(t.Context(), a.ID))(t)
			}
		}
		if err := errors.Join(m.Trash().Purge(t.Context()), m.Close()); err != nil {
			t.Fatal(err)
		}
		m = must(openReal(dir))(t) // what the crash left is found now
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if found := traces(t, dir, "doomed", canary); len(found) > 0 {
			t.Fatalf("after %v were deleted there is %v", left, found)
		}
	}
}

// wantInGroups checks that an agent that is there and heard something in a group is known
// there, as a member for whom it goes on or as one who left, and one that is gone is not.
func wantInGroups(t *testing.T, m *manager.Manager, state map[string]string) {
	t.Helper()
	ctx := t.Context()
	for id, what := range state {
		there := !must(m.Lookup().Agent(ctx, id))(t).Empty()
		heard := map[string]bool{}
		all, _, err := m.Lookup().Sessions(ctx, id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			g := must(m.Lookup().Group(ctx, s.Group))(t)
			heard[g.ID] = true
			if !slices.Contains(g.Hearers(), id) || !g.Has(id) && s.State == memory.SessionActive {
				t.Errorf("after %q %s has heard a session of %s, which is %s and has %v and %v", what, id, g.ID, s.State, g.Members, g.Left)
			}
		}
		for _, g := range must(m.Lookup().Groups(ctx))(t) {
			if slices.Contains(g.Hearers(), id) && !there {
				t.Errorf("after %q %s is gone and in %s: %v, %v", what, id, g.ID, g.Members, g.Left)
			}
		}
	}
}
