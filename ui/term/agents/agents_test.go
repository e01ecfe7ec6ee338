package agents

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/part"
	"memoria/ui/term/theme"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func some() []lookup.AgentInfo {
	return []lookup.AgentInfo{
		{
			Agent: memory.Agent{ID: "luna", Name: "露娜", Persona: "You are Luna.\nYou answer in one sentence, 用中文。", Model: "gpt-4.1-mini", Color: "violet"},
			Given: map[string]string{"name": "config.toml, line 12"}, Memories: 214, Sessions: 12, Messages: 1284, Profile: true, LastUsed: noon.Add(-3 * time.Minute),
		},
		{Agent: memory.Agent{ID: "memoria"}, Memories: 1, Sessions: 1, Messages: 2, LastUsed: noon.Add(-49 * time.Hour)},
		{Agent: memory.Agent{ID: "sol", Name: "The one who \x1b[31mshines\u202e brightly over the hills"}},
	}
}

func filled(w, h int) *Model {
	m := New(keys.Default(), time.UTC)
	m.SetStyles(theme.New(theme.None, true))
	m.SetNow(noon)
	m.SetSize(w, h)
	m.SetCurrent("memoria")
	m.Show(some())
	m.SetFocus(true)
	return m
}

func press(m *Model, names ...string) (last Action) {
	for _, k := range names {
		msg := tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
			msg = tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
		}
		for name, code := range map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "down": tea.KeyDown, "right": tea.KeyRight, "left": tea.KeyLeft, "delete": tea.KeyDelete} {
			if k == name {
				msg = tea.KeyPressMsg{Code: code}
			}
		}
		last, _ = m.Key(msg)
	}
	return last
}

func typed(m *Model, s string) {
	for _, r := range s {
		m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestViews(t *testing.T) {
	views := map[string]func(m *Model){
		"list":    func(*Model) {},
		"alone":   func(m *Model) { m.Show(some()[1:2]) },
		"reading": func(m *Model) { m.loaded = false; m.build() },
		"unread":  func(m *Model) { m.LoadFailed("The store is damaged.") },
		"page":    func(m *Model) { press(m, "o") },
		"new":     func(m *Model) { press(m, "a"); typed(m, "Nova") },
		"edit":    func(m *Model) { press(m, "e") },
		"confirm": func(m *Model) { press(m, "d") },
		"groups":  func(m *Model) { m.Show(withGroup()) },
		"club":    func(m *Model) { m.Show(withGroup()); m.view.Seek("club"); press(m, "o") },
		"ungroup": func(m *Model) { m.Show(withGroup()); m.view.Seek("club"); press(m, "d") },
		"group":   func(m *Model) { press(m, "g"); typed(m, "Trio"); press(m, "tab", "down", "down", " ", "up", "up", " ") },
		"regroup": func(m *Model) { m.Show(withGroup()); m.view.Seek("club"); press(m, "e") },
		"deleted": func(m *Model) {
			m.Deleted(part.Removed{ID: "D1", Of: "sol", Title: "Sol", Until: noon.Add(10 * time.Second)})
		},
	}
	for name, set := range views {
		for _, size := range [][2]int{{36, 20}, {56, 35}, {60, 10}, {80, 19}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := filled(size[0], size[1])
				set(m)
				lines, _ := m.View()
				if len(lines) != size[1] {
					t.Errorf("%d lines, want %d", len(lines), size[1])
				}
				for _, l := range lines {
					if cells.Width(l) != size[0] {
						t.Errorf("%d cells, want %d: %q", cells.Width(l), size[0], l)
					}
				}
				golden.RequireEqual(t, strings.Join(lines, "\n"))
			})
		}
	}
}

// withGroup is a list with a group.
func withGroup() []lookup.AgentInfo {
	return append(some(), lookup.AgentInfo{
		Agent: memory.Agent{ID: "club", Name: "Book club 读书会"}, Group: true, Members: []string{"sol", "luna"}, Sessions: 2, Messages: 9,
		LastUsed: noon.Add(-time.Hour),
	})
}

