package working

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

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

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.Show(state())
	m.SetFocus(true)
	return m
}

var (
	press = panetest.Press[Action]
	typed = panetest.Type[Action]
)

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

func TestViews(t *testing.T) {
	kept, bare := state(), state()
	kept.Kept = true
	bare.Working = memory.Working{SessionID: "s1", TurnCount: 1, CreatedAt: noon, UpdatedAt: noon}
	panetest.Views(t, panetest.Sizes(30), filled, map[string]func(m *Model){
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
		"menu":    func(m *Model) { press(m, "end", "enter") },
	})

}

// W1: what the session is about can be corrected.
func TestKeys(t *testing.T) {
	panetest.Asks(t, filled, map[string]panetest.Case[*Model, Action]{
		"topic":          {Keys: "e ! ctrl+s", Want: Action{Do: Topic, SessionID: "s1", Value: state().CurrentTopic + "!"}},
		"menu":           {Keys: "enter down enter ! ctrl+s", Want: Action{Do: Topic, SessionID: "s1", Value: state().CurrentTopic + "!"}},
		"variable":       {Keys: "end e ! ctrl+s", Want: Action{Do: Variable, SessionID: "s1", Key: "语言", Value: "Go!"}},
		"delete topic":   {Keys: "d delete", Want: Action{Do: Topic, SessionID: "s1"}},
		"delete":         {Keys: "end d delete", Want: Action{Do: Remove, SessionID: "s1", Key: "语言"}},
		"keep":           {Keys: "end d n", Want: Action{}},
		"asks first":     {Keys: "d", Want: Action{}},
		"add":            {Keys: "a k tab v ctrl+s", Want: Action{Do: Variable, SessionID: "s1", Key: "k", Value: "v"}},
		"add without":    {Keys: "a k ctrl+s", Want: Action{}},
		"as it was":      {Keys: "end e ctrl+s", Want: Action{}},
		"out of sight":   {Keys: "pgdn e ! ctrl+s", Want: Action{Do: Variable, SessionID: "s1", Key: "语言", Value: "Go!"}},
		"add nameless":   {Keys: "a tab v ctrl+s", Want: Action{}},
		"copy":           {Keys: "end y", Want: Action{Do: Copy, Value: "Go"}},
		"leave":          {Keys: "esc", Want: Action{Do: Leave}},
		"leave the form": {Keys: "e esc esc", Want: Action{Do: Leave}},
	})

	if _, handled := filled(56, 35).Key(panetest.Key("z")); handled {
		t.Error("z is said to mean something")
	}
	if _, handled := newPane(56, 35).Key(panetest.Key("a")); handled {
		t.Error("adds to nothing")
	}
}

// Keys are about what is seen.
func TestScrollTakesTheCursorAlong(t *testing.T) {
	m := filled(60, 10)
	press(m, "pgdn")
	panetest.Shows(t, view(t, m), "▸")
	m.Wheel(-100)
	panetest.Shows(t, view(t, m), "▸ topic")
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
		m := newPane(80, 30)
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
	if _, c := m.View(); c == nil || c.X != 2+6+5 || c.Y != 2 {
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
	evil := panetest.Hostile
	m := newPane(56, 50)
	m.SetFocus(true)
	panetest.Cleans(t, func() string { return view(t, m) },
		func() { m.ReadFailed(evil) },
		func() {
			m.Show(State{Title: evil, Working: memory.Working{SessionID: evil, CurrentTopic: evil, LastEmotion: evil, ContextVariables: map[string]string{evil: evil}}})
		},
		func() { press(m, "d") },
		func() { press(m, "n", "end", "d") },
		func() { press(m, "n", "e") },
		func() { m.Failed(evil) },
	)
}

func TestFillsItsPlace(t *testing.T) {
	words, s := panetest.Texts, State{}
	filled := func(t *rapid.T) *Model {
		s = State{Title: words.Draw(t, "title"), Kept: rapid.Bool().Draw(t, "kept")}
		s.SessionID, s.CurrentTopic, s.LastEmotion = "s", words.Draw(t, "topic"), words.Draw(t, "mood")
		s.TurnCount = rapid.IntRange(0, 1<<40).Draw(t, "turns")
		s.ContextVariables = rapid.MapOfN(words, words, 0, 6).Draw(t, "variables")
		m := newPane(0, 0)
		m.Show(s)
		return m
	}
	panetest.Fills(t, "e a d y n delete ctrl+s", filled, func(t *rapid.T, m *Model, a Action) {
		if a.Do == Remove {
			delete(s.ContextVariables, a.Key)
			m.Saved()
			m.Show(s)
		}
	})
}
