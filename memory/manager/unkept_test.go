package manager_test

import (
	"errors"
	"path/filepath"
	"testing"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// A1: what was said in a session is erased when it ends, unless that is kept; what was
// learned from it stays and says that its source was not kept.
func TestUnkeptSessions(t *testing.T) {
	for _, tt := range []struct {
		name              string
		enabled, byItself bool
		marked, stays     bool
	}{
		{"kept by default", true, true, false, true},
		{"not by default", true, false, false, false},
		{"not by default, marked", true, false, true, true},
		{"never", false, true, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := t.Context()
			change := func(c *write.Config) { c.Archival, c.ArchivalDefault = tt.enabled, tt.byItself }
			dir := filepath.Join(t.TempDir(), "data")
			m := openAt(t, dir, newClock(), change)
			turn, changes := say(t, m, luna, "", "I have a kiln in the garden.")
			if len(changes) != 1 {
				t.Fatalf("learned %v", changes)
			}
			session, item := turn.Session.ID, changes[0].ItemID
			if tt.marked {
				must(m.KeepSession(ctx, luna, session, true))(t)
			}
			if err := m.Learning().Learn(ctx, luna, nil); err != nil {
				t.Fatal(err)
			}
			must(m.Lookup().Session(ctx, luna, session))(t) // it runs
			if err := m.ArchiveSession(ctx, luna, session); err != nil {
				t.Fatal(err)
			}
			if err := m.Close(); err != nil { // before it was erased: the next run does
				t.Fatal(err)
			}
			m = openAt(t, dir, newClock(), change)
			if err := m.Learning().Learn(ctx, luna, nil); err != nil {
				t.Fatal(err)
			}
			_, err := m.Lookup().Session(ctx, luna, session)
			_, said := m.Lookup().Record(ctx, luna, turn.Record.ID)
			if gone := errors.Is(err, lookup.ErrNotFound) && errors.Is(said, lookup.ErrNotFound); gone == tt.stays {
				t.Errorf("the session: %v, its message: %v", err, said)
			}
			it := must(m.Lookup().Item(ctx, luna, item))(t)
			if !it.IsActive() {
				t.Errorf("the memory is %s", it.State)
			}
			if kept := must(m.Lookup().KeptSource(ctx, luna, session))(t); kept != tt.stays {
				t.Errorf("its source was kept: %v", kept)
			}
			p := memory.Package{AgentID: luna, TurnID: "T", Citations: []memory.Citation{{N: 1, Evidence: it.Evidence[0]}}}
			source := must(m.Recall().Sources(ctx, luna, p))(t)["T"][0]
			if source.Forgotten == tt.stays || source.Forgotten && source.Text != "[not kept]" {
				t.Errorf("the source is %+v", source)
			}
		})
	}
	m := openAt(t, filepath.Join(t.TempDir(), "data"), newClock(), func(c *write.Config) { c.Archival = false })
	turn, _ := say(t, m, luna, "", "I have a kiln in the garden.")
	if _, err := m.KeepSession(t.Context(), luna, turn.Session.ID, true); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("kept where none is: %v", err)
	}
}

// A1: a session that goes on before it was erased is not erased.
func TestUnkeptGoesOn(t *testing.T) {
	ctx := t.Context()
	m := openAt(t, filepath.Join(t.TempDir(), "data"), newClock(), func(c *write.Config) { c.ArchivalDefault = false })
	turn, _ := say(t, m, luna, "", "I have a kiln in the garden.")
	if err := m.ArchiveSession(ctx, luna, turn.Session.ID); err != nil {
		t.Fatal(err)
	}
	say(t, m, luna, turn.Session.ID, "It is a large one.")
	if s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t); s.Unkept || s.Messages != 4 {
		t.Errorf("%+v", s)
	}
}

// A1, S9: of a group, what was said goes once every member has learned from it, and each
// says of its memories that their source was not kept.
func TestUnkeptInAGroup(t *testing.T) {
	ctx := t.Context()
	dir := filepath.Join(t.TempDir(), "data")
	m := openAt(t, dir, newClock(), func(c *write.Config) { c.ArchivalDefault = false })
	must(m.AddGroup(ctx, memory.Group{ID: trio, Name: "Trio", Members: three}))(t)
	turn := talk(t, m, "", "I have a kiln in the garden.", said{"ann", "I see."}, said{"bo", "Nice."}, said{"cy", "Oh."})
	session := turn.Session.ID
	if err := m.ArchiveSession(ctx, trio, session); err != nil {
		t.Fatal(err)
	}
	learnAll(t, m)
	learnAll(t, m)
	if _, err := m.Lookup().Session(ctx, trio, session); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("the session: %v", err)
	}
	for _, id := range three {
		page := must(m.Lookup().Items(ctx, id, lookup.ItemFilter{}))(t)
		if page.Total != 1 {
			t.Errorf("%s remembers %v", id, contents(page.Items))
			continue
		}
		if must(m.Lookup().KeptSource(ctx, id, page.Items[0].Evidence[0].SessionID))(t) {
			t.Errorf("%s says that the source was kept", id)
		}
	}
}
