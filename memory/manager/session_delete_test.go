package manager_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
)

// everything is what an agent has, as the public doors show it.
type everything struct {
	Sessions []memory.Session
	Records  map[string][]memory.Record
	Packages map[string][]memory.Package
	Working  map[string]memory.Working
	Items    []memory.Item
	History  map[string][]memory.Change
	Turns    map[string][]memory.Change
	Draft    memory.Draft
	Counts   [5]int // items, held, records, sessions, jobs
}

func seeAll(t testing.TB, m *manager.Manager) everything {
	t.Helper()
	ctx := t.Context()
	out := everything{
		Records: map[string][]memory.Record{}, Packages: map[string][]memory.Package{}, Working: map[string]memory.Working{},
		History: map[string][]memory.Change{}, Turns: map[string][]memory.Change{}, Draft: must(m.Lookup().Draft(ctx, luna))(t),
	}
	sessions, _, err := m.Lookup().Sessions(ctx, luna, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	out.Sessions = sessions
	for _, s := range sessions {
		out.Records[s.ID] = must(m.Lookup().Records(ctx, luna, s.ID))(t)
		out.Packages[s.ID] = must(m.Lookup().Packages(ctx, luna, s.ID))(t)
		if w, err := m.Lookup().Working(ctx, luna, s.ID); err == nil {
			out.Working[s.ID] = w
		}
		for _, r := range out.Records[s.ID] {
			if one := must(m.Lookup().Record(ctx, luna, r.ID))(t); !cmp.Equal(one, r) {
				t.Errorf("record %s is not the same by its id", r.ID)
			}
			if changes := must(m.Lookup().TurnChanges(ctx, luna, r.TurnID))(t); len(changes) > 0 {
				out.Turns[r.TurnID] = changes
			}
		}
	}
	out.Items = must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t).Items
	for _, it := range out.Items {
		for _, c := range must(m.Lookup().History(ctx, luna, it.ID))(t) {
			if c.Action != memory.ActionRestored { // only the note of the undo may be new
				out.History[it.ID] = append(out.History[it.ID], c)
			}
		}
	}
	st := must(m.Lookup().Status(ctx, luna))(t)
	out.Counts = [5]int{st.Items, st.Held, st.Records, st.Sessions, st.Jobs}
	return out
}

// pack stores a package for a turn.
func pack(t testing.TB, m *manager.Manager, turn manager.Turn) {
	t.Helper()
	must(m.SavePackage(t.Context(), memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Turn: turn.Working.TurnCount, Blocks: []memory.Block{
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
		},
	}, nil))(t)
}

