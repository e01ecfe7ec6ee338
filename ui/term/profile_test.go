package term

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
	"memoria/ui/term/pane"
)

// W5: from a message to the page, from a line to its memory, a version undone, a
// line of the user's own, and the page in the user's editor.
func TestProfileFromThePanel(t *testing.T) {
	w := newWorld(t, "", modeltest.NewServer(t))
	script := filepath.Join(t.TempDir(), "editor")
	must(t, os.WriteFile(script, []byte("#!/bin/sh\nprintf -- '- 写在编辑器里\\n' >>\"$1\"\n"), 0o700))
	w.opts.Env = append(w.opts.Env, "EDITOR="+script)
	s := w.show(140, 40)
	s.say("/profile")
	s.see("[profile]", "Nothing yet. Say how you want to be answered")
	s.press(tea.KeyEscape)
	s.answered(w, "I live in Lyon.")
	s.say("/画像")
	s.press(tea.KeyTab)
	s.see("background", "▸ Lives in Lyon.", "from a memory")
	s.press(tea.KeyEnter, tea.KeyEnter)
	s.see("[all 1]", "Lives in Lyon.", "your words")
	s.view(pane.Profile)
	s.press('h')
	s.see("memory added (in a conversation)", "+ background: Lives in Lyon.")
	s.sure('u')
	s.see("undone; in the profile now: - background: Lives in Lyon.", "undone by the user", "conversation) ·")
	s.press('h')
	s.sure('u')
	s.see("There is nothing to undo.")
	s.press('e')
	s.see("the profile; what you write is yours")
	s.tm.Type("- my own words")
	s.ctrl('s')
	s.see("the profile is saved", "▸ my own words", "yours")
	s.ctrl('g')
	s.see("写在编辑器里")
	p, err := w.manager.Profiles().Profile(t.Context(), "luna")
	must(t, err)
	if !strings.HasSuffix(p.Markdown, "## Background\n\n- my own words\n- 写在编辑器里\n") {
		t.Errorf("the page:\n%s", p.Markdown)
	}
}

// W5: a page that is too long is refused in words and stays in the form.
func TestProfileTooLong(t *testing.T) {
	m := still(t, 140, 40)
	press(m, "tab", "left")
	m.Update(m.profile.Load()())
	press(m, "e")
	m.Update(tea.PasteMsg{Content: strings.Repeat("word ", 900)})
	for _, msg := range outcomes(press(m, "ctrl+s")) {
		m.Update(msg)
	}
	if got := frame(t, m); !strings.Contains(got, "your own text is about") || !m.profile.Capturing() {
		t.Errorf("not told:\n%s", got)
	}
	h, err := m.opts.Memory.Profiles().ProfileHistory(t.Context(), "luna", 0, 0)
	must(t, err)
	if p, err := m.opts.Memory.Profiles().Profile(t.Context(), "luna"); err != nil || len(p.Shown()) > 0 || h.Total > 1 {
		t.Errorf("%+v, %d versions, %v", p, h.Total, err)
	}
}
