package manager_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

// judgedTurn is a turn of a message that was judged, in a new session or, revived, in
// the one that had timed out.
func judgedTurn(t testing.TB, l *life, old string, revived bool) memory.Record {
	t.Helper()
	at := manager.Place{Archive: old, Judgement: &memory.Judgement{SessionID: old, By: memory.JudgedByRules, Revived: revived}}
	if revived {
		at.SessionID, at.Archive = old, ""
	}
	return must(l.say(at))(t)
}

// S3, D2: words whose memory was deleted are not condensed into another one either
// when they are in another session since.
func TestOverruleSilence(t *testing.T) {
	m, c := open(t)
	l := &life{m: m, ctx: t.Context()}
	old := must(l.say(manager.Place{}))(t)
	c.Add(time.Hour)
	r := judgedTurn(t, l, old.SessionID, false)
	if err := m.Learning().Learn(l.ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, it := range inForce(t, m) {
		if slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID == r.ID }) {
			ids = append(ids, it.ID)
		}
	}
	if len(ids) == 0 {
		t.Fatal("nothing was learned")
	}
	gone := must(m.DeleteItems(l.ctx, luna, ids...))(t)
	was := must(m.Lookup().Session(l.ctx, luna, r.SessionID))(t).Silenced
	if len(was) == 0 {
		t.Fatal("nothing is silenced")
	}
	to := must(m.Overrule(l.ctx, luna, r.ID))(t)
	now := must(m.Lookup().Session(l.ctx, luna, to.ID))(t).Silenced
	for i := range was {
		was[i].SessionID = to.ID
	}
	if diff := cmp.Diff(was, now); diff != "" {
		t.Errorf("silenced (-want +got):\n%s", diff)
	}
	must(m.UndoDeletion(l.ctx, luna, gone.ID))(t)
	if s := must(m.Lookup().Session(l.ctx, luna, to.ID))(t); len(s.Silenced) != 0 {
		t.Errorf("still silenced: %+v", s.Silenced)
	}
	wantLegal(t, m)
}

// S3, D2: messages that were deleted come back where those around them are now.
func TestOverruleThenTakeBack(t *testing.T) {
	for _, revived := range []bool{false, true} {
		m, c := open(t)
		l := &life{m: m, ctx: t.Context()}
		old := must(l.say(manager.Place{}))(t)
		c.Add(time.Hour)
		r := judgedTurn(t, l, old.SessionID, revived)
		second := must(l.say(manager.Place{SessionID: r.SessionID}))(t)
		must(l.say(manager.Place{SessionID: r.SessionID}))(t)
		before := ids(must(m.Lookup().Records(l.ctx, luna, r.SessionID))(t))
		// One deletion of both sides, and one of what moves alone.
		answer := must(m.Lookup().Records(l.ctx, luna, old.SessionID))(t)[1].ID
		both := must(m.DeleteRecords(l.ctx, luna, false, answer, second.ID))(t)
		one := must(m.DeleteRecords(l.ctx, luna, false, before[len(before)-1]))(t)
		to := must(m.Overrule(l.ctx, luna, r.ID))(t)
		for _, d := range []string{both.ID, one.ID} {
			if _, err := m.UndoDeletion(l.ctx, luna, d); err != nil {
				t.Fatalf("revived %v: %v", revived, err)
			}
		}
		want := before[slices.Index(before, r.ID):]
		got := ids(must(m.Lookup().Records(l.ctx, luna, to.ID))(t))
		if !revived {
			got = got[2:] // behind the old ones
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("revived %v (-want +got):\n%s", revived, diff)
		}
		if p := must(m.Lookup().Package(l.ctx, luna, second.TurnID))(t); !p.Exact || p.SessionID != to.ID {
			t.Errorf("revived %v: the package: %+v", revived, p.Package)
		}
		if err := m.Learning().Learn(l.ctx, luna, nil); err != nil {
			t.Fatal(err)
		}
		wantLegal(t, m)
	}
}

func ids(records []memory.Record) (out []string) {
	for _, r := range records {
		out = append(out, r.ID)
	}
	return out
}

