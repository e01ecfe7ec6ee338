package palette

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/theme"
)

func TestChoose(t *testing.T) {
	m := New()
	commands := []Command{{ID: "a", Name: "start a new session"}, {ID: "b", Name: "show memories", Key: "1"}, {ID: "c", Name: "quit"}}
	m.Open(commands)
	for _, r := range "Mem show" {
		m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	lines, cursor := m.View(theme.Styles{}, 60, 10)
	if got := strings.Join(lines, "\n"); !strings.Contains(got, "▸ show memories") || strings.Contains(got, "quit") {
		t.Errorf("view:\n%s", got)
	}
	if cursor == nil || cursor.X != 3+8 || cursor.Y != 1 {
		t.Errorf("cursor %+v", cursor)
	}
	if id, done := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != "b" || !done {
		t.Errorf("chose %q", id)
	}
	m.Open(commands)
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	if id, _ := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != "c" {
		t.Errorf("chose %q", id)
	}
	m.Open(commands)
	m.Paste(tea.PasteMsg{Content: "nothing\nlike it"})
	if id, done := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != "" || done {
		t.Error("chose nothing")
	}
	if _, done := m.Key(tea.KeyPressMsg{Code: tea.KeyEscape}); !done {
		t.Error("esc does not close")
	}
}
