package manager_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/recall"
)

// moving is a conversation about moving house. The rules for turns understand none of its
// statements; together they form an episode.
var moving = []string{
	"Hello there!",
	"Our new depot occupies the fifth floor of an old house near the river.",
	"Could you list what to ask the movers?",
	"We carry the wardrobe up ourselves because the lift is too small for the wardrobe.",
	"My sister Mia brought her van for the boxes. The depot has no cellar, so half of the books go to the attic.",
}

// hold has a conversation and ends it, and returns what its end came to.
func hold(t testing.TB, m *manager.Manager, said ...string) (session string, l learning.Learned) {
	t.Helper()
	for _, text := range said {
		turn, _ := say(t, m, luna, session, text)
		session = turn.Session.ID
	}
	return session, end(t, m, session)
}

func end(t testing.TB, m *manager.Manager, session string) (l learning.Learned) {
	t.Helper()
	if err := m.ArchiveSession(t.Context(), luna, session); err != nil {
		t.Fatal(err)
	}
	for _, one := range learned(t, m) {
		l = one
	}
	return l
}

// learned are the generations that Learn writes.
func learned(t testing.TB, m *manager.Manager) (out []learning.Learned) {
	t.Helper()
	err := m.Learning().Learn(t.Context(), luna, func(l learning.Learned) {
		if l.Generation != "" {
			out = append(out, l)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func session(t testing.TB, m *manager.Manager, id string) memory.Session {
	t.Helper()
	return must(m.Lookup().Session(t.Context(), luna, id))(t)
}

// ofGeneration are the changes of a generation.
func ofGeneration(t testing.TB, m *manager.Manager, id string) []memory.Change {
	t.Helper()
	return must(m.Lookup().Changes(t.Context(), luna, lookup.ChangeFilter{Generation: id}))(t).Changes
}

func inForce(t testing.TB, m *manager.Manager) (out []memory.Item) {
	t.Helper()
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items {
		if it.IsActive() {
			out = append(out, it)
		}
	}
	return out
}

// P6, P7, S12: without a model an ended session gets its summary, and statements spread
// over several messages become an episode of three or four sentences with evidence,
// verbatim the user's, all under one generation. Repeating it changes nothing.
func TestSessionEndsByRules(t *testing.T) {
	m, _ := open(t)
	id, l := hold(t, m, moving...)
	s := session(t, m, id)
	if s.Memories != memory.MemoriesGenerated || s.Generation == "" || s.Generation != l.Generation || s.Summary == nil || s.Covered.Turns != len(moving) {
		t.Fatalf("%+v\n%+v", s, l)
	}
	t.Logf("title %q\nsnippet %q", s.Summary.Title, s.Summary.Snippet)
	if s.Summary.By != memory.ByRules || s.Summary.Generation != l.Generation || !strings.Contains(s.Summary.Snippet, "sister") || s.Title != s.Summary.Title {
		t.Errorf("summary: %+v, title %q", s.Summary, s.Title)
	}
	if strings.Contains(s.Summary.Line(), "Hello") || len([]rune(s.Summary.Snippet)) > 300 {
		t.Errorf("summary: %s", s.Summary.Line())
	}
	if len(l.Changes) != 1 || l.Changes[0].Item == nil {
		t.Fatalf("%+v", l.Changes)
	}
	it := must(m.Lookup().Item(t.Context(), luna, l.Changes[0].ItemID))(t)
	t.Logf("%s: %s", it.Type, it.Content)
	if it.Type != memory.TypeEpisode || it.Generation != l.Generation || it.Origin != memory.OriginSessionEnd || it.Source != memory.SourceInferred || it.Trust != memory.TrustModel {
		t.Errorf("%+v", it)
	}
	if n := len(it.Evidence); n < 3 || n > 4 || n != len(m.Policy().Sentences(it.Content)) {
		t.Errorf("%d places, %q", n, it.Content)
	}
	for _, ev := range it.Evidence {
		r := must(m.Lookup().Record(t.Context(), luna, ev.RecordID))(t)
		if quote := recall.Quoted(r, ev); quote == "" || !strings.Contains(it.Content, quote) || ev.SessionID != id || ev.TurnID != r.TurnID {
			t.Errorf("%+v leads to %q", ev, quote)
		}
	}
	if c := ofGeneration(t, m, l.Generation); len(c) != 1 || c[0].ItemID != it.ID || c[0].TurnID != "" {
		t.Errorf("the ledger: %+v", c)
	}
	before := seeAll(t, m)
	if again := learned(t, m); len(again) > 0 {
		t.Errorf("again: %+v", again)
	}
	if what := must(m.Learning().Consolidate(t.Context(), luna, id, nil, nil))(t); what != learning.ConsolidatedNow {
		t.Errorf("by hand: %s", what)
	}
	if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// P3, P5, P5a, D2: nothing of what must not be remembered gets into an episode or a
// summary; in the place of a secret is a mark.
func TestWhatIsNotCondensed(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", "Our allotment garden lies behind the old railway station.")
	id := first.Session.ID
	for _, text := range []string{
		"My password is hunter2-Garden and the allotment key is under the stone.",
		"Please don't remember this: we hide the spare key of the allotment garden at Eva's.",
		"What grows well in an allotment garden?",
		"I am so tired of the allotment garden today.",
		"We share the allotment garden with a baker, phone +49 170 1234567.",
		"```\nour allotment garden is a variable\n```",
	} {
		say(t, m, luna, id, text)
	}
	pasted := "We sold the allotment garden to the mayor."
	in := must(m.KeepIncoming(ctx, luna, "Summarise: "+pasted, []memory.Span{{Offset: 11, Length: len(pasted), Kind: memory.SpanPasted}}, ""))(t)
	finish(t, m, must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: id}))(t), true)
	in = must(m.KeepIncoming(ctx, luna, "We water the allotment garden with stolen rain.", nil, ""))(t)
	finish(t, m, must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: id, Forgetful: true}))(t), false)
	_, bees := say(t, m, luna, id, "Remember that the allotment garden has bees.")
	must(m.DeleteItems(ctx, luna, bees[0].ItemID))(t)
	l := end(t, m, id)
	words := fmt.Sprint(l.Summary.Line(), l.Summary.Topics)
	for _, it := range inForce(t, m) {
		words += it.Content
	}
	if !strings.Contains(words, "railway") || !strings.Contains(words, "[secret]") {
		t.Errorf("nothing was proven: %s", words)
	}
	for _, bad := range []string{"hunter2", "Eva", "tired", "1234567", "variable", "mayor", "stolen", "bees"} {
		if strings.Contains(words, bad) {
			t.Errorf("%q is in: %s", bad, words)
		}
	}
}

