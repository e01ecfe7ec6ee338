package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/layout"
	"memoria/ui/term/palette"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// The numbers select tabs and the arrows views; each tab remembers its view. Other digits are
// text.
func TestTabs(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	press(m, "tab")
	for _, tt := range []struct {
		key  string
		want pane.ID
	}{
		{"3", pane.Sessions},
		{"right", pane.Archive},
		{"1", pane.Recall},
		{"left", pane.Profile},
		{"left", pane.Inbox},
		{"3", pane.Archive},
		{"right", pane.Journal},
		{"right", pane.Sessions},
		{"[", pane.Evidence},
		{"]", pane.Sessions},
		{"2", pane.Evidence},
		{"left", pane.Working},
		{"left", pane.Package},
		{"4", pane.Agents},
		{"left", pane.Health},
		{"]", pane.Recall},
		{"4", pane.Health},
		{"1", pane.Recall},
	} {
		if press(m, tt.key); m.panel.shown != tt.want || m.focus != onPanel {
			t.Fatalf("%s leads to %s, focus %d, want %s", tt.key, m.panel.shown.Name(m.keys.Words.Words), m.focus, tt.want.Name(m.keys.Words.Words))
		}
	}
	press(m, "5")
	if text, _ := m.input.Text(); text != "5" || m.focus != onInput {
		t.Errorf("5 is not text: %q, focus %d", text, m.focus)
	}
}

// What takes keys first has the numbers and the arrows.
func TestTabsLeaveFormsAlone(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	press(m, "tab", "right", "/", "2", "left", "3")
	if m.panel.shown != pane.All || m.memories.FilterText() != "32" {
		t.Errorf("the filter of %s is %q", m.panel.shown.Name(m.keys.Words.Words), m.memories.FilterText())
	}
	press(m, "esc", "enter")
	if !m.current().About().Modal {
		t.Fatal("no memory is open")
	}
	press(m, "right") // the page has no use for it
	if m.panel.shown != pane.Inbox {
		t.Errorf("the arrow leads to %s", m.panel.shown.Name(m.keys.Words.Words))
	}
}

// A command and a pane that show a view also select its tab.
func TestOpeningSelectsTheTab(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	m.Open(pane.Journal)
	press(m, "1", "3")
	if m.panel.shown != pane.Journal {
		t.Errorf("the tab shows %s", m.panel.shown.Name(m.keys.Words.Words))
	}
	m.commands.run("memories", "")
	if m.panel.shown != pane.All || !m.current().About().Capturing {
		t.Errorf("/memories shows %s", m.panel.shown.Name(m.keys.Words.Words))
	}
}

// Every view is in the tab that it says.
func TestViewsHaveTabs(t *testing.T) {
	next := pane.Recall
	for i, tab := range pane.Tabs() {
		for _, id := range tab.Views {
			if id != next || id.Tab() != i || id.Name(words.Words{}) == "" {
				t.Errorf("%s of %s: %d, tab %d", id.Name(words.Words{}), tab.Name(words.Words{}), id, id.Tab())
			}
			next++
		}
	}
	if m := still(t, 80, 24); int(next) != len(m.panes) {
		t.Errorf("%d views, %d panes", next, len(m.panes))
	}
}

// The names are whole at every width, with counts as large as they get.
func TestNamesAtEveryWidth(t *testing.T) {
	noRace(t)
	m := still(t, 60, 15)
	m.memories.SetItems(nil, 12_345)
	m.inbox.SetHeld(321)
	for w := layout.MinWidth; w <= 200; w++ {
		m.Update(tea.WindowSizeMsg{Width: w, Height: 20})
		for id := pane.Recall; id <= pane.Health; id++ {
			m.Open(id)
			m.arrange()
			lines := strings.Split(frame(t, m), "\n")
			tabs, views := lines[m.screen.Panel.Y], lines[m.screen.Panel.Y+1]
			for i, tab := range pane.Tabs() {
				if !strings.Contains(tabs, tab.Name(words.Words{})) {
					t.Errorf("%d: no %s in %q", w, tab.Name(words.Words{}), tabs)
				}
				for _, name := range tab.Names(words.Words{}) {
					if i == id.Tab() && !strings.Contains(views, name) {
						t.Errorf("%d: no %s in %q", w, name, views)
					}
				}
			}
		}
	}
}