// D2: a session's summary does not outlive the session's content, nor does one with words
// that have moved away.
func TestOverruleSummaries(t *testing.T) {
	for _, revived := range []bool{false, true} {
		m, c := open(t)
		l := &life{m: m, ctx: t.Context()}
		old := must(l.say(manager.Place{}))(t)
		c.Add(time.Hour)
		r := judgedTurn(t, l, old.SessionID, revived)
		must(l.say(manager.Place{SessionID: r.SessionID}))(t)
		c.Add(time.Minute)
		if err := m.ArchiveSession(l.ctx, luna, r.SessionID); err != nil {
			t.Fatal(err)
		}
		if err := m.Learning().Learn(l.ctx, luna, nil); err != nil {
			t.Fatal(err)
		}
		in := must(m.Lookup().Session(l.ctx, luna, r.SessionID))(t)
		if in.Summary == nil {
			t.Fatal("no summary")
		}
		must(m.Overrule(l.ctx, luna, r.ID))(t)
		if s, err := m.SummaryVersion(luna, r.SessionID, in.Summary.Version); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("revived %v: %+v, %v", revived, s, err)
		}
	}
}

// S2, S9a: who overrules in a session that is being looked at leaves the open one.
func TestOverruleElsewhere(t *testing.T) {
	m, c := open(t)
	l := &life{m: m, ctx: t.Context()}
	old := must(l.say(manager.Place{}))(t)
	c.Add(time.Hour)
	r := judgedTurn(t, l, old.SessionID, false)
	must(l.say(manager.Place{Archive: r.SessionID}))(t)
	must(m.Overrule(l.ctx, luna, r.ID))(t)
	wantLegal(t, m)
}

// A1: the branch in use stays it, also when its last message is deleted.
func TestOverruleKeepsTheBranch(t *testing.T) {
	m, c := open(t)
	l := &life{m: m, ctx: t.Context()}
	old := must(l.say(manager.Place{}))(t)
	c.Add(time.Hour)
	r := judgedTurn(t, l, old.SessionID, false)
	first := must(m.Lookup().Records(l.ctx, luna, r.SessionID))(t)[1].ID
	anew := must(m.RegenerateTurn(l.ctx, luna, r.ID, manager.Place{}))(t)
	other := must(m.FinishTurn(l.ctx, memory.Record{
		AgentID: luna, SessionID: r.SessionID, TurnID: anew.Record.TurnID, Role: memory.RoleAssistant, Content: "Another.",
		Status: memory.StatusComplete, Model: "test",
	}, true))(t)
	must(m.StepBranch(l.ctx, luna, r.SessionID, other.ID, -1))(t)
	d := must(m.DeleteRecords(l.ctx, luna, false, first))(t)
	to := must(m.Overrule(l.ctx, luna, r.ID))(t)
	if got := ids(must(m.Lookup().Branch(l.ctx, luna, to.ID))(t).Records); got[len(got)-1] != r.ID {
		t.Errorf("the branch ends with %s, not %s", got[len(got)-1], r.ID)
	}
	must(m.UndoDeletion(l.ctx, luna, d.ID))(t)
	if got := ids(must(m.Lookup().Branch(l.ctx, luna, to.ID))(t).Records); got[len(got)-1] != first {
		t.Errorf("with what came back it ends with %s, not %s", got[len(got)-1], first)
	}
}

// S3, D2: a session is not called by words that have left it.
func TestOverruleTitle(t *testing.T) {
	m, c := open(t)
	l := &life{m: m, ctx: t.Context()}
	first := must(l.say(manager.Place{}))(t)
	second := must(l.say(manager.Place{SessionID: first.SessionID}))(t)
	c.Add(time.Hour)
	r := judgedTurn(t, l, first.SessionID, true)
	must(m.DeleteRecords(l.ctx, luna, true, first.ID, second.ID))(t)
	if s := must(m.Lookup().Session(l.ctx, luna, first.SessionID))(t); !strings.HasPrefix(r.Content, s.Title) {
		t.Fatalf("it is called %q", s.Title)
	}
	to := must(m.Overrule(l.ctx, luna, r.ID))(t)
	// The program's answers went with the messages, so that nothing is left in it.
	if s, err := m.Lookup().Session(l.ctx, luna, first.SessionID); !errors.Is(err, lookup.ErrNotFound) || to.ID == first.SessionID {
		t.Errorf("it is still called %q, %v", s.Title, err)
	}
	if s := must(m.Lookup().Session(l.ctx, luna, to.ID))(t); !strings.HasPrefix(r.Content, s.Title) || s.Title == "" {
		t.Errorf("the other is called %q", s.Title)
	}
}

