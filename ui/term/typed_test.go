package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// Design, "Typing never destroys anything": a sentence that is typed where letters are keys is a
// message, with every letter, however fast it comes. What its first letters opened is closed.
func TestSentencesAreMessages(t *testing.T) {
	home := typistHome(t, true)
	for _, at := range []struct {
		name  string
		enter func(*typist)
	}{
		{"inbox", func(p *typist) { p.open(pane.Inbox) }},
		{"memories", func(p *typist) { p.open(pane.All); p.key(tea.KeyDown) }},
		{"memory", func(p *typist) { p.open(pane.All); opened()(p) }},
		{"sessions", func(p *typist) { p.open(pane.Sessions); p.key(tea.KeyDown) }},
		{"archive", func(p *typist) { p.open(pane.Archive); p.key(tea.KeyDown) }},
		{"journal", func(p *typist) { p.open(pane.Journal); p.key(tea.KeyEnd) }},
		{"agents", func(p *typist) { p.open(pane.Agents) }},
		{"settings", func(p *typist) { p.open(pane.Settings) }},
		{"package", func(p *typist) { p.open(pane.Package) }},
		{"evidence", proven()},
		{"health", func(p *typist) { p.open(pane.Health) }},
		{"conversation", (*typist).talk},
		{"recall", func(p *typist) { p.open(pane.Recall); p.key(tea.KeyDown) }},
	} {
		t.Run(at.name, func(t *testing.T) {
			withTypist(t, home, func(p *typist) {
				for _, said := range []string{
					"accept my apologies", "each day I run", "rain again", "Undo is a word", "jk, just kidding", "uh oh", "does it work",
					"yes", "no way", "xylophone", "ok 好的", "a 你好，世界", "？什么意思", "TODO", "42 is it", "my cat", "go home", "lol", "dddd",
				} {
					for _, gap := range []time.Duration{0, 150 * time.Millisecond, 300 * time.Millisecond} {
						p.home()
						at.enter(p)
						before, session := p.kept(), p.root.conv.session.ID
						for _, l := range letters(said) {
							p.send(keyFor(l))
							p.pass(gap)
						}
						p.pass(time.Second)
						if got := p.input(); got != said {
							t.Errorf("%q, %s between keys: the input has %q\n%s", said, gap, got, p.frame())
						}
						about := p.root.current().About()
						if p.root.focus != onInput || about.Asking || about.Capturing || p.root.typed.question != nil || p.root.overlay != noOverlay {
							t.Errorf("%q, %s between keys: something is open\n%s", said, gap, p.frame())
						}
						if p.root.conv.session.ID != session {
							t.Errorf("%q, %s between keys: it is another session", said, gap)
						}
						if !strings.Contains(p.frame(), "your text is in the message line") {
							t.Errorf("%q, %s between keys: nothing says where the text is\n%s", said, gap, p.frame())
						}
						for _, d := range damage(t, before, p.kept(), false) {
							t.Errorf("%q, %s between keys: %s", said, gap, d)
						}
						if t.Failed() {
							return
						}
					}
				}
			})
		})
	}
}

// A question loses no letter of what is typed instead of an answer. n and esc alone answer no; y
// leaves it open.
func TestQuestionsLoseNoLetters(t *testing.T) {
	home := typistHome(t, true)
	withTypist(t, home, func(p *typist) {
		for name, ask := range map[string]func(){
			"of the line": func() { p.open(pane.Inbox); p.key('a') },
			"of a pane":   func() { p.open(pane.All); p.key(tea.KeyDown, tea.KeyDelete) },
			"of a turn":   func() { p.talk(); p.key('U') },
		} {
			open := func() bool {
				return p.root.typed.question != nil || p.root.focus == onPanel && p.root.current().About().Asking
			}
			for _, said := range []string{"what is that", "no, not that", "yes please", "好的，谢谢", "n y", "Never mind", "a"} {
				p.home()
				ask()
				p.pass(2 * time.Second)
				if !open() {
					t.Fatalf("%s: nothing is asked\n%s", name, p.frame())
				}
				before := p.kept()
				for _, l := range letters(said) {
					p.send(keyFor(l))
					p.pass(300 * time.Millisecond)
				}
				if got := p.input(); got != said || open() {
					t.Errorf("%s, %q: the input has %q\n%s", name, said, got, p.frame())
				}
				for _, d := range damage(t, before, p.kept(), false) {
					t.Errorf("%s, %q: %s", name, said, d)
				}
			}
			for _, answer := range []struct {
				press func()
				open  bool
			}{
				{func() { p.key('n') }, false},
				{func() { p.key(tea.KeyEscape) }, false},
				{func() { p.key('y') }, true},
			} {
				p.home()
				ask()
				p.pass(2 * time.Second)
				before := p.kept()
				answer.press()
				p.pass(2 * time.Second)
				if p.input() != "" || open() != answer.open {
					t.Errorf("%s: after the answer it is open: %v\n%s", name, open(), p.frame())
				}
				for _, d := range damage(t, before, p.kept(), false) {
					t.Errorf("%s: %s", name, d)
				}
			}
			p.home()
			ask()
			p.send(tea.PasteMsg{Content: "a pasted text"})
			if got := p.input(); !strings.Contains(got, "a pasted text") || open() {
				t.Errorf("%s, paste: the input has %q\n%s", name, got, p.frame())
			}
		}
	})
}

// A key alone is a key, and so are keys that move and the one after them, however fast.
func TestKeysAlone(t *testing.T) {
	home := typistHome(t, true)
	withTypist(t, home, func(p *typist) {
		fast := func(keys string) {
			for _, l := range letters(keys) {
				p.send(keyFor(l))
			}
			p.pass(2 * time.Second)
		}
		p.open(pane.All)
		fast("jjkjGg")
		if p.root.focus != onPanel || p.input() != "" {
			t.Errorf("keys that move are text: %q", p.input())
		}
		fast("jje")
		if !p.root.current().About().Capturing {
			t.Errorf("e opens no form\n%s", p.frame())
		}
		fast(" and more")
		if got := strings.Join([]string{p.input(), landed(map[string]string{}, p.fields())}, "\n"); !strings.Contains(got, " and more") || p.input() != "" {
			t.Errorf("a form that was opened by hand takes no text: %q\n%s", got, p.frame())
		}
		p.home()
		p.open(pane.All)
		fast("/tea")
		if p.root.memories.FilterText() != "tea" || p.input() != "" {
			t.Errorf("the search field has %q, the input %q", p.root.memories.FilterText(), p.input())
		}
		p.home()
		p.open(pane.Inbox)
		fast("a")
		if p.root.typed.question == nil {
			t.Errorf("a asks nothing\n%s", p.frame())
		}
		p.ctrl('y')
		p.pass(time.Second)
		p.key(tea.KeyF7)
		p.home()
		p.open(pane.Package)
		fast("ppn")
		if p.root.focus != onInput || p.input() != "ppn" {
			t.Errorf("two letters that are no moves: %q", p.input())
		}
	})
}