func text(m *Model) string {
	lines, _ := m.View()
	return strings.Join(lines, "\n")
}

// S9: groups stand under a heading of their own, with their members in the order in
// which they answer.
func TestGroup(t *testing.T) {
	m := filled(80, 19)
	m.Show(withGroup())
	if s := text(m); !strings.Contains(s, "agents · 3") || !strings.Contains(s, "groups · 1") || !strings.Contains(s, "shines") {
		t.Error(s)
	}
	m.view.Seek("club")
	if a := press(m, "enter"); a.Do != Switch || a.ID != "club" {
		t.Errorf("enter: %+v", a)
	}
	press(m, "o")
	if s := text(m); !strings.Contains(s, "2 ● 露娜  gpt-4.1-mini answers") || strings.Contains(s, "persona") {
		t.Error(s)
	}
	press(m, "e")
	if m.mode != grouping || m.group.called() != "Book club 读书会" {
		t.Errorf("e: mode %d", m.mode)
	}
	press(m, "esc", "d")
	if a := press(m, "n"); a.Do != Nothing || m.Modal() {
		t.Errorf("no: %+v", a)
	}
	press(m, "d")
	if s := text(m); !strings.Contains(s, "Delete the group") || !strings.Contains(s, "2 sessions, 9 messages") {
		t.Error(s)
	}
	if a := press(m, "delete"); a.Do != DeleteGroup || a.ID != "club" || a.Memories {
		t.Errorf("yes: %+v", a)
	}
	m.Failed("no")
	press(m, "n", "d")
	if a := press(m, "ctrl+x"); a.Do != DeleteGroup || !a.Memories {
		t.Errorf("also the memories: %+v", a)
	}
}

// S9: a group is made of a name and of two agents or more, in the order in which they
// were taken in or moved; what is missing is said in words.
func TestGroupForm(t *testing.T) {
	m := filled(80, 19)
	press(m, "g")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(m.notice, "needs a name") {
		t.Errorf("without a name: %+v %q", a, m.notice)
	}
	typed(m, "Duo")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(m.notice, "two members") {
		t.Errorf("without members: %+v %q", a, m.notice)
	}
	press(m, "tab", "down", "down", " ")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(text(m), "and who else?") {
		t.Errorf("with one: %+v\n%s", a, text(m))
	}
	press(m, "up", " ", "up", " ", " ", "up", " ")
	if a := press(m, "ctrl+s"); a.Do != AddGroup || a.Group.Name != "Duo" || strings.Join(a.Group.Members, " ") != "sol memoria luna" {
		t.Errorf("made: %+v", a)
	}
	m.Failed("There is one already.")
	press(m, "left", "left", "left")
	if a := press(m, "ctrl+s"); strings.Join(a.Group.Members, " ") != "luna sol memoria" {
		t.Errorf("moved: %+v", a)
	}
	m.Saved(lookup.AgentInfo{Agent: memory.Agent{ID: "duo", Name: "Duo"}, Group: true})
	if m.Modal() {
		t.Error("the form is still open")
	}
	m.Show(some()[:1])
	if press(m, "g"); m.Modal() || !strings.Contains(m.notice, "needs two agents") {
		t.Errorf("with one agent: %q", m.notice)
	}
	late := New(keys.Default(), time.UTC)
	late.SetSize(80, 19)
	late.OpenNewGroup()
	if late.Modal() {
		t.Error("a form without the agents")
	}
	if late.Show(some()); late.mode != grouping {
		t.Error("the form does not open when the agents are known")
	}
	other := New(keys.Default(), time.UTC)
	other.OpenNewGroup()
	other.OpenNew("Bo")
	if other.Show(withGroup()); other.mode != editing || other.form == nil {
		t.Error("the list that came late took the form away that was opened since")
	}
}

