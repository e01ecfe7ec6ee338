package profile

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/manager/profiles"
	rules "memoria/memory/profile"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

func page(version int, lines ...memory.ProfileLine) profiles.Profile {
	p := profiles.Profile{Limit: 800, Sent: true, Tokens: 96}
	p.Version, p.Lines = version, lines
	p.Markdown = rules.Markdown(lines)
	return p
}

func filledPage() profiles.Profile {
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

func versions() profiles.History {
	line := func(added bool, s memory.Section, text string) rules.Difference {
		return rules.Difference{Added: added, ProfileLine: memory.ProfileLine{Section: s, Text: "- " + text}}
	}
	return profiles.History{Total: 40, Versions: []profiles.Change{
		{Version: 7, Time: noon.Add(-2 * time.Minute), Origin: memory.OriginUser, Reason: "version 6 undone by the user", Undoes: 6},
		{
			Version: 6, Time: noon.Add(-5 * time.Hour), Origin: memory.OriginTurn, Reason: "memory superseded", Items: []string{"I2"}, Undone: true,
			Diff: []rules.Difference{line(false, memory.SectionBackground, "Lives in Paris."), line(true, memory.SectionBackground, "Lives in Lyon.")},
		},
		{Version: 5, Time: noon.Add(-50 * time.Hour), Origin: memory.OriginUser, Reason: "edited by the user", Diff: []rules.Difference{line(true, memory.SectionNone, "# Bo 和他的项目")}},
	}}
}

func newPane(w, h int) *Model {
	m := New(keys.Default(words.Words{}), time.UTC)
	m.SetNow(noon)
	m.SetFocus(true)
	return panetest.Show(m, w, h)
}

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.Show(filledPage(), versions())
	return m
}

var press = panetest.Press[Action]

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

// W5: the page, where each line comes from, and what each version changed.
func TestViews(t *testing.T) {
	off := filledPage()
	off.Sent = false
	panetest.Views(t, panetest.Sizes(30), filled, map[string]func(m *Model){
		"empty":    func(m *Model) { m.Show(page(0), profiles.History{}) },
		"unread":   func(m *Model) { m.ReadFailed("the store is locked") },
		"page":     func(*Model) {},
		"end":      func(m *Model) { press(m, "end") },
		"off":      func(m *Model) { off.Waiting = 1; m.Show(off, versions()) },
		"versions": func(m *Model) { press(m, "h", "down") },
		"form":     func(m *Model) { press(m, "e") },
		"menu":     func(m *Model) { press(m, "down", "enter", "down") },
		"too long": func(m *Model) {
			press(m, "e", "ctrl+s")
			m.Failed("This cannot be stored: your own text is about 900 tokens.")
		},
	})

	if got := view(t, newPane(56, 35)); !strings.Contains(got, "reading") {
		t.Errorf("before it is read:\n%s", got)
	}
}

func TestKeys(t *testing.T) {
	panetest.Asks(t, filled, map[string]panetest.Case[*Model, Action]{
		"open the memory":     {Keys: "down enter enter", Want: Action{Do: Open, ID: "I1"}},
		"a line of one's own": {Keys: "enter down enter", Want: Action{Do: Copy, Text: "# Bo 和他的项目"}},
		"save":                {Keys: "e ! ctrl+s", Want: Action{Do: Save, Version: 7, Text: filledPage().Markdown + "!"}},
		"do not save":         {Keys: "e ! esc esc", Want: Action{Do: Leave}},
		"editor":              {Keys: "ctrl+g", Want: Action{Do: Editor, Version: 7, Text: filledPage().Markdown}},
		"editor of the form":  {Keys: "e ! ctrl+g", Want: Action{Do: Editor, Version: 7, Text: filledPage().Markdown + "!"}},
		"undo the last":       {Keys: "u", Want: Action{Do: Undo}},
		"undo a version":      {Keys: "h down u", Want: Action{Do: Undo, Version: 6}},
		"its memory":          {Keys: "h down enter enter", Want: Action{Do: Open, ID: "I2"}},
		"no memory":           {Keys: "h enter", Want: Action{}},
		"older ones":          {Keys: "h down down down", Want: Action{Do: More}},
		"back from versions":  {Keys: "h esc esc", Want: Action{Do: Leave}},
		"copy":                {Keys: "end y", Want: Action{Do: Copy, Text: "Lives in Lyon."}},
	})

	if _, handled := filled(56, 35).Key(panetest.Key("z")); handled {
		t.Error("z is said to mean something")
	}
}

// W5: nothing written is lost: by news, by a failure, by what the field cannot show.
func TestFormStays(t *testing.T) {
	hidden := page(3, memory.ProfileLine{Section: memory.SectionBackground, Text: "- Lives\tin \u202eLyon.", ItemID: "I1"})
	m := newPane(56, 35)
	m.Show(hidden, profiles.History{})
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
	if a := press(m, "enter", "enter"); a.ID != "I2" {
		t.Errorf("got %+v", a)
	}
}

func TestFillsItsPlace(t *testing.T) {
	words := panetest.Texts
	filled := func(t *rapid.T) *Model {
		var lines []memory.ProfileLine
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			s := rapid.SampledFrom(append(memory.Sections(), memory.SectionNone)).Draw(t, "section")
			item := rapid.SampledFrom([]string{"", "I1"}).Draw(t, "item")
			lines = append(lines, memory.ProfileLine{Section: s, Text: words.Draw(t, "text"), ItemID: item})
		}
		h := versions()
		h.Versions[1].Reason = words.Draw(t, "reason")
		m := newPane(0, 0)
		m.Show(page(rapid.IntRange(0, 3).Draw(t, "version"), lines...), h)
		return m
	}
	panetest.Fills(t, "e h u y ctrl+g ctrl+s", filled, func(*rapid.T, *Model, Action) {})
}
