package manager_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
	"memoria/prompts"
)

// consolidateDir names the data folder to a process that ends sessions until it is
// killed.
const consolidateDir = "MEMORIA_TEST_CONSOLIDATE_DIR"

// consolidateChild holds and ends sessions for ever; a model reads them, and now
// and then one goes on. It prints what was acknowledged.
func consolidateChild(dir string) error {
	cfg := manager.DefaultConfig()
	m, err := manager.Open(context.Background(), manager.Options{Dir: dir, Config: cfg, Now: time.Now, LockTimeout: 10 * time.Second})
	if err != nil {
		return err
	}
	ctx := context.Background()
	set, err := prompts.New("")
	if err != nil {
		return err
	}
	model := &completer{answer: func(_ context.Context, req learn.Request) (learn.Answer, error) {
		_, said, _ := strings.Cut(req.Prompt, `Message of the user, new: "We keep barrel `)
		n, _, _ := strings.Cut(said, " ")
		var items []string
		for _, where := range []string{"cellar", "attic", "garden"} {
			items = append(items, fmt.Sprintf(
				`{"type": "fact", "about": "barrel", "content": "Barrel %s, %s", "quotes": ["keep barrel %[1]s in the %[2]s"], "confidence": 0.8, "importance": 0.5}`, n, where))
		}
		if n == "" || req.Tool.Name != learn.CondenseToolName {
			items = nil
		}
		return learn.Answer{Arguments: `{"items": [` + strings.Join(items, ",") + `]}`}, nil
	}}
	for {
		session := ""
		n := rand.IntN(1_000_000)
		for _, where := range []string{"cellar", "attic", "garden"} {
			in, err := m.KeepIncoming(ctx, luna, fmt.Sprintf("We keep barrel %d in the %s of our house.", n, where), nil)
			if err != nil {
				return err
			}
			turn, err := m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: session})
			if err != nil {
				return err
			}
			session = turn.Session.ID
			reply := memory.Record{
				AgentID: luna, SessionID: session, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
				Status: memory.StatusComplete, Model: "test",
			}
			if _, err := m.FinishTurn(ctx, reply, true); err != nil {
				return err
			}
		}
		if err := m.ArchiveSession(ctx, luna, session); err != nil {
			return err
		}
		fmt.Println("ended", session)
		if err := m.Learn(ctx, luna, nil); err != nil {
			return err
		}
		if err := m.Analyse(ctx, luna, manager.Analyst{Model: model, Prompts: set}, nil); err != nil {
			return err
		}
		fmt.Println("generated", session)
	}
}

// P7, S5, Q3: a kill anywhere in a consolidation leaves it done or not begun, never
// twice; the next process ends it.
func TestKillInConsolidation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	acked := 0
	for range rounds(t, 5) {
		last := consolidateRound(t, dir)
		acked += len(last)
		wantGeneratedWhole(t, dir, last)
		if t.Failed() {
			return
		}
	}
	if acked == 0 {
		t.Error("nothing was consolidated: nothing was proven")
	}
}

func consolidateRound(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), consolidateDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	left := 1 + rand.IntN(8)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, session, _ := strings.Cut(lines.Text(), " ")
		last[session] = what
		if left--; left == 0 {
			time.AfterFunc(time.Duration(rand.IntN(8000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process ended by itself")
	}
	return last
}

func wantGeneratedWhole(t *testing.T, dir string, last map[string]string) {
	t.Helper()
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	check := func(id, acked string) {
		s := session(t, m, id)
		items := 0
		for _, it := range inForce(t, m) {
			if it.Type == memory.TypeFact && it.Generation != "" && it.SessionID == id {
				items++
			}
		}
		changes := 0
		for _, c := range ofGeneration(t, m, s.Generation) {
			if c.Item.Type == memory.TypeFact { // topics are shared by sessions
				changes++
			}
		}
		whole := s.Memories == memory.MemoriesGenerated && s.Summary != nil && items == 3 && changes == 3
		none := s.Memories == memory.MemoriesGenerating && items == 0 && changes == 0
		if !whole && (!none || acked == "generated") {
			t.Errorf("%s was acknowledged last of %s: %d memories, %d changes, %s", acked, id, items, changes, s.Memories)
		}
	}
	for id, what := range last {
		check(id, what)
	}
	if _, err := m.Recover(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
}
