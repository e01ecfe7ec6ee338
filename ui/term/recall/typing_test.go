package recall

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/prompts"
	"memoria/ui/app"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// listener is a root that notes the errors it is told.
type listener struct {
	Host
	told []error
}

func (l *listener) Session() memory.Session { return memory.Session{} }
func (l *listener) Cited(string) bool       { return false }
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
	m, err := manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: now, NoSync: true})
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
	p := NewPane(keys.Default(words.Words{}), time.UTC, fx, l, pane.Recall)
	p.SetSize(56, 20)
	return p, l
}

// What is looked up while typing never piles up: a newer text ends the look-up of the one
// before, and so does a text that is gone. A late answer is dropped.
func TestOneLookUpAtATime(t *testing.T) {
	p, l := lookingUp(t)
	if _, err := p.fx.Memory.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "uses pnpm, not npm"}); err != nil {
		t.Fatal(err)
	}
	lookUp := func(text string) func() {
		p.Type(memory.Record{Content: text})
		cmd := p.lookUp()
		return func() { p.fx.Accept(cmd().(pane.Result)).(pane.Callback)() }
	}
	former, newer := lookUp("pnpm"), lookUp("pnpm scripts")
	former()
	if len(l.told) > 0 || p.Recalls() != 0 {
		t.Fatalf("a look-up that was overtaken shows %d and is told: %v", p.Recalls(), l.told)
	}
	newer()
	if len(l.told) > 0 || p.Recalls() != 1 {
		t.Fatalf("the newest look-up shows %d, %v", p.Recalls(), l.told)
	}
	p.recalled(p.typing.id, recalled{}, context.Canceled)
	if len(l.told) != 1 || !errors.Is(l.told[0], context.Canceled) {
		t.Errorf("a failure is told as %v", l.told)
	}
	last := lookUp("pnpm?")
	p.Type(memory.Record{})
	if last(); p.Recalls() != 0 || len(l.told) != 1 {
		t.Errorf("a text that is gone shows %d", p.Recalls())
	}
}

// The look-up before ends when a newer one begins.
func TestNewerTextEndsALookUp(t *testing.T) {
	p, _ := lookingUp(t)
	ended := 0
	for _, text := range []string{"pnpm", "npm", ""} {
		p.typing.end = func() { ended++ }
		p.Type(memory.Record{Content: text})
		p.lookUp()
	}
	if ended != 3 {
		t.Errorf("%d of 3 ended", ended)
	}
}

// A list that was overtaken is dropped.
func TestStaleListIsDropped(t *testing.T) {
	p, _ := lookingUp(t)
	if _, err := p.fx.Memory.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "uses pnpm, not npm"}); err != nil {
		t.Fatal(err)
	}
	stale, newest := p.List(), p.List()
	run := func(cmd tea.Cmd) { p.fx.Accept(cmd().(pane.Result)).(pane.Callback)() }
	if run(stale); p.Loaded() != 0 {
		t.Error("it is shown")
	}
	if run(newest); p.Loaded() != 1 {
		t.Error("the newest is not shown")
	}
}
