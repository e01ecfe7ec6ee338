package term

import (
	"strings"
	"testing"

	"memoria/ui/config"
	"memoria/ui/term/cells"
	"memoria/ui/term/guide"
	"memoria/ui/term/layout"
	"memoria/ui/term/pane"
	"memoria/ui/words"

	tea "charm.land/bubbletea/v2"
)

// U6, I5: the first minute, by somebody who reads only the screen. It is shown once.
func TestFirstMinute(t *testing.T) {
	for size, at := range map[string][2]int{"beside": {140, 40}, "instead": {80, 24}} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", nil)
			w.opts.StateDir = t.TempDir()
			s := w.show(at[0], at[1])
			s.see("1/5", "Say something about")
			s.say("What is a mango?")
			s.see("1/5", "That was answered")
			s.say("My name is Bo.")
			s.see("2/5", "✓ Remembered: Name is Bo")
			s.press(tea.KeyTab)
			s.see("Name is Bo", "all 1")
			s.press(tea.KeyEscape)
			s.see("3/5")
			s.say("My password is hunter2-rose")
			s.see("holds a secret")
			s.ended(3)
			if frame := s.settled(); !strings.Contains(frame, "3/5") {
				t.Errorf("the guide speaks of a memory that no answer used\n%s", frame)
			}
			s.say("What is my name?")
			s.see("4/5")
			s.press(tea.KeyTab)
			s.press(tea.KeyEnter)
			s.see("your words", "“My name is Bo”", "5/5", "Delete twice")
			s.sure(tea.KeyDelete)
			s.see("deleted “Name is Bo.”")
			s.press(tea.KeyEscape)
			s.see("F7 now")
			s.press(tea.KeyEscape)
			s.gone("F7 now")
			s.press(tea.KeyEscape)
			if frame := s.settled(); strings.Contains(frame, "Esc shows") || strings.Contains(frame, "F7 now") {
				t.Errorf("it comes back\n%s", frame)
			}
			if !w.opts.Guided() {
				t.Error("it would be shown again")
			}
		})
	}
}

// Where the panel has the whole screen, a step is one line, which fits the narrowest screen.
func TestFirstMinuteInOneLine(t *testing.T) {
	const room = layout.MinWidth - 2
	for _, l := range []config.Language{config.LanguageEnglish, config.LanguageChinese} {
		m := still(t, layout.MinWidth, layout.MinHeight, func(o *Options) { o.Words = words.In(l) })
		m.guided.State = guide.Begin()
		for _, e := range []guide.Event{
			guide.Answered, guide.Learned, guide.Looked, guide.Said, guide.Answered, guide.Opened, guide.Deleted,
		} {
			m.guided.Note(e)
			if line := m.guided.Line(m.opts.Words, room); cells.Width(line) > room || strings.HasPrefix(line, "first.") {
				t.Errorf("%s, step %d: %d cells: %q", l, m.guided.Step(), cells.Width(line), line)
			}
		}
	}
}

// I5: it speaks the language of the run.
func TestFirstMinuteInChinese(t *testing.T) {
	w := newWorld(t, "", nil)
	w.opts.StateDir, w.opts.Words = t.TempDir(), words.In(config.LanguageChinese)
	s := w.show(140, 40)
	s.see("1/5", "我叫小博", "esc 收起")
	s.say("我叫小博")
	s.see("2/5", "✓")
}

// U6: a message instead of the last step ends it.
func TestFirstMinuteWithoutDeleting(t *testing.T) {
	w := newWorld(t, "", nil)
	w.opts.StateDir = t.TempDir()
	s := w.show(140, 40)
	s.say("My name is Bo.")
	s.see("2/5", "✓ Remembered: Name is Bo")
	s.press(tea.KeyTab)
	s.see("Name is Bo", "all 1")
	s.press(tea.KeyEnter)
	s.see("5/5")
	s.press(tea.KeyEscape, tea.KeyEscape)
	s.say("Hello")
	s.gone("5/5")
	s.until("the end of the introduction", func(string) bool { return w.opts.Guided() })
}

// U6: esc puts it away and shows it again. It ends with the next message, and is not shown again.
func TestFirstMinuteSkipped(t *testing.T) {
	w := newWorld(t, "", nil)
	w.opts.StateDir = t.TempDir()
	s := w.show(60, 15)
	s.see("1/5", "(esc puts")
	s.press(tea.KeyEscape)
	s.gone("1/5")
	s.see("Esc shows it again")
	s.press(tea.KeyEscape)
	s.see("1/5")
	s.press(tea.KeyEscape)
	s.see("Esc shows it again")
	s.until("the note that it was skipped", func(string) bool { return w.opts.Guided() })
	s.say("Hello")
	s.gone("Esc shows it again")
	s.ended(1)
	s.until("the end of the introduction", func(string) bool { return w.opts.Guided() })
	s.press(tea.KeyEscape)
	if frame := s.settled(); strings.Contains(frame, "/5") || strings.Contains(frame, "Esc shows") {
		t.Errorf("the screen is\n%s", frame)
	}
}

// U6: the demo offers three things to try in the language of the run, until the first message.
func TestDemoTries(t *testing.T) {
	for l, c := range map[config.Language][2]string{
		config.LanguageEnglish: {"Three things to try", "I moved to Porto"}, config.LanguageChinese: {"可以试试这三件事", "我搬到了波尔图"},
	} {
		t.Run(string(l), func(t *testing.T) {
			w := newWorld(t, "", nil)
			w.opts.Demo, w.opts.Words = true, words.In(l)
			s := w.show(60, 15)
			s.see(c[0], "1 ", "2 ", "3 ", c[1])
			s.say("Hello")
			s.gone(c[0])
		})
	}
}

// I5: where the panel has the whole screen, a step is said only in the tab that it is about; elsewhere
// the last line names the keys.
func TestFirstMinuteLeavesOtherTabsTheirKeys(t *testing.T) {
	m := still(t, 80, 24)
	m.guided.State = guide.Begin()
	m.guided.Note(guide.Learned)
	for id, guided := range map[pane.ID]bool{pane.All: true, pane.Recall: true, pane.Sessions: false, pane.Settings: false} {
		m.Open(id)
		m.settle()
		if got := frame(t, m); strings.Contains(got, " 2/5 ") != guided || strings.Contains(got, "1–4 tabs") == guided {
			t.Errorf("pane %d:\n%s", id, got)
		}
	}
}
