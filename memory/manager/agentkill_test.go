package manager_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
)

// agentDir names the data folder to a process that is killed while it deletes agents.
const agentDir = "MEMORIA_TEST_AGENT_DIR"

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
	for range 6 {
		state := killAgentChild(t, dir)
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

// killAgentChild runs a child, kills it at some moment, and returns what it said last
// of each agent.
func killAgentChild(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), agentDir+"="+dir)
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	state, lines := map[string]string{}, 0
	most := 1 + rand.IntN(9)
	in := bufio.NewScanner(out)
	for in.Scan() {
		what, id, _ := strings.Cut(in.Text(), " ")
		state[id] = what
		if lines++; lines == most {
			time.AfterFunc(time.Duration(rand.IntN(4000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait()
	if lines == 0 {
		t.Fatal("the child did nothing")
	}
	return state
}
