package manager_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/manager"
)

// grove is two sessions at random, the later with a judged message somewhere in its
// tree, and what hangs from what, deleted messages too.
type grove struct {
	t      *rapid.T
	trees  *trees
	m      *manager.Manager
	judged memory.Record
	said   map[string]string // by turn, the message that it answers
	parent map[string]string // by record, also of those that are gone
	gone   map[string]bool
	undone []string // deletions that can be taken back
}

// note takes in what was written since.
func (g *grove) note() []memory.Record {
	var all []memory.Record
	for _, s := range sessions(g.trees.tb, g.m) {
		for _, r := range must(g.m.Lookup().Records(g.trees.tb.Context(), luna, s.ID))(g.trees.tb) {
			if _, known := g.parent[r.ID]; !known {
				g.parent[r.ID] = r.ParentID
			}
			all = append(all, r)
		}
	}
	return all
}

func (g *grove) say(at manager.Place, edits string) memory.Record {
	ctx := g.trees.tb.Context()
	in, err := g.m.KeepIncoming(ctx, luna, g.trees.words("said"), nil, "")
	if edits != "" {
		must(g.m.DropIncoming(ctx, luna, in.ID))(g.trees.tb)
		in, err = g.m.KeepIncoming(ctx, luna, g.trees.words("said"), nil, edits)
	}
	g.trees.must(err)
	turn, err := g.m.BeginTurn(ctx, luna, in.ID, at)
	g.trees.must(err)
	g.said[turn.Record.TurnID] = turn.Record.ID
	g.trees.answer(turn, g.trees.words("answered"))
	return turn.Record
}

// step does something in a session.
func (g *grove) step(session string) {
	ctx := g.trees.tb.Context()
	var here, mine []string
	for _, r := range g.note() {
		if r.SessionID != session {
			continue
		}
		if here = append(here, r.ID); r.Role == memory.RoleUser {
			mine = append(mine, r.ID)
		}
	}
	at := manager.Place{SessionID: session}
	pick := func(from []string) string { return rapid.SampledFrom(from).Draw(g.t, "record") }
	switch rapid.SampledFrom([]string{"say", "say", "anew", "edit", "edit", "undo", "go", "delete"}).Draw(g.t, "step") {
	case "say":
		g.say(at, "")
	case "edit":
		g.say(at, pick(mine))
	case "anew":
		id := pick(mine)
		turn, err := g.m.RegenerateTurn(ctx, luna, id, at)
		g.trees.must(err)
		g.said[turn.Record.TurnID] = id
		g.trees.answer(turn, g.trees.words("answered anew"))
	case "undo":
		_, _, _ = g.m.UndoLastTurn(ctx, luna, session) // there may be none before it
	case "go":
		_, err := g.m.StepBranch(ctx, luna, session, pick(here), 0)
		g.trees.must(err)
	case "delete":
		id := pick(here)
		if id == g.judged.ID || len(mine) < 2 || len(mine) == 2 && slices.Contains(mine, id) {
			return
		}
		d, err := g.m.DeleteRecords(ctx, luna, false, id)
		g.trees.must(err)
		g.gone[id] = true
		if rapid.Bool().Draw(g.t, "for good") {
			g.trees.must(g.m.Trash().Purge(ctx))
			g.undone = nil
		} else {
			g.undone = append(g.undone, d.ID)
		}
	}
}

// above is the record from which another one hangs, as far as there is one.
func (g *grove) above(id string) string {
	for id = g.parent[id]; g.gone[id]; id = g.parent[id] {
	}
	return id
}

// hangs reports whether a record is the judged one or hangs from it.
func (g *grove) hangs(id string) bool {
	for ; id != "" && id != g.judged.ID; id = g.parent[id] {
	}
	return id != ""
}

// stand is how things are: which record is with which, hangs from which, and what
// each session shows and counts. The judged message's session is "here".
type stand struct {
	Hangs    map[string]string
	Place    map[string]string
	Shown    map[string][]string
	Turns    map[string]int
	Messages map[string]int
}

