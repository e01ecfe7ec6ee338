package agents

import (
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

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

func filled(w, h int) *Model { return spoken(config.LanguageEnglish, w, h) }

// spoken is a pane with some agents in a language.
func spoken(l config.Language, w, h int) *Model {
	m := New(keys.Default(words.In(l)), time.UTC)
	m.SetNow(noon)
	m.SetCurrent("memoria")
	m.Show(some())
	m.SetFocus(true)
	return panetest.Show(m, w, h)
}

var (
	press = panetest.Press[Action]
	typed = panetest.Type[Action]
)

func text(m *Model) string {
	lines, _ := m.View()
	return strings.Join(lines, "\n")
}

func TestViews(t *testing.T) {
	panetest.Views(t, panetest.Sizes(20), filled, map[string]func(m *Model){
		"list":    func(*Model) {},
		"alone":   func(m *Model) { m.Show(some()[1:2]) },
		"reading": func(m *Model) { m.loaded = false; m.Build() },
		"unread":  func(m *Model) { m.LoadFailed("The store is damaged.") },
		"page":    func(m *Model) { press(m, "o") },
		"new":     func(m *Model) { press(m, "a"); typed(m, "Nova") },
		"edit":    func(m *Model) { press(m, "e") },
		"confirm": func(m *Model) { press(m, "d") },
		"groups":  func(m *Model) { m.Show(withGroup()) },
		"club":    func(m *Model) { m.Show(withGroup()); m.List.Seek("club"); press(m, "o") },
		"ungroup": func(m *Model) { m.Show(withGroup()); m.List.Seek("club"); press(m, "d") },
		"group": func(m *Model) {
			press(m, "g")
			typed(m, "Trio")
			press(m, "tab", "down", "down", "space", "up", "up", "space")
		},
		"regroup": func(m *Model) { m.Show(withGroup()); m.List.Seek("club"); press(m, "e") },
		"deleted": func(m *Model) {
			m.Deleted(list.Removed{ID: "D1", Of: "sol", Title: "Sol", Until: noon.Add(10 * time.Second)})
		},
	})

}

// The pane in Chinese.
func TestChinese(t *testing.T) {
	chinese := func(w, h int) *Model { return spoken(config.LanguageChinese, w, h) }
	panetest.Views(t, [][2]int{{40, 20}, {60, 14}}, chinese, map[string]func(m *Model){
		"list":    func(m *Model) { m.Show(withGroup()) },
		"page":    func(m *Model) { press(m, "o") },
		"new":     func(m *Model) { press(m, "a"); typed(m, "小林") },
		"group":   func(m *Model) { press(m, "g", "tab", "down", "space", "up", "space") },
		"confirm": func(m *Model) { m.Show(withGroup()); m.List.Seek("club"); press(m, "d") },
	})
}

// withGroup is a list with a group.
func withGroup() []lookup.AgentInfo {
	return append(some(), lookup.AgentInfo{
		Agent: memory.Agent{ID: "club", Name: "Book club 读书会"}, Group: true, Members: []string{"sol", "luna"}, Sessions: 2, Messages: 9,
		LastUsed: noon.Add(-time.Hour),
	})
}

// S9: groups stand under a heading of their own, with their members in the order in
// which they answer.
func TestGroup(t *testing.T) {
	m := filled(80, 19)
	m.Show(withGroup())
	if s := text(m); !strings.Contains(s, "agents · 3") || !strings.Contains(s, "groups · 1") || !strings.Contains(s, "shines") {
		t.Error(s)
	}
	m.List.Seek("club")
	if a := press(m, "enter", "down", "enter"); a.Do != Switch || a.ID != "club" {
		t.Errorf("enter: %+v", a)
	}
	press(m, "o")
	if s := text(m); !strings.Contains(s, "2 ● 露娜  gpt-4.1-mini answers") || strings.Contains(s, "persona") {
		t.Error(s)
	}
	press(m, "e")
	if m.Form == nil || m.Form.Fields[0].Value() != "Book club 读书会" {
		t.Errorf("e: %+v", m.Form)
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
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(m.Notice, "needs a name") {
		t.Errorf("without a name: %+v %q", a, m.Notice)
	}
	typed(m, "Duo")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(m.Notice, "two members") {
		t.Errorf("without members: %+v %q", a, m.Notice)
	}
	press(m, "tab", "down", "down", "space")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(text(m), "and who else?") {
		t.Errorf("with one: %+v\n%s", a, text(m))
	}
	press(m, "up", "space", "up", "space", "space", "up", "space")
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
	if press(m, "g"); m.Modal() || !strings.Contains(m.Notice, "needs two agents") {
		t.Errorf("with one agent: %q", m.Notice)
	}
	late := New(keys.Default(words.Words{}), time.UTC)
	late.SetSize(80, 19)
	late.OpenNewGroup()
	if late.Modal() {
		t.Error("a form without the agents")
	}
	if late.Show(some()); late.Form == nil || late.members == nil {
		t.Error("the form does not open when the agents are known")
	}
	other := New(keys.Default(words.Words{}), time.UTC)
	other.OpenNewGroup()
	other.OpenNew("Bo")
	if other.Show(withGroup()); other.Form == nil || other.members != nil {
		t.Error("the list that came late took the form away that was opened since")
	}
}

// Typing destroys nothing: text at the members goes into the name.
func TestTextAtMembers(t *testing.T) {
	m := filled(80, 19)
	press(m, "g", "tab")
	typed(m, "jk, two")
	press(m, "tab", "space")
	if got := m.Form.Fields[0].Value(); got != "jk, two" || len(m.members.in) != 1 {
		t.Errorf("the name is %q, the members %v", got, m.members.in)
	}
}

// What keys ask for.
func TestKeys(t *testing.T) {
	m := filled(56, 35)
	if a := press(m, "enter", "down", "enter"); a.Do != Switch || a.ID != "luna" {
		t.Errorf("enter: %+v", a)
	}
	press(m, "down", "enter")
	panetest.Lacks(t, text(m), "talk to it\n")
	if a := press(m, "enter", "enter", "enter"); a.Do != Nothing || m.Modal() {
		t.Errorf("enter, to the page and back: %+v\n%s", a, text(m))
	}
	if a := press(m, "d", "n"); a.Do != Nothing || m.Modal() {
		t.Errorf("no deleted: %+v", a)
	}
	if a := press(m, "d", "delete"); a.Do != Delete || a.ID != "memoria" {
		t.Errorf("yes: %+v", a)
	}
	m.Deleted(list.Removed{ID: "D1", Of: "memoria", Until: noon.Add(10 * time.Second)})
	if a := press(m, "u"); a.Do != Restore || a.ID != "memoria" || a.Deletion != "D1" {
		t.Errorf("u: %+v", a)
	}
	m.Restored("D1")
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
	if m.Form.At != 2 {
		t.Errorf("the cursor stands in field %d, which the file gives or the id has", m.Form.At)
	}
	a := press(m, "tab", "tab", "right", "ctrl+s")
	if want := some()[0].Agent; a.Do != Save || a.Agent.Persona != want.Persona || a.Agent.Name != want.Name || a.Agent.Color != "pink" {
		t.Errorf("saved %+v", a)
	}
	m.Failed("no")
	press(m, "esc", "a")
	if a := press(m, "ctrl+s"); a.Do != Nothing || m.Notice == "" {
		t.Errorf("an agent without a name: %+v", a)
	}
	typed(m, "Nova")
	press(m, "tab")
	typed(m, "No Va")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(m.Notice, "a-z") {
		t.Errorf("a bad id: %+v %q", a, m.Notice)
	}
	m.Form.Fields[1].Field.Set("nova")
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
			m.List.Seek("sol")
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
	if lines, _ := m.View(); !strings.Contains(strings.Join(lines, "\n"), "…   0 stored memories") {
		t.Errorf("%q", lines)
	}
}

// What a field may not be is told in Chinese.
func TestChineseFaults(t *testing.T) {
	m := spoken(config.LanguageChinese, 56, 35)
	press(m, "a")
	for name, want := range map[string]string{
		"": "角色要有名字。", "all": "“all”在群组里表示所有人，角色要用别的名字。",
		strings.Repeat("名", memory.MaxAgentName+1): "名字有 41 个字符，最多 40 个。",
	} {
		m.Busy, m.Notice = false, ""
		m.Form.Fields[0].Field.Set(name)
		if press(m, "ctrl+s"); m.Notice != want {
			t.Errorf("%q: %q, want %q", name, m.Notice, want)
		}
	}
}