func finish(t testing.TB, m *manager.Manager, turn manager.Turn, learn bool) {
	t.Helper()
	must(m.FinishTurn(t.Context(), memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
		Status: memory.StatusComplete, Model: "test",
	}, learn))(t)
}

// P7: what each turn taught is not taught again by the session's end.
func TestEndRepeatsNothing(t *testing.T) {
	m, _ := open(t)
	_, l := hold(t, m, "I like oolong tea.", "My name is Bo.", "I live in Lyon.", "I work as a baker.", "我喜欢喝乌龙茶。", "Remember that the parcel is on shelf 4.")
	if len(l.Changes) > 0 || l.Summary == nil {
		t.Errorf("%+v", l)
	}
}

// P7: a session that goes on for many turns is read before its end, each turn once,
// and without a summary.
func TestLongSessionIsConsolidated(t *testing.T) {
	m, _ := open(t)
	id := ""
	var all []learning.Learned
	for n := range 45 {
		text := fmt.Sprintf("What is %d times seven?", n)
		if n%4 == 0 {
			text = fmt.Sprintf("We planted row %d of our vineyard with old grapes.", n)
		}
		in := must(m.KeepIncoming(t.Context(), luna, text, nil, ""))(t)
		turn := must(m.BeginTurn(t.Context(), luna, in.ID, manager.Place{SessionID: id}))(t)
		id = turn.Session.ID
		finish(t, m, turn, true)
		all = append(all, learned(t, m)...)
	}
	if len(all) != 2 || all[0].Summary != nil || all[0].Generation == all[1].Generation {
		t.Fatalf("%d generations: %+v", len(all), all)
	}
	quoted := map[memory.Evidence]int{}
	for _, it := range inForce(t, m) {
		for _, ev := range it.Evidence {
			quoted[ev]++
		}
	}
	for ev, n := range quoted {
		if n > 1 {
			t.Errorf("%+v is the evidence of %d memories", ev, n)
		}
	}
	if s := session(t, m, id); s.Covered.Turns != 42 || s.Generation != "" || s.Memories != memory.MemoriesNone {
		t.Errorf("%+v", s)
	}
	if l := end(t, m, id); l.Summary == nil {
		t.Errorf("%+v", l)
	}
}