func (g *grove) stand() stand {
	ctx := g.trees.tb.Context()
	out := stand{map[string]string{}, map[string]string{}, map[string][]string{}, map[string]int{}, map[string]int{}}
	here := must(g.m.Lookup().Record(ctx, luna, g.judged.ID))(g.trees.tb).SessionID
	name := func(session string) string {
		if session == here {
			return "here"
		}
		return session
	}
	for _, r := range g.note() {
		parent := r.ParentID
		for g.gone[parent] {
			parent = g.parent[parent]
		}
		out.Hangs[r.ID], out.Place[r.ID] = parent, name(r.SessionID)
	}
	for _, s := range sessions(g.trees.tb, g.m) {
		b, err := g.m.Lookup().Branch(ctx, luna, s.ID)
		g.trees.must(err)
		out.Shown[name(s.ID)] = ids(b.Records)
		out.Turns[name(s.ID)], out.Messages[name(s.ID)] = s.Turns, s.Messages
		if n := ownTurns(b); s.TurnsShown() != n {
			g.t.Fatalf("%s counts %d turns and shows %d", s.ID, s.TurnsShown(), n)
		}
		numbers := map[int]string{}
		for _, p := range must(g.m.Lookup().Packages(ctx, luna, s.ID))(g.trees.tb) {
			if said := g.said[p.TurnID]; numbers[p.Turn] != "" && numbers[p.Turn] != said {
				g.t.Fatalf("turn %d of %s is that of %s and of %s", p.Turn, s.ID, numbers[p.Turn], said)
			} else {
				numbers[p.Turn] = said
			}
		}
	}
	return out
}

// S3, A1: overruling moves a message with its descendants and nothing else. Overruling
// again restores the old state.
func TestOverruleFollowsTheTree(t *testing.T) {
	fewer(t, 12)
	rapid.Check(t, func(rt *rapid.T) {
		m, c := open(t)
		ctx := t.Context()
		g := &grove{
			t: rt, m: m, trees: &trees{t: rt, m: m, tb: t},
			said: map[string]string{}, parent: map[string]string{}, gone: map[string]bool{},
		}
		defer func() { _ = m.Close() }()
		old := g.say(manager.Place{}, "").SessionID
		for range rapid.IntRange(0, 4).Draw(rt, "before") {
			g.step(old)
		}
		c.Add(time.Second)
		at := manager.Place{Archive: old, Judgement: &memory.Judgement{SessionID: old, By: memory.JudgedByRules}}
		if rapid.Bool().Draw(rt, "revived") {
			at.SessionID, at.Archive, at.Judgement.Revived = old, "", true
		}
		g.judged = g.say(at, "")
		for range rapid.IntRange(0, 8).Draw(rt, "after") {
			g.step(g.judged.SessionID)
		}
		before := g.stand()
		used := slices.Contains(before.Shown["here"], g.judged.ID)

		_, err := m.Overrule(ctx, luna, g.judged.ID)
		g.trees.must(err)
		there := g.stand()
		for id, place := range there.Place {
			moved := place == "here" && before.Place[id] == "here"
			if at.Judgement.Revived { // and its siblings existed before
				moved = place == "here"
			} else if place == "here" && before.Place[id] != "here" {
				continue // of the old session
			}
			if moved != g.hangs(id) {
				rt.Fatalf("%s hangs from the judged message: %v, moved: %v", id, g.hangs(id), moved)
			}
			if id != g.judged.ID && there.Hangs[id] != before.Hangs[id] {
				rt.Fatalf("%s hangs from %q, not %q", id, there.Hangs[id], before.Hangs[id])
			}
		}
		_, err = m.Overrule(ctx, luna, g.judged.ID)
		g.trees.must(err)
		after := g.stand()
		if !used { // the overruled message is shown
			delete(before.Shown, "here")
			delete(after.Shown, "here")
		}
		if diff := cmp.Diff(before, after); diff != "" {
			rt.Fatalf("there and back (-before +after):\n%s", diff)
		}
		// Also the deleted ones come back where they were, and every record has its path.
		for _, d := range g.undone {
			if _, err := m.UndoDeletion(ctx, luna, d); err != nil {
				rt.Fatal(err)
			}
		}
		if len(g.undone) > 0 {
			for id := range g.gone {
				if _, err := m.Lookup().Record(ctx, luna, id); err == nil {
					delete(g.gone, id)
				}
			}
		}
		for _, r := range g.note() {
			_, err := m.StepBranch(ctx, luna, r.SessionID, r.ID, 0)
			g.trees.must(err)
			var want []string
			for id := r.ID; id != ""; id = g.above(id) {
				want = append(want, id)
			}
			slices.Reverse(want)
			got := ids(must(m.Lookup().Branch(ctx, luna, r.SessionID))(t).Records)
			if i := slices.Index(got, r.ID); i < 0 || fmt.Sprint(got[:i+1]) != fmt.Sprint(want) {
				rt.Fatalf("the way to %s is %v, want %v", r.ID, got, want)
			}
		}
	})
}
