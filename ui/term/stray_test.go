package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// Design, "Typing never destroys anything": a key that means nothing in the panel moves the keyboard
// to the message line with it, and the enter that was meant for the panel does not send it. The line
// says so, and enter again sends it.
func TestStrayLettersAreNotSent(t *testing.T) {
	home := typistHome(t, true)
	withTypist(t, home, func(p *typist) {
		warned := func() bool { return strings.Contains(p.frame(), "not sent yet: ") }
		for name, at := range map[string]struct {
			enter func()
			draft string
			typed string
			then  []rune // keys before enter
			asks  bool
		}{
			"a letter in the panel":         {enter: func() { p.open(pane.All) }, typed: "z", asks: true},
			"two letters in the panel":      {enter: func() { p.open(pane.All) }, typed: "zq", asks: true},
			"a letter, then a move":         {enter: func() { p.open(pane.All) }, typed: "z", then: []rune{tea.KeyDown}, asks: true},
			"a letter after a draft":        {enter: func() { p.open(pane.Sessions) }, draft: "half a thought ", typed: "z", asks: true},
			"a letter in the conversation":  {enter: p.talk, typed: "z", asks: true},
			"a letter instead of an answer": {enter: func() { p.open(pane.Inbox); p.key('a'); p.pass(2 * time.Second) }, typed: "q", asks: true},
			"a message in the panel":        {enter: func() { p.open(pane.All) }, typed: "zebras"},
			"an answer by input method":     {enter: func() { p.open(pane.All) }, typed: "好的"},
			"an answer in the message line": {enter: func() {}, typed: "ok"},
		} {
			p.home()
			p.words(at.draft)
			at.enter()
			before, want := p.kept(), at.draft+at.typed
			for _, l := range letters(at.typed) {
				p.send(keyFor(l))
				p.pass(time.Second)
			}
			if p.root.focus != onInput || p.input() != want {
				t.Errorf("%s: the input has %q\n%s", name, p.input(), p.frame())
			}
			p.key(append(at.then, tea.KeyEnter)...)
			p.rest()
			if at.asks {
				if n := len(newlySaid(t, before, p.kept())); n != 0 || p.input() != want || !warned() {
					t.Errorf("%s: %d messages are sent, the input has %q\n%s", name, n, p.input(), p.frame())
				}
				p.key(tea.KeyEnter)
				p.rest()
			}
			if said := newlySaid(t, before, p.kept()); len(said) == 0 || said[0].Content != want || p.input() != "" || warned() {
				t.Errorf("%s: said is %v, the input has %q\n%s", name, said, p.input(), p.frame())
			}
		}
		// A letter that was deleted again does not make the next message doubtful.
		p.home()
		p.open(pane.All)
		p.key('z')
		p.key(tea.KeyBackspace)
		before := p.kept()
		p.words("ok")
		p.key(tea.KeyEnter)
		p.rest()
		if said := newlySaid(t, before, p.kept()); len(said) == 0 || said[0].Content != "ok" {
			t.Errorf("said is %v\n%s", said, p.frame())
		}
	})
}
