package manager_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
)

func init() { children["__agent"] = agentChild }

// agentChild fills an agent, deletes it, takes that back or makes it final, for ever.
func agentChild(dir string) error {
	ctx := context.Background()
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		id := fmt.Sprintf("doomed-%d", time.Now().UnixNano())
		if _, err := m.CreateAgent(ctx, memory.Agent{ID: id, Persona: canary}); err != nil {
			return err
		}
		long := strings.Repeat(canary+" ", memory.MaxContent/10)
		if _, err := m.KeepIncoming(ctx, id, long, nil); err != nil {
			return err
		}
		for i := range 20 {
			if _, err := m.AddItem(ctx, id, memory.Item{Content: fmt.Sprintf("%s %d", canary, i), Type: memory.TypeFact}); err != nil {
				return err
			}
		}
		fmt.Println("delete", id)
		d, err := m.DeleteAgent(ctx, id)
		if err != nil {
			return err
		}
		fmt.Println("deleted", id)
		if n%3 == 1 {
			fmt.Println("back", id)
			if _, err := m.TakeBackAgent(ctx, id, d.ID); err != nil {
				return err
			}
			continue
		}
		if err := m.Purge(ctx); err != nil {
			return err
		}
		fmt.Println("final", id)
	}
}

// D2, Q3: killed at any moment of deleting an agent, it is whole or gone, the next
// start finishes it, and another agent is as it was.
func TestKilledWhileDeletingAnAgent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	m := must(openReal(dir))(t)
	say(t, m, luna, "", "I like oolong tea")
	before := seeAll(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for range rounds(t, 6) {
		state := map[string]string{} // what was said last of each agent
		killedAfter(t, "__agent", dir, 1+rand.IntN(9), 4*time.Millisecond, func(what, id string) { state[id] = what })
		m := must(openReal(dir))(t)
		for id, what := range state {
			info := must(m.Agent(t.Context(), id))(t)
			switch whole, none := info.Memories == 20 && info.Persona == canary, info.Empty() && info.Persona == ""; {
			case !whole && !none:
				t.Errorf("after %q %s is %+v", what, id, info)
			case whole && (what == "deleted" || what == "final"), none && what == "filled":
				t.Errorf("after %q %s is whole: %v", what, id, whole)
			}
		}
		if err := m.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
			t.Fatal("another agent was touched\n", diff)
		}
		var left []string
		for _, a := range must(m.Agents(t.Context()))(t) {
			if a.ID != luna {
				left = append(left, a.ID)
				must(m.DeleteAgent(t.Context(), a.ID))(t)
			}
		}
		if err := errors.Join(m.Purge(t.Context()), m.Close()); err != nil {
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
