package inbox

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

func entry(id, content, reason string) Entry {
	return Entry{
		Item: memory.Item{
			ID: id, Type: memory.TypeFact, Content: content, State: memory.StateHeld, Version: 3,
			Evidence: []memory.Evidence{{SessionID: "s1", RecordID: "r1", Offset: 0, Length: 4}},
		},
		Reason: reason, Since: noon.Add(-2 * time.Hour), Said: "by the way, " + content, Session: "Deploying to Fly", SaidAt: noon.Add(-2 * time.Hour),
	}
}

func entries() []Entry {
	out := []Entry{
		entry("i1", "Email is bo@example.org.", "contact: waits for your approval"),
		entry("i2", "小明的电话是 138 0013 8000，住在上海，喜欢用中文和英文混着写很长很长的句子，一直到这一行放不下为止", "comes from pasted text"),
		entry("i3", "Prefers coffee to tea \x1b[31mnow\u202e", "contradicts what you said"),
		entry("i4", "Runs on Fly.", "comes from foreign text"),
	}
	out[2].Replaces = "Prefers tea to coffee."
	out[2].Gone = true
	out[3].Item.Evidence, out[3].Said = nil, ""
	return out
}

// imports are entries, one of which is from no import.
func imports() []Entry {
	out := []Entry{
		entry("p1", "Learn pottery", "you said it in an imported conversation"),
		entry("p2", "Likes oolong tea", "you said it in an imported conversation"),
		entry("p3", "Run a marathon", "you said it in an imported conversation"),
		entry("p4", "Likes 围棋", "you said it in an imported conversation"),
		entry("p5", "Email is bo@example.org.", "contact: waits for your approval"),
	}
	for i, kind := range []memory.Type{memory.TypeGoal, memory.TypePreference, memory.TypeGoal, memory.TypePreference} {
		out[i].Item.Origin, out[i].Item.Type = memory.OriginImport, kind
	}
	return out
}

// D1: imports come last, by type, and are accepted or rejected by type.
func TestImportsByType(t *testing.T) {
	m := newPane(55, 60)
	m.SetEntries(imports(), 5)
	m.SetFocus(true)
	got := view(t, m)
	at := -1
	for _, want := range []string{"Email is", "imported · goal · 2", "Learn pottery", "Run a marathon", "imported · preference · 2", "Likes oolong", "围棋"} {
		i := strings.Index(got, want)
		if i <= at {
			t.Fatalf("%q is not where it should be:\n%s", want, got)
		}
		at = i
	}
	press(m, "end")
	if a := press(m, "T", "y"); a.Do != Nothing {
		t.Errorf("another key: got %+v", a)
	}
	if diff := cmp.Diff(Action{Do: Accept, Items: []Shown{{"p2", 3}, {"p4", 3}}}, press(m, "T", "ctrl+y")); diff != "" {
		t.Error(diff)
	}
	m = newPane(55, 60)
	m.SetEntries(imports(), 5)
	m.SetFocus(true)
	press(m, "end")
	if diff := cmp.Diff(Action{Do: Reject, Items: []Shown{{"p2", 3}, {"p4", 3}}, Text: "2 preferences from imports"}, press(m, "T", "ctrl+x")); diff != "" {
		t.Error(diff)
	}
}

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.SetEntries(entries(), 4)
	m.SetFocus(true)
	return m
}

var press = panetest.Press[Action]

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

func TestViews(t *testing.T) {
	panetest.Views(t, [][2]int{{60, 11}, {55, 20}, {40, 35}}, newPane, map[string]func(m *Model){"reading": func(*Model) {}})
	panetest.Views(t, [][2]int{{60, 11}, {55, 20}, {40, 35}}, filled, map[string]func(m *Model){
		"empty":   func(m *Model) { m.SetEntries(nil, 0) },
		"failed":  func(m *Model) { m.ReadFailed("The disk went away.") },
		"list":    func(*Model) {},
		"menu":    func(m *Model) { press(m, "down", "enter", "down") },
		"end":     func(m *Model) { press(m, "end") },
		"quiet":   func(m *Model) { m.SetFocus(false) },
		"more":    func(m *Model) { m.SetEntries(entries()[:2], 9) },
		"edit":    func(m *Model) { press(m, "e") },
		"all":     func(m *Model) { press(m, "A") },
		"imports": func(m *Model) { m.SetEntries(imports(), 5) },
		"group":   func(m *Model) { m.SetEntries(imports(), 5); press(m, "end", "T") },
		"changed": func(m *Model) { press(m, "a"); m.Failed("It changed meanwhile: nothing was done.") },
		"rejected": func(m *Model) {
			press(m, "d")
			m.Rejected(list.Removed{ID: "d1", Title: "Email is bo@example.org.", Until: noon.Add(8 * time.Second)})
			m.SetEntries(entries()[1:], 3)
		},
	})

}

