package manager_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
)

func init() { children["__life"] = lifeChild }

// lifeChild takes sessions endlessly through all state changes: they end, are generated,
// continue with or without a judgement, are overruled and swept. It prints a line after
// each step.
func lifeChild(dir string) error {
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	l := &life{m: m, ctx: context.Background()}
	if _, err := m.Recover(l.ctx, luna); err != nil {
		return err
	}
	for {
		if err := l.step(); err != nil {
			return err
		}
		fmt.Println("step")
	}
}

type life struct {
	m   *manager.Manager
	ctx context.Context
}

// say adds a turn at a place.
func (l *life) say(at manager.Place) (memory.Record, error) {
	n := rand.IntN(1_000_000)
	said := fmt.Sprintf("I like tea number %d. We keep barrel %d in the cellar.", n, n)
	in, err := l.m.KeepIncoming(l.ctx, luna, said, nil, "")
	if err != nil {
		return in, err
	}
	turn, err := l.m.BeginTurn(l.ctx, luna, in.ID, at)
	if err != nil {
		return in, err
	}
	s := turn.Session
	p := memory.Package{AgentID: luna, SessionID: s.ID, TurnID: turn.Record.TurnID, Turn: turn.Working.TurnCount, Blocks: []memory.Block{
		{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
	}}
	if _, err := l.m.SavePackage(l.ctx, p, nil); err != nil {
		return in, err
	}
	_, err = l.m.FinishTurn(l.ctx, memory.Record{
		AgentID: luna, SessionID: s.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
		Status: memory.StatusComplete, Model: memory.ModelOffline,
	}, true)
	return turn.Record, err
}

func (l *life) step() error {
	all, _, err := l.m.Lookup().Sessions(l.ctx, luna, 6, 0)
	if err != nil {
		return err
	}
	open, other := "", ""
	for _, s := range all {
		if s.State == memory.SessionActive && open == "" {
			open = s.ID
		} else {
			other = s.ID
		}
	}
	switch pick := rand.IntN(8); {
	case open == "" || pick == 0:
		_, err = l.say(manager.Place{Archive: open})
	case pick == 1:
		err = l.m.ArchiveSession(l.ctx, luna, open)
	case pick == 2 && other != "":
		_, err = l.say(manager.Place{SessionID: other, Archive: open}) // gone on with, and rolled back
	case pick == 3:
		_, err = l.m.Sweep(l.ctx, luna, 0, time.Hour)
	case pick <= 5: // judged, and overruled as often as not
		j := &memory.Judgement{SessionID: open, By: memory.JudgedByRules, Revived: pick == 4}
		at := manager.Place{Archive: open, Judgement: j}
		if j.Revived {
			at = manager.Place{SessionID: open, Judgement: j}
		}
		var r memory.Record
		if r, err = l.say(at); err != nil {
			return err
		}
		if rand.IntN(2) == 0 {
			_, err = l.say(manager.Place{SessionID: r.SessionID})
		}
		for range rand.IntN(3) {
			if err == nil {
				_, err = l.m.Overrule(l.ctx, luna, r.ID)
			}
		}
	default:
		_, err = l.say(manager.Place{SessionID: open})
	}
	if err == nil && rand.IntN(3) > 0 {
		err = l.m.Learning().Learn(l.ctx, luna, nil)
	}
	return err
}

// S5, S8, Q3: after a kill at any step of archiving, rollback or overruling, every
// session is in a legal state and every item has its words. The next process finishes the
// work, once.
func TestKillInTheLifeOfSessions(t *testing.T) {
	noRace(t)
	dir := filepath.Join(t.TempDir(), "data")
	for range kills(t, 3) {
		killedAfter(t, "__life", dir, 5+rand.IntN(25), 9*time.Millisecond, func(string, string) {})
		m, err := openReal(dir)
		if err != nil {
			t.Fatal(err)
		}
		must(m.Recover(t.Context(), luna))(t)
		wantLegal(t, m)
		if err := m.Learning().Learn(t.Context(), luna, nil); err != nil {
			t.Fatal(err)
		}
		wantLegal(t, m)
		for _, s := range sessions(t, m) {
			if s.State == memory.SessionArchiving {
				t.Errorf("%s is archiving when all is read", s.ID)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return
		}
	}
}

func sessions(t testing.TB, m *manager.Manager) []memory.Session {
	t.Helper()
	all, _, err := m.Lookup().Sessions(t.Context(), luna, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantLegal checks every session and every memory: states fit together, counts and
// chains are whole, packages open, and evidence leads to words.
func wantLegal(t *testing.T, m *manager.Manager) {
	t.Helper()
	ctx := t.Context()
	generations := map[string]bool{}
	place := map[string]string{}
	active := 0
	for _, s := range sessions(t, m) {
		generations[s.Generation] = true
		_, werr := m.Lookup().Working(ctx, luna, s.ID)
		switch {
		case s.State == memory.SessionActive:
			if active++; s.Memories != memory.MemoriesNone || s.Generation != "" || s.Summary != nil || werr == nil == (s.Kept != nil) {
				t.Errorf("active: %+v, working memory: %v", s, werr)
			}
		case s.State == memory.SessionArchiving && s.Memories == memory.MemoriesGenerating && s.Generation != "" && s.Kept != nil:
		case s.State == memory.SessionArchived && s.Memories == memory.MemoriesGenerated && s.Generation != "" && s.Kept != nil:
		default:
			t.Errorf("no legal state: %+v", s)
		}
		if s.State != memory.SessionActive && werr == nil {
			t.Errorf("%s has ended and has working memory", s.ID)
		}
		records := must(m.Lookup().Records(ctx, luna, s.ID))(t)
		parent, turns := "", 0
		for _, r := range records {
			if r.ParentID != parent || r.SessionID != s.ID {
				t.Errorf("record %s of %s: session %s, after %s", r.ID, s.ID, r.SessionID, r.ParentID)
			}
			parent, place[r.ID] = r.ID, s.ID
			if r.Role == memory.RoleUser {
				turns++
				if p, err := m.Lookup().Package(ctx, luna, r.TurnID); err == nil && (!p.Exact || p.SessionID != s.ID) {
					t.Errorf("package of %s: in %s, exact %v", r.TurnID, p.SessionID, p.Exact)
				}
			}
		}
		if s.Turns != turns || s.TurnsShown() != turns || s.Messages != len(records) || s.LastRecordID != parent || len(records) == 0 {
			t.Errorf("%s counts %d turns, %d messages up to %s; it has %d, %d up to %s", s.ID, s.Turns, s.Messages, s.LastRecordID, turns, len(records), parent)
		}
	}
	if active > 1 {
		t.Errorf("%d sessions are active", active)
	}
	for _, it := range inForce(t, m) {
		// A topic is shared by sessions: another generation may have confirmed it since (P9).
		if it.Origin == memory.OriginSessionEnd && it.Type != memory.TypePattern && !generations[it.Generation] {
			t.Errorf("%q is of a generation that is gone", it.Content)
		}
		if !slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return place[ev.RecordID] == ev.SessionID }) {
			t.Errorf("%q has no words: %+v", it.Content, it.Evidence)
		}
		for _, ev := range it.Evidence {
			if place[ev.RecordID] != ev.SessionID {
				t.Errorf("%q: its words are in %s, not %s", it.Content, place[ev.RecordID], ev.SessionID)
			}
		}
	}
}
