package archive

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

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

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.Found(m.Question(), Page{Hits: some(), Total: 1204})
	m.SetFocus(true)
	return m
}

var (
	press = panetest.Press[Action]
	typed = panetest.Type[Action]
)

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

// spaced has plain spaces within numbers.
func spaced(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

func TestViews(t *testing.T) {
	panetest.Views(t, panetest.Sizes(20), newPane, map[string]func(m *Model){"reading": func(*Model) {}})
	panetest.Views(t, panetest.Sizes(20), filled, map[string]func(m *Model){
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
		"menu":           func(m *Model) { press(m, "enter", "down", "down") },
		"taught nothing": func(m *Model) { press(m, "l"); m.ShowLearned("r1", nil) },
	})
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
	panetest.Asks(t, filled, map[string]panetest.Case[*Model, Action]{
		"read":            {Keys: "down enter enter", Want: Action{Do: Open, SessionID: "s1", RecordID: "r2"}},
		"read with o":     {Set: search, Keys: "o", Want: Action{Do: Open, SessionID: "s1", RecordID: "r1"}},
		"bookmark":        {Keys: "m", Want: Action{Do: Mark, SessionID: "s1", RecordID: "r1", On: true}},
		"bookmark off":    {Keys: "down m", Want: Action{Do: Mark, SessionID: "s1", RecordID: "r2"}},
		"bookmarks":       {Keys: "b", Want: Action{Do: Ask, Question: Question{Collected: true}}},
		"all again":       {Keys: "b b", Want: Action{Do: Ask}},
		"of what I found": {Set: search, Keys: "b", Want: Action{Do: Ask, Question: Question{Words: "kiln", Collected: true}}},
		"learned":         {Keys: "l", Want: Action{Do: Learned, SessionID: "s1", RecordID: "r1"}},
		"open a memory":   {Set: learned, Keys: "enter enter", Want: Action{Do: OpenItem, Item: memory.Item{ID: "i1", Content: "A kiln."}}},
		"copy a memory":   {Set: learned, Keys: "y", Want: Action{Do: Copy, Text: "A kiln."}},
		"back from it":    {Set: learned, Keys: "esc enter enter", Want: Action{Do: Open, SessionID: "s1", RecordID: "r1"}},
		"copy":            {Keys: "y", Want: Action{Do: Copy, SessionID: "s1", RecordID: "r1", Text: some()[0].Text}},
		"asks first":      {Keys: "d", Want: Action{}},
		"message":         {Keys: "d delete", Want: Action{Do: Delete, RecordID: "r1"}},
		"with memories":   {Keys: "d ctrl+x", Want: Action{Do: Delete, RecordID: "r1", Memories: true}},
		"not after all":   {Keys: "d n", Want: Action{}},
		"enter is no yes": {Keys: "d enter", Want: Action{}},
		"menu":            {Keys: "enter down down enter", Want: Action{Do: Mark, SessionID: "s1", RecordID: "r1", On: true}},
		"nothing back":    {Keys: "u", Want: Action{}},
		"end of search":   {Set: search, Keys: "esc", Want: Action{Do: Ask}},
		"leave":           {Set: search, Keys: "esc esc", Want: Action{Do: Leave}},
	})
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
	panetest.Shows(t, view(t, m), "searching …")
	panetest.Lacks(t, view(t, m), "1 message")
	m.Found(m.Question(), found())
	panetest.Shows(t, spaced(view(t, m)), "1 204 messages, best first", "time: 2026-01-19 to 2026-01-25", "[kiln]")
	m.NotFound(Question{Words: "k"}, "old")
	m.NotFound(m.Question(), "The index is broken.")
	panetest.Shows(t, view(t, m), "broken")
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
	panetest.Shows(t, spaced(view(t, m)), "1 203 messages", "F7 restores it (10 s)")
	panetest.Lacks(t, spaced(view(t, m)), "1,240")
	m.SetNow(noon.Add(7500 * time.Millisecond))
	if got := view(t, m); !m.Counting() || !strings.Contains(got, "restores it (3 s)") {
		t.Errorf("does not count down:\n%s", got)
	}
	if a := press(m, "u"); a.Do != Restore || a.ID != "d1" {
		t.Errorf("took back %+v", a)
	}
	m.Restored("d1")
	press(m, "d", "delete")
	m.Failed("The disk is full.")
	panetest.Shows(t, view(t, m), "The disk is full.", "Delete “")
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

func TestFillsItsPlace(t *testing.T) {
	page := func(t *rapid.T) Page {
		p := Page{
			Total: rapid.IntRange(0, 1<<40).Draw(t, "total"),
			Words: panetest.Texts.Draw(t, "words"), Time: panetest.Texts.Draw(t, "time"), Degraded: panetest.Texts.Draw(t, "degraded"),
		}
		for i := range rapid.IntRange(0, 9).Draw(t, "hits") {
			p.Hits = append(p.Hits, Hit{
				RecordID: fmt.Sprint("r", i), Title: panetest.Texts.Draw(t, "title"), Who: panetest.Texts.Draw(t, "who"), Text: panetest.Texts.Draw(t, "text"), Time: noon,
			})
		}
		return p
	}
	filled := func(t *rapid.T) *Model {
		m := newPane(0, 0)
		m.Found(m.Question(), page(t))
		return m
	}
	panetest.Fills(t, "/ b l d m a n u delete ctrl+x", filled, func(t *rapid.T, m *Model, a Action) {
		switch a.Do {
		case Ask:
			m.Found(a.Question, page(t))
		case Learned:
			m.ShowLearned(a.RecordID, []memory.Item{{ID: "i", Content: panetest.Texts.Draw(t, "content"), Type: memory.Type(panetest.Texts.Draw(t, "type"))}})
		case Delete:
			m.Deleted(list.Removed{ID: "d", Of: a.RecordID, Until: noon.Add(time.Minute)})
		case Mark:
			m.Marked(a.RecordID, a.On)
		}
	})
}
