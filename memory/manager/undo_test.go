package manager_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// what an undo brings back is the version before, but for these.
var restored = cmpopts.IgnoreFields(memory.Item{}, "Version", "UpdatedAt", "AccessCount", "LastAccessed")

func active(t testing.TB, m *manager.Manager) []string {
	t.Helper()
	var out []string
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{}))(t).Items {
		if it.State == memory.StateActive {
			out = append(out, it.Content)
		}
	}
	slices.Sort(out)
	return out
}

func wantActive(t testing.TB, m *manager.Manager, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, active(t, m), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("active (-want +got):\n%s", diff)
	}
}

func byContent(t testing.TB, m *manager.Manager, content string) memory.Item {
	t.Helper()
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items {
		if it.Content == content {
			return it
		}
	}
	t.Fatalf("no memory says %q", content)
	return memory.Item{}
}

// whys are the reasons for which changes were left.
func whys(u learning.Undone) []string {
	var out []string
	for _, l := range u.Left {
		out = append(out, l.Why)
	}
	return out
}

// P9: a turn's changes are taken back in one go and are out of the view, and the
// undo can itself be undone, once. The index and the hot set follow.
func TestUndoTurn(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	say(t, m, luna, "", "My name is Bo")
	before := byContent(t, m, "Name is Bo.")
	turn, learned := say(t, m, luna, "", "I like green tea. My name is Ann")
	if len(learned) != 2 || learned[0].ID == "" {
		t.Fatalf("learned %+v", learned)
	}
	wantActive(t, m, "Likes green tea.", "Name is Ann.")

	u := must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t)
	if len(u.Did) != 3 || len(u.Left) != 0 {
		t.Errorf("did %+v, left %+v", u.Did, u.Left)
	}
	wantActive(t, m, "Name is Bo.")
	if diff := cmp.Diff(before, byContent(t, m, "Name is Bo."), restored); diff != "" {
		t.Errorf("not as it was (-before +after):\n%s", diff)
	}
	if got := contents(recalled(t, m, luna, "green tea")); len(got) != 0 {
		t.Errorf("recalled %v", got)
	}
	if got := contents(recalled(t, m, luna, "what is my name?")); !slices.Equal(got, []string{"Name is Bo."}) {
		t.Errorf("recalled %v", got)
	}
	for _, c := range must(m.Lookup().TurnChanges(ctx, luna, turn.Record.TurnID))(t) {
		if !c.Undone {
			t.Errorf("%s of %s is not undone", c.Action, c.Item.Content)
		}
	}
	if again := must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t); again.ID != "" || len(again.Did) != 0 || len(again.Left) != 3 {
		t.Errorf("twice: %+v", again)
	}

	redo := must(m.Learning().Undo(ctx, luna, u.ID))(t)
	if len(redo.Did) != 3 || redo.Did[0].Action != memory.ActionRedone {
		t.Errorf("redo: %+v", redo)
	}
	wantActive(t, m, "Likes green tea.", "Name is Ann.")
	if ann, bo := byContent(t, m, "Name is Ann."), byContent(t, m, "Name is Bo."); ann.Supersedes != bo.ID || bo.SupersededBy != ann.ID {
		t.Errorf("not linked: %+v, %+v", ann, bo)
	}
	if twice := must(m.Learning().Undo(ctx, luna, u.ID))(t); len(twice.Did) != 0 || whys(twice)[0] != "it was taken back already" {
		t.Errorf("an undo was undone twice: %+v", twice)
	}
	if back := must(m.Learning().Undo(ctx, luna, redo.ID))(t); len(back.Did) != 0 || !strings.Contains(whys(back)[0], "undo the change itself") {
		t.Errorf("a redo was undone: %+v", back)
	}
	// The change itself can be undone again.
	if u := must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t); len(u.Did) != 3 {
		t.Errorf("after the redo: %+v", u)
	}
	wantActive(t, m, "Name is Bo.")
}

// P9: A ← B ← C without B: C supersedes A, in whatever order they go.
func TestUndoRelinks(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	say(t, m, luna, "", "My name is Bo")
	second, _ := say(t, m, luna, "", "My name is Ann")
	third, _ := say(t, m, luna, "", "My name is Cleo")
	a, b, c := byContent(t, m, "Name is Bo."), byContent(t, m, "Name is Ann."), byContent(t, m, "Name is Cleo.")

	u := must(m.Learning().UndoTurn(ctx, luna, second.Record.TurnID))(t)
	if len(u.Did) != 3 || len(u.Left) != 0 {
		t.Errorf("did %+v, left %+v", u.Did, u.Left)
	}
	wantActive(t, m, "Name is Cleo.")
	bo, ann, cleo := byContent(t, m, a.Content), byContent(t, m, b.Content), byContent(t, m, c.Content)
	if cleo.Supersedes != a.ID || bo.SupersededBy != c.ID || ann.Supersedes != "" || ann.SupersededBy != "" {
		t.Errorf("links: Bo %q, Ann %q %q, Cleo %q", bo.SupersededBy, ann.Supersedes, ann.SupersededBy, cleo.Supersedes)
	}
	// Taken back, the chain is as it was.
	must(m.Learning().Undo(ctx, luna, u.ID))(t)
	for _, it := range []memory.Item{a, b, c} {
		if diff := cmp.Diff(it, byContent(t, m, it.Content), restored); diff != "" {
			t.Errorf("%s after the redo:\n%s", it.Content, diff)
		}
	}
	must(m.Learning().UndoTurn(ctx, luna, second.Record.TurnID))(t)
	if u := must(m.Learning().UndoTurn(ctx, luna, third.Record.TurnID))(t); len(u.Did) != 2 {
		t.Errorf("did %+v, left %+v", u.Did, u.Left)
	}
	wantActive(t, m, "Name is Bo.")
}