// U6: a click on a memory chooses it, and a second one opens it.
func TestClickOnRows(t *testing.T) {
	m := still(t, 100, 30)
	converse(m)
	press(m, "tab")
	click := func(name string) {
		t.Helper()
		for y, text := range strings.Split(frame(t, m), "\n") {
			if x := strings.Index(text, name); x >= 0 && m.screen.Panel.Contains(clean.Width(text[:x]), y) {
				m.Update(tea.MouseClickMsg{X: clean.Width(text[:x]), Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("no %s in\n%s", name, frame(t, m))
	}
	click("all 214")
	click("uses pnpm")
	if got := frame(t, m); !strings.Contains(got, "▸ likes") {
		t.Errorf("the row is not chosen:\n%s", got)
	}
	click("uses pnpm")
	if got := frame(t, m); !strings.Contains(got, "your words") {
		t.Errorf("the memory is not open:\n%s", got)
	}
}

// A click on a name opens the tab or the view.
func TestClickOnNames(t *testing.T) {
	for _, width := range []int{80, 140} {
		m := still(t, width, 40)
		converse(m)
		press(m, "tab")
		click := func(line int, name string) {
			t.Helper()
			text := strings.Split(frame(t, m), "\n")[m.screen.Panel.Y+line]
			before, _, ok := strings.Cut(text, name)
			if !ok {
				t.Fatalf("no %s in %q", name, text)
			}
			m.Update(tea.MouseClickMsg{X: clean.Width(before), Y: m.screen.Panel.Y + line, Button: tea.MouseLeft})
		}
		click(0, "History")
		click(1, "archive")
		if m.panel.shown != pane.Archive {
			t.Errorf("shows %s", m.panel.shown.Name(m.keys.Words.Words))
		}
		click(0, "Memory")
		click(1, "profile")
		if m.panel.shown != pane.Profile {
			t.Errorf("shows %s", m.panel.shown.Name(m.keys.Words.Words))
		}
	}
}

// Each command of the palette is in a group, and each group has commands that exist.
func TestPaletteGroups(t *testing.T) {
	m := still(t, 80, 24)
	exists := map[string]bool{}
	for _, c := range m.commands.list() {
		exists[c.name] = true
	}
	for _, g := range palette.Groups(words.Words{}) {
		for _, name := range g.Commands {
			if !exists[name] {
				t.Errorf("%s: there is no %s, or it is in two groups", g.Title, name)
			}
			delete(exists, name)
		}
	}
	for name := range exists {
		t.Errorf("%s is in no group", name)
	}
}

// The bell tells of a long answer's end in the background, and of nothing else.
func TestBell(t *testing.T) {
	for name, tt := range map[string]struct {
		away tea.Msg
		took time.Duration
		more bool
		want bool
	}{
		"long, in the background":  {tea.BlurMsg{}, 11 * time.Second, false, true},
		"short, in the background": {tea.BlurMsg{}, 9 * time.Second, false, false},
		"others follow":            {tea.BlurMsg{}, 11 * time.Second, true, false},
		"long, in view":            {tea.FocusMsg{}, 11 * time.Second, false, false},
		"never told":               {nil, 11 * time.Second, false, false},
	} {
		m := still(t, 80, 24)
		m.Update(tt.away)
		rings := false
		for _, msg := range outcomes(m.conv.onFinished(chat.Finished{Took: tt.took, More: tt.more, Record: memory.Record{Role: memory.RoleAssistant}})) {
			if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == "\a" {
				rings = true
			}
		}
		if rings != tt.want {
			t.Errorf("%s: rings %t", name, rings)
		}
	}
}

// Ctrl+Y puts back what ctrl+u deleted, and the last line says so.
func TestPutBack(t *testing.T) {
	m := still(t, 80, 24)
	press(m, "茶", "?", "ctrl+u")
	if !m.input.Empty() || !strings.Contains(m.say, "ctrl+y puts it back") {
		t.Errorf("says %q", m.say)
	}
	press(m, "ctrl+y")
	if text, _ := m.input.Text(); text != "茶?" {
		t.Errorf("the input holds %q", text)
	}
}
