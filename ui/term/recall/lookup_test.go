package recall

import (
	"context"
	"errors"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
	"memoria/prompts"
	"memoria/ui/app"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
)

// listener is a root that notes the errors it is told.
type listener struct {
	Host
	told []error
}

func (l *listener) Session() memory.Session { return memory.Session{} }
func (l *listener) Tell(err error) {
	if err != nil {
		l.told = append(l.told, err)
	}
}

// lookingUp returns a pane over an empty memory.
func lookingUp(t *testing.T) (*Pane, *listener) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	now := func() time.Time { return noon }
	m, err := manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: manager.DefaultConfig(), Now: now, NoSync: true})
	must(err)
	t.Cleanup(func() { must(m.Close()) })
	set, err := prompts.New("")
	must(err)
	c, err := chat.New(chat.Options{
		Agent: chat.Agent{ID: "luna", Name: "luna"}, Manager: m, Model: model.NewOffline(now), Prompts: set,
		Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: now,
	})
	must(err)
	t.Cleanup(func() { must(c.Close()) })
	l := &listener{}
	fx := &pane.Effects{Session: &app.Session{Memory: m, Now: now}, Ctx: t.Context(), Chat: c, Agent: "luna"}
	p := NewPane(keys.Default(), time.UTC, fx, l)
	p.SetSize(56, 20)
	return p, l
}

// What is looked up while typing never piles up: a newer text ends the look-up of the one
// before, and so does a text that is gone. A late answer is dropped.
func TestOneLookUpAtATime(t *testing.T) {
	p, l := lookingUp(t)
	if _, err := p.fx.Memory.AddItem(t.Context(), "luna", memory.Item{Content: "uses pnpm, not npm"}); err != nil {
		t.Fatal(err)
	}
	lookUp := func(text string) func() previewMsg {
		p.Type(memory.Record{Content: text})
		cmd := p.lookUp()
		return func() previewMsg {
			msg, ok := p.fx.Accept(cmd().(pane.Result)).(previewMsg)
			if !ok {
				t.Fatalf("looking %q up gave %T", text, msg)
			}
			return msg
		}
	}
	ended := func(msg previewMsg) {
		t.Helper()
		if !errors.Is(msg.err, context.Canceled) {
			t.Fatalf("the former look-up went on: %v", msg.err)
		}
		p.Update(msg)
		if len(l.told) > 0 {
			t.Fatalf("an ended look-up is told: %+v", l.told)
		}
	}
	former, newer := lookUp("pnpm"), lookUp("pnpm scripts")
	ended(former())
	msg := newer()
	if msg.err != nil || len(msg.result.Chosen) != 1 {
		t.Fatalf("the newest look-up found %d, %v", len(msg.result.Chosen), msg.err)
	}
	p.Update(previewMsg{id: msg.id - 1, result: retrieve.Result{Total: 1, Chosen: make([]retrieve.Scored, 2)}})
	if n := p.Recalls(); n != 0 {
		t.Errorf("a late answer shows %d", n)
	}
	if p.Update(msg); p.Recalls() != 1 {
		t.Errorf("the newest shows %d", p.Recalls())
	}
	last := lookUp("pnpm?")
	p.Type(memory.Record{})
	ended(last())
}

// A list that was overtaken is dropped.
func TestStaleListIsDropped(t *testing.T) {
	p, _ := lookingUp(t)
	p.List()
	p.Update(listedMsg{read: p.reads - 1, page: manager.ItemPage{Items: []memory.Item{{ID: "x", Content: "stale"}}, Total: 1}})
	if p.Loaded() != 0 {
		t.Error("it is shown")
	}
}