// P9: what was touched since is left, and the user's own edits are left alone.
func TestUndoLeavesWhatWasTouched(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, learned := say(t, m, luna, "", "I like green tea. I live in Paris. My name is Bo")
	if len(learned) != 3 {
		t.Fatalf("learned %+v", learned)
	}
	edited := must(m.Learning().EditItem(ctx, luna, byContent(t, m, "Likes green tea.").ID, func(it *memory.Item) { it.Content = "Likes sencha" }))(t)
	say(t, m, luna, "", "I live in Paris")
	u := must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t)
	if len(u.Did) != 1 || u.Did[0].Item.Content != "Name is Bo." {
		t.Errorf("did %+v", u.Did)
	}
	got := whys(u)
	slices.Sort(got)
	if diff := cmp.Diff([]string{"it was said again since", "you changed it since"}, got); diff != "" {
		t.Error(diff)
	}
	wantActive(t, m, "Likes sencha", "Lives in Paris.")
	if diff := cmp.Diff(edited, byContent(t, m, "Likes sencha")); diff != "" {
		t.Errorf("the user's edit was touched:\n%s", diff)
	}
	// Asked for by name, an edit goes too, and then what was before it.
	history := must(m.Lookup().History(ctx, luna, edited.ID))(t)
	must(m.Learning().Undo(ctx, luna, history[1].ID[16:]))(t)
	wantActive(t, m, "Likes green tea.", "Lives in Paris.")
	must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t)
	wantActive(t, m, "Lives in Paris.")
}

// P9: nothing comes back into a place that another fills by now.
func TestUndoOfAnEnd(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	say(t, m, luna, "", "My name is Bo")
	second, _ := say(t, m, luna, "", "My name is Ann")
	must(m.DeleteItems(ctx, luna, byContent(t, m, "Name is Ann.").ID))(t)
	c.Add(write.DeletionUndoTime)
	say(t, m, luna, "", "My name is Cleo")
	if u := must(m.Learning().UndoTurn(ctx, luna, second.Record.TurnID))(t); len(u.Did) != 0 || whys(u)[0] != "another memory fills its place by now" {
		t.Errorf("%+v", u)
	}
	wantActive(t, m, "Name is Cleo.")
	must(m.DeleteItems(ctx, luna, byContent(t, m, "Name is Cleo.").ID))(t)
	must(m.Learning().UndoTurn(ctx, luna, second.Record.TurnID))(t)
	wantActive(t, m, "Name is Bo.")
}

// P9: one half of a supersession brings the other with it.
func TestUndoOfOneHalf(t *testing.T) {
	for half := range 2 {
		m, _ := open(t)
		ctx := t.Context()
		say(t, m, luna, "", "My name is Bo")
		say(t, m, luna, "", "My name is Ann")
		history := must(m.Lookup().History(ctx, luna, byContent(t, m, []string{"Name is Bo.", "Name is Ann."}[half]).ID))(t)
		u := must(m.Learning().Undo(ctx, luna, history[len(history)-1].ID))(t)
		if len(u.Did) != 2 {
			t.Errorf("half %d: %+v", half, u)
		}
		wantActive(t, m, "Name is Bo.")
	}
}

// P9: after 30 days a change is final, and the answer says so.
func TestUndoEnds(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	turn, learned := say(t, m, luna, "", "I like green tea")
	c.Add(lookup.UndoTime - time.Minute)
	u := must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t)
	if len(u.Did) != 1 {
		t.Fatalf("within the time: %+v", u)
	}
	must(m.Learning().Undo(ctx, luna, u.ID))(t)
	c.Add(time.Hour)
	for _, undo := range []func() (learning.Undone, error){
		func() (learning.Undone, error) { return m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID) },
		func() (learning.Undone, error) { return m.Learning().Undo(ctx, luna, learned[0].ID) },
	} {
		if u := must(undo())(t); u.ID != "" || whys(u)[0] != "it is older than 30 days and final" {
			t.Errorf("after it: %+v", u)
		}
	}
	wantActive(t, m, "Likes green tea.")
	if _, err := m.Learning().UndoLast(ctx, luna); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("the last change: %v", err)
	}
	for _, err := range []error{
		func() error { _, err := m.Learning().Undo(ctx, luna, "NOSUCHCHANGE"); return err }(),
		func() error { _, err := m.Learning().UndoTurn(ctx, luna, "NOSUCHTURN"); return err }(),
		func() error { _, err := m.Learning().UndoGeneration(ctx, luna, "NOSUCHRUN"); return err }(),
		func() error { _, err := m.Learning().Undo(ctx, "sol", learned[0].ID); return err }(), // agents are walls
	} {
		if !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("unknown: %v", err)
		}
	}
}

