package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/lookup"
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
		"held":    func(p *typist) { p.open(pane.Inbox); p.key('d'); p.ctrl('y') },
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
			if !strings.Contains(p.frame(), "F7 restores it (") || missing() == nil {
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
			if d := damage(t, gone, p.kept(), false); d != nil || !strings.Contains(p.frame(), "Too late") {
				t.Errorf("%s: a late yes does %q\n%s", name, d, p.frame())
			}
		})
	}
}

// D2: a yes to the question of the conversation undoes the deletion that was asked about, or nothing:
// no other deletion, and nothing that was learned.
func TestALateYesUndoesNothingElse(t *testing.T) {
	withTypist(t, typistHome(t, true), func(p *typist) {
		p.home()
		p.pass(time.Minute) // the clock of the store is not behind
		p.say("My sister is called Ann.")
		remove := func() { p.open(pane.All); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) }
		for name, meanwhile := range map[string]struct {
			do   func()
			want string
		}{
			"its time is over":    {func() { p.pass(50 * time.Second) }, "Too late"},
			"another was deleted": {func() { p.deleteSilently(t) }, "something else was deleted since"},
			"of words, over":      {func() { p.pass(50 * time.Second) }, "Too late"},
			"an agent's, is over": {func() { p.pass(50 * time.Second) }, "Too late"},
		} {
			p.home()
			switch {
			case strings.HasPrefix(name, "of words"):
				p.say("forget that I like green tea")
			case strings.HasPrefix(name, "an agent"):
				p.open(pane.Agents)
				p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete)
			default:
				remove()
			}
			p.pass(2 * time.Second)
			p.talk()
			p.key('u')
			meanwhile.do()
			before := p.kept()
			p.ctrl('y')
			p.pass(2 * time.Second)
			if d := damage(t, before, p.kept(), false); d != nil || !strings.Contains(p.frame(), meanwhile.want) {
				t.Errorf("%s: a late yes does %q\n%s", name, d, p.frame())
			}
			p.pass(time.Minute)
		}
	})
}

// deleteSilently deletes a memory as another program does.
func (p *typist) deleteSilently(t *testing.T) {
	t.Helper()
	page, err := p.w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
	must(t, err)
	_, err = p.w.manager.DeleteItems(t.Context(), "luna", page.Items[0].ID)
	must(t, err)
	p.pass(time.Second)
}

// D2, U2: what was forgotten in words is restored by a yes as late as any other deletion.
func TestForgottenInWordsOutlivesTheUndoTime(t *testing.T) {
	withTypist(t, typistHome(t, true), func(p *typist) {
		p.home()
		p.pass(time.Minute)
		p.say("My sister is called Ann.")
		before := p.kept()
		p.say("forget that my sister is called Ann")
		p.pass(2 * time.Second)
		p.talk()
		p.key('u')
		p.pass(15 * time.Second)
		p.ctrl('y')
		p.rest()
		if frame := p.frame(); !strings.Contains(frame, "restored: Sister is called Ann.") {
			t.Errorf("it is not restored\n%s", frame)
		}
		for _, row := range damage(t, before, p.kept(), false) {
			if strings.Contains(row, "Ann") && !strings.Contains(row, "forget") {
				t.Errorf("after the undo: %s", row)
			}
		}
	})
}

// D2: while it is offered F7 restores what was deleted last, at once, wherever the keyboard is; what
// was learned later is undone first. It answers the question of u, too. Once the time is over, it asks
// before it undoes something that was learned before the deletion.
func TestF7RestoresAtOnce(t *testing.T) {
	home := typistHome(t, true)
	for name, at := range map[string]func(*typist){
		"memory":          func(p *typist) { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete) },
		"session":         func(p *typist) { p.open(pane.Sessions); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
		"message":         func(p *typist) { p.open(pane.Archive); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
		"held":            func(p *typist) { p.open(pane.Inbox); p.key('d'); p.ctrl('y') },
		"group":           func(p *typist) { p.open(pane.Agents); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
		"while searching": func(p *typist) { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete, '/') },
		"menu": func(p *typist) {
			p.open(pane.All)
			p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete, tea.KeyDown, tea.KeyEnter)
		},
		"asked":       func(p *typist) { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete, 'u') },
		"in the talk": func(p *typist) { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete); p.talk() },
		"asked there": func(p *typist) {
			p.open(pane.All)
			p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete)
			p.talk()
			p.key('u')
		},
		"in another list": func(p *typist) {
			p.open(pane.All)
			p.key(tea.KeyDown, tea.KeyDelete, tea.KeyDelete)
			p.open(pane.Health)
		},
	} {
		withTypist(t, home, func(p *typist) {
			p.home()
			p.pass(time.Minute)
			before := p.kept()
			at(p)
			if rows := p.kept(); len(rows) >= len(before) && damage(t, before, rows, false) == nil {
				t.Fatalf("%s: nothing is deleted\n%s", name, p.frame())
			}
			p.key(tea.KeyF7)
			p.pass(2 * time.Second)
			now := p.kept()
			for row := range before {
				if _, there := now[row]; !there {
					t.Errorf("%s: F7 does not restore %q\n%s", name, row, p.frame())
				}
			}
			if frame := p.frame(); strings.Contains(frame, "restores it (") || p.root.typed.asking() {
				t.Errorf("%s: after F7\n%s", name, frame)
			}
		})
	}
	withTypist(t, home, func(p *typist) {
		remove := func() { p.open(pane.All); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete); p.pass(time.Second) }
		p.home()
		p.pass(time.Minute)
		p.say("I like pottery.")
		remove()
		p.say("My sister is called Ann.")
		p.key(tea.KeyF7)
		p.pass(time.Second)
		if frame := p.frame(); !strings.Contains(frame, "no longer remembered: Sister is called Ann") && !strings.Contains(frame, "Undone: Sister") {
			t.Errorf("F7 does not undo what was learned after the deletion\n%s", frame)
		}
		before := p.kept()
		remove()
		remove()
		p.key(tea.KeyF7)
		p.pass(time.Second)
		p.key(tea.KeyF7)
		p.pass(time.Second)
		for row := range before {
			if _, there := p.kept()[row]; !there && strings.HasPrefix(row, "items") {
				t.Errorf("F7 twice does not restore %q of two deletions\n%s", row, p.frame())
			}
		}
		p.say("My brother is called Ben.")
		remove()
		p.pass(12 * time.Second)
		before = p.kept()
		p.key(tea.KeyF7)
		p.pass(time.Second)
		if d := damage(t, before, p.kept(), false); d != nil || !strings.Contains(p.frame(), "Too late: ") {
			t.Errorf("a late F7 does %q\n%s", d, p.frame())
		}
		p.key(tea.KeyF7) // which cannot mean the deletion
		p.pass(time.Second)
		if d := damage(t, before, p.kept(), false); d != nil || !strings.Contains(p.frame(), "undo the last change, to “") {
			t.Errorf("F7 once more does %q\n%s", d, p.frame())
		}
	})
}

// D2: that the time of a deletion cannot be extended is told; that it is over, the undo tells.
func TestProlongTellsItsFailure(t *testing.T) {
	w := newWorld(t, "", nil)
	m := newModel(t.Context(), w.opts)
	if msg := m.fx.Prolong("luna", "none", "", time.Minute)(); msg != nil {
		t.Errorf("of no deletion: %v", msg)
	}
	must(t, w.manager.Close())
	m.Update(m.fx.Prolong("luna", "none", "", time.Minute)())
	if len(m.problems.notices) == 0 {
		t.Error("that the store failed is not told")
	}
}