// D2: a deleted session is out of every view and search at once, with all that
// belongs to it, and what belongs to others stays as it is. It comes back whole,
// or is gone for good, with its files.
func TestDeleteSession(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	first, only := say(t, m, luna, "", "I like oolong tea")
	doomed := first.Session.ID
	pack(t, m, first)
	_, name := say(t, m, luna, doomed, "My name is Bo")
	long := strings.Repeat("zeppelin ", memory.MaxContent/8)
	turn, _ := say(t, m, luna, doomed, long)
	other, _ := say(t, m, luna, "", "My name is Bo")
	say(t, m, luna, other.Session.ID, "Let's talk about oolong tea")
	if err := m.SaveDraft(ctx, luna, memory.Draft{SessionID: doomed, Text: "half a"}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(m.Vault().Dir(), "content", luna, turn.Record.ID+".txt")
	before := seeAll(t, m)

	d := must(m.DeleteSession(ctx, luna, doomed, false))(t)
	if d.Sessions != 1 || d.Messages != 6 || d.Items != 0 || d.Title != "I like oolong tea" || !d.Until.After(c.Now()) {
		t.Errorf("deletion: %+v", d)
	}
	gone := func() {
		t.Helper()
		for what, err := range map[string]error{
			"session": second(m.Lookup().Session(ctx, luna, doomed)),
			"record":  second(m.Lookup().Record(ctx, luna, first.Record.ID)),
			"package": second(m.Lookup().Package(ctx, luna, first.Record.TurnID)),
			"working": second(m.Lookup().Working(ctx, luna, doomed)),
		} {
			if !errors.Is(err, lookup.ErrNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		now := seeAll(t, m)
		if len(now.Sessions) != 1 || now.Counts != [5]int{2, 0, 4, 1, 0} || now.Draft.Text != "" || len(now.Records[doomed])+len(now.Packages[doomed]) > 0 {
			t.Errorf("still there: %+v", now)
		}
		for _, words := range []string{"oolong", "zeppelin"} {
			for _, h := range must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: words}))(t).Hits {
				if h.Record.SessionID == doomed {
					t.Errorf("%s finds %.40q", words, h.Record.Content)
				}
			}
			for _, h := range must(m.Recall().FindSessions(ctx, luna, recall.ArchiveQuery{Text: words}))(t) {
				if h.Session.ID == doomed {
					t.Errorf("%s finds the session", words)
				}
			}
		}
		// An item that stays is used as before.
		if got := recalled(t, m, luna, "oolong tea"); len(got) == 0 || got[0].ID != only[0].ItemID {
			t.Errorf("recalled %v", contents(got))
		}
	}
	gone()
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the file of a long message, while it can be taken back: %v", err)
	}
	back := must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if back.Sessions != 1 || back.Messages != 6 || back.Title != d.Title {
		t.Errorf("came back: %+v", back)
	}
	if s := must(m.Lookup().Session(ctx, luna, doomed))(t); s.State != memory.SessionArchiving || s.Kept == nil || s.Kept.TurnCount != 3 {
		t.Errorf("beside an open session it is %s, kept %+v", s.State, s.Kept)
	}
	after := seeAll(t, m)
	before.Sessions[1].Generation, before.Sessions[1].Memories = after.Sessions[1].Generation, memory.MemoriesGenerating
	before.Counts[4]++ // what it comes to is still to be read
	before.Sessions[1].State, before.Sessions[1].ArchivedAt, before.Sessions[1].Kept = after.Sessions[1].State, after.Sessions[1].ArchivedAt, after.Sessions[1].Kept
	delete(before.Working, doomed)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("not as it was (-before +after):\n%s", diff)
	}
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	if hits := must(m.Recall().FindSessions(ctx, luna, recall.ArchiveQuery{Text: "zeppelin"}))(t); len(hits) != 1 || hits[0].Session.ID != doomed {
		t.Errorf("found after taking back: %+v", hits)
	}

	d = must(m.DeleteSession(ctx, luna, doomed, false))(t)
	c.Add(write.DeletionUndoTime)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := m.UndoDeletion(ctx, luna, d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back after the end: %v", err)
	}
	gone()
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a long message: %v", err)
	}
	if it := must(m.Lookup().Item(ctx, luna, name[0].ItemID))(t); len(it.Evidence) != 2 {
		t.Errorf("evidence: %+v", it.Evidence)
	}
}

func second[T any](_ T, err error) error { return err }

