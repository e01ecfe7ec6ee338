package app_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/prompts"
	"memoria/ui/app"
)

// newConversations returns the conversations over an empty memory with the agents luna, sol and bo; luna's
// conversation is open, and hers is the default one.
func newConversations(t *testing.T) (*app.Conversations, *manager.Manager) {
	t.Helper()
	ctx := t.Context()
	m, err := manager.Open(ctx, manager.Options{Dir: filepath.Join(t.TempDir(), "data"), Config: write.DefaultConfig(), Now: time.Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []memory.Agent{{ID: "luna"}, {ID: "sol", Name: "The Sun"}, {ID: "bo", Name: "小波"}} {
		if _, err := m.CreateAgent(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := prompts.New("")
	if err != nil {
		t.Fatal(err)
	}
	open := func(a memory.Agent) (*chat.Chat, error) {
		o := chat.Options{
			Agent: a, Manager: m, Model: model.NewOffline(time.Now), Prompts: texts,
			Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: time.Now,
		}
		if g, err := m.Lookup().Group(ctx, a.ID); err == nil {
			if len(g.Members) == 0 {
				return nil, errors.New("nobody is left")
			}
			for _, id := range g.Members {
				o.Members = append(o.Members, memory.Agent{ID: id})
			}
		}
		return chat.New(o)
	}
	first, err := open(memory.Agent{ID: "luna"})
	if err != nil {
		t.Fatal(err)
	}
	d := app.NewConversations(app.ConversationOptions{Memory: m, Chat: first, New: open, Default: "luna"})
	t.Cleanup(func() {
		if err := errors.Join(d.Close(), m.Close()); err != nil {
			t.Error(err)
		}
	})
	return d, m
}

// at is whom the open conversation is with.
func at(d *app.Conversations) string {
	out := d.Chat().Agent().ID
	for _, m := range d.Chat().Members() {
		out += " " + m.ID
	}
	return out
}

// S9: a group is found by what it is called, or made of a name and agents, by id or name.
func TestGroupOfWords(t *testing.T) {
	d, _ := newConversations(t)
	for _, tt := range []struct{ words, id, members, refused string }{
		{words: "Readers @The Sun, ＠小波", id: "readers", members: "sol bo"},
		{words: "readers", id: "readers", members: "sol bo"},
		{words: "Readers @sol @luna", refused: "there is a group Readers already"},
		{words: "trio bo luna sol", id: "trio", members: "bo luna sol"},
		{words: "读书会 @bo @luna", id: "group-1", members: "bo luna"},
		{words: "me@home @bo @luna", id: "mehome", members: "bo luna"},
		{words: "x @bo", refused: "two agents"},
		{words: "x @bo @bo", refused: "bo is named twice"},
		{words: "x @bo @readers", refused: "Readers is a group"},
		{words: "x @bo @nobody", refused: "no agent is called nobody"},
		{words: "sol", refused: "The Sun is an agent"},
		{words: "@sol @bo", refused: "needs a name"},
	} {
		g, _, err := d.FindOrAddGroup(t.Context(), tt.words)
		var refused app.Refusal
		switch {
		case tt.refused != "":
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.refused) {
				t.Errorf("%q: %v", tt.words, err)
			}
		case err != nil || g.ID != tt.id || strings.Join(g.Members, " ") != tt.members:
			t.Errorf("%q: %s of %v, %v", tt.words, g.ID, g.Members, err)
		}
	}
	if _, _, err := d.FindOrAddGroup(t.Context(), "nothing"); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("what there is not: %v", err)
	}
}

// S9, I8: the open conversation is never with a group as it was before: it is opened anew
// when the group, or an agent that is in it, is changed, deleted or taken back.
func TestGroupIsOpenedAnew(t *testing.T) {
	d, m := newConversations(t)
	ctx := t.Context()
	g, made, err := d.FindOrAddGroup(ctx, "Trio @luna @sol @bo")
	if err != nil || !made {
		t.Fatal(made, err)
	}
	step := func(what, want string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := at(d); got != want {
			t.Fatalf("%s: it is with %q, want %q", what, got, want)
		}
	}
	_, err = d.Switch(ctx, g.ID)
	step("going there", "trio luna sol bo", err)
	_, _, err = d.EditGroup(ctx, g.ID, func(g *memory.Group) { g.Members = []string{"bo", "sol"} })
	step("luna leaves", "trio bo sol", err)
	if now, err := m.Lookup().Group(ctx, g.ID); err != nil || now.NameOf("sol") != "The Sun" || now.NameOf("bo") != "小波" {
		t.Errorf("the names are %v, %v", now.Names, err)
	}
	before := d.Chat()
	_, open, err := d.EditAgent(ctx, "bo", func(a *memory.Agent) { a.Model = "big" })
	step("bo changes", "trio bo sol", err)
	if open == before || open != d.Chat() {
		t.Error("it was not opened anew")
	}
	_, open, err = d.EditAgent(ctx, "luna", func(a *memory.Agent) { a.Model = "big" })
	step("luna changes", "trio bo sol", err)
	if open != d.Chat() {
		t.Error("it was opened anew for somebody else")
	}
	gone, _, err := d.DeleteGroup(ctx, g.ID, false)
	step("it is deleted", "luna", err)
	_, err = d.Restore(ctx, g.ID, gone.ID)
	step("it is taken back", "trio bo sol", err)
	gone, _, err = d.DeleteAgent(ctx, "bo")
	step("bo is deleted", "trio sol", err)
	_, err = d.Restore(ctx, "bo", gone.ID)
	step("bo is taken back", "trio bo sol", err)
	_, _, err = d.DeleteAgent(ctx, "bo")
	step("bo is deleted again", "trio sol", err)
	_, _, err = d.DeleteAgent(ctx, "sol")
	step("nobody is left", "luna", err)
	var refused app.Refusal
	if _, err := d.Switch(ctx, g.ID); !errors.As(err, &refused) {
		t.Errorf("going to nobody: %v", err)
	}
}
