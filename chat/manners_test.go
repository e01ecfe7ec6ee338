package chat_test

import (
	"slices"
	"strings"
	"testing"
)

// P6: without a model, greetings and questions for help are answered, and passing remarks get one short line.
func TestMannersWithoutModel(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	for _, c := range []struct{ said, want string }{
		{"good morning", "Hello!"},
		{"I live in Bonn", "Noted."},
		{"help", "what do you know about me?"},
		{"帮助", "你都记得我什么？"},
		{"can't sleep", "This is not remembered"},
		{"summarise my life", "- Lives in Bonn."},
		{"总结一下我的人生", "- Lives in Bonn."},
		{"thanks a lot", "You're welcome."},
		{"how do i delete something", "forget that I like tea"},
		{"怎么用啊 帮帮我", "你都记得我什么"},
		{"晚安", "都已保存"},
	} {
		if got := h.tell(c.said).Record.Content; !strings.Contains(got, c.want) {
			t.Errorf("%q should be answered %q:\n%s", c.said, c.want, got)
		}
		h.settle()
	}
}

// S13: a greeting, a "yes" or an order to the memory is no title: the first message that says something gives it.
func TestGreetingIsNoTitle(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	for _, c := range []struct{ said, title string }{
		{"good morning", "good morning"}, {"help", "help"}, {"yes", "yes"}, {"what's in the inbox?", "yes"}, {"forget my job", "forget my job"},
		{"I like oolong tea", "I like oolong tea"}, {"hello again", "I like oolong tea"},
	} {
		h.tell(c.said)
		if got := h.chat.Session().Title; got != c.title {
			t.Errorf("after %q the title is %q, want %q", c.said, got, c.title)
		}
	}
}

// U6: the answer to a short statement that is taken for the words of a search says that it is not kept.
func TestShortStatementIsNotKept(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("I live in Bonn")
	h.settle()
	for said, want := range map[string]bool{"Bonn prices rising": true, "Bonn": false, "where is Bonn": false} {
		got := h.tell(said).Record.Content
		if !strings.Contains(got, "Lives in Bonn.") || strings.Contains(got, "This is not remembered") != want {
			t.Errorf("%q, said not to be kept: want %v:\n%s", said, want, got)
		}
	}
}

// A model answers greetings and questions for help itself.
func TestMannersAreLeftToModel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Good morning, Jo."), text("Ask me anything."))
	for _, c := range []struct{ said, want string }{{"good morning", "Good morning, Jo."}, {"help", "Ask me anything."}} {
		if got := h.tell(c.said).Record.Content; got != c.want {
			t.Errorf("%q: %q, want %q", c.said, got, c.want)
		}
	}
}

// U3: what help teaches: "that's wrong, she lives in York" corrects the person of the last answer, whom the pronoun fits.
func TestCorrectsPersonOfLastAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ told, asked, corrected, want string }{
		{"my sister beata lives in berlin", "where does my sister live", "that's wrong, she lives in potsdam", "Sister Beata lives in potsdam."},
		{"my dad is a teacher", "what does my dad do", "that's wrong, he is a driver", "Dad is a driver."},
		{"我婆婆住在黄陂", "我婆婆住哪里", "不对 她住在孝感", "婆婆住在孝感"},
		{"my dad is a teacher", "what does my dad do", "that's wrong, she is a driver", "Dad is a teacher."},
	} {
		h := offline(t, nil)
		for _, said := range []string{c.told, c.asked, c.corrected} {
			h.tell(said)
			h.settle()
		}
		if got := h.remembered(); !slices.Contains(got, c.want) {
			t.Errorf("%q leaves %q, want %q", c.corrected, got, c.want)
		}
	}
}

// U2, U6: "remember that" keeps what the message before says; of a question, or of what is no message, it keeps nothing.
func TestRememberThat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, order, want string }{
		{"the choir sings at the opera house", "remember that", "The choir sings at the opera house."},
		{"那个锅炉修好花了九百块", "记下来", "那个锅炉修好花了九百块"},
		{"who sings at the opera house?", "remember that please", ""},
		{"", "remember that", ""},
	} {
		h := offline(t, nil)
		if c.said != "" {
			h.tell(c.said)
			h.settle()
		}
		answer := h.tell(c.order).Record.Content
		got := strings.Join(h.contents(), "|")
		if got != c.want || (c.want == "") == (strings.HasPrefix(answer, "Noted.") || strings.HasPrefix(answer, "记下了。")) {
			t.Errorf("%q, then %q: remembered %q, want %q; answered %q", c.said, c.order, got, c.want, answer)
		}
	}
}