// S3, D2: deleting a session also deletes an episode with words that moved into it, also
// an inactive one.
func TestOverruleEpisode(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", moving[1])
	id := first.Session.ID
	c.Add(time.Hour)
	in := must(m.KeepIncoming(ctx, luna, moving[3], nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{
		SessionID: id, Judgement: &memory.Judgement{SessionID: id, By: memory.JudgedByRules, Revived: true},
	}))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: id, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
		Status: memory.StatusComplete, Model: "test",
	}, true))(t)
	say(t, m, luna, id, moving[4])
	end(t, m, id)
	if !slices.ContainsFunc(inForce(t, m), func(it memory.Item) bool { return strings.Contains(it.Content, "wardrobe") }) {
		t.Fatalf("no episode: %v", contents(inForce(t, m)))
	}
	to := must(m.Overrule(ctx, luna, turn.Record.ID))(t)
	must(m.DeleteSession(ctx, luna, to.ID, true))(t)
	for _, it := range must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t).Items {
		if strings.Contains(it.Content, "wardrobe") {
			t.Errorf("left: %s", it.Content)
		}
	}
	must(m.Lookup().Session(ctx, luna, id))(t)
}

// S3, A3: what another session cites is where it is now, there and back; also what an
// undo brings back that had been put aside meanwhile.
func TestOverruleCited(t *testing.T) {
	m, c := open(t)
	l := &life{m: m, ctx: t.Context()}
	old := must(l.say(manager.Place{}))(t)
	c.Add(time.Hour)
	r := judgedTurn(t, l, old.SessionID, false)
	ev := memory.Evidence{SessionID: r.SessionID, TurnID: r.TurnID, RecordID: r.ID}
	it := must(m.Learning().AddItem(l.ctx, luna, memory.Item{Content: "Likes oolong.", Evidence: []memory.Evidence{ev}, SessionID: r.SessionID}))(t)
	c.Add(time.Second)
	edited := must(m.Learning().EditItem(l.ctx, luna, it.ID, func(it *memory.Item) { it.Content, it.Evidence = "Likes sencha.", nil }))(t)
	other := must(l.say(manager.Place{Archive: r.SessionID}))(t)
	p := must(m.Lookup().Package(l.ctx, luna, other.TurnID))(t).Package
	p.Citations = []memory.Citation{{N: 1, Evidence: ev, Role: memory.RoleUser}}
	p.Used = []memory.Used{{ItemID: it.ID, Version: 1, Chosen: true, Evidence: []memory.Evidence{ev}}}
	must(m.SavePackage(l.ctx, p, nil))(t)
	for range 2 {
		to := must(m.Overrule(l.ctx, luna, r.ID))(t)
		full := must(m.Lookup().Package(l.ctx, luna, other.TurnID))(t)
		all := must(m.Lookup().Packages(l.ctx, luna, other.SessionID))(t)
		sources := must(m.Recall().SourcesOf(l.ctx, luna, other.TurnID))(t)
		got := []string{
			full.Citations[0].SessionID, full.Used[0].Evidence[0].SessionID,
			all[0].Citations[0].SessionID, all[0].Used[0].Evidence[0].SessionID, sources[0].SessionID,
		}
		if slices.ContainsFunc(got, func(s string) bool { return s != to.ID }) {
			t.Errorf("the words are in %s; cited in %v", to.ID, got)
		}
		if !full.Exact || full.SessionID != other.SessionID {
			t.Errorf("the package that cites is in %s, exact %v", full.SessionID, full.Exact)
		}
	}
	last := must(m.Lookup().History(l.ctx, luna, edited.ID))(t)
	must(m.Learning().Undo(l.ctx, luna, last[len(last)-1].ID))(t)
	now := must(m.Lookup().Item(l.ctx, luna, it.ID))(t)
	in := must(m.Lookup().Record(l.ctx, luna, r.ID))(t).SessionID
	if len(now.Evidence) != 1 || now.Evidence[0].SessionID != in {
		t.Errorf("the words are in %s; brought back with %+v", in, now.Evidence)
	}
}
