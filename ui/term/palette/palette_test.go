package palette

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/theme"
)

func TestChoose(t *testing.T) {
	m := New()
	commands := []Command{{ID: "a", Name: "start a new session"}, {ID: "b", Name: "show memories", Key: "1"}, {ID: "c", Name: "quit"}}
	m.Open(List{Commands: commands})
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
	m.Open(List{Commands: commands})
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	if id, _ := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != "c" {
		t.Errorf("chose %q", id)
	}
	m.Open(List{Commands: commands})
	m.Paste(tea.PasteMsg{Content: "nothing\nlike it"})
	if id, done := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != "" || done {
		t.Error("chose nothing")
	}
	if _, done := m.Key(tea.KeyPressMsg{Code: tea.KeyEscape}); !done {
		t.Error("esc does not close")
	}
}

// A list longer than the screen follows the choice, other names find a command
// too, and what arrives late keeps the filter.
func TestLongAndLate(t *testing.T) {
	m := New()
	m.Open(List{Prompt: "type to find a model", Empty: "asking the server …"})
	if lines, _ := m.View(theme.Styles{}, 60, 10); !strings.Contains(strings.Join(lines, "\n"), "asking the server") {
		t.Errorf("view: %q", lines)
	}
	var many []Command
	for i := range 50 {
		many = append(many, Command{ID: fmt.Sprint(i), Name: fmt.Sprintf("model %02d", i), Words: "模型"})
	}
	m.Key(tea.KeyPressMsg{Text: "模型", Code: '模'})
	m.Set(List{Commands: many})
	for range 3 {
		m.Key(tea.KeyPressMsg{Code: tea.KeyPgDown})
	}
	lines, _ := m.View(theme.Styles{}, 60, 10)
	if got := strings.Join(lines, "\n"); !strings.Contains(got, "▸ model 24") || strings.Contains(got, "model 10") {
		t.Errorf("view:\n%s", got)
	}
	if id, _ := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != "24" {
		t.Errorf("chose %q", id)
	}
}
