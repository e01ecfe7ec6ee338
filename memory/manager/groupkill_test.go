package manager_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

func init() { children["__group"] = groupChild }

// groupChild holds a group's sessions for ever: it ends them, goes on in old ones and
// deletes some. It prints what was acknowledged.
func groupChild(dir string) error {
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := m.AddGroup(ctx, memory.Group{ID: trio, Members: three}); err != nil && !errors.Is(err, memory.ErrInvalid) {
		return err
	}
	if _, err := m.Recover(ctx, trio); err != nil {
		return err
	}
	learn := func() error {
		for _, id := range append([]string{trio}, three...) {
			if err := m.Learning().Learn(ctx, id, nil); err != nil {
				return err
			}
		}
		return nil
	}
	session := ""
	for n := 0; ; n++ {
		turn, err := talking(ctx, m, trio, session, fmt.Sprintf("I like blend %d of tea. We keep it on shelf %d.", rand.IntN(1_000_000), n),
			said{"ann", "I see."}, said{"cy", "Good."})
		if err != nil {
			return err
		}
		session = turn.Session.ID
		fmt.Println("said", turn.Record.ID)
		switch rand.IntN(6) {
		case 0, 1:
			if err := m.ArchiveSession(ctx, trio, session); err != nil {
				return err
			}
			fmt.Println("ended", session)
			if rand.IntN(2) == 0 {
				session = ""
			}
			err = learn()
		case 2:
			err = learn()
		case 3:
			fmt.Println("delete?", turn.Record.ID)
			var d write.Deletion
			d, err = m.DeleteRecords(ctx, trio, true, turn.Record.ID)
			if err == nil && rand.IntN(2) == 0 {
				_, err = m.UndoDeletion(ctx, trio, d.ID)
			}
		}
		if err != nil {
			return err
		}
	}
}

// S9, S5, Q3: a kill anywhere in a group's turn, its end, its revival or a deletion
// leaves what it is for all members or for none, and nothing acknowledged is lost.
func TestKillInGroup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	acked := 0
	for range kills(t, 3) {
		said, maybe := groupRound(t, dir)
		acked += len(said)
		wantOneForAll(t, dir, said, maybe)
		if t.Failed() {
			return
		}
	}
	if acked == 0 {
		t.Error("nothing was acknowledged: nothing was proven")
	}
}

func groupRound(t *testing.T, dir string) (said []string, maybe map[string]bool) {
	t.Helper()
	maybe = map[string]bool{}
	killedAfter(t, "__group", dir, 1+rand.IntN(12), 12*time.Millisecond, func(what, id string) {
		switch what {
		case "said":
			said = append(said, id)
		case "delete?":
			maybe[id] = true
		}
	})
	return said, maybe
}

func wantOneForAll(t *testing.T, dir string, said []string, maybe map[string]bool) {
	t.Helper()
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx := t.Context()
	if _, err := m.Recover(ctx, trio); err != nil {
		t.Fatal(err)
	}
	for _, id := range said {
		if _, err := m.Lookup().Record(ctx, trio, id); err != nil && !maybe[id] {
			t.Errorf("%s is lost: %v", id, err)
		}
	}
	sessions, _, err := m.Lookup().Sessions(ctx, trio, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range three {
		if st := must(m.Lookup().Status(ctx, member))(t); st.Damage != "" {
			t.Errorf("%s: %s", member, st.Damage)
		}
		mine, _, err := m.Lookup().Sessions(ctx, member, 0, 0)
		if err != nil || len(mine) != len(sessions) {
			t.Errorf("%s has %d sessions of %d, %v", member, len(mine), len(sessions), err)
		}
		for _, s := range sessions {
			has := must(m.Lookup().Session(ctx, member, s.ID))(t)
			if (has.State == memory.SessionActive) != (s.State == memory.SessionActive) || has.Epoch != s.Epoch || has.Messages != s.Messages || has.Turns != s.Turns {
				t.Errorf("%s has %+v\nof %+v", member, has, s)
			}
			var want, got []string
			for _, r := range must(m.Lookup().Records(ctx, trio, s.ID))(t) {
				want = append(want, r.ID+r.Content)
			}
			for _, r := range must(m.Lookup().Records(ctx, member, s.ID))(t) {
				got = append(got, r.ID+r.Content)
			}
			if !slices.Equal(want, got) {
				t.Errorf("%s heard %d messages of %d", member, len(got), len(want))
			}
		}
		for _, it := range must(m.Lookup().Items(ctx, member, lookup.ItemFilter{All: true}))(t).Items {
			if _, err := m.Lookup().Record(ctx, member, it.Evidence[0].RecordID); err != nil {
				t.Errorf("%s learned from what is not there: %v", member, err)
			}
		}
	}
}
