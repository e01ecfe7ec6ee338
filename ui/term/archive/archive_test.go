package archive

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
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func some() []Hit {
	return []Hit{
		{RecordID: "r1", SessionID: "s1", Title: "Pottery", Who: "you", Time: noon.Add(-50 * time.Hour), Text: "The kiln goes to 1,240 degrees, and the glaze ran"},
		{RecordID: "r2", SessionID: "s1", Title: "Pottery", Who: "luna", Time: noon.Add(-49 * time.Hour), Text: "That is a long way to say that the wall was too thick before it came to the kiln, as you said when you began with pottery", Collected: true},
		{RecordID: "r3", SessionID: "s2", Title: "上周三的陶艺课：从上海的同事那里听说要改成周四了", Who: "you", Time: noon.Add(-400 * 24 * time.Hour), Text: "陶艺课\n改到周四，窑 kiln 坏了"},
		{RecordID: "r4", SessionID: "s3", Who: "assistant", Text: "\x1b]52;c;xx\x07 hostile \u202ekiln"},
	}
}

func found() Page {
	return Page{Hits: some(), Total: 1204, Words: "kiln", Time: "2026-01-19 to 2026-01-25"}
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
	m.Found(m.Question(), Page{Hits: some(), Total: 1204})
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
		"end": tea.KeyEnd, "home": tea.KeyHome, "pgdn": tea.KeyPgDown, "backspace": tea.KeyBackspace,
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

func typed(m *Model, s string) (last Action) {
	for _, r := range s {
		last, _ = m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return last
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

// spaced has plain spaces within numbers.
func spaced(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// The panel at 60×15, 80×24 and 140×40, and the narrowest.
var sizes = [][2]int{{60, 10}, {80, 19}, {56, 35}, {36, 20}}

func TestViews(t *testing.T) {
	states := map[string]func(m *Model){
		"reading":   func(m *Model) { *m = *newPart(m.width, m.height) },
		"empty":     func(m *Model) { m.Found(m.Question(), Page{}) },
		"list":      func(m *Model) { press(m, "down") },
		"unread":    func(m *Model) { m.NotFound(m.Question(), "the store is locked") },
		"searching": func(m *Model) { press(m, "/"); typed(m, "kiln last week") },
		"found": func(m *Model) {
			m.OpenSearch("kiln last week")
			m.Found(m.Question(), found())
			press(m, "enter", "down")
		},
		"nothing": func(m *Model) {
			m.OpenSearch("nowhere in 2019")
			m.Found(m.Question(), Page{Time: "2019", Words: "nowhere", Degraded: "the index is being built, so the messages were read through"})
		},
		"bookmarks":    func(m *Model) { press(m, "b"); m.Found(m.Question(), Page{Hits: some()[1:2], Total: 1}) },
		"no bookmarks": func(m *Model) { press(m, "b"); m.Found(m.Question(), Page{}) },
		"more": func(m *Model) {
			press(m, "end")
			m.NotFound(Question{Offset: 4}, "the disk is gone")
		},
		"confirm": func(m *Model) { press(m, "down", "d") },
		"deleted": func(m *Model) {
			m.Deleted(list.Removed{ID: "d1", Of: "r2", What: "1 message, 2 memories", Until: noon.Add(8 * time.Second)})
		},
		"learned": func(m *Model) {
			press(m, "l")
			m.ShowLearned("r1", []memory.Item{
				{ID: "i1", Type: memory.TypeFact, State: memory.StateActive, Content: "The kiln goes to 1,240 degrees.", CreatedAt: noon},
				{ID: "i2", Type: memory.TypePreference, State: memory.StateHeld, Content: "喜欢陶艺", CreatedAt: noon},
			})
		},
		"taught nothing": func(m *Model) { press(m, "l"); m.ShowLearned("r1", nil) },
	}
	for name, set := range states {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := filled(size[0], size[1])
				set(m)
				golden.RequireEqual(t, view(t, m))
			})
		}
	}
}

func TestKeys(t *testing.T) {
	search := func(m *Model) {
		m.OpenSearch("kiln")
		m.Found(m.Question(), found())
		press(m, "enter")
	}
	learned := func(m *Model) {
		press(m, "l")
		m.ShowLearned("r1", []memory.Item{{ID: "i1", Content: "A kiln."}})
	}
	for name, tt := range map[string]struct {
		set  func(*Model)
		keys []string
		want Action
	}{
		"read":            {nil, []string{"down", "enter"}, Action{Do: Open, SessionID: "s1", RecordID: "r2"}},
		"read with o":     {search, []string{"o"}, Action{Do: Open, SessionID: "s1", RecordID: "r1"}},
		"bookmark":        {nil, []string{"m"}, Action{Do: Mark, SessionID: "s1", RecordID: "r1", On: true}},
		"bookmark off":    {nil, []string{"down", "m"}, Action{Do: Mark, SessionID: "s1", RecordID: "r2"}},
		"bookmarks":       {nil, []string{"b"}, Action{Do: Ask, Question: Question{Collected: true}}},
		"all again":       {nil, []string{"b", "b"}, Action{Do: Ask}},
		"of what I found": {search, []string{"b"}, Action{Do: Ask, Question: Question{Words: "kiln", Collected: true}}},
		"learned":         {nil, []string{"l"}, Action{Do: Learned, SessionID: "s1", RecordID: "r1"}},
		"open a memory":   {learned, []string{"enter"}, Action{Do: OpenItem, Item: memory.Item{ID: "i1", Content: "A kiln."}}},
		"copy a memory":   {learned, []string{"y"}, Action{Do: Copy, Text: "A kiln."}},
		"back from it":    {learned, []string{"esc", "enter"}, Action{Do: Open, SessionID: "s1", RecordID: "r1"}},
		"copy":            {nil, []string{"y"}, Action{Do: Copy, SessionID: "s1", RecordID: "r1", Text: some()[0].Text}},
		"asks first":      {nil, []string{"d"}, Action{}},
		"message":         {nil, []string{"d", "delete"}, Action{Do: Delete, RecordID: "r1"}},
		"with memories":   {nil, []string{"d", "ctrl+x"}, Action{Do: Delete, RecordID: "r1", Memories: true}},
		"not after all":   {nil, []string{"d", "n"}, Action{}},
		"enter is no yes": {nil, []string{"d", "enter"}, Action{}},
		"nothing back":    {nil, []string{"u"}, Action{}},
		"end of search":   {search, []string{"esc"}, Action{Do: Ask}},
		"leave":           {search, []string{"esc", "esc"}, Action{Do: Leave}},
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

// A4: every change is a question, late answers are dropped, and how the time was
// understood is shown.
func TestSearchKeepsTypingFree(t *testing.T) {
	m := filled(60, 20)
	press(m, "／")
	if !m.Capturing() {
		t.Fatal("letters are not text in the field")
	}
	a := typed(m, "k")
	if a.Do != Ask || !a.Typed || a.Question.Words != "k" {
		t.Errorf("got %+v", a)
	}
	typed(m, "iln last week to")
	press(m, "backspace", "backspace", "backspace") // o and the others are letters here
	m.Found(a.Question, Page{Hits: some()[:1], Total: 1, Words: "k"})
	if got := view(t, m); !strings.Contains(got, "searching …") || strings.Contains(got, "1 message") {
		t.Errorf("a late answer is shown:\n%s", got)
	}
	m.Found(m.Question(), found())
	if got := spaced(view(t, m)); !strings.Contains(got, "1 204 messages, best first") || !strings.Contains(got, "time: 2026-01-19 to 2026-01-25") || !strings.Contains(got, "[kiln]") {
		t.Errorf("the answer is not shown:\n%s", got)
	}
	m.NotFound(Question{Words: "k"}, "old")
	m.NotFound(m.Question(), "The index is broken.")
	if got := view(t, m); !strings.Contains(got, "broken") {
		t.Errorf("the failure is not told:\n%s", got)
	}
	if a := press(m, "enter"); a.Do != Ask || a.Question.Words != "kiln last week" {
		t.Errorf("enter does not try again: %+v", a)
	}
	if a := m.Paste(tea.PasteMsg{Content: "\nx"}); a.Question.Words != "kiln last week x" {
		t.Errorf("asked for %+v after a paste", a)
	}
	press(m, "esc")
	if m.Capturing() || m.Modal() {
		t.Error("esc does not lead back to the list")
	}
}

func TestMoreIsLoadedNearTheEnd(t *testing.T) {
	m := filled(60, 12)
	if diff := cmp.Diff(Action{Do: Ask, Question: Question{Offset: 4}}, press(m, "end")); diff != "" {
		t.Error(diff)
	}
	if a := press(m, "up", "down"); a.Do != Nothing {
		t.Error("asked twice")
	}
	m.NotFound(Question{Offset: 4}, "no")
	if a := press(m, "up", "down"); a.Do != Ask {
		t.Error("does not try again")
	}
	m.Found(Question{Offset: 9}, Page{Hits: []Hit{{RecordID: "x"}}}) // an answer to another question
	more := []Hit{some()[3], {RecordID: "r5", Text: "the fifth"}}
	m.Found(Question{Offset: 4}, Page{Hits: more, Total: 1205}) // one came meanwhile, so one comes again
	if got := m.Question(); got.Limit != 5 {
		t.Errorf("%d messages", got.Limit)
	}
	m.Found(Question{Offset: 5}, Page{Total: 1205})
	if a := press(m, "up", "end"); a.Do != Nothing {
		t.Errorf("asks on after the end: %+v", a)
	}
}

// D2: gone at once, and for ten seconds a key takes it back.
func TestDeleteAndTakeBack(t *testing.T) {
	m := filled(60, 20)
	press(m, "d")
	if a := press(m, "ctrl+x", "ctrl+x"); a.Do != Nothing {
		t.Error("deleted twice")
	}
	m.Deleted(list.Removed{ID: "d1", Of: "r1", What: "1 message, 1 memory", Until: noon.Add(10 * time.Second)})
	if got := spaced(view(t, m)); strings.Contains(got, "1,240") || !strings.Contains(got, "1 203 messages") || !strings.Contains(got, "u takes it back (10 s)") {
		t.Errorf("after the deletion:\n%s", got)
	}
	m.SetNow(noon.Add(7500 * time.Millisecond))
	if got := view(t, m); !m.Counting() || !strings.Contains(got, "back (3 s)") {
		t.Errorf("does not count down:\n%s", got)
	}
	if a := press(m, "u"); a.Do != TakeBack || a.ID != "d1" {
		t.Errorf("took back %+v", a)
	}
	m.TakenBack("d1")
	press(m, "d", "delete")
	m.Failed("The disk is full.")
	if got := view(t, m); !strings.Contains(got, "The disk is full.") || !strings.Contains(got, "Delete “") {
		t.Errorf("the failure is not told:\n%s", got)
	}
}

// The cursor stays on its message when the list is read again.
func TestCursorStays(t *testing.T) {
	m := filled(60, 20)
	press(m, "down", "down", "m")
	m.Marked("r3", true)
	if h, _ := m.Selected(); h.RecordID != "r3" || !h.Collected {
		t.Errorf("after bookmarking the cursor stands on %+v", h)
	}
	m.Found(m.Question(), Page{Hits: append([]Hit{{RecordID: "r9"}}, some()...), Total: 5})
	if h, _ := m.Selected(); h.RecordID != "r3" {
		t.Errorf("the cursor stands on %q", h.RecordID)
	}
	press(m, "l")
	m.ShowLearned("r1", []memory.Item{{ID: "late"}}) // of another message
	m.ShowLearned("r3", nil)
	press(m, "esc")
	if h, _ := m.Selected(); h.RecordID != "r3" {
		t.Errorf("after what was learned the cursor stands on %q", h.RecordID)
	}
}

// Whatever is shown and pressed, the part fills its place exactly.
func TestFillsItsPlace(t *testing.T) {
	words := rapid.SampledFrom([]string{"", "kiln", "陶艺课👩‍💻🇩🇪", strings.Repeat("很长", 60), "x\ny\tz", "\u202e\x1b[2J\x9b", "e\u0301\u0301\u0301", "ก็ำ", "word word word word word word word word"})
	kinds := rapid.SampledFrom([]theme.Kind{theme.None, theme.Dark})
	pressed := rapid.SampledFrom([]string{"down", "up", "end", "pgdn", "enter", "esc", "/", "b", "l", "d", "m", "a", "n", "u", "delete", "ctrl+x", "x", "中", "tab"})
	rapid.Check(t, func(t *rapid.T) {
		m := New(keys.Default(), time.UTC)
		m.SetNow(noon)
		m.SetSize(rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h"))
		m.SetStyles(theme.New(kinds.Draw(t, "theme"), true))
		m.SetFocus(rapid.Bool().Draw(t, "focus"))
		page := func() Page {
			p := Page{Total: rapid.IntRange(0, 1<<40).Draw(t, "total"), Words: words.Draw(t, "words"), Time: words.Draw(t, "time"), Degraded: words.Draw(t, "degraded")}
			for i := range rapid.IntRange(0, 9).Draw(t, "hits") {
				p.Hits = append(p.Hits, Hit{RecordID: fmt.Sprint("r", i), Title: words.Draw(t, "title"), Who: words.Draw(t, "who"), Text: words.Draw(t, "text"), Time: noon})
			}
			return p
		}
		view(t, m)
		m.Found(m.Question(), page())
		view(t, m)
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			a := press(m, pressed.Draw(t, "key"))
			view(t, m)
			switch a.Do {
			case Ask:
				m.Found(a.Question, page())
			case Learned:
				m.ShowLearned(a.RecordID, []memory.Item{{ID: "i", Content: words.Draw(t, "content"), Type: memory.Type(words.Draw(t, "type"))}})
			case Delete:
				m.Deleted(list.Removed{ID: "d", Of: a.RecordID, Until: noon.Add(time.Minute)})
			case Mark:
				m.Marked(a.RecordID, a.On)
			}
			view(t, m)
		}
		m.Failed(words.Draw(t, "failure"))
		view(t, m)
	})
}
