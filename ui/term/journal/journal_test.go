package journal

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
	files "memoria/memory/journal"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/markdown"
	"memoria/ui/term/theme"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

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

func newPart(w, h int) *Model {
	m := New(keys.Default())
	m.SetStyles(theme.New(theme.None, true))
	m.SetMarkdown(rendered{markdown.NoColor})
	m.SetNow(noon)
	m.SetSize(w, h)
	return m
}

func filled(w, h int) *Model {
	m := newPart(w, h)
	m.Set(some())
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
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "down": tea.KeyDown, "up": tea.KeyUp, "end": tea.KeyEnd, "home": tea.KeyHome, "pgdn": tea.KeyPgDown,
	} {
		if k == name {
			return tea.KeyPressMsg{Code: code}
		}
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

var found = []files.Hit{
	{Path: "memory/2026-01-27-kiln-degrees.md", Record: kiln, Text: "The kiln is at 1050 degrees", To: 27, Score: 7.25, Words: []string{"kiln", "degrees"}},
	{Path: "memory.md", Text: "窑温 1050", To: 11, Score: 3.5, Words: []string{"窑温"}, Scanned: true},
}

// J1, U5: the journal as a person sees it, at 60×15, 80×24, 140×40 and the narrowest.
func TestViews(t *testing.T) {
	states := map[string]func(m *Model){
		"loading": func(m *Model) { *m = *newPart(m.width, m.height) },
		"empty":   func(m *Model) { m.Set(State{Status: files.Status{Enabled: true, Dir: "/data/journal/luna"}}) },
		"off":     func(m *Model) { m.Set(State{}) },
		"group":   func(m *Model) { m.Set(State{Nobody: "A group has no journal of its own."}) },
		"unread":  func(m *Model) { m.NotRead("the disk is gone") },
		"tree":    func(*Model) {},
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
		"nothing": func(m *Model) { m.OpenSearch("zeppelin"); m.Found("zeppelin", nil) },
	}
	for name, set := range states {
		for _, size := range [][2]int{{60, 10}, {80, 19}, {56, 35}, {36, 20}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := filled(size[0], size[1])
				set(m)
				golden.RequireEqual(t, view(t, m))
			})
		}
	}
}

func TestKeys(t *testing.T) {
	show := func(m *Model) { m.Show(some().Files[0], kilnFile()) }
	search := func(m *Model) {
		m.OpenSearch("kiln")
		m.Found("kiln", found)
		press(m, "enter")
	}
	const first = "memory/2026-01-27-kiln-degrees.md"
	for name, tt := range map[string]struct {
		set  func(*Model)
		keys []string
		want Action
	}{
		"read":              {nil, []string{"down", "down", "down", "enter"}, Action{Do: Read, Path: first}},
		"edit":              {nil, []string{"down", "down", "down", "e"}, Action{Do: Edit, Path: first}},
		"a month closes":    {nil, []string{"down", "down", "enter"}, Action{}},
		"behind the month":  {nil, []string{"down", "down", "enter", "down", "down", "enter"}, Action{Do: Read, Path: "memory/summary/2025-12.md"}},
		"a closed one":      {nil, []string{"end", "enter", "down", "enter"}, Action{Do: Read, Path: "memory/summary/2025-11.md"}},
		"memory.md":         {nil, []string{"enter"}, Action{Do: Edit, Path: "memory.md"}},
		"copy the path":     {nil, []string{"down", "down", "down", "y"}, Action{Do: Copy, Text: first}},
		"write":             {nil, []string{"r"}, Action{Do: Write}},
		"not twice":         {nil, []string{"r", "r"}, Action{}},
		"leave":             {nil, []string{"esc"}, Action{Do: Leave}},
		"its message":       {show, []string{"end", "enter"}, Action{Do: Open, Record: tea1}},
		"a title is nobody": {show, []string{"home", "enter"}, Action{}},
		"edit what is read": {show, []string{"e"}, Action{Do: Edit, Path: first}},
		"back to the tree":  {show, []string{"esc", "down", "down", "down", "enter"}, Action{Do: Read, Path: first}},
		"what was found":    {search, []string{"enter"}, Action{Do: Read, Path: first}},
		"copy a passage":    {search, []string{"down", "y"}, Action{Do: Copy, Text: "窑温 1050"}},
		"end of the search": {search, []string{"esc", "esc"}, Action{Do: Leave}},
	} {
		t.Run(name, func(t *testing.T) {
			m := filled(56, 35)
			if tt.set != nil {
				tt.set(m)
			}
			if diff := cmp.Diff(tt.want, press(m, tt.keys...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, handled := filled(56, 35).Key(keyOf("z")); handled {
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
	if got := view(t, m); !strings.Contains(got, "searching …") {
		t.Errorf("a late answer is shown:\n%s", got)
	}
	m.Show(some().Files[0], kilnFile())
	if press(m, "end"); press(m, "enter").Record != tea1 {
		t.Error("the last line is of another message")
	}
	m.Show(some().Files[0], strings.Replace(kilnFile(), "The **kiln**", "The **oven**", 1))
	if got := view(t, m); !strings.Contains(got, "oven") {
		t.Errorf("the change is not shown:\n%s", got)
	}
	if press(m, "enter").Record != tea1 {
		t.Error("the cursor has moved")
	}
	m.Gone(some().Files[0].Path)
	if m.Reading() != "" {
		t.Error("a file that is gone is still shown")
	}
}

// Whatever is shown and pressed, the part fills its place exactly.
func TestFillsItsPlace(t *testing.T) {
	texts := rapid.SampledFrom([]string{"", "kiln", "陶艺课👩‍💻🇩🇪", strings.Repeat("很长", 60), "x\ny\tz", "\u202e\x1b[2J\x9b", "# a\n\n- b\n- c\n\n```go\nfunc x() {}\n\n```\n", kilnFile()})
	dates := rapid.SampledFrom([]string{"", "2026", "2026-01", "2026-01-27", "\x1b[2J", "2025-02-31"})
	pressed := rapid.SampledFrom([]string{"down", "up", "end", "pgdn", "home", "enter", "esc", "/", "e", "r", "y", "中"})
	rapid.Check(t, func(t *rapid.T) {
		m := New(keys.Default())
		m.SetNow(noon)
		m.SetSize(rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h"))
		m.SetStyles(theme.New(rapid.SampledFrom([]theme.Kind{theme.None, theme.Dark}).Draw(t, "theme"), true))
		if rapid.Bool().Draw(t, "rendered") {
			m.SetMarkdown(rendered{markdown.Dark})
		}
		m.SetFocus(rapid.Bool().Draw(t, "focus"))
		view(t, m)
		s := some()
		for i := range rapid.IntRange(0, 9).Draw(t, "files") {
			s.Files = append(s.Files, memory.JournalFile{Path: fmt.Sprint(i, texts.Draw(t, "path")), Date: dates.Draw(t, "date"), By: texts.Draw(t, "by")})
		}
		m.Set(s)
		view(t, m)
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			a := press(m, pressed.Draw(t, "key"))
			view(t, m)
			switch a.Do {
			case Read:
				m.Show(memory.JournalFile{Path: a.Path}, texts.Draw(t, "words"))
			case Search:
				said := texts.Draw(t, "said")
				m.Found(a.Text, []files.Hit{{Path: texts.Draw(t, "in"), Text: said, To: len(said)}})
			case Write:
				m.Written(texts.Draw(t, "report"))
			}
			view(t, m)
		}
		m.Failed(texts.Draw(t, "failure"))
		view(t, m)
	})
}