// What keys ask for.
func TestKeys(t *testing.T) {
	m := filled(56, 35)
	if a := press(m, "enter"); a.Do != Switch || a.ID != "luna" {
		t.Errorf("enter: %+v", a)
	}
	if a := press(m, "down", "enter"); a.Do != Nothing || m.notice == "" {
		t.Errorf("enter on the one talked to: %+v %q", a, m.notice)
	}
	if a := press(m, "d", "n"); a.Do != Nothing || m.Modal() {
		t.Errorf("no deleted: %+v", a)
	}
	if a := press(m, "d", "delete"); a.Do != Delete || a.ID != "memoria" {
		t.Errorf("yes: %+v", a)
	}
	m.Deleted(part.Removed{ID: "D1", Of: "memoria", Until: noon.Add(10 * time.Second)})
	if a := press(m, "u"); a.Do != TakeBack || a.ID != "memoria" || a.Deletion != "D1" {
		t.Errorf("u: %+v", a)
	}
	m.TakenBack("D1")
	m.SetNow(noon.Add(time.Minute))
	if m.Counting() {
		t.Error("it still counts")
	}
}

// I5: a field that the file gives cannot be written; one that was not touched stays
// what it is.
func TestForm(t *testing.T) {
	m := filled(56, 35)
	press(m, "e")
	if m.form.at != atPersona {
		t.Errorf("the cursor stands in field %d, which the file gives or the id has", m.form.at)
	}
	a := press(m, "tab", "tab", "right", "ctrl+s")
	if want := some()[0].Agent; a.Do != Save || a.Agent.Persona != want.Persona || a.Agent.Name != want.Name || a.Agent.Color != "pink" {
		t.Errorf("saved %+v", a)
	}
	m.Failed("no")
	press(m, "esc", "a")
	if a := press(m, "ctrl+s"); a.Do != Nothing || m.notice == "" {
		t.Errorf("an agent without a name: %+v", a)
	}
	typed(m, "Nova")
	press(m, "tab")
	typed(m, "No Va")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(m.notice, "a-z") {
		t.Errorf("a bad id: %+v %q", a, m.notice)
	}
	m.form.ident.Set("nova")
	if a := press(m, "ctrl+s"); a.Do != Add || a.Agent.ID != "nova" || a.Agent.Name != "Nova" {
		t.Errorf("added %+v", a)
	}
}

// The cursor goes to an agent that was just made, unless it is moved before the
// list that has it arrives.
func TestCursorGoesToWhatWasMade(t *testing.T) {
	made := lookup.AgentInfo{Agent: memory.Agent{ID: "nova", Name: "Nova"}}
	for _, tt := range []struct {
		name string
		do   func(m *Model)
		want string
	}{
		{"listed after", func(m *Model) { m.Saved(made); m.Show(append(some(), made)) }, "nova"},
		{"listed before", func(m *Model) { m.Show(append(some(), made)); m.Saved(made) }, "nova"},
		{"moved since", func(m *Model) {
			m.Show(append(some(), made))
			m.Saved(made)
			m.view.Seek("sol")
			m.Show(append(some(), made))
		}, "sol"},
		{"moved before", func(m *Model) { m.Saved(made); press(m, "down"); m.Show(append(some(), made)) }, "memoria"},
	} {
		m := filled(80, 19)
		tt.do(m)
		if a, _ := m.selected(); a.ID != tt.want {
			t.Errorf("%s: the cursor is on %s, want %s", tt.name, a.ID, tt.want)
		}
	}
}

// A name that is too long for its line leaves a gap before what the agent has.
func TestLongName(t *testing.T) {
	m := filled(80, 19)
	m.Show([]lookup.AgentInfo{{Agent: memory.Agent{ID: "agent-1", Name: strings.Repeat("宽", memory.MaxAgentName)}}})
	if lines, _ := m.View(); !strings.Contains(strings.Join(lines, "\n"), "…  0 memories") {
		t.Errorf("%q", lines)
	}
}
