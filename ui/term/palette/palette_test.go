package palette

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/theme"
	"memoria/ui/words"
)

func TestChoose(t *testing.T) {
	m := New(words.Words{})
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

// A slash alone chooses nothing by the slashes in a text, and one before a name finds it.
func TestSlash(t *testing.T) {
	for typed, want := range map[string]string{"/": "a", "／": "a", " /quit": "c", "／undo": "b", "/ qu": "c"} {
		m := New(words.Words{})
		m.Open(List{Commands: []Command{{ID: "a", Name: "start a new session"}, {ID: "b", Name: "undo; /again redoes it"}, {ID: "c", Name: "quit"}}})
		for _, r := range typed {
			m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if id, done := m.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); id != want || !done {
			t.Errorf("%q chose %q, want %q", typed, id, want)
		}
	}
}

// A list longer than the screen follows the choice, other names find a command
// too, and what arrives late keeps the filter.
func TestLongAndLate(t *testing.T) {
	m := New(words.Words{})
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

// The best match comes first: whole words, then parts of words, then letters in order.
func TestMatch(t *testing.T) {
	commands := []Command{
		{ID: "inbox", Name: "memories waiting for your approval", Words: "inbox held 收件箱"},
		{ID: "sessions", Name: "earlier sessions, all or those with these words", Words: "sessions list"},
		{ID: "regenerate", Name: "another answer to the last message", Words: "regenerate"},
		{ID: "panel", Name: "show or leave the panel"},
		{ID: "new", Name: "start a new session with the next message", Words: "new"},
	}
	for filter, want := range map[string]string{
		"":         "inbox sessions regenerate panel new",
		"session":  "new sessions",
		"Inbox":    "inbox",
		"收件":       "inbox",
		"rgn":      "regenerate",
		"slp":      "panel",
		"inbx":     "inbox",
		"new sess": "new",
		"qqq":      "",
		"部署":       "",
	} {
		var got []string
		for _, c := range match(commands, filter) {
			got = append(got, c.ID)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q matches %q, want %q", filter, s, want)
		}
	}
}

// Without a filter each group has its heading once; a filter shows none.
func TestGroups(t *testing.T) {
	m := New(words.Words{})
	m.Open(List{Commands: []Command{{ID: "a", Name: "start", Group: "Talk"}, {ID: "b", Name: "stop", Group: "Talk"}, {ID: "c", Name: "quit", Group: "Program"}}})
	shown := func() string {
		lines, _ := m.View(theme.Styles{}, 40, 12)
		return strings.Join(lines, "\n")
	}
	if got := shown(); strings.Count(got, "Talk") != 1 || strings.Count(got, "Program") != 1 || !strings.Contains(got, "▸ start") {
		t.Errorf("view:\n%s", got)
	}
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	m.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	if got := shown(); !strings.Contains(got, "▸ quit") {
		t.Errorf("view:\n%s", got)
	}
	m.Key(tea.KeyPressMsg{Text: "s", Code: 's'})
	if got := shown(); strings.Contains(got, "Talk") || !strings.Contains(got, "▸ start") {
		t.Errorf("view:\n%s", got)
	}
}

// A command is surely meant when it was chosen with the cursor keys or named.
func TestSure(t *testing.T) {
	commands := []Command{{ID: "undo-turn", Name: "undo the last turn", Words: "undo-turn u 撤销"}, {ID: "quit", Name: "end it", Words: "q"}}
	for typed, want := range map[string]bool{
		"undo turn": true, "/undo-turn": true, "Undo-Turn ": true, "撤销": true, "qui": false, "undolt": false, "q": false,
		"u": false, "undo": false, "last turn": false, "the": false,
	} {
		m := New(words.Words{})
		m.Open(List{Commands: commands})
		for _, r := range typed {
			m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if got := m.Sure(); got != want {
			t.Errorf("%q: %t", typed, got)
		}
		if m.Key(tea.KeyPressMsg{Code: tea.KeyDown}); !m.Sure() {
			t.Errorf("%q and the cursor keys: not sure", typed)
		}
	}
}

// What the list says itself is in the language of the run.
func TestChinese(t *testing.T) {
	m := New(words.Words{Language: words.Chinese})
	m.Open(List{})
	view := func() string {
		lines, _ := m.View(theme.Styles{}, 40, 8)
		return strings.Join(lines, "\n")
	}
	for _, want := range []string{"没有可选的项", "↑ ↓ 选择 · enter 执行 · esc 返回"} {
		if got := view(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	m.Set(List{Commands: []Command{{ID: "a", Name: "新建会话"}}})
	if m.Title() != "新建会话" {
		t.Errorf("the title is %q", m.Title())
	}
	m.Paste(tea.PasteMsg{Content: "没有"})
	if got := view(); !strings.Contains(got, "没有符合的项") || m.Title() != "" {
		t.Errorf("title %q, view\n%s", m.Title(), got)
	}
}

// A quiet command is not in the list; a filter finds it below the others that have its words, and
// not by single letters.
func TestQuietCommands(t *testing.T) {
	m := New(words.Words{})
	m.Open(List{Commands: []Command{
		{ID: "setting", Name: "Setting ui.theme: colours", Words: "theme", Quiet: true}, {ID: "theme", Name: "change the colours", Words: "themes"},
	}})
	for filter, want := range map[string]string{"": "theme", "theme": "theme setting", "colours": "theme setting", "ui.theme": "setting", "stng": ""} {
		m.input.Set(filter)
		m.match()
		var got []string
		for _, c := range m.shown {
			got = append(got, c.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", filter, got, want)
		}
	}
}
