package manager_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/prompts"
)

func init() { children["__consolidate"] = consolidateChild }

// consolidateChild holds and ends sessions for ever; a model reads them, and now
// and then one goes on. It prints what was acknowledged.
func consolidateChild(dir string) error {
	cfg := write.DefaultConfig()
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
		_, said, _ := strings.Cut(req.Prompt, `Message of the user, new: "We stack barrel `)
		n, _, _ := strings.Cut(said, " ")
		var items []string
		for _, where := range []string{"cellar", "attic", "loft"} {
			items = append(items, fmt.Sprintf(
				`{"type": "fact", "about": "barrel", "content": "Barrel %s, %s", "quotes": ["stack barrel %[1]s in the %[2]s"], "confidence": 0.8, "importance": 0.5}`, n, where))
		}
		if n == "" || req.Tool.Name != learn.CondenseToolName {
			items = nil
		}
		return learn.Answer{Arguments: `{"items": [` + strings.Join(items, ",") + `]}`}, nil
	}}
	for {
		session := ""
		n := time.Now().UnixNano() // never twice: known facts are not learned again
		for _, where := range []string{"cellar", "attic", "loft"} {
			in, err := m.KeepIncoming(ctx, luna, fmt.Sprintf("We stack barrel %d in the %s of our house.", n, where), nil, "")
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
		if err := m.Learning().Learn(ctx, luna, nil); err != nil {
			return err
		}
		if err := m.Learning().Analyse(ctx, luna, learning.Analyst{Model: model, Prompts: set}, nil); err != nil {
			return err
		}
		fmt.Println("generated", session)
	}
}

// P7, S5, Q3: a kill anywhere in a consolidation leaves it done or not begun, never
// twice; the next process ends it.
func TestKillInConsolidation(t *testing.T) {
	noRace(t)
	dir := filepath.Join(t.TempDir(), "data")
	acked := 0
	for range kills(t, 3) {
		last := map[string]string{}
		killedAfter(t, "__consolidate", dir, 1+rand.IntN(8), 8*time.Millisecond, func(what, session string) { last[session] = what })
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
