package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/ui/term/keys"
	"memoria/ui/term/markdown"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

const kiln, tea1 = "01KG1X9FM0NCYDY92VDJN8YFFG", "01KG1XBA70G6VM3GX6P58HW5A0"

type rendered struct{ theme markdown.Theme }

func (r rendered) Render(text string, width int) []string {
	return markdown.NewRenderer(width, r.theme).Lines(text)
}

func some() State {
	return State{
		Files: []memory.JournalFile{
			{Path: "memory/2026-01-27-kiln-degrees.md", Kind: memory.JournalVerbatim, Date: "2026-01-27", Messages: 12},
			{Path: "memory/2026-01-27-上周的陶艺课改到周四了因为窑坏了所以要重新约时间.md", Kind: memory.JournalVerbatim, Date: "2026-01-27", Messages: 3, Edited: true},
			{Path: "memory/summary/2026-01-20.md", Kind: memory.JournalDay, Date: "2026-01-20", By: "qwen3", Messages: 31},
			{Path: "memory/2026-01-20-tea.md", Kind: memory.JournalVerbatim, Date: "2026-01-20", Messages: 31, Covered: "memory/summary/2026-01-20.md"},
			{Path: "memory/summary/2025-12.md", Kind: memory.JournalMonth, Date: "2025-12", By: "rules", Messages: 412},
			{Path: "memory/summary/2025-11.md", Kind: memory.JournalMonth, Date: "2025-11", By: "qwen3", Messages: 208, Failing: memory.Failing{Attempts: 2}},
			{Path: "memory/garden.md", Kind: memory.JournalOwn},
		},
		Status: files.Status{
			Enabled: true, Dir: "/data/journal/luna", Waiting: 7, LastRun: noon.Add(-3 * time.Hour), NextRun: noon.Add(9 * time.Hour),
			Files: map[memory.JournalKind]int{}, Rules: 1,
			Failing: []memory.JournalFile{{Path: "memory/summary/2025-11.md", Failing: memory.Failing{Attempts: 2, NextAt: noon.Add(time.Hour)}}},
		},
	}
}

func kilnFile() string {
	return files.Document{
		Kind: memory.JournalVerbatim, Date: "2026-01-27", Records: []string{kiln, tea1},
		Body: "# The kiln\n\n### 09:00 · you <!-- " + kiln + " -->\n\nThe **kiln** is at 1050 degrees, and that is what I would like to have known a week ago.\n\n### 09:01 · luna <!-- " +
			tea1 + " -->\n\n- 知道了\n- `1050`\n",
	}.String()
}

func newPane(w, h int) *Model {
	m := New(keys.Default(words.Words{}))
	m.SetMarkdown(rendered{markdown.NoColor})
	m.SetNow(noon)
	return panetest.Show(m, w, h)
}

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.Set(some())
	m.SetFocus(true)
	return m
}

var press = panetest.Press[Action]

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

var found = []files.Hit{
	{Path: "memory/2026-01-27-kiln-degrees.md", Record: kiln, Text: "The kiln is at 1050 degrees", To: 27, Score: 7.25, Words: []string{"kiln", "degrees"}},
	{Path: "memory.md", Text: "窑温 1050", To: 11, Score: 3.5, Words: []string{"窑温"}, Scanned: true},
}

// J1, U5: the journal as a person sees it, at 60×15, 80×24, 140×40 and the narrowest.
func TestViews(t *testing.T) {
	panetest.Views(t, panetest.Sizes(20), newPane, map[string]func(m *Model){"loading": func(*Model) {}})
	panetest.Views(t, panetest.Sizes(20), filled, map[string]func(m *Model){
		"empty":  func(m *Model) { m.Set(State{Status: files.Status{Enabled: true, Dir: "/data/journal/luna"}}) },
		"off":    func(m *Model) { m.Set(State{}) },
		"group":  func(m *Model) { m.Set(State{Unavailable: "A group has no journal of its own."}) },
		"unread": func(m *Model) { m.NotRead("the disk is gone") },
		"tree":   func(*Model) {},
		"file": func(m *Model) {
			m.Show(some().Files[0], kilnFile())
			press(m, "down", "down")
		},
		"blank": func(m *Model) {
			m.Show(memory.JournalFile{Path: "memory.md", Kind: memory.JournalOwn}, "<!-- nothing -->\n")
		},
		"writing": func(m *Model) { press(m, "r") },
		"written": func(m *Model) { press(m, "r"); m.Written("7 messages put into the journal, 2 files written") },
		"found":   func(m *Model) { m.OpenSearch("kiln degrees"); m.Found("kiln degrees", found); press(m, "enter") },
		"menu":    func(m *Model) { press(m, "down", "down", "down", "enter", "down") },
		"nothing": func(m *Model) { m.OpenSearch("zeppelin"); m.Found("zeppelin", nil) },
	})

}

