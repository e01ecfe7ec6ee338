package manager_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

func init() { children["__undo"] = undoChild }

// undoChild lives through turns that each teach several things, undoes them and
// takes that back, for ever. What it undid is printed when it is durable.
func undoChild(dir string) error {
	ctx := context.Background()
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		turn, err := sayPlainly(ctx, m, fmt.Sprintf("I like blend %d of tea. My name is Bo%d. Remember that parcel %d waits.", time.Now().UnixNano(), n, n))
		if err != nil {
			return err
		}
		fmt.Println("undo", turn)
		u, err := m.Learning().UndoTurn(ctx, luna, turn)
		if err != nil {
			return err
		}
		fmt.Println("undone", turn)
		if n%3 == 0 {
			fmt.Println("redo", turn)
			if _, err := m.Learning().Undo(ctx, luna, u.ID); err != nil {
				return err
			}
			fmt.Println("redone", turn)
		}
	}
}

func sayPlainly(ctx context.Context, m *manager.Manager, text string) (string, error) {
	in, err := m.KeepIncoming(ctx, luna, text, nil, "")
	if err != nil {
		return "", err
	}
	turn, err := m.BeginTurn(ctx, luna, in.ID, manager.Place{})
	if err != nil {
		return "", err
	}
	_, err = m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.", Status: memory.StatusComplete,
	}, true)
	if err != nil {
		return "", err
	}
	return turn.Record.TurnID, m.Learning().Learn(ctx, luna, nil)
}

// P9, Q3: a kill in the middle of an undo leaves it done or not begun; what was
// acknowledged is done; index and store agree.
func TestKillInUndo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	acked := 0
	for range kills(t, 4) {
		last := map[string]string{} // how far it came with each turn
		killedAfter(t, "__undo", dir, 1+rand.IntN(30), 4*time.Millisecond, func(what, turn string) { last[turn] = what })
		acked += len(last)
		wantUndoWhole(t, dir, last)
		if t.Failed() {
			return
		}
	}
	if acked == 0 {
		t.Error("nothing was undone: nothing was proven")
	}
}

func wantUndoWhole(t *testing.T, dir string, last map[string]string) {
	t.Helper()
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for turn, what := range last {
		undone := 0
		changes := must(m.Lookup().TurnChanges(t.Context(), luna, turn))(t)
		for _, c := range changes {
			if c.Undone {
				undone++
			}
		}
		done, not := undone == len(changes), undone == 0
		switch {
		case len(changes) < 3, !done && !not, what == "undone" && !done, what == "redone" && !not:
			t.Errorf("%s was acknowledged last of turn %s: of its %d changes %d are undone", what, turn, len(changes), undone)
		}
	}
	wantProfile(t.Context(), t, m, luna)
	names := 0
	page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{}))(t)
	for _, it := range page.Items {
		if it.Key == "name" && it.IsActive() {
			names++
		}
	}
	if names > 1 {
		t.Errorf("%d names are in force", names)
	}
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	for _, s := range must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: "blend tea parcel name", Limit: 100}))(t).Chosen {
		if !s.Item.IsActive() {
			t.Errorf("an undone memory is recalled: %s", s.Item.Content)
		}
	}
}
