package manager_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// trees is a manager whose sessions are sent to, branched, forked, undone and deleted
// from at random, with what each session's branch should be by then.
type trees struct {
	t    *rapid.T
	m    *manager.Manager
	tb   testing.TB
	n    int
	want map[string][]string // by session, the words of its branch
	fork map[string]bool
	left map[string]manager.LeftTurns // the last undo of a session, while nothing else happened
}

func (w *trees) must(err error) {
	if err != nil {
		w.t.Fatalf("%+v", err)
	}
}

func (w *trees) answer(turn manager.Turn, text string) {
	ctx := w.tb.Context()
	p := memory.Package{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Turn: turn.Working.TurnCount}
	_, err := w.m.SavePackage(ctx, p, nil)
	w.must(err)
	_, err = w.m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: text, Status: memory.StatusComplete, Model: "test",
	}, true)
	w.must(err)
}

func (w *trees) words(prefix string) string {
	w.n++
	return fmt.Sprintf("%s %d", prefix, w.n)
}

func (w *trees) session() string {
	var ids []string
	for id := range w.want {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return ""
	}
	return rapid.SampledFrom(ids).Draw(w.t, "session")
}

func (w *trees) branch(id string) lookup.Branch {
	b, err := w.m.Lookup().Branch(w.tb.Context(), luna, id)
	w.must(err)
	return b
}

func (w *trees) moved(id string) {
	delete(w.left, id)
	b := w.branch(id)
	w.want[id] = nil
	for _, r := range b.Records {
		w.want[id] = append(w.want[id], r.Content)
	}
}

func (w *trees) send(id, edits string) {
	ctx := w.tb.Context()
	said, reply := w.words("I like tea"), w.words("answer")
	in, err := w.m.KeepIncoming(ctx, luna, said, nil, edits)
	w.must(err)
	turn, err := w.m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: id})
	w.must(err)
	w.answer(turn, reply)
	delete(w.left, turn.Session.ID)
	w.want[turn.Session.ID] = append(w.want[turn.Session.ID], said, reply)
}

// own returns a record of the session's own branch with such a role.
func (w *trees) own(id string, role memory.Role) (memory.Record, int, bool) {
	if id == "" {
		return memory.Record{}, 0, false
	}
	b := w.branch(id)
	var at []int
	for i, r := range b.Records {
		if r.SessionID == id && r.Role == role {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return memory.Record{}, 0, false
	}
	i := rapid.SampledFrom(at).Draw(w.t, "record")
	return b.Records[i], i, true
}

// fewer lets rapid try a slow property the usual number of times only, unless it was told how often.
// It changes a flag, so the test must not run in parallel.
func fewer(t *testing.T, usual int) {
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); was == checks.DefValue {
		_ = checks.Value.Set(strconv.Itoa(usual))
		t.Cleanup(func() { _ = checks.Value.Set(was) })
	}
}