func TestKeys(t *testing.T) {
	show := func(m *Model) { m.Show(some().Files[0], kilnFile()) }
	search := func(m *Model) {
		m.OpenSearch("kiln")
		m.Found("kiln", found)
		press(m, "enter")
	}
	const first = "memory/2026-01-27-kiln-degrees.md"
	panetest.Asks(t, filled, map[string]panetest.Case[*Model, Action]{
		"read":              {Keys: "down down down enter enter", Want: Action{Do: Read, Path: first}},
		"edit":              {Keys: "down down down e", Want: Action{Do: Edit, Path: first}},
		"a month closes":    {Keys: "down down enter", Want: Action{}},
		"behind the month":  {Keys: "down down enter down down enter enter", Want: Action{Do: Read, Path: "memory/summary/2025-12.md"}},
		"a closed one":      {Keys: "end enter down enter enter", Want: Action{Do: Read, Path: "memory/summary/2025-11.md"}},
		"memory.md":         {Keys: "enter down enter", Want: Action{Do: Edit, Path: "memory.md"}},
		"copy the path":     {Keys: "down down down y", Want: Action{Do: Copy, Text: first}},
		"write":             {Keys: "r", Want: Action{Do: Write}},
		"not twice":         {Keys: "r r", Want: Action{}},
		"leave":             {Keys: "esc", Want: Action{Do: Leave}},
		"its message":       {Set: show, Keys: "end enter enter", Want: Action{Do: Open, Record: tea1}},
		"a title is nobody": {Set: show, Keys: "home enter", Want: Action{}},
		"edit what is read": {Set: show, Keys: "e", Want: Action{Do: Edit, Path: first}},
		"back to the tree":  {Set: show, Keys: "esc down down down enter enter", Want: Action{Do: Read, Path: first}},
		"what was found":    {Set: search, Keys: "enter enter", Want: Action{Do: Read, Path: first}},
		"copy a passage":    {Set: search, Keys: "down y", Want: Action{Do: Copy, Text: "窑温 1050"}},
		"end of the search": {Set: search, Keys: "esc esc", Want: Action{Do: Leave}},
	})

	if _, handled := filled(56, 35).Key(panetest.Key("z")); handled {
		t.Error("z is said to mean something")
	}
}

// Every change of what is typed is a question, late answers are dropped, and a file that is
// read follows its changes without losing its place.
func TestLateAndChanged(t *testing.T) {
	m := filled(60, 20)
	press(m, "／")
	if !m.Capturing() {
		t.Fatal("letters are not text in the field")
	}
	if a := press(m, "k"); a.Do != Search || !a.Typed || a.Text != "k" {
		t.Errorf("got %+v", a)
	}
	press(m, "i")
	m.Found("k", found)
	panetest.Shows(t, view(t, m), "searching …")
	m.Show(some().Files[0], kilnFile())
	if press(m, "end"); press(m, "enter", "enter").Record != tea1 {
		t.Error("the last line is of another message")
	}
	m.Show(some().Files[0], strings.Replace(kilnFile(), "The **kiln**", "The **oven**", 1))
	panetest.Shows(t, view(t, m), "oven")
	if press(m, "enter", "enter").Record != tea1 {
		t.Error("the cursor has moved")
	}
	m.Gone(some().Files[0].Path)
	if m.Reading() != "" {
		t.Error("a file that is gone is still shown")
	}
}

func TestFillsItsPlace(t *testing.T) {
	texts := rapid.OneOf(panetest.Texts, rapid.SampledFrom([]string{"# a\n\n- b\n- c\n\n```go\nfunc x() {}\n\n```\n", kilnFile()}))
	dates := rapid.SampledFrom([]string{"", "2026", "2026-01", "2026-01-27", "\x1b[2J", "2025-02-31"})
	filled := func(t *rapid.T) *Model {
		m := New(keys.Default(words.Words{}))
		m.SetNow(noon)
		if rapid.Bool().Draw(t, "rendered") {
			m.SetMarkdown(rendered{markdown.Dark})
		}
		s := some()
		for i := range rapid.IntRange(0, 9).Draw(t, "files") {
			file := memory.JournalFile{Path: fmt.Sprint(i, texts.Draw(t, "path")), Date: dates.Draw(t, "date"), By: texts.Draw(t, "by")}
			s.Files = append(s.Files, file)
		}
		m.Set(s)
		return m
	}
	panetest.Fills(t, "/ e r y", filled, func(t *rapid.T, m *Model, a Action) {
		switch a.Do {
		case Read:
			m.Show(memory.JournalFile{Path: a.Path}, texts.Draw(t, "words"))
		case Search:
			said := texts.Draw(t, "said")
			m.Found(a.Text, []files.Hit{{Path: texts.Draw(t, "in"), Text: said, To: len(said)}})
		case Write:
			m.Written(texts.Draw(t, "report"))
		}
	})
}
