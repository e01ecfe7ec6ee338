package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// Design, "A question names the action; only its own key confirms it": ctrl+y is yes to every question,
// and each says so; a question does not outlive the keyboard. Where nothing is asked ctrl+y changes
// nothing, and says that; the help has it.
func TestCtrlYIsYes(t *testing.T) {
	home := typistHome(t, true)
	for name, ask := range map[string]func(*typist){
		"delete a memory":    func(p *typist) { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete) },
		"delete a session":   func(p *typist) { p.open(pane.Sessions); p.key(tea.KeyDown, tea.KeyDelete) },
		"delete a message":   func(p *typist) { p.open(pane.Archive); p.key(tea.KeyDown, tea.KeyDelete) },
		"delete a group":     func(p *typist) { p.open(pane.Agents); p.key(tea.KeyEnd, tea.KeyDelete) },
		"accept a memory":    func(p *typist) { p.open(pane.Inbox); p.key('a') },
		"accept all":         func(p *typist) { p.open(pane.Inbox); p.key('A') },
		"all of a type":      func(p *typist) { p.open(pane.Inbox); p.key('T') },
		"undo a turn":        func(p *typist) { p.talk(); p.key('U') },
		"undo what it did":   func(p *typist) { taught()(p); p.key('U') },
		"make a new session": func(p *typist) { p.open(pane.Sessions); p.key('n') },
	} {
		withTypist(t, home, func(p *typist) {
			asking := func() bool { return p.root.typed.question != nil || p.root.current().About().Asking }
			p.home()
			ask(p)
			p.pass(2 * time.Second)
			if !asking() || !strings.Contains(p.frame(), "ctrl+y") {
				t.Fatalf("%s: it is not asked, or without ctrl+y\n%s", name, p.frame())
			}
			before := p.kept()
			p.root.setFocus(onInput)
			if p.root.current().About().Asking {
				t.Errorf("%s: the question is open while the keyboard is elsewhere\n%s", name, p.frame())
			}
			p.home()
			ask(p)
			p.pass(2 * time.Second)
			session := p.root.conv.session.ID
			p.ctrl('y')
			p.rest()
			if asking() {
				t.Errorf("%s: ctrl+y does not answer\n%s", name, p.frame())
			}
			if damage(t, before, p.kept(), false) == nil && p.root.conv.session.ID == session {
				t.Errorf("%s: ctrl+y does not do it\n%s", name, p.frame())
			}
		})
	}
	withTypist(t, home, func(p *typist) {
		for id := range p.root.panes {
			p.home()
			p.open(pane.ID(id))
			before := p.kept()
			p.ctrl('y')
			if !strings.Contains(p.frame(), "nothing is asked here") || p.input() != "" {
				t.Errorf("pane %d, nothing asked: the input has %q\n%s", id, p.input(), p.frame())
			}
			for _, d := range damage(t, before, p.kept(), false) {
				t.Errorf("pane %d, nothing asked: %s", id, d)
			}
		}
		p.key(tea.KeyF1)
		p.words("every question")
		if frame := p.frame(); !strings.Contains(frame, "ctrl+y") || !strings.Contains(frame, "yes, to every question") {
			t.Errorf("the help does not tell of ctrl+y\n%s", frame)
		}
	})
}
