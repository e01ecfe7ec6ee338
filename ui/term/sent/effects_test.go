package sent

import (
	"cmp"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/app"
	"memoria/ui/term/pane"
	recallpane "memoria/ui/term/recall"
)

// listener is a root that keeps what panes send each other.
type listener struct {
	pane.Host
	to    pane.ID
	got   []any
	shown []Shown // to the pane of the evidence
}

func (l *listener) Send(id pane.ID, msg tea.Msg) tea.Cmd {
	if s, ok := msg.(Shown); ok && id == pane.Evidence {
		l.shown = append(l.shown, s)
		return nil
	}
	l.to, l.got = id, append(l.got, msg)
	return nil
}

// What the answer shown used is sent to the memories, and forgotten items are not among it.
func TestAnsweredIsSent(t *testing.T) {
	l := &listener{}
	p := &Pane{Model: newPane(55, 30), host: l}
	p.SetTurns([]memory.Package{pack("t0"), pack("t1")})
	p.answered("t0", detail(pack("t0"))) // another turn is shown
	p.answered("t1", Detail{Problem: "not found"})
	if len(l.got) != 0 {
		t.Fatalf("sent %+v", l.got)
	}
	p.answered("t1", detail(pack("t1")))
	a, _ := l.got[0].(recallpane.Answered)
	if l.to != pane.Recall || a.Turn != "t1" || len(a.Chosen) != 1 || a.Chosen[0].Item.Content != "uses pnpm, not npm" {
		t.Errorf("sent %+v", l.got)
	}
	d := detail(pack("t1"))
	d.Items = nil
	p.answered("t1", d)
	if a, _ := l.got[1].(recallpane.Answered); len(a.Chosen) != 0 {
		t.Errorf("forgotten items are sent: %+v", a)
	}
	p.Do(p.SetTurns(nil))
	if a, ok := l.got[2].(recallpane.Answered); !ok || a.Turn != "" {
		t.Errorf("without turns it sends %+v", l.got[2])
	}
}

// A3, D2: what was left out of the evidence is read with its words; what was deleted is gone, and
// what is in the window is cited already.
func TestLeftOut(t *testing.T) {
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, now := t.Context(), func() time.Time { return noon }
	m, err := manager.Open(ctx, manager.Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: now, NoSync: true})
	ok(err)
	defer func() { ok(m.Close()) }()
	var said []string
	for _, text := range []string{"The glaze ran.", "The glaze cracked.", "The glaze is blue."} {
		in, err := m.KeepIncoming(ctx, "luna", text, nil, "")
		ok(err)
		turn, err := m.BeginTurn(ctx, "luna", in.ID, manager.Place{})
		ok(err)
		said = append(said, turn.Record.ID)
	}
	it, err := m.Learning().AddItem(ctx, "luna", memory.Item{Content: "wants a blue glaze"})
	ok(err)
	_, err = m.DeleteRecords(ctx, "luna", false, said[1])
	ok(err)
	p := &Pane{Model: newPane(55, 30), fx: &pane.Effects{Session: &app.Session{Memory: m, Now: now}, Ctx: ctx, Agent: "luna"}}
	dropped := func(layer memory.Layer, what string) memory.Dropped {
		return memory.Dropped{Layer: layer, What: what, Reason: "over the evidence budget"}
	}
	got, err := p.leftOut("luna", memory.Package{
		AgentID: "luna", TurnID: "t1",
		Citations: []memory.Citation{{Evidence: memory.Evidence{RecordID: said[2]}, InWindow: true}},
		Dropped: []memory.Dropped{
			dropped(memory.LayerEvidence, said[0]), dropped(memory.LayerWindow, "3 messages"), dropped(memory.LayerEvidence, said[2]),
			dropped(memory.LayerEvidence, "2 more calls of the model"), dropped(memory.LayerEvidence, said[1]), dropped(memory.LayerEvidence, it.ID),
		},
	})
	ok(err)
	var texts []string
	for _, l := range got {
		texts = append(texts, cmp.Or(l.Text, l.What))
	}
	want := []string{"The glaze ran.", "2 more calls of the model", "[forgotten 2026-01-28]", "wants a blue glaze"}
	if !slices.Equal(texts, want) {
		t.Fatalf("left out is %q, want %q", texts, want)
	}
	if first, last := got[0], got[3]; first.Role != memory.RoleUser || first.SessionID == "" || !first.Time.Equal(noon) || last.ItemID != it.ID ||
		!got[2].Forgotten || got[1].RecordID != "" || first.Reason != "over the evidence budget" {
		t.Errorf("left out is %+v", got)
	}
}

// The pane of the evidence follows the turn that is shown: while it is read, and when there is
// none.
func TestShownIsSent(t *testing.T) {
	l := &listener{}
	p := &Pane{Model: newPane(55, 30), host: l, fx: &pane.Effects{}}
	p.SetTurns([]memory.Package{pack("t0"), pack("t1")})
	p.Show("t1", detail(pack("t1")))
	if s := p.Shown(); s.TurnID != "t1" || s.Head != "turn 2 of 2 · 2026-01-28 12:00" {
		t.Errorf("it shows %+v", s)
	}
	p.Update(Step(-1))
	p.Update(Step(-1)) // there is none before
	p.Update(Latest)
	p.Do(p.SetTurns(nil))
	var got []string
	for _, s := range l.shown {
		got = append(got, s.Answer+s.TurnID)
	}
	if want := []string{"t0", "t0", "t1", ""}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
