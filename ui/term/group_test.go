package term

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/prompts"
)

// inGroup makes the conversation of a world one with a group of two.
func (w *world) inGroup(t *testing.T, server *modeltest.Server) *world {
	t.Helper()
	must(t, w.chat.Close())
	if _, err := w.manager.AddGroup(t.Context(), memory.Group{ID: "club", Name: "Book club", Members: []string{"ann", "bo"}}); err != nil {
		if _, err := w.manager.Lookup().Group(t.Context(), "club"); err != nil {
			t.Fatal(err)
		}
	}
	set, err := prompts.New("")
	must(t, err)
	w.chat, err = chat.New(chat.Options{
		Agent: chat.Agent{ID: "club", Name: "Book club"}, Members: []chat.Agent{{ID: "ann", Name: "Ann"}, {ID: "bo", Name: "小波"}},
		Manager: w.manager, Model: clientFor(t, server), Prompts: set,
		Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: w.clock.Now, Nonce: func() string { return "NONCE" },
	})
	must(t, err)
	w.opts.chat, w.opts.agent = w.chat, w.chat.Agent()
	return w
}

// S9: a group on the screen: who is in it, who says what and who is answering; a name is
// completed; every answer shows what was sent for it, and what was learned is told by
// name and stands in no list of the group.
func TestGroupOnScreen(t *testing.T) {
	hold := make(chan struct{})
	server := modeltest.NewServer(t, modeltest.Step{Text: "I say oak."},
		modeltest.Step{Text: "I say rye bread.", HoldAfter: modeltest.After(2), Hold: hold}, modeltest.Step{Text: "Rye, still."})
	w := newWorld(t, "", nil).inGroup(t, server)
	s := w.show(140, 40)
	s.see("Book club: Ann, 小波", "They answer in this order", "A group remembers nothing itself")
	s.say("I like oolong tea. And you?")
	s.see("Ann  12:00", "I say oak.", "小波 answers", "I say")
	close(hold)
	s.see("小波  12:00", "I say rye bread.", "Ann, 小波: Remembered: Likes oolong tea.")
	s.gone("小波 answers")
	s.tm.Type("@小")
	s.press(tea.KeyTab)
	s.see("> @小波 ")
	s.tm.Type("and now?")
	s.press(tea.KeyEnter)
	s.see("Rye, still.", "2 turns")
	s.say("/context 2")
	s.see("for 小波 · 2 of 3", "● exact copy")
	s.press(tea.KeyTab, 'p')
	s.see("for Ann · 1 of 3", "● exact copy")
	if page, err := w.manager.Lookup().Items(t.Context(), "club", lookup.ItemFilter{All: true}); err != nil || page.Total > 0 {
		t.Errorf("the group remembers %+v, %v", page.Items, err)
	}
	dir := w.dir
	must(t, s.tm.Quit())
	s.tm.WaitFinished(t, teatest.WithFinalTimeout(patience))
	must(t, w.manager.SaveDraft(t.Context(), "club", memory.Draft{})) // the end may have come before that of /context was gone
	w.close()
	server.Add(modeltest.Step{Status: 401}, modeltest.Step{Text: "Not only rye."}, modeltest.Step{Text: "Oak, I said."})
	again := newWorld(t, dir, nil).inGroup(t, server).show(80, 24)
	again.see("Ann", "小波", "Rye, still.")
	again.say("And else?")
	again.see("Not only rye.", "F5 to retry") // who failed before it can be asked again
	again.press(tea.KeyF5)
	again.see("Oak, I said.")
	again.gone("F5 to retry")
	if strings.Contains(again.text(), "learned from this turn") {
		t.Error("what a member learned is shown as the group's")
	}
}

// S9: what branches a conversation is refused in a group before anything is typed.
func TestGroupGoesOneWay(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Text: "I say oak."}, modeltest.Step{Text: "I say rye."})
	s := newWorld(t, "", nil).inGroup(t, server).show(140, 40)
	s.say("And you?")
	s.see("I say oak.", "I say rye.")
	s.ended(2)
	s.press(tea.KeyTab, tea.KeyTab)
	for _, k := range "e←RUf" {
		if k == '←' {
			s.press(tea.KeyLeft)
		} else {
			s.sure(k)
		}
		s.see("Not in a group")
		s.press(tea.KeyEscape, tea.KeyEscape)
		s.gone("Not in a group")
		s.gone("editing the message")
		s.press(tea.KeyTab, tea.KeyTab)
	}
	s.press(tea.KeyEscape)
	for _, command := range []string{"/edit-message", "/answers 2", "/regenerate", "/undo-turn", "/fork"} {
		s.say(command)
		s.see("Not in a group")
		s.press(tea.KeyEscape)
		s.gone("Not in a group")
		s.gone("editing the message")
	}
}
