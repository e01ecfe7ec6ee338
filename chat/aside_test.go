package chat_test

import (
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	words "memoria/index/text"
)

// A question of the command line does not join the conversation that is open in the terminal
// program, and that one hears nothing of it. Without such a conversation it goes on as before.
func TestAside(t *testing.T) {
	t.Parallel()
	var shared chat.Shared
	h := offline(t, func(o *chat.Options) { o.Shared = &shared })
	prompts, err := chat.LoadPrompts("")
	h.must(err)
	ask := func(text string, apart bool) (end chat.Finished, why chat.SessionWhy) {
		t.Helper()
		c, err := chat.New(chat.Options{
			Agent: chat.Agent{ID: luna, Name: "Luna"}, Manager: h.manager, Model: model.NewOffline(h.clock.Now), Prompts: prompts,
			Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: h.now(), Shared: &shared, Brief: true, Apart: apart,
		})
		h.must(err)
		h.must(c.Start(t.Context()))
		end, err = c.Ask(t.Context(), text, nil, func(e chat.Event) {
			if e, is := e.(chat.SessionChanged); is {
				why = e.Why
			}
		})
		h.must(err)
		go func() {
			for range c.Events() {
			}
		}()
		h.must(c.Close())
		return end, why
	}
	// The terminal program is open, and nothing was said in it.
	first, why := ask("What is the capital of France?", true)
	if why != chat.WhyAside || h.chat.Session().ID != "" {
		t.Errorf("the session is %q, because %s", h.chat.Session().ID, why)
	}
	end, _ := h.say("I like tea.")
	open := end.Record.SessionID
	if open == first.Record.SessionID {
		t.Error("the terminal program went on with the question")
	}
	aside, why := ask("Where does the Volga end?", true)
	if why != chat.WhyAside || aside.Record.SessionID == open || h.chat.Session().ID != open {
		t.Errorf("%s: the question is in %s, the conversation in %s, before in %s", why, aside.Record.SessionID, h.chat.Session().ID, open)
	}
	if joined, _ := ask("And what else?", false); joined.Record.SessionID != open {
		t.Error("it is not in the open session, as asked for")
	}
	if end, _ := h.say("I like coffee."); end.Record.SessionID != open {
		t.Error("the conversation went elsewhere")
	}
	h.must(h.chat.Close())
	if joined, _ := ask("And what else?", true); joined.Record.SessionID != open {
		t.Error("no other conversation is open, and it does not go on")
	}
}

// A message without words is answered in the language of the conversation, else of the interface.
func TestDigitsInTheLanguage(t *testing.T) {
	t.Parallel()
	for _, chinese := range []bool{false, true} {
		h := offline(t, func(o *chat.Options) { o.Chinese = chinese })
		for _, said := range []struct {
			text string
			want bool
		}{{"42", chinese}, {"伏尔加河流到哪里？", true}, {"1234", true}, {"Where does the Volga end?", false}, {"7", false}} {
			if answer := h.tell(said.text).Record.Content; strings.ContainsFunc(answer, words.Han) != said.want {
				t.Errorf("%q, interface Chinese %v: %s", said.text, chinese, answer)
			}
		}
	}
}