// A1, C5, P9: whatever is done, in whatever order, every session's branch is what it
// should be, every record hangs in its tree and can be reached, counts are right, and
// every answer has its package.
func TestTrees(t *testing.T) {
	fewer(t, 12)
	rapid.Check(t, func(rt *rapid.T) {
		cfg := write.DefaultConfig()
		cfg.Analysis = write.AnalysisRules
		m, err := manager.Open(t.Context(), manager.Options{Dir: filepath.Join(t.TempDir(), "data"), Config: cfg, Now: newClock().Now, NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = m.Close() }()
		w := &trees{t: rt, m: m, tb: t, want: map[string][]string{}, fork: map[string]bool{}, left: map[string]manager.LeftTurns{}}
		ctx := t.Context()
		rt.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { w.check() },
			"send": func(*rapid.T) {
				id := w.session()
				if len(w.want) < 2 && rapid.Bool().Draw(rt, "new") {
					id = ""
				}
				w.send(id, "")
			},
			"regenerate": func(*rapid.T) {
				id := w.session()
				r, i, ok := w.own(id, memory.RoleUser)
				if !ok {
					return
				}
				turn, err := m.RegenerateTurn(ctx, luna, r.ID, manager.Place{})
				w.must(err)
				reply := w.words("another")
				w.answer(turn, reply)
				delete(w.left, id)
				w.want[id] = append(slices.Clone(w.want[id][:i+1]), reply)
			},
			"edit": func(*rapid.T) {
				id := w.session()
				if r, i, ok := w.own(id, memory.RoleUser); ok {
					w.want[id] = slices.Clone(w.want[id][:i])
					w.send(id, r.ID)
				}
			},
			"undo": func(*rapid.T) {
				id := w.session()
				_, _, ok := w.own(id, memory.RoleUser)
				if id == "" {
					return
				}
				left, _, err := m.UndoLastTurn(ctx, luna, id)
				if !ok || errors.Is(err, manager.ErrEnded) {
					if !errors.Is(err, lookup.ErrNotFound) && !errors.Is(err, manager.ErrEnded) {
						rt.Fatalf("undone: %v", err)
					}
					return
				}
				w.must(err)
				w.moved(id)
				w.left[id] = left
			},
			"redo": func(*rapid.T) {
				id := w.session()
				if left, ok := w.left[id]; ok {
					_, err := m.RedoTurn(ctx, luna, left)
					w.must(err)
					w.moved(id)
				}
			},
			"step": func(*rapid.T) {
				id := w.session()
				if id == "" {
					return
				}
				b := w.branch(id)
				record, by := "", 1
				if len(b.Alternatives) > 0 {
					var at []string
					for r := range b.Alternatives {
						at = append(at, r)
					}
					slices.Sort(at)
					record, by = rapid.SampledFrom(at).Draw(rt, "way"), rapid.SampledFrom([]int{-1, 1}).Draw(rt, "by")
				}
				_, err := m.StepBranch(ctx, luna, id, record, by)
				w.must(err)
				if after := w.branch(id); record == "" && b.Ahead > 0 && len(after.Records) <= len(b.Records) {
					rt.Fatalf("no step forward")
				}
				w.moved(id)
			},
			"fork": func(*rapid.T) {
				id := w.session()
				if id == "" || len(w.want) > 4 {
					return
				}
				b := w.branch(id)
				if len(b.Records) == 0 {
					return
				}
				i := rapid.IntRange(0, len(b.Records)-1).Draw(rt, "at")
				s, err := m.Fork(ctx, luna, b.Records[i].ID, "")
				w.must(err)
				w.want[s.ID], w.fork[s.ID] = slices.Clone(w.want[id][:i+1]), true
			},
			"delete": func(*rapid.T) {
				id := w.session()
				r, _, ok := w.own(id, rapid.SampledFrom([]memory.Role{memory.RoleUser, memory.RoleAssistant}).Draw(rt, "role"))
				all, err := m.Lookup().Records(ctx, luna, id)
				w.must(err)
				if !ok || len(all) < 2 {
					return
				}
				d, err := m.DeleteRecords(ctx, luna, false, r.ID)
				w.must(err)
				if rapid.Bool().Draw(rt, "back") {
					_, err := m.UndoDeletion(ctx, luna, d.ID)
					w.must(err)
					return
				}
				for s := range w.want {
					w.want[s] = slices.DeleteFunc(w.want[s], func(c string) bool { return c == r.Content })
					delete(w.left, s)
				}
			},
			"learn": func(*rapid.T) { w.must(m.Learning().Learn(ctx, luna, nil)) },
		})
	})
}

func (w *trees) check() {
	ctx := w.tb.Context()
	for id, want := range w.want {
		b := w.branch(id)
		var got []string
		for _, r := range b.Records {
			got = append(got, r.Content)
		}
		if !slices.Equal(got, want) {
			w.t.Fatalf("session %s is %q, want %q", id, got, want)
		}
		last, err := w.m.Lookup().LastRecords(ctx, luna, id, 3)
		w.must(err)
		if n := len(b.Records); len(last) != min(3, n) || n > 0 && last[len(last)-1].ID != b.Records[n-1].ID {
			w.t.Fatalf("the last of session %s are %v", id, last)
		}
		all, err := w.m.Lookup().Records(ctx, luna, id)
		w.must(err)
		turns := 0
		for _, r := range all {
			if r.Role == memory.RoleUser {
				turns++
				continue
			}
			if p, err := w.m.Lookup().Package(ctx, luna, r.TurnID); err != nil || !p.Exact {
				w.t.Fatalf("the package of %q: exact %v, %v", r.Content, p.Exact, err)
			}
		}
		if n := ownTurns(b); b.Session.TurnsShown() != n {
			w.t.Fatalf("session %s counts %d turns and shows %d", id, b.Session.TurnsShown(), n)
		}
		if b.Session.Messages != len(all) || b.Session.Turns != turns {
			w.t.Fatalf("session %s counts %d messages and %d turns of %d and %d", id, b.Session.Messages, b.Session.Turns, len(all), turns)
		}
		end := len(b.Records) - 1
		if end < 0 || b.Ahead > 0 || b.Records[end].SessionID != id {
			continue // there is no way back to the middle of a branch
		}
		for _, r := range append(all, b.Records[end]) {
			_, err := w.m.StepBranch(ctx, luna, id, r.ID, 0)
			w.must(err)
			if in := w.branch(id); !slices.ContainsFunc(in.Records, func(o memory.Record) bool { return o.ID == r.ID }) {
				w.t.Fatalf("%q cannot be reached", r.Content)
			}
		}
		after := w.branch(id)
		b.Session.LastRecordID, after.Session.LastRecordID = "", "" // it may have been deleted
		if diff := cmp.Diff(b, after); diff != "" {
			w.t.Fatalf("going around changed the branch:\n%s", diff)
		}
	}
}

