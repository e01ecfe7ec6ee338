package profile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/manager"
	rules "memoria/memory/profile"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/theme"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func page(version int, lines ...memory.ProfileLine) manager.Profile {
	p := manager.Profile{Limit: 800, Sent: true, Tokens: 96}
	p.Version, p.Lines = version, lines
	p.Markdown = rules.Markdown(lines)
	return p
}

func filledPage() manager.Profile {
	return page(7,
		memory.ProfileLine{Text: "# Bo 和他的项目"},
		memory.ProfileLine{Section: memory.SectionReply, Text: "- 回答要简短", ItemID: "I1"},
		memory.ProfileLine{Section: memory.SectionReply, Text: "- No emoji, and never more than one question at a time: two of them are what I forget to answer"},
		memory.ProfileLine{Section: memory.SectionReply},
		memory.ProfileLine{Section: memory.SectionReply, Text: "Tables for comparisons."},
		memory.ProfileLine{Section: memory.SectionBackground, Text: "- Lives in Lyon.", ItemID: "I2"},
		memory.ProfileLine{Section: memory.SectionBackground, Text: "- Job is carpenter.", ItemID: "I3", Hidden: true},
	)
}

func versions() manager.ProfileHistory {
	line := func(added bool, s memory.Section, text string) rules.Difference {
		return rules.Difference{Added: added, ProfileLine: memory.ProfileLine{Section: s, Text: "- " + text}}
	}
	return manager.ProfileHistory{Total: 40, Versions: []manager.ProfileChange{
		{Version: 7, Time: noon.Add(-2 * time.Minute), Origin: memory.OriginUser, Reason: "version 6 undone by the user", Undoes: 6},
		{
			Version: 6, Time: noon.Add(-5 * time.Hour), Origin: memory.OriginTurn, Reason: "memory superseded", Items: []string{"I2"}, Undone: true,
			Diff: []rules.Difference{line(false, memory.SectionBackground, "Lives in Paris."), line(true, memory.SectionBackground, "Lives in Lyon.")},
		},
		{Version: 5, Time: noon.Add(-50 * time.Hour), Origin: memory.OriginUser, Reason: "edited by the user", Diff: []rules.Difference{line(true, memory.SectionNone, "# Bo 和他的项目")}},
	}}
}

func newPart(w, h int) *Model {
	m := New(keys.Default(), time.UTC)
	m.SetStyles(theme.New(theme.None, true))
	m.SetNow(noon)
	m.SetSize(w, h)
	m.SetFocus(true)
	return m
}

func filled(w, h int) *Model {
	m := newPart(w, h)
	m.Show(filledPage(), versions())
	return m
}

func press(m *Model, keys ...string) (last Action) {
	for _, k := range keys {
		last, _ = m.Key(keyOf(k))
	}
	return last
}

func keyOf(k string) tea.KeyPressMsg {
	for name, code := range map[string]rune{
		"enter": tea.KeyEnter, "delete": tea.KeyDelete, "esc": tea.KeyEscape, "down": tea.KeyDown, "up": tea.KeyUp, "end": tea.KeyEnd, "pgdn": tea.KeyPgDown, "home": tea.KeyHome,
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

// W5: the page, where each line comes from, and what each version changed.
func TestViews(t *testing.T) {
	off := filledPage()
	off.Sent = false
	states := map[string]func(m *Model){
		"empty":    func(m *Model) { m.Show(page(0), manager.ProfileHistory{}) },
		"unread":   func(m *Model) { m.ReadFailed("the store is locked") },
		"page":     func(*Model) {},
		"end":      func(m *Model) { press(m, "end") },
		"off":      func(m *Model) { off.Waiting = 1; m.Show(off, versions()) },
		"versions": func(m *Model) { press(m, "h", "down") },
		"form":     func(m *Model) { press(m, "e") },
		"too long": func(m *Model) {
			press(m, "e", "ctrl+s")
			m.Failed("This cannot be stored: your own text is about 900 tokens.")
		},
	}
	for name, set := range states {
		// The panel at 60×15, 80×24 and 140×40, and the narrowest.
		for _, size := range [][2]int{{60, 10}, {80, 19}, {56, 35}, {36, 30}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := filled(size[0], size[1])
				set(m)
				golden.RequireEqual(t, view(t, m))
			})
		}
	}
	if got := view(t, newPart(56, 35)); !strings.Contains(got, "reading") {
		t.Errorf("before it is read:\n%s", got)
	}
}