// D2: with the memory that came from it, and only from it.
func TestDeleteSessionWithItems(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, tea := say(t, m, luna, "", "I like oolong tea")
	_, name := say(t, m, luna, turn.Session.ID, "My name is Bo")
	other, coffee := say(t, m, luna, "", "I like coffee")
	say(t, m, luna, other.Session.ID, "My name is Bo")
	hand := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello"}))(t)
	before := seeAll(t, m)
	d := must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
	if d.Items != 1 || d.Sessions != 1 || d.Messages != 4 {
		t.Errorf("deletion: %+v", d)
	}
	for id, want := range map[string]bool{tea[0].ItemID: false, name[0].ItemID: true, coffee[0].ItemID: true, hand.ID: true} {
		if _, err := m.Lookup().Item(ctx, luna, id); (err == nil) != want {
			t.Errorf("item %s: %v", id, err)
		}
	}
	if got := recalled(t, m, luna, "oolong tea"); len(got) > 0 && got[0].ID == tea[0].ItemID {
		t.Errorf("recalled %v", contents(got))
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	after := seeAll(t, m)
	if diff := cmp.Diff(before.Items, after.Items); diff != "" {
		t.Errorf("items (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before.Turns, after.Turns); diff != "" {
		t.Errorf("what turns taught (-before +after):\n%s", diff)
	}
}

// D2, Q3: deleting any session and undoing that leaves everything as it was, and does not
// affect another agent.
func TestDeleteAndTakeBackAreInverse(t *testing.T) {
	fewer(t, 40)
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		world, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		c := newClock()
		m := openAt(t, world, c, nil)
		defer m.Close()
		ctx := t.Context()
		ids := []string{""}
		for i := range rapid.IntRange(1, 6).Draw(rt, "turns") {
			session := rapid.SampledFrom(ids).Draw(rt, "session")
			text := rapid.SampledFrom([]string{"I like tea %d", "My name is Bo", "我喜欢第%d种茶", "What is number %d?"}).Draw(rt, "text")
			if strings.Contains(text, "%d") {
				text = fmt.Sprintf(text, i)
			}
			turn, _ := say(t, m, luna, session, text)
			if rapid.Bool().Draw(rt, "package") {
				pack(t, m, turn)
			}
			if session == "" {
				ids = append(ids, turn.Session.ID)
			}
		}
		say(t, m, "sol", "", "I like tea 1")
		for _, id := range ids[1:] {
			if err := m.ArchiveSession(ctx, luna, id); err != nil {
				t.Fatal(err)
			}
		}
		before := seeAll(t, m)
		var taken []write.Deletion
		for _, id := range ids[1:] {
			if rapid.Bool().Draw(rt, "delete") {
				taken = append(taken, must(m.DeleteSession(ctx, luna, id, rapid.Bool().Draw(rt, "items")))(t))
			}
		}
		if rapid.Bool().Draw(rt, "reopen") {
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			m = openAt(t, world, c, nil)
			defer m.Close()
		}
		for _, i := range rapid.Permutation(taken).Draw(rt, "order") {
			must(m.UndoDeletion(ctx, luna, i.ID))(t)
		}
		if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
			rt.Fatalf("(-before +after):\n%s", diff)
		}
		if st := must(m.Lookup().Status(ctx, "sol"))(t); st.Records != 2 || st.Sessions != 1 {
			rt.Fatalf("the other agent: %+v", st)
		}
	})
}

// D2: a deletion that a closing program left is finished by the next one, with
// its files; until then they stay although no record names them.
func TestSessionFilesAtStart(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	turn, _ := say(t, m, luna, "", strings.Repeat("zeppelin ", memory.MaxContent/8))
	d := must(m.DeleteSession(t.Context(), luna, turn.Session.ID, false))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	if err := m.Close(); err != nil { // it waits for the look at left-over files
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	must(m.UndoDeletion(t.Context(), luna, d.ID))(t)
	if r := must(m.Lookup().Record(t.Context(), luna, turn.Record.ID))(t); r.Content != turn.Record.Content {
		t.Errorf("the long message is %.40q", r.Content)
	}
	must(m.DeleteSession(t.Context(), luna, turn.Session.ID, false))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	c.Add(time.Minute)
	m = openAt(t, dir, c, nil)
	if left, _ := filepath.Glob(filepath.Join(dir, "content", luna, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	_ = m
}

// A turn that is being answered cannot write into a session that was deleted.
func TestDeletedWhileAnswering(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "hello", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
	reply := memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Hi.", Status: memory.StatusComplete,
	}
	for what, err := range map[string]error{
		"package": second(m.SavePackage(ctx, memory.Package{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID}, nil)),
		"partial": m.SavePartial(ctx, reply),
		"answer":  second(m.FinishTurn(ctx, reply, true)),
	} {
		if !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if cut := must(m.Recover(ctx, luna))(t); len(cut) != 0 {
		t.Errorf("recovered %v", cut)
	}
}
