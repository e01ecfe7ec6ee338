package manager_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
)

func init() { children["__branch"] = branchChild }

// branchChild lives through turns, undoes them, takes that back, and edits them, for
// ever. What it did is printed when it is durable.
func branchChild(dir string) error {
	ctx := context.Background()
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		turn, err := sayPlainly(ctx, m, fmt.Sprintf("I like blend %d of tea. Remember that parcel %d waits.", time.Now().UnixNano(), n))
		if err != nil {
			return err
		}
		s, _, err := m.Lookup().LastSession(ctx, luna)
		if err != nil {
			return err
		}
		fmt.Println("begun", turn)
		if n%3 == 2 { // the next message takes its place
			b, err := m.Lookup().Branch(ctx, luna, s.ID)
			if err != nil {
				return err
			}
			in, err := m.KeepIncoming(ctx, luna, "Something else", nil, b.Records[len(b.Records)-2].ID)
			if err != nil {
				return err
			}
			if _, err := m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: s.ID}); err != nil {
				return err
			}
			fmt.Println("left", turn)
			continue
		}
		left, _, err := m.UndoLastTurn(ctx, luna, s.ID)
		if err != nil {
			return err
		}
		fmt.Println("left", turn)
		if n%3 == 1 {
			fmt.Println("returning", turn) // may be done and not acknowledged
			if _, err := m.RedoTurn(ctx, luna, left); err != nil {
				return err
			}
			fmt.Println("back", turn)
		}
	}
}

// A1, P9, Q3: a kill while a turn is left, taken back or edited leaves that done or
// not begun: what a turn taught is remembered exactly while the branch has the turn.
func TestKillInBranches(t *testing.T) {
	noRace(t)
	dir := filepath.Join(t.TempDir(), "data")
	seen := 0
	for range kills(t, 3) {
		last := map[string]string{}
		killedAfter(t, "__branch", dir, 1+rand.IntN(20), 4*time.Millisecond, func(what, turn string) { last[turn] = what })
		seen += len(last)
		wantBranchesWhole(t, dir, last)
		if t.Failed() {
			return
		}
	}
	if seen == 0 {
		t.Error("nothing was left: nothing was proven")
	}
}

func wantBranchesWhole(t *testing.T, dir string, last map[string]string) {
	t.Helper()
	ctx := t.Context()
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	must(m.Recover(ctx, luna))(t)
	sessions, _, err := m.Lookup().Sessions(ctx, luna, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		b := must(m.Lookup().Branch(ctx, luna, s.ID))(t)
		in := map[string]bool{}
		for _, r := range b.Records {
			in[r.TurnID] = true
		}
		for _, r := range must(m.Lookup().Records(ctx, luna, s.ID))(t) {
			what, known := last[r.TurnID]
			if r.Role != memory.RoleUser || !known {
				continue
			}
			undone := 0
			changes := must(m.Lookup().TurnChanges(ctx, luna, r.TurnID))(t)
			for _, c := range changes {
				if c.Undone {
					undone++
				}
			}
			if in[r.TurnID] && undone > 0 || !in[r.TurnID] && undone < len(changes) || len(changes) < 2 {
				t.Errorf("%s was acknowledged last: in the branch %v, %d of %d changes are undone", what, in[r.TurnID], undone, len(changes))
			}
			if what == "left" && in[r.TurnID] {
				t.Error("an acknowledged undo is lost")
			}
		}
	}
}