// P9, D3: the ledger is read newest first, by item, by turn, by process and by
// time, page by page.
func TestChanges(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "I like green tea")
	c.Add(time.Hour)
	between := c.Now()
	own := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Has two brothers"}))(t)
	must(m.Learning().EditItem(ctx, luna, own.ID, func(it *memory.Item) { it.Content = "Has three brothers" }))(t)
	u := must(m.Learning().UndoLast(ctx, luna))(t)

	list := func(f lookup.ChangeFilter) (out []string, next string) {
		page := must(m.Lookup().Changes(ctx, luna, f))(t)
		for _, c := range page.Changes {
			out = append(out, fmt.Sprintf("%s %s %v", c.Action, c.Item.Content, c.Undone))
		}
		return out, page.Next
	}
	all := []string{"undone Has two brothers false", "edited Has two brothers true", "added Has two brothers false", "added Likes green tea. false"}
	for name, c := range map[string]struct {
		f    lookup.ChangeFilter
		want []string
	}{
		"all":        {lookup.ChangeFilter{}, all},
		"item":       {lookup.ChangeFilter{ItemID: own.ID[20:]}, all[:3]},
		"turn":       {lookup.ChangeFilter{TurnID: turn.Record.TurnID}, all[3:]},
		"process":    {lookup.ChangeFilter{Origin: memory.OriginTurn}, all[3:]},
		"since":      {lookup.ChangeFilter{Since: between}, all[:3]},
		"until":      {lookup.ChangeFilter{Until: between}, all[3:]},
		"generation": {lookup.ChangeFilter{Generation: u.ID}, all[:1]},
		"none":       {lookup.ChangeFilter{Since: between, Until: between}, nil},
	} {
		if got, next := list(c.f); !slices.Equal(got, c.want) || next != "" {
			t.Errorf("%s: %q, next %q", name, got, next)
		}
	}
	f := lookup.ChangeFilter{Limit: 3}
	first, next := list(f)
	f.Before = next
	rest, end := list(f)
	if got := slices.Concat(first, rest); !slices.Equal(got, all) || len(first) != 3 || end != "" {
		t.Errorf("in pages: %q and %q, then %q", first, rest, end)
	}
	if other := must(m.Lookup().Changes(ctx, "sol", lookup.ChangeFilter{}))(t); len(other.Changes) != 0 {
		t.Errorf("another agent's: %+v", other)
	}
}

// P9: after an undo, the same message does not teach the same again.
func TestUndoneIsNotLearnedAgain(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "I like green tea")
	must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t)
	_, err := m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: "I see!", Status: memory.StatusComplete, Model: "test",
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	var changes []memory.Change
	if err := m.Learning().Learn(ctx, luna, func(l learning.Learned) { changes = append(changes, l.Changes...) }); err != nil {
		t.Fatal(err)
	}
	if len(changes) != 1 || changes[0].Action != memory.ActionSkipped || changes[0].Reason != "it was undone" {
		t.Errorf("%+v", changes)
	}
	wantActive(t, m)
	say(t, m, luna, "", "I like green tea") // restated
	wantActive(t, m, "Likes green tea.")
}

// P9, C5: forgetting trims versions that no undo can restore. Versions that were sent or
// can be restored stay.
func TestOldVersionsAreTrimmed(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "one"}))(t)
	edit := func(content string) {
		must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content = content }))(t)
	}
	edit("two")
	turn, _ := say(t, m, luna, "", "Hello")
	must(m.SavePackage(ctx, memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Used:   []memory.Used{{ItemID: it.ID, Version: 2, Chosen: true}},
		Blocks: []memory.Block{{Layer: memory.LayerRecall, Parts: []memory.Ref{{Kind: memory.KindItem, ID: it.ID, Version: 2}}}},
	}, nil))(t)
	edit("three")
	kept := func() (out []int) {
		for v := 1; v <= 4; v++ {
			if _, err := m.Lookup().ItemVersion(ctx, luna, it.ID, v); err == nil {
				out = append(out, v)
			}
		}
		return out
	}
	c.Add(lookup.UndoTime)
	edit("four")
	must(m.Learning().Forget(ctx, luna))(t)
	if got := kept(); !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("versions %v", got)
	}
	if p := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t); !p.Exact || p.Rendered[0].Text != "two" {
		t.Errorf("the package is %+v", p)
	}
	must(m.Learning().UndoLast(ctx, luna))(t)
	if got := must(m.Lookup().Item(ctx, luna, it.ID))(t).Content; got != "three" {
		t.Errorf("it says %q", got)
	}
}