// A1: a store in which no record says what stood before it reads as before, and so
// does one whose messages were deleted by an older program.
func TestLongPath(t *testing.T) {
	m, _ := open(t)
	session := ""
	for i := range 12 {
		turn, _ := say(t, m, luna, session, fmt.Sprintf("message %d", i))
		session = turn.Session.ID
	}
	last := must(m.Lookup().LastRecords(t.Context(), luna, session, 5))(t)
	if len(last) != 5 || last[3].Content != "message 11" {
		t.Errorf("%+v", last)
	}
}

// D2, C5: deleting a user message also deletes the searches that it caused in every one
// of its turns.
func TestDeleteWhatWasAnsweredAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	m := openAt(t, dir, newClock(), nil)
	ctx := t.Context()
	one, _ := say(t, m, luna, "", "nothing")
	two, _ := say(t, m, luna, one.Session.ID, "Xylophones are mine")
	anew := must(m.RegenerateTurn(ctx, luna, two.Record.ID, manager.Place{}))(t)
	p := memory.Package{AgentID: luna, SessionID: one.Session.ID, TurnID: anew.Record.TurnID, Keywords: []string{"Xylophones"}}
	must(m.SavePackage(ctx, p, nil))(t)
	call := memory.Record{
		ID: "01CALL", AgentID: luna, SessionID: one.Session.ID, TurnID: anew.Record.TurnID, Role: memory.RoleTool,
		Content: "Xylophones", Call: &memory.Call{}, Status: memory.StatusComplete,
	}
	must(m.SaveRound(ctx, luna, manager.ToolRound{SessionID: one.Session.ID, TurnID: anew.Record.TurnID, Calls: []memory.Record{call}}))(t)
	must(m.DeleteRecords(ctx, luna, true, two.Record.ID))(t)
	for _, r := range must(m.Lookup().Records(ctx, luna, one.Session.ID))(t) {
		if strings.Contains(r.Content, "Xylophones") {
			t.Errorf("%+v is left", r)
		}
	}
	if p := must(m.Lookup().Package(ctx, luna, anew.Record.TurnID))(t); len(p.Keywords) != 0 {
		t.Errorf("keywords %q are left", p.Keywords)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
}

// ownTurns counts the turns that a session shows, but for those before a fork.
func ownTurns(b lookup.Branch) (n int) {
	for _, r := range b.Records[b.Before:] {
		if r.Role == memory.RoleUser {
			n++
		}
	}
	return n
}

// A1: a session counts the turns that it shows, whatever was undone, edited, deleted and
// taken back; each operation returns the session as it is.
func TestTurnsShown(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	a, _ := say(t, m, luna, "", "one")
	id := a.Session.ID
	b, _ := say(t, m, luna, id, "two")
	say(t, m, luna, id, "three")
	want := func(n int, all int) {
		t.Helper()
		s := must(m.Lookup().Session(ctx, luna, id))(t)
		if s.TurnsShown() != n || s.Turns != all || ownTurns(must(m.Lookup().Branch(ctx, luna, id))(t)) != n {
			t.Errorf("it counts %d of %d turns, want %d of %d", s.TurnsShown(), s.Turns, n, all)
		}
	}
	want(3, 3)
	_, s, err := m.UndoLastTurn(ctx, luna, id)
	if err != nil || s.TurnsShown() != 2 {
		t.Errorf("undone: %d, %v", s.TurnsShown(), err)
	}
	want(2, 3)
	if s = must(m.StepBranch(ctx, luna, id, "", 1))(t); s.TurnsShown() != 3 {
		t.Errorf("forward again: %d", s.TurnsShown())
	}
	edit := must(m.KeepIncoming(ctx, luna, "another two", nil, b.Record.ID))(t)
	if e := must(m.BeginTurn(ctx, luna, edit.ID, manager.Place{SessionID: id}))(t); e.Session.TurnsShown() != 2 {
		t.Errorf("edited: %d", e.Session.TurnsShown())
	}
	want(2, 4)
	d := must(m.DeleteRecords(ctx, luna, false, b.Record.ID))(t) // beside the branch
	want(2, 3)
	e := must(m.DeleteRecords(ctx, luna, false, a.Record.ID))(t) // in it
	want(1, 2)
	must(m.UndoDeletion(ctx, luna, e.ID))(t)
	want(2, 3)
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	want(2, 4)
	f := must(m.Fork(ctx, luna, a.Record.ID, ""))(t)
	if f.TurnsShown() != 0 {
		t.Errorf("a fork counts %d", f.TurnsShown())
	}
	say(t, m, luna, f.ID, "four")
	if f = must(m.Lookup().Session(ctx, luna, f.ID))(t); f.TurnsShown() != 1 {
		t.Errorf("a fork counts %d", f.TurnsShown())
	}
}

// S13, U5: a message that is not for memory gives no title, also when its turn is undone and redone.
func TestRedoKeepsWithheldWordsOutOfTitle(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "Hello there!")
	id := first.Session.ID
	say(t, m, luna, id, "Off the record: I sold the accordion")
	left, _, err := m.UndoLastTurn(t.Context(), luna, id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.RedoTurn(t.Context(), luna, left)
	if err != nil || s.Title != "Hello there!" {
		t.Errorf("title %q, %v", s.Title, err)
	}
}