// P7: what the user comes back to in one session after another is a pattern, with
// evidence from each.
func TestTopicsOfSeveralSessions(t *testing.T) {
	m, _ := open(t)
	talk := func(n int) []string {
		return []string{
			fmt.Sprintf("How do I prune the quince, part %d?", n), "And when do I feed the quince?", "它的叶子为什么发黄？",
		}
	}
	var habits [][]memory.Change
	for n := range 4 {
		_, l := hold(t, m, talk(n)...)
		habits = append(habits, l.Changes)
	}
	if len(habits[0])+len(habits[1]) > 0 || len(habits[2]) != 1 || len(habits[3]) != 1 {
		t.Fatalf("%+v", habits)
	}
	it := must(m.Lookup().Item(t.Context(), luna, habits[2][0].ItemID))(t)
	sessions := map[string]bool{}
	for _, ev := range it.Evidence {
		sessions[ev.SessionID] = true
	}
	if it.Type != memory.TypePattern || it.Content != "Often talks about quince" || len(sessions) != 4 || habits[3][0].Action != memory.ActionConfirmed {
		t.Errorf("%+v, then %+v", it, habits[3])
	}
}

// S5, S9a: sending in an ended session rolls its generation back in the same write; its
// next end generates again. If the user undid it, it stays undone.
func TestResumingRollsBack(t *testing.T) {
	m, _ := open(t)
	id, l := hold(t, m, moving...)
	if len(inForce(t, m)) != 1 {
		t.Fatalf("%+v", inForce(t, m))
	}
	turn, _ := say(t, m, luna, id, "What else do I need?")
	s := turn.Session
	if s.Memories != memory.MemoriesNone || s.Generation != "" || s.Summary != nil || s.Epoch != 1 || s.Covered.Turns != 0 || !strings.HasPrefix(s.Title, "Our new depot") {
		t.Errorf("%+v", s)
	}
	if it := inForce(t, m); len(it) != 0 {
		t.Errorf("left: %+v", it)
	}
	again := end(t, m, id)
	if it := inForce(t, m); again.Generation == l.Generation || len(it) != 1 || it[0].Generation != again.Generation {
		t.Errorf("after the second end: %+v", it)
	}
	if s := session(t, m, id); s.Summary.Version != 2 {
		t.Errorf("%+v", s.Summary)
	}
	u := must(m.Learning().UndoGeneration(t.Context(), luna, again.Generation))(t)
	if len(u.Did) != 1 || len(inForce(t, m)) != 0 {
		t.Errorf("%+v", u)
	}
	say(t, m, luna, id, "And one more question?")
	end(t, m, id)
	if it := inForce(t, m); len(it) != 0 {
		t.Errorf("what the user undid is back: %+v", it)
	}
	if slices.ContainsFunc(must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items, func(it memory.Item) bool { return it.Supersedes != "" }) {
		t.Error("something was superseded")
	}
}
