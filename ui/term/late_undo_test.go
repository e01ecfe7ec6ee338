package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// D2: the same of the question in the conversation.
func TestUndoInTheConversationOutlivesTheUndoTime(t *testing.T) {
	withTypist(t, typistHome(t, true), func(p *typist) {
		p.home()
		p.pass(time.Minute)
		before := p.kept()
		p.open(pane.All)
		p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete)
		p.pass(3 * time.Second)
		p.talk()
		p.key('u')
		p.pass(15 * time.Second)
		p.ctrl('y')
		p.rest()
		for row := range before {
			if _, there := p.kept()[row]; !there {
				t.Errorf("after the undo there is no %q\n%s", row, p.frame())
			}
		}
	})
}

// D2: the question whether to undo a deletion outlives the ten seconds of the undo: a yes after them
// restores it all. It names what it restores.
func TestUndoQuestionsOutliveTheUndoTime(t *testing.T) {
	home := typistHome(t, true)
	for name, at := range map[string]func(*typist){
		"memory":  func(p *typist) { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete) },
		"session": func(p *typist) { p.open(pane.Sessions); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
		"message": func(p *typist) { p.open(pane.Archive); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
		"held":    func(p *typist) { p.open(pane.Inbox); p.key('x'); p.ctrl('y') },
		"group":   func(p *typist) { p.open(pane.Agents); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
	} {
		withTypist(t, home, func(p *typist) {
			p.home()
			p.pass(time.Minute) // the clock of the store is not behind
			before := p.kept()
			missing := func() (out []string) {
				now := p.kept()
				for row := range before {
					if _, there := now[row]; !there {
						out = append(out, row)
					}
				}
				return out
			}
			at(p)
			p.pass(9 * time.Second)
			if !strings.Contains(p.frame(), "u restores it (") || missing() == nil {
				t.Fatalf("%s: it is not deleted\n%s", name, p.frame())
			}
			p.key('u')
			if !strings.Contains(p.frame(), "Restore ") {
				t.Fatalf("%s: the question does not name what it restores\n%s", name, p.frame())
			}
			p.pass(15 * time.Second)
			p.ctrl('y')
			p.rest()
			if gone := missing(); gone != nil {
				t.Errorf("%s: after the undo there is no %q\n%s", name, gone, p.frame())
			}
			// Where even that time runs out, the yes says so, and undoes nothing else.
			at(p)
			p.key('u')
			p.pass(50 * time.Second)
			gone := p.kept()
			p.ctrl('y')
			p.rest()
			if d := damage(t, gone, p.kept(), false); d != nil || !strings.Contains(p.frame(), "cannot be restored any more") {
				t.Errorf("%s: a late yes does %q\n%s", name, d, p.frame())
			}
		})
	}
}
