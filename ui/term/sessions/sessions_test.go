package sessions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"memoria/memory"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func session(id, title string, turns int, ago time.Duration) memory.Session {
	s := memory.Session{
		ID: id, Title: title, State: memory.SessionArchived, Turns: turns, Messages: 2 * turns,
		CreatedAt: noon.Add(-ago - time.Hour), LastMessageAt: noon.Add(-ago),
	}
	return s
}

func some() []memory.Session {
	list := []memory.Session{
		session("s1", "Deploying to Fly", 12, 3*time.Minute),
		session("s2", "部署脚本还用 pnpm 吗？从上海的同事那里听说要改成 bun 了", 4, 5*time.Hour),
		session("s3", "", 1, 49*time.Hour),
		session("s4", "The 👩‍💻 who \x1b[31mwrote\u202e it", 1284, 400*24*time.Hour),
	}
	list[0].State = memory.SessionActive
	return list
}

func newPart(w, h int) *Model {
	m := New(keys.Default(), time.UTC)
	m.SetStyles(theme.New(theme.None, true))
	m.SetNow(noon)
	m.SetSize(w, h)
	return m
}

func filled(w, h int) *Model {
	m := newPart(w, h)
	m.SetSessions(some(), 214)
	m.SetCurrent("s1")
	m.SetFocus(true)
	return m
}

func found() Results {
	list := some()
	return Results{
		Sessions: []Group{
			{Session: list[1], Messages: 5, Hits: []Hit{
				{RecordID: "r1", Who: "you", Time: noon.Add(-5 * time.Hour), Text: "部署脚本还用 pnpm 吗？"},
				{RecordID: "r2", Who: "luna", Time: noon.Add(-5 * time.Hour), Text: "Yes — `pnpm install --frozen-lockfile`, as you said when we spoke about the deploying of the new server in Shanghai."},
				{RecordID: "r3", Who: "you", Time: noon.Add(-4 * time.Hour), Text: "It was a long evening, and only at the very end of a rambling message with many words do we come to deployed things like 部署."},
				{RecordID: "r4", Who: "you", Time: noon.Add(-4 * time.Hour), Text: "pnpm again"},
			}},
			{Session: list[0], Messages: 1, Hits: []Hit{{RecordID: "r5", Who: "you", Time: noon.Add(-3 * time.Minute), Text: "\x1b]52;c;xx\x07 ship it with pnpm\nand \u202enothing else"}}},
		},
		Messages: 6,
	}
}

func press(m *Model, keys ...string) (last Action) {
	for _, k := range keys {
		last, _ = m.Key(keyOf(k))
	}
	return last
}

func keyOf(k string) tea.KeyPressMsg {
	for name, code := range map[string]rune{
		"enter": tea.KeyEnter, "delete": tea.KeyDelete, "esc": tea.KeyEscape, "tab": tea.KeyTab, "down": tea.KeyDown, "up": tea.KeyUp,
		"end": tea.KeyEnd, "home": tea.KeyHome, "backspace": tea.KeyBackspace, "pgdn": tea.KeyPgDown,
	} {
		if k == name {
			return tea.KeyPressMsg{Code: code}
		}
	}
	if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

func typed(m *Model, s string) (last Action) {
	for _, r := range s {
		last, _ = m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return last
}

func view(t interface{ Errorf(string, ...any) }, m *Model) string {
	lines, cursor := m.View()
	if len(lines) != m.height {
		t.Errorf("%d lines, want %d", len(lines), m.height)
	}
	for _, l := range lines {
		if cells.Width(l) != m.width {
			t.Errorf("line %q is %d wide, want %d", l, cells.Width(l), m.width)
		}
	}
	if cursor != nil && (cursor.X >= m.width || cursor.Y >= m.height || cursor.X < 0 || cursor.Y < 0) {
		t.Errorf("the cursor stands at %d, %d", cursor.X, cursor.Y)
	}
	return strings.Join(lines, "\n")
}

// The panel at 60×15, 80×24 and 140×40, and the narrowest.
var sizes = [][2]int{{60, 10}, {80, 19}, {56, 35}, {36, 20}}

func TestViews(t *testing.T) {
	states := map[string]func(m *Model){
		"reading": func(m *Model) { *m = *newPart(m.width, m.height) },
		"empty":   func(m *Model) { m.SetSessions(nil, 0) },
		"list":    func(m *Model) { press(m, "down") },
		"unread":  func(m *Model) { *m = *newPart(m.width, m.height); m.LoadFailed("the store is locked") },
		"more": func(m *Model) {
			m.SetSessions(some(), 4)
			m.AddSessions(4, []memory.Session{session("s5", "One more", 2, time.Hour)}, 9)
			press(m, "end")
			m.LoadFailed("the disk is gone")
		},
		"searching": func(m *Model) { press(m, "/"); typed(m, "pnpm 部署"); m.Progress("pnpm 部署", 1200, 20418) },
		"found": func(m *Model) {
			m.OpenSearch("pnpm 部署")
			m.Found("pnpm 部署", found())
			press(m, "enter", "down")
		},
		"nothing": func(m *Model) {
			m.OpenSearch("nowhere")
			m.Found("nowhere", Results{Degraded: "the index is being built, so the messages were read through"})
		},
		"search failed": func(m *Model) { m.OpenSearch("x"); m.SearchFailed("x", "The index is broken.") },
		"rename":        func(m *Model) { press(m, "down", "r"); typed(m, "！") },
		"confirm":       func(m *Model) { press(m, "down", "d") },
		"deleted": func(m *Model) {
			m.Deleted(list.Removed{ID: "d1", Of: "s2", Title: some()[1].Title, Until: noon.Add(8 * time.Second)})
		},
	}
	for name, set := range states {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := filled(size[0], size[1])
				set(m)
				golden.RequireEqual(t, view(t, m))
			})
		}
	}
}
