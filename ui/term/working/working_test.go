package working

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
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/theme"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func state() State {
	return State{
		Working: memory.Working{
			SessionID: "s1", CurrentTopic: "Deploying to Fly with pnpm，还有部署脚本怎么改成 bun",
			ContextVariables: map[string]string{
				"project": "memoria", "语言": "Go", "a name that is longer than its column": "short",
				"note": "👩‍💻 says \x1b[31mred\u202e\nand goes on for long enough to need more than one line in any panel that there is",
			},
			TurnCount: 1284, LastEmotion: "curious", CreatedAt: noon.Add(-25 * time.Hour), UpdatedAt: noon.Add(-2 * time.Minute),
		},
		Title: "Deploying to Fly", EndsAt: noon.Add(28 * time.Minute),
	}
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
	m.Show(state())
	m.SetFocus(true)
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

func typed(m *Model, s string) {
	for _, r := range s {
		m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
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

func TestViews(t *testing.T) {
	kept, bare := state(), state()
	kept.Kept = true
	bare.Working = memory.Working{SessionID: "s1", TurnCount: 1, CreatedAt: noon, UpdatedAt: noon}
	states := map[string]func(m *Model){
		"nothing": func(m *Model) { m.None() },
		"reading": func(m *Model) { m.None(); m.Reading() },
		"unread":  func(m *Model) { m.None(); m.ReadFailed("the store is locked") },
		"filled":  func(*Model) {},
		"end":     func(m *Model) { press(m, "end") },
		"bare":    func(m *Model) { m.Show(bare) },
		"kept":    func(m *Model) { m.Show(kept); press(m, "e") },
		"topic":   func(m *Model) { press(m, "e") },
		"value":   func(m *Model) { press(m, "end", "e") },
		"add":     func(m *Model) { press(m, "a"); typed(m, "分支"); press(m, "tab") },
		"confirm": func(m *Model) { press(m, "d") },
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
}

// W1: what the session is about can be corrected.
func TestKeys(t *testing.T) {
	for name, tt := range map[string]struct {
		keys []string
		want Action
	}{
		"topic":           {[]string{"e", "!", "ctrl+s"}, Action{Do: Topic, SessionID: "s1", Value: state().CurrentTopic + "!"}},
		"enter edits too": {[]string{"enter", "!", "ctrl+s"}, Action{Do: Topic, SessionID: "s1", Value: state().CurrentTopic + "!"}},
		"variable":        {[]string{"end", "e", "!", "ctrl+s"}, Action{Do: Variable, SessionID: "s1", Key: "语言", Value: "Go!"}},
		"delete topic":    {[]string{"d", "delete"}, Action{Do: Topic, SessionID: "s1"}},
		"delete":          {[]string{"end", "d", "delete"}, Action{Do: Remove, SessionID: "s1", Key: "语言"}},
		"keep":            {[]string{"end", "d", "n"}, Action{}},
		"asks first":      {[]string{"d"}, Action{}},
		"add":             {[]string{"a", "k", "tab", "v", "ctrl+s"}, Action{Do: Variable, SessionID: "s1", Key: "k", Value: "v"}},
		"add without":     {[]string{"a", "k", "ctrl+s"}, Action{}},
		"as it was":       {[]string{"end", "e", "ctrl+s"}, Action{}},
		"out of sight":    {[]string{"pgdn", "e", "!", "ctrl+s"}, Action{Do: Variable, SessionID: "s1", Key: "语言", Value: "Go!"}},
		"add nameless":    {[]string{"a", "tab", "v", "ctrl+s"}, Action{}},
		"copy":            {[]string{"end", "y"}, Action{Do: Copy, Value: "Go"}},
		"leave":           {[]string{"esc"}, Action{Do: Leave}},
		"leave the form":  {[]string{"e", "esc", "esc"}, Action{Do: Leave}},
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
	if _, handled := newPart(56, 35).Key(keyOf("a")); handled {
		t.Error("adds to nothing")
	}
}

// Keys are about what is seen.
func TestScrollTakesTheCursorAlong(t *testing.T) {
	m := filled(60, 10)
	press(m, "pgdn")
	if got := view(t, m); !strings.Contains(got, "▸") {
		t.Errorf("no cursor:\n%s", got)
	}
	m.Wheel(-100)
	if got := view(t, m); !strings.Contains(got, "▸ topic") {
		t.Errorf("no cursor:\n%s", got)
	}
}

func TestAddingWhatIsThere(t *testing.T) {
	m := filled(56, 35)
	press(m, "a")
	typed(m, "project")
	press(m, "tab")
	typed(m, "x")
	if a := press(m, "ctrl+s"); a.Do != Nothing || !strings.Contains(view(t, m), "already") {
		t.Errorf("got %+v", a)
	}
}

// W4: what was kept of a session that has ended is seen and not edited.
func TestKeptIsReadOnly(t *testing.T) {
	s := state()
	s.Kept = true
	for _, k := range []string{"e", "a", "d"} {
		m := filled(56, 35)
		m.Show(s)
		if a := press(m, k); a.Do != Nothing || m.Modal() || !strings.Contains(view(t, m), "has ended") {
			t.Errorf("%s gave %+v", k, a)
		}
	}
	m := filled(56, 35)
	m.Show(s)
	if a := press(m, "y"); a.Do != Copy {
		t.Errorf("got %+v", a)
	}
}

// Nothing written is lost by news, a failure or another session.
func TestFormStays(t *testing.T) {
	m := filled(56, 35)
	press(m, "e")
	typed(m, "!")
	m.Show(state())
	other := state()
	other.SessionID = "s2"
	m.Show(other)
	a := press(m, "ctrl+s")
	if a.Do != Topic || a.SessionID != "s1" || !strings.HasSuffix(a.Value, "!") {
		t.Fatalf("got %+v", a)
	}
	m.Show(other)
	if a := press(m, "ctrl+s"); a.Do != Nothing {
		t.Error("saved twice")
	}
	m.Failed("The disk is full.")
	if got := view(t, m); !m.Capturing() || !strings.Contains(got, "disk is full") || !strings.Contains(got, "!") {
		t.Errorf("the form is lost after a failure:\n%s", got)
	}
	if a := press(m, "ctrl+s"); a.Do != Topic {
		t.Error("cannot try again")
	}
	s := state()
	s.CurrentTopic = "Bun"
	m.Saved()
	m.Show(s)
	if got := view(t, m); m.Modal() || !strings.Contains(got, "Bun") {
		t.Errorf("the form does not end:\n%s", got)
	}
}

// A question is about what it names, or it is no question any more.
func TestNewsWhileAsking(t *testing.T) {
	m := filled(56, 35)
	press(m, "end", "d")
	s := state()
	delete(s.ContextVariables, "语言")
	m.Show(s)
	if a := press(m, "y"); a.Do == Remove {
		t.Errorf("deletes another variable: %+v", a)
	}
	m = filled(56, 35)
	press(m, "end", "d")
	s = state()
	s.ContextVariables["zzz"], s.ContextVariables["aaa"] = "new", "new"
	m.Show(s)
	if a := press(m, "delete"); a.Key != "语言" {
		t.Errorf("got %+v", a)
	}
	m = filled(56, 35)
	press(m, "d")
	m.None()
	if m.Modal() {
		t.Error("asks about nothing")
	}
}

func TestEnding(t *testing.T) {
	for want, at := range map[string]time.Time{
		"12:28 unless you write":            noon.Add(28 * time.Minute),
		"2026-01-29 00:10 unless you write": noon.Add(12*time.Hour + 10*time.Minute),
		"its time is over":                  noon,
	} {
		m := newPart(80, 30)
		m.Show(State{Working: memory.Working{SessionID: "s"}, EndsAt: at})
		if got := view(t, m); !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}

func TestFormCursor(t *testing.T) {
	m := filled(56, 20)
	press(m, "a")
	typed(m, "中文a")
	if _, c := m.View(); c == nil || c.X != 2+formLabel+5 || c.Y != 2 {
		t.Errorf("cursor %+v", c)
	}
	m.Paste(tea.PasteMsg{Content: "b\nc"})
	press(m, "tab")
	typed(m, "v")
	if a := press(m, "ctrl+s"); a.Key != "中文ab c" {
		t.Errorf("got %+v", a)
	}
}

// What others wrote cannot reach the terminal as it is.
func TestEverythingIsCleaned(t *testing.T) {
	evil := "a\x1b]52;c;xx\x07b\u202ec\u009b31m\U000e0041"
	m := newPart(56, 50)
	m.SetFocus(true)
	check := func() {
		t.Helper()
		if got := view(t, m); strings.ContainsAny(got, "\x1b\x07\u202e\u009b\U000e0041") {
			t.Errorf("not clean: %q", got)
		}
	}
	m.ReadFailed(evil)
	check()
	m.Show(State{Title: evil, Working: memory.Working{SessionID: evil, CurrentTopic: evil, LastEmotion: evil, ContextVariables: map[string]string{evil: evil}}})
	check()
	press(m, "d")
	check()
	press(m, "n", "end", "d")
	check()
	press(m, "n", "e")
	check()
	m.Failed(evil)
	check()
}

// Whatever is shown and pressed, the part fills its place exactly.
func TestFillsItsPlace(t *testing.T) {
	words := rapid.SampledFrom([]string{"", "topic", "部署脚本👩‍💻🇩🇪", strings.Repeat("很长", 60), "x\ny\tz", "\u202e\x1b[2J\x9b", "e\u0301\u0301\u0301", "ก็ำ", "word word word word word word word word"})
	kinds := rapid.SampledFrom([]theme.Kind{theme.None, theme.Dark})
	pressed := rapid.SampledFrom([]string{"down", "up", "end", "home", "pgdn", "enter", "esc", "e", "a", "d", "y", "n", "x", "中", "tab", "delete", "ctrl+s"})
	rapid.Check(t, func(t *rapid.T) {
		m := New(keys.Default(), time.UTC)
		m.SetNow(noon)
		m.SetSize(rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h"))
		m.SetStyles(theme.New(kinds.Draw(t, "theme"), true))
		m.SetFocus(rapid.Bool().Draw(t, "focus"))
		s := State{Title: words.Draw(t, "title"), Kept: rapid.Bool().Draw(t, "kept")}
		s.SessionID, s.CurrentTopic, s.LastEmotion = "s", words.Draw(t, "topic"), words.Draw(t, "mood")
		s.TurnCount = rapid.IntRange(0, 1<<40).Draw(t, "turns")
		s.ContextVariables = rapid.MapOfN(words, words, 0, 6).Draw(t, "variables")
		m.Show(s)
		view(t, m)
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			a := press(m, pressed.Draw(t, "key"))
			view(t, m)
			if a.Do == Remove {
				delete(s.ContextVariables, a.Key)
				m.Saved()
				m.Show(s)
			}
		}
		m.Failed(words.Draw(t, "failure"))
		view(t, m)
	})
}
