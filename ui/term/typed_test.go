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
					"yes", "no way", "xylophone", "ok 好的", "a 你好，世界", "？什么意思", "TODO", "42 is it", "my cat", "go home", "lol", "ddd day",
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

// Design, "Typing never destroys anything": the letter that opened a question leaves it open when it
// is pressed again, at once or later, and does not answer it. With other letters after it, it is a text.
func TestTheSameKeyAgain(t *testing.T) {
	withTypist(t, typistHome(t, true), func(p *typist) {
		for _, at := range []struct {
			enter  func(*typist)
			key    rune
			asks   string
			closes string
		}{
			{func(p *typist) { p.open(pane.All); p.key(tea.KeyHome) }, 'd', "Delete “", "d delete"},
			{func(p *typist) { p.open(pane.Sessions); p.key(tea.KeyDown) }, 'd', "Delete “", "d delete"},
			{func(p *typist) { p.open(pane.Inbox); p.key(tea.KeyHome) }, 'a', "ctrl+y yes", "a accept"},
			{talkKeys(tea.KeyUp), 'f', "ctrl+y", ""},
		} {
			for _, gap := range []time.Duration{0, 150 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second} {
				p.home()
				at.enter(p)
				before := p.kept()
				for range 3 {
					p.send(keyFor(string(at.key)))
					p.pass(gap)
				}
				if got := p.frame(); !p.root.typed.asking() || p.root.focus == onInput || p.input() != "" || !strings.Contains(got, at.asks) {
					t.Fatalf("%c, %s between: the input has %q\n%s", at.key, gap, p.input(), got)
				}
				p.send(keyFor("o"))
				p.pass(time.Second)
				if got := p.input(); !strings.HasSuffix(got, "o") || gap < quickly && got != strings.Repeat(string(at.key), 3)+"o" || p.root.typed.asking() {
					t.Errorf("%c, %s between, then o: the input has %q\n%s", at.key, gap, got, p.frame())
				}
				p.home()
				at.enter(p)
				p.send(keyFor(string(at.key)))
				p.send(keyFor(string(at.key)))
				p.key(tea.KeyEnter)
				if p.pass(2 * time.Second); p.root.typed.asking() || p.input() != "" || !strings.Contains(p.frame(), at.closes) {
					t.Errorf("%c, then enter: the input has %q\n%s", at.key, p.input(), p.frame())
				}
				for _, d := range damage(t, before, p.kept(), false) {
					t.Errorf("%c, %s between keys: %s", at.key, gap, d)
				}
			}
		}
	})
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
			for _, said := range []string{"what is that", "no, not that", "yes please", "好的，谢谢", "n y", "Never mind", "b"} {
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
			// The key that asked is no letter of a text that begins later and is typed fast.
			for _, said := range []string{"oh yes", "no, not that", "no", "好的，谢谢"} {
				p.home()
				ask()
				p.pass(500 * time.Millisecond)
				for _, l := range letters(said) {
					p.send(keyFor(l))
					p.pass(100 * time.Millisecond)
				}
				if got := p.input(); got != said || open() {
					t.Errorf("%s, %q at once: the input has %q\n%s", name, said, got, p.frame())
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
				for _, wait := range []time.Duration{500 * time.Millisecond, 2 * time.Second} {
					p.home()
					ask()
					p.pass(wait)
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
		if !p.root.current().About().Asking {
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

// A question of the panel is asked in the panel, below its row, and names the row.
func TestQuestionsAreAskedInThePanel(t *testing.T) {
	home := typistHome(t, true)
	withTypist(t, home, func(p *typist) {
		p.open(pane.Inbox)
		p.key(tea.KeyDown)
		p.key('a')
		var at int
		lines := strings.Split(p.frame(), "\n")
		for i, l := range lines {
			if strings.Contains(l, "▸") && !strings.Contains(l, "accept") {
				at = i
			}
			if strings.Contains(l, "accept:") && (at == 0 || i-at > 8) {
				t.Errorf("the question is %d lines below the row\n%s", i-at, p.frame())
			}
		}
		if !strings.Contains(p.frame(), "accept: “") || !strings.Contains(p.frame(), "ctrl+y yes") {
			t.Errorf("nothing is asked\n%s", p.frame())
		}
		if last := lines[len(lines)-1]; strings.Contains(last, "ctrl+y") {
			t.Errorf("the last line asks: %q", last)
		}
		p.key(tea.KeyEnter)
		if p.root.current().About().Asking {
			t.Errorf("enter leaves the question open\n%s", p.frame())
		}
	})
}

// Nothing that was typed into a search is lost when it is closed: a sentence that was not found goes
// to the empty input; else a key puts it there.
func TestSearchesLoseNoSentence(t *testing.T) {
	home := typistHome(t, true)
	withTypist(t, home, func(p *typist) {
		in := func(id pane.ID) func() { return func() { p.open(id); p.key('/') } }
		for name, place := range map[string]struct {
			open func()
			has  string
		}{
			"help":     {func() { p.key(tea.KeyF1) }, "undo"},
			"palette":  {func() { p.ctrl('p') }, "undo"},
			"memories": {in(pane.All), "tea"},
			"sessions": {in(pane.Sessions), "tea"},
			"archive":  {in(pane.Archive), "tea"},
			"settings": {in(pane.Settings), "recall"},
		} {
			// In a pane esc only leaves the filter; what was typed can be put into the input.
			box := name == "help" || name == "palette"
			for _, c := range []struct {
				said, draft string
				enter, text bool
				quiet       bool
			}{
				{said: "zebras crossing quietly", text: box},
				{said: "zebras crossing quietly", enter: true, text: box},
				{said: "斑马悄悄过马路。", text: box},
				{said: "zebras crossing quietly", draft: "half a thought"},
				{said: "zqx", quiet: !box},
				{said: "zqx crossing", draft: "half a thought", quiet: !box},
				{said: "斑马过", draft: "half a thought", quiet: !box},
			} {
				p.home()
				p.words(c.draft)
				place.open()
				p.words(c.said)
				p.pass(time.Second)
				if c.enter {
					p.key(tea.KeyEnter)
				}
				p.key(tea.KeyEscape)
				switch got := p.input(); {
				case c.text && (got != c.said || p.root.focus != onInput || p.root.overlay != noOverlay):
					t.Errorf("%s, %q: the input has %q\n%s", name, c.said, got, p.frame())
				case !c.text && (got != c.draft || strings.Contains(p.frame(), "ctrl+y inserts it") == c.quiet):
					t.Errorf("%s, %q: the input has %q, and nothing offers the text\n%s", name, c.said, got, p.frame())
				}
				if !c.text {
					p.root.setFocus(onInput)
					p.root.overlay = noOverlay
					p.ctrl('y')
					if got := p.input(); got != c.draft+c.said {
						t.Errorf("%s, %q: put back there is %q", name, c.said, got)
					}
				}
			}
			// Words that were found were meant to be searched.
			p.home()
			place.open()
			p.words(place.has)
			p.pass(time.Second)
			p.key(tea.KeyEscape)
			if got := p.input(); got != "" || strings.Contains(p.frame(), "inserts it") {
				t.Errorf("%s: found words are taken for a message: %q\n%s", name, got, p.frame())
			}
		}
		p.home()
		p.ctrl('p')
		p.send(tea.PasteMsg{Content: "somebody else wrote this"})
		p.pass(time.Second)
		p.key(tea.KeyEscape)
		if text, spans := p.root.input.Text(); text != "somebody else wrote this" || len(spans) != 1 {
			t.Errorf("the paste is %q with the parts %v", text, spans)
		}
	})
}