func TestKeys(t *testing.T) {
	for name, tt := range map[string]struct {
		keys []string
		want Action
	}{
		"open the memory":     {[]string{"down", "enter"}, Action{Do: Open, ID: "I1"}},
		"a line of one's own": {[]string{"enter"}, Action{}},
		"save":                {[]string{"e", "!", "ctrl+s"}, Action{Do: Save, Version: 7, Text: filledPage().Markdown + "!"}},
		"do not save":         {[]string{"e", "!", "esc", "esc"}, Action{Do: Leave}},
		"editor":              {[]string{"ctrl+g"}, Action{Do: Editor, Version: 7, Text: filledPage().Markdown}},
		"editor of the form":  {[]string{"e", "!", "ctrl+g"}, Action{Do: Editor, Version: 7, Text: filledPage().Markdown + "!"}},
		"undo the last":       {[]string{"u"}, Action{Do: Undo}},
		"undo a version":      {[]string{"h", "down", "u"}, Action{Do: Undo, Version: 6}},
		"its memory":          {[]string{"h", "down", "enter"}, Action{Do: Open, ID: "I2"}},
		"no memory":           {[]string{"h", "enter"}, Action{}},
		"older ones":          {[]string{"h", "down", "down", "down"}, Action{Do: More}},
		"back from versions":  {[]string{"h", "esc", "esc"}, Action{Do: Leave}},
		"copy":                {[]string{"end", "y"}, Action{Do: Copy, Text: "Lives in Lyon."}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, press(filled(56, 35), tt.keys...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, handled := filled(56, 35).Key(keyOf("z")); handled {
		t.Error("z is said to mean something")
	}
}

// W5: nothing written is lost: by news, by a failure, by what the field cannot show.
func TestFormStays(t *testing.T) {
	hidden := page(3, memory.ProfileLine{Section: memory.SectionBackground, Text: "- Lives\tin \u202eLyon.", ItemID: "I1"})
	m := newPart(56, 35)
	m.Show(hidden, manager.ProfileHistory{})
	press(m, "e", "!")
	m.Show(filledPage(), versions())
	a := press(m, "ctrl+s")
	if want := hidden.Markdown + "!"; a.Text != want || a.Version != 3 {
		t.Fatalf("got %+v, want %q", a, want)
	}
	if a := press(m, "ctrl+s"); a.Do != Nothing {
		t.Error("saved twice")
	}
	m.Failed("The disk is full.")
	if got := view(t, m); !m.Capturing() || !strings.Contains(got, "disk is full") {
		t.Errorf("the form is lost:\n%s", got)
	}
	m.Saved()
	if m.Modal() {
		t.Error("the form does not end")
	}
	m.Retry("too long", 7)
	if a := press(m, "ctrl+s"); a.Text != "too long" || a.Version != 7 {
		t.Errorf("again: %+v", a)
	}
}

// The cursor stays on its line while the page changes.
func TestCursorFollowsItsLine(t *testing.T) {
	m := filled(56, 35)
	press(m, "end")
	p := filledPage()
	p.Lines = append([]memory.ProfileLine{{Text: "new above"}}, p.Lines...)
	m.Show(p, versions())
	if a := press(m, "enter"); a.ID != "I2" {
		t.Errorf("got %+v", a)
	}
}

// Whatever is shown and pressed, the part fills its place exactly.
func TestFillsItsPlace(t *testing.T) {
	words := rapid.SampledFrom([]string{"", "- line", "部署脚本👩‍💻🇩🇪", strings.Repeat("很长", 60), "x\ty\tz", "\u202e\x1b[2J\x9b", "e\u0301\u0301", "word word word word word word word"})
	pressed := rapid.SampledFrom([]string{"down", "up", "end", "home", "pgdn", "enter", "esc", "e", "h", "u", "y", "x", "中", "ctrl+g", "ctrl+s"})
	rapid.Check(t, func(t *rapid.T) {
		m := newPart(rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h"))
		m.SetStyles(theme.New(rapid.SampledFrom([]theme.Kind{theme.None, theme.Dark}).Draw(t, "theme"), true))
		m.SetFocus(rapid.Bool().Draw(t, "focus"))
		var lines []memory.ProfileLine
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			s := rapid.SampledFrom(append(memory.Sections(), memory.SectionNone)).Draw(t, "section")
			lines = append(lines, memory.ProfileLine{Section: s, Text: words.Draw(t, "text"), ItemID: rapid.SampledFrom([]string{"", "I1"}).Draw(t, "item")})
		}
		h := versions()
		h.Versions[1].Reason = words.Draw(t, "reason")
		m.Show(page(rapid.IntRange(0, 3).Draw(t, "version"), lines...), h)
		view(t, m)
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			press(m, pressed.Draw(t, "key"))
			view(t, m)
		}
		m.Failed(words.Draw(t, "failure"))
		view(t, m)
	})
}