// P5, P10: what is decided about is named with the version that was shown.
func TestDecisionsNameWhatWasShown(t *testing.T) {
	m := filled(55, 30)
	want := Action{Do: Accept, Items: []Shown{{"i2", 3}}, Text: entries()[1].Item.Content}
	if diff := cmp.Diff(want, press(m, "down", "a")); diff != "" {
		t.Error(diff)
	}
	if a := press(m, "d"); a.Do != Nothing {
		t.Errorf("rejected while an answer is on its way: %+v", a)
	}
	m.Rejected(list.Removed{ID: "d1", Title: "Owes Barry 20 quid.", Until: noon.Add(8 * time.Second)})
	m.Accepted(entries()[1].Item)
	// The last decision is undone first, whichever it was.
	if diff := cmp.Diff(Action{Do: Undo, Items: []Shown{{"i2", 3}}}, press(m, "u")); diff != "" {
		t.Error(diff)
	}
	m.Undone("i2")
	if diff := cmp.Diff(Action{Do: Restore, ID: "d1", Text: "Owes Barry 20 quid."}, press(m, "u")); diff != "" {
		t.Error(diff)
	}
	m.Restored("d1")
	m.Accepted(entries()[1].Item, entries()[2].Item)
	if diff := cmp.Diff(Action{Do: Undo, Items: []Shown{{"i2", 3}, {"i3", 3}}}, press(m, "u")); diff != "" {
		t.Error(diff)
	}
	m.Undone("i3")
	if a := press(m, "u", "enter"); a.Do != Nothing {
		t.Errorf("with nothing to undo: %+v", a)
	}
	if diff := cmp.Diff(Action{Do: Reject, Items: []Shown{{"i2", 3}}, Text: entries()[1].Item.Content}, press(m, "d")); diff != "" {
		t.Error(diff)
	}
	m.Done()
	// A list that changes under the question takes the question back.
	press(m, "A")
	m.SetEntries(entries()[1:], 3)
	if a := press(m, "y"); a.Do != Copy {
		t.Errorf("accepted what was not asked about: %+v", a)
	}
	if diff := cmp.Diff(Action{Do: Accept, Items: []Shown{{"i2", 3}, {"i3", 3}, {"i4", 3}}}, press(m, "A", "ctrl+y")); diff != "" {
		t.Error(diff)
	}
}

// What is edited is accepted as the version that the form began with, and
// nothing written is lost by a failure.
func TestEdit(t *testing.T) {
	m := filled(55, 30)
	press(m, "e", "!")
	changed := entries()
	changed[0].Item.Version, changed[0].Item.Content = 4, "Email is eve@example.org."
	m.SetEntries(changed, 4)
	want := Action{Do: Edit, Items: []Shown{{"i1", 3}}, Text: "Email is bo@example.org.!"}
	if diff := cmp.Diff(want, press(m, "ctrl+s")); diff != "" {
		t.Error(diff)
	}
	m.Failed("It changed meanwhile.")
	if got := view(t, m); !m.Capturing() || !strings.Contains(got, "bo@example.org.!") || !strings.Contains(got, "changed meanwhile") {
		t.Errorf("after a failure:\n%s", got)
	}
	press(m, "esc")
	if m.Modal() {
		t.Error("esc does not leave the form")
	}
	if a := press(m, "esc"); a.Do != Leave {
		t.Errorf("esc: %+v", a)
	}
}

func TestSource(t *testing.T) {
	m := filled(55, 30)
	if a := press(m, "o"); a.Do != Source || a.Evidence.RecordID != "r1" {
		t.Errorf("got %+v", a)
	}
	for _, id := range []string{"i3", "i4"} {
		press(m, "down")
		if e, _ := m.current(); e.Item.ID != id {
			press(m, "down")
		}
		if a := press(m, "o"); a.Do != Nothing || m.Notice == "" {
			t.Errorf("%s: %+v, notice %q", id, a, m.Notice)
		}
	}
}

// Whatever the size, the state and the keys: no panic, exact lines, a cursor
// inside, and the chosen entry in sight.
func TestAnySizeAndKeys(t *testing.T) {
	names := []string{"up", "down", "end", "enter", "esc", "a", "e", "d", "A", "y", "ctrl+y", "ctrl+s", "n", "o", "u", "g", "backspace", "茶", " "}
	rapid.Check(t, func(t *rapid.T) {
		m := newPane(rapid.IntRange(1, 120).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"))
		m.SetFocus(rapid.Bool().Draw(t, "focus"))
		for range rapid.IntRange(0, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				n := rapid.IntRange(0, 4).Draw(t, "entries")
				m.SetEntries(entries()[:n], n+rapid.IntRange(0, 3).Draw(t, "more"))
			case 1:
				m.Failed("It failed.")
			case 2:
				m.Done()
			case 3:
				m.Rejected(list.Removed{ID: "d", Title: "茶", Until: noon.Add(time.Minute)})
			case 4:
				m.SetSize(rapid.IntRange(1, 120).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"))
			default:
				m.Key(panetest.Key(rapid.SampledFrom(names).Draw(t, "key")))
			}
			got := view(t, m)
			if !m.Modal() && m.Focused && m.problem == "" && len(m.entries) > 0 && m.Width >= 20 && m.Height >= 25 && !strings.Contains(got, "▸") {
				t.Errorf("the chosen entry is out of sight:\n%s", got)
			}
		}
	})
}

// The first action of an entry only shows where it is from; accepting it is a choice.
func TestMenu(t *testing.T) {
	m := filled(60, 20)
	e, _ := m.current()
	if a := press(m, "enter", "enter"); a.Do != Source && a.Do != Nothing {
		t.Errorf("enter twice asks for %+v", a)
	}
	if a := press(m, "enter", "down", "enter"); a.Do != Accept || a.Text != e.Item.Content {
		t.Errorf("the second action asks for %+v", a)
	}
}
