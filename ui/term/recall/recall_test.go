package recall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

func item(id string, t memory.Type, content string) memory.Item {
	return memory.Item{
		ID: id, Type: t, Content: content, State: memory.StateActive, Confidence: 0.9, Importance: 0.5,
		Source: memory.SourceUserStated, Origin: memory.OriginTurn, Trust: memory.TrustUser, Version: 1,
		CreatedAt: noon.Add(-48 * time.Hour), UpdatedAt: noon.Add(-48 * time.Hour),
		Evidence: []memory.Evidence{{SessionID: "s1", TurnID: "t1", RecordID: "r1", Offset: 0, Length: 4}},
	}
}

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

func filled(w, h int) *Model {
	m := newPane(w, h)
	items := []memory.Item{
		item("i1", memory.TypePreference, "uses pnpm, not npm"),
		item("i2", memory.TypeFact, "project runs on Fly"),
		item("i3", memory.TypeRelationship, "小明是我的同事，住在上海，喜欢用中文和英文混着写很长很长的句子"),
		item("i4", memory.TypeGoal, "ship v2 by Friday \x1b[31mnow\u202e"),
	}
	items[3].State = memory.StateHeld
	m.SetItems(items, 4)
	return m
}

func result() retrieve.Result {
	one, two := item("i1", memory.TypePreference, "uses pnpm, not npm"), item("i2", memory.TypeFact, "project runs on Fly")
	return retrieve.Result{
		Keywords: []string{"pnpm"}, Total: 214, Took: 2100 * time.Microsecond,
		Chosen: []retrieve.Scored{
			{Item: one, Score: 0.92, Parts: memory.Parts{TopicBoost: 1, CategoryBoost: 1.5, RecencyScore: .8}, Contribution: memory.Parts{KeywordScore: .36, CategoryBoost: .3, RecencyScore: .12, Confidence: .14}},
			{Item: two, Score: 0.90, Parts: memory.Parts{TopicBoost: 1.3, CategoryBoost: 1, RecencyScore: .66}, Contribution: memory.Parts{KeywordScore: .2, CategoryBoost: .2, RecencyScore: .1, FrequencyScore: .05, Confidence: .14}},
		},
		NotChosen: []retrieve.Scored{
			{Item: item("i5", memory.TypeFact, "likes tea"), Score: 0.2, Why: "below the minimum: its words match 0.02, more than 0.10 is needed"},
			{Item: item("i6", memory.TypeFact, "likes green tea"), Score: 0.19, Why: "below the minimum: its words match 0.01, more than 0.10 is needed"},
			{Item: item("i7", memory.TypeFact, "uses pnpm"), Score: 0.7, Why: "duplicate: a better item says the same"},
		},
	}
}

var (
	press = panetest.Press[Action]
	typed = panetest.Type[Action]
)

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

func TestViews(t *testing.T) {
	detail := Detail{
		Item: item("i1", memory.TypePreference, "uses pnpm, not npm"),
		Quotes: []words.Quote{
			{Evidence: memory.Evidence{Length: 12}, Session: "Deploying to Fly", Time: noon, Text: "I prefer pnpm", Whole: "I prefer pnpm over npm."},
			{Gone: true},
		},
		History: []memory.Change{{Action: memory.ActionAdded, Origin: memory.OriginTurn, Reason: "a plain statement", Time: noon}},
	}
	panetest.Views(t, [][2]int{{60, 11}, {55, 20}, {40, 35}}, filled, map[string]func(m *Model){
		"empty":   func(m *Model) { m.SetItems(nil, 0) },
		"browse":  func(m *Model) { m.SetFocus(true) },
		"preview": func(m *Model) { m.SetTyping(true); m.SetPreview(result()) },
		"preview focused": func(m *Model) {
			m.SetTyping(true)
			m.SetPreview(result())
			m.SetFocus(true)
			press(m, "x")
		},
		"nothing found": func(m *Model) {
			m.SetTyping(true)
			m.SetPreview(retrieve.Result{Total: 4, Degraded: "the index is being built, so the items were read through"})
		},
		"learned": func(m *Model) {
			it := item("i9", memory.TypeGoal, "ship v2 by Friday")
			m.SetLearned([]memory.Change{
				{ItemID: "i9", Action: memory.ActionAdded, Item: &it},
				{ItemID: "i9", Action: memory.ActionConfirmed, Reason: "said again", Item: &it},
				{Action: memory.ActionSkipped, Reason: "a question"},
			})
		},
		"learned focused": func(m *Model) {
			one, two := item("i8", memory.TypeGoal, "ship v2 by Friday"), item("i9", memory.TypeFact, "lives in Rome")
			m.SetLearned([]memory.Change{
				{ID: "c1", ItemID: "i8", TurnID: "t1", Action: memory.ActionAdded, Time: noon, Item: &one},
				{ID: "c2", ItemID: "i9", TurnID: "t1", Action: memory.ActionAdded, Time: noon, Item: &two, Undone: true},
			})
			m.SetFocus(true)
		},
		"undo turn": func(m *Model) {
			one := item("i8", memory.TypeGoal, "ship v2 by Friday")
			m.SetLearned([]memory.Change{{ID: "c1", ItemID: "i8", TurnID: "t1", Action: memory.ActionAdded, Time: noon, Item: &one}})
			m.SetFocus(true)
			press(m, "U")
		},
		"history": func(m *Model) {
			d := detail
			d.History = []memory.Change{
				{ID: "c1", Action: memory.ActionAdded, Origin: memory.OriginTurn, Reason: "a plain statement", Time: noon, Undone: true},
				{ID: "c2", Action: memory.ActionUndone, Origin: memory.OriginUser, Reason: "what brought it in was undone", Time: noon},
			}
			m.SetFocus(true)
			m.Show(d)
			press(m, "h", "down")
		},
		"detail":  func(m *Model) { m.SetFocus(true); m.Show(detail) },
		"source":  func(m *Model) { m.SetFocus(true); m.ShowSource(detail.Quotes[0]) },
		"edit":    func(m *Model) { m.SetFocus(true); press(m, "e") },
		"confirm": func(m *Model) { m.SetFocus(true); press(m, "d") },
		"deleted": func(m *Model) {
			m.SetFocus(true)
			m.Deleted(list.Removed{ID: "d1", Title: "likes green tea from the mountains of Yunnan", Until: noon.Add(8 * time.Second)})
		},
		"filter": func(m *Model) { m.SetFocus(true); press(m, "/"); typed(m, "中文"); m.SetItems(nil, 0) },
	})

}

func TestOneCursorOverAllSections(t *testing.T) {
	m := filled(55, 30)
	m.SetTyping(true)
	m.SetPreview(result())
	m.SetFocus(true)
	var ids []string
	for range 8 {
		a := press(m, "enter")
		ids = append(ids, a.ID)
		if a.Do != Open {
			t.Fatalf("enter gave %v", a)
		}
		press(m, "esc", "down")
	}
	if diff := cmp.Diff([]string{"i1", "i2", "i1", "i2", "i3", "i4", "i4", "i4"}, ids); diff != "" {
		t.Error(diff)
	}
}

// A memory opens with its actions below it, of which the first shows where it was said.
func TestEnterShows(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	shown := item("i9", memory.TypeFact, "Likes tea.")
	shown.Evidence = []memory.Evidence{{RecordID: "r9"}}
	m.SetItems([]memory.Item{shown}, 1)
	if a := press(m, "enter"); a.Do != Open {
		t.Fatalf("enter gave %v", a)
	}
	panetest.Shows(t, view(t, m), "Likes tea.", "▸ o where from", "  d delete")
	if a := press(m, "enter"); a.Do != Source || a.Evidence.RecordID != "r9" {
		t.Errorf("enter and enter gave %v", a)
	}
	if a := press(m, "down", "down", "down", "enter"); a.Do != Copy {
		t.Errorf("the fourth action gave %v", a)
	}
	if press(m, "esc", "enter"); press(m, "enter").Do != Source {
		t.Error("a memory that is opened again does not begin with the first action")
	}
}

func TestCursorStaysOnItsRow(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "down", "down")
	m.SetItems(append([]memory.Item{item("new", memory.TypeFact, "newest")}, m.items...), 5)
	if a := press(m, "enter"); a.ID != "i3" {
		t.Errorf("opened %q, want i3", a.ID)
	}
	press(m, "esc")
	m.SetItems([]memory.Item{item("i1", memory.TypeFact, "x"), item("i2", memory.TypeFact, "y")}, 2)
	if a := press(m, "enter"); a.ID == "" {
		t.Error("the cursor is lost when its row goes")
	}
}

func TestEdit(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "e")
	if !m.Capturing() {
		t.Fatal("letters are not text in the form")
	}
	typed(m, " 了")
	press(m, "tab", "right", "tab")
	typed(m, "js, 工具，js")
	a := press(m, "ctrl+s")
	want := Action{Do: Save, ID: "i1", Draft: Draft{Content: "uses pnpm, not npm 了", Type: memory.TypeFact, Tags: []string{"js", "工具"}}}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Fatal(diff)
	}
	if a := press(m, "ctrl+s"); a.Do != Nothing {
		t.Error("saved twice")
	}
	m.Failed("The disk is full.")
	panetest.Shows(t, view(t, m), "disk is full", "npm 了")
	if a := press(m, "ctrl+s"); a.Do != Save {
		t.Error("cannot try again")
	}
	m.Saved(item("i1", memory.TypeFact, "uses pnpm, not npm 了"))
	if m.Capturing() || m.Opened() != "i1" {
		t.Error("the form did not close")
	}
}

func TestFormCursor(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "a")
	typed(m, "喜欢tea")
	_, c := m.View()
	if c == nil || c.X != 2+10+7 || c.Y != 2 {
		t.Errorf("cursor %+v", c)
	}
	press(m, "tab")
	if _, c := m.View(); c != nil {
		t.Error("a cursor on a choice")
	}
}

func TestAddNeedsWords(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "a")
	if a := press(m, "ctrl+s"); a.Do != Nothing {
		t.Fatalf("got %v", a)
	}
	typed(m, "x")
	if a := press(m, "ctrl+s"); a.Do != Add || a.Draft.Content != "x" || a.Draft.Type != memory.TypeFact {
		t.Errorf("got %+v", a)
	}
	m.Saved(item("n1", memory.TypeFact, "x"))
	if m.Opened() != "n1" {
		t.Error("what was added is not shown")
	}
}

// D2: what the filter shows is deleted, confirmed with its number.
func TestDeleteAllShown(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	if a := press(m, "D"); a.Do != Nothing || !strings.Contains(view(t, m), "Filter first") {
		t.Fatalf("without a filter: got %+v", a)
	}
	press(m, "/")
	typed(m, "pnpm")
	press(m, "enter")
	if a := press(m, "D"); a.Do != Match || a.Text != "pnpm" {
		t.Fatalf("got %+v", a)
	}
	m.AskDeleteAll("pnpm", []string{"i1", "i2"})
	if got := view(t, m); !strings.Contains(got, "Delete 2 memories with “pnpm”?") {
		t.Fatalf("no question:\n%s", got)
	}
	if a := press(m, "y"); a.Do != Nothing || m.Asking() {
		t.Fatalf("another key does not keep them: %+v", a)
	}
	m.AskDeleteAll("pnpm", []string{"i1", "i2"})
	if a := press(m, "delete"); a.Do != DeleteAll || len(a.IDs) != 2 {
		t.Fatalf("got %+v", a)
	}
	m.Deleted(list.Removed{ID: "d1", What: "2 memories", Until: noon.Add(10 * time.Second)})
	m.AskDeleteAll("pnpm", nil)
	if got := view(t, m); m.Asking() || !strings.Contains(got, "no memory has these words") {
		t.Errorf("asks about nothing:\n%s", got)
	}
}

// D2: deletion asks first, and can be taken back while the line counts down.
func TestDeleteAndTakeBack(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "d")
	if got := view(t, m); !strings.Contains(got, "Delete “uses pnpm, not npm”?") {
		t.Fatalf("no question:\n%s", got)
	}
	if a := press(m, "x"); a.Do != Nothing {
		t.Fatal("another key deleted")
	}
	press(m, "n")
	if a := press(m, "d", "delete"); a.Do != Delete || a.ID != "i1" {
		t.Fatalf("got %+v", a)
	}
	if a := press(m, "delete"); a.Do != Nothing {
		t.Error("deleted twice")
	}
	m.Deleted(list.Removed{ID: "d1", Title: "uses pnpm, not npm", Until: noon.Add(10 * time.Second)})
	m.SetItems(m.items[1:], 3)
	for _, s := range []int{10, 8, 1} {
		m.SetNow(noon.Add(time.Duration(10-s) * time.Second))
		if got := view(t, m); !strings.Contains(got, fmt.Sprintf("F7 restores it (%d s)", s)) {
			t.Errorf("%d s: no line:\n%s", s, got)
		}
	}
	if !m.Counting() {
		t.Error("does not count")
	}
	if a := press(m, "u"); a.Do != Restore || a.ID != "d1" {
		t.Fatalf("got %+v", a)
	}
	m.Restored("d1")
	if m.Counting() {
		t.Error("still counts")
	}
	m.Deleted(list.Removed{ID: "d2", Title: "x", Until: noon.Add(19 * time.Second)})
	m.SetNow(noon.Add(20 * time.Second))
	if m.Counting() || strings.Contains(view(t, m), "restores it") {
		t.Error("the line stays after its time")
	}
}

func TestFilter(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "/")
	if a := typed(m, "pn"); a.Do != Filter || a.Text != "pn" {
		t.Fatalf("got %+v", a)
	}
	_, c := m.View()
	if c == nil || c.X != 5 {
		t.Errorf("cursor %+v", c)
	}
	press(m, "enter")
	if m.Capturing() {
		t.Error("still typing")
	}
	if a := press(m, "enter"); a.Do != Open {
		t.Errorf("got %+v", a)
	}
	press(m, "esc")
	if a := press(m, "esc"); a.Do != Filter || a.Text != "" {
		t.Errorf("esc gave %+v", a)
	}
	if a := press(m, "esc"); a.Do != Leave {
		t.Errorf("second esc gave %+v", a)
	}
}

func TestMoreIsLoadedNearTheEnd(t *testing.T) {
	m := newPane(55, 20)
	var items []memory.Item
	for i := range 100 {
		items = append(items, item(fmt.Sprint("i", i), memory.TypeFact, fmt.Sprint("fact ", i)))
	}
	m.SetItems(items, 5000)
	m.SetFocus(true)
	if a := press(m, "down"); a.Do != Nothing {
		t.Errorf("got %+v at the start", a)
	}
	a, _ := m.Key(tea.KeyPressMsg{Code: tea.KeyEnd})
	if a.Do != More {
		t.Errorf("got %+v at the end", a)
	}
	panetest.Shows(t, view(t, m), "fact 99")
}

// P9: u undoes the change under the cursor, but a deletion that counts down comes
// first; U asks, and undoes the turn; in the history any change can be chosen.
func TestUndoKeys(t *testing.T) {
	one := item("i1", memory.TypePreference, "uses pnpm, not npm")
	learned := []memory.Change{{ID: "c1", ItemID: "i1", TurnID: "t1", Action: memory.ActionAdded, Time: noon, Item: &one}}
	m := filled(55, 30)
	m.SetLearned(learned)
	m.SetFocus(true)
	if a := press(m, "u"); a.Do != Undo || a.ID != "c1" {
		t.Errorf("u gave %+v", a)
	}
	m.Undone("")
	if a := press(m, "U", "n"); a.Do != Nothing {
		t.Errorf("U, n gave %+v", a)
	}
	if a := press(m, "U", "ctrl+y"); a.Do != UndoTurn || a.ID != "t1" {
		t.Errorf("U, y gave %+v", a)
	}
	m.Undone("Nothing was undone: left alone, you changed it since: x")
	panetest.Shows(t, view(t, m), "you changed it since")
	panetest.Lacks(t, view(t, m), "Undo what")
	m.Deleted(list.Removed{ID: "d1", Title: "x", Until: noon.Add(10 * time.Second)})
	if a := press(m, "u"); a.Do != Restore || a.ID != "d1" {
		t.Errorf("u while a deletion counts gave %+v", a)
	}
	m.Restored("d1")
	learned[0].Undone = true
	m.RefreshLearned("t1", "", learned)
	if a := press(m, "u"); a.Do != Nothing || !strings.Contains(view(t, m), "undone already") {
		t.Errorf("u on what is undone gave %+v", a)
	}
	m.SetNow(noon.Add(31 * 24 * time.Hour))
	learned[0].Undone = false
	m.RefreshLearned("t1", "", learned)
	if a := press(m, "u"); a.Do != Nothing || !strings.Contains(view(t, m), "no longer be undone") {
		t.Errorf("u after 30 days gave %+v", a)
	}
	m.Forgotten(learned[0].ItemID)
	for _, c := range m.lessons.learned {
		if c.ItemID == learned[0].ItemID || m.LearnedTurn() != "t1" {
			t.Errorf("what was deleted still stands there: %+v", c)
		}
	}

	m = filled(55, 12)
	m.SetFocus(true)
	d := Detail{Item: one}
	for i := range 20 {
		d.History = append(d.History, memory.Change{ID: fmt.Sprint("h", i), Action: memory.ActionConfirmed, Time: noon})
	}
	m.Show(d)
	for want, keys := range map[string][]string{"h19": {"u", "u"}, "h17": {"h", "down", "down", "u"}, "h0": {"h", "G", "u"}} {
		if a := press(m, keys...); a.Do != Undo || a.ID != want {
			t.Errorf("%v gave %+v", keys, a)
		}
		if got := view(t, m); !strings.Contains(got, "▸") {
			t.Errorf("%v: the cursor is out of view:\n%s", keys, got)
		}
		m.Undone("")
		press(m, "esc")
		if m.Opened() != "i1" {
			t.Fatal("esc left the memory")
		}
	}
	for i := range 19 { // the cursor goes to what can be undone
		d.History[i+1].Undone = true
	}
	m.Show(d)
	if a := press(m, "h", "down", "u"); a.Do != Undo || a.ID != "h0" {
		t.Errorf("u on what is undone gave %+v", a)
	}
	m.Undone("")
	d.History[0].Undone = true
	m.Show(d)
	if a := press(m, "u"); a.Do != Nothing || !strings.Contains(view(t, m), "undone already") {
		t.Errorf("u where all is undone gave %+v", a)
	}
}

// What arrives about the open item changes no mode.
func TestNewsDoNotDisturb(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	press(m, "enter")
	news := Detail{Item: item("i1", memory.TypePreference, "uses pnpm since May"), History: []memory.Change{{Reason: "news"}}}
	m.Show(news)
	panetest.Shows(t, view(t, m), "since May")
	press(m, "i")
	panetest.Shows(t, view(t, m), "since May", "news")
	press(m, "esc")
	m.ShowSource(words.Quote{Session: "Deploying", Text: "x", Whole: "x"})
	m.Show(news)
	panetest.Shows(t, view(t, m), "Deploying")
	press(m, "esc", "e")
	typed(m, "!")
	m.Show(news)
	if a := press(m, "ctrl+s"); a.Do != Save || !strings.HasSuffix(a.Draft.Content, "!") {
		t.Errorf("the form is gone: %+v", a)
	}
}

func TestCopyAndSource(t *testing.T) {
	m := filled(55, 30)
	m.SetFocus(true)
	if a := press(m, "y"); a.Do != Copy || a.Text != "uses pnpm, not npm" {
		t.Errorf("got %+v", a)
	}
	if a := press(m, "o"); a.Do != Source || a.Evidence.RecordID != "r1" {
		t.Errorf("got %+v", a)
	}
	own := item("own", memory.TypeFact, "by hand")
	own.Evidence = nil
	m.SetItems([]memory.Item{own}, 1)
	if a := press(m, "o"); a.Do != Nothing || !strings.Contains(view(t, m), "from no message") {
		t.Errorf("got %+v", a)
	}
}

// What others wrote cannot reach the terminal as it is.
func TestEverythingIsCleaned(t *testing.T) {
	evil := panetest.Hostile
	it := item("e", memory.Type(evil), evil)
	it.Title, it.Key, it.Tags, it.Metadata = evil, evil, []string{evil}, memory.ItemMetadata{Rule: evil, Ended: evil}
	it.Source, it.Origin, it.Value = memory.Source(evil), memory.Origin(evil), []byte(evil)
	it.State = memory.State(evil)
	m := newPane(55, 60)
	m.SetItems([]memory.Item{it}, 1)
	m.SetLearned([]memory.Change{{ItemID: "e", Action: memory.Action(evil), Reason: evil, Item: &it}, {Action: memory.Action(evil), Reason: evil}})
	m.SetTyping(true)
	m.SetPreview(retrieve.Result{Degraded: evil, Chosen: []retrieve.Scored{{Item: it}}, NotChosen: []retrieve.Scored{{Item: it, Why: evil}}})
	m.SetFocus(true)
	panetest.Cleans(t, func() string { return view(t, m) },
		func() { press(m, "d") },
		func() { press(m, "n", "U") },
		func() { press(m, "n", "e") },
		func() {
			press(m, "esc")
			m.Show(Detail{Item: it, Quotes: []words.Quote{{Session: evil, Text: evil, Whole: evil}}, History: []memory.Change{{Action: memory.Action(evil), Reason: evil, Origin: memory.Origin(evil)}}})
		},
		func() {
			m.ShowSource(words.Quote{Session: evil, Text: evil, Whole: evil, Evidence: memory.Evidence{Offset: 1, Length: 3}})
		},
		func() { m.Failed(evil) },
		func() { m.Deleted(list.Removed{Title: evil, Until: noon.Add(time.Hour)}) },
	)
}

// P7, P9: what a consolidation did is below what the turn taught; u takes one
// change of it back, U all of it.
func TestRunIsShownAndUndone(t *testing.T) {
	m := newPane(60, 20)
	m.SetFocus(true)
	it := memory.Item{ID: "I1", Type: memory.TypeEpisode, Content: "Moves to the river"}
	c := memory.Change{ID: "C1", ItemID: "I1", Action: memory.ActionAdded, Generation: "G1", Time: noon.Add(-time.Hour), Item: &it}
	m.SetRun(Run{Generation: "G1", Title: "Moving", Changes: []memory.Change{c}})
	lines, _ := m.View()
	if said := strings.Join(lines, "\n"); !strings.Contains(said, "a conversation was summed up · 1 change") || !strings.Contains(said, "“Moving”") {
		t.Errorf("shown:\n%s", said)
	}
	if a := press(m, "u"); a.Do != Undo || a.ID != "C1" {
		t.Errorf("u asks for %+v", a)
	}
	m.Undone("")
	press(m, "U")
	lines, _ = m.View()
	if said := strings.Join(lines, "\n"); !strings.Contains(said, "made of this conversation (1 change)") {
		t.Errorf("the question:\n%s", said)
	}
	if a := press(m, "ctrl+y"); a.Do != UndoRun || a.ID != "G1" {
		t.Errorf("yes asks for %+v", a)
	}
	c.Undone = true
	m.RefreshLearned("", "G1", []memory.Change{c})
	m.Undone("")
	lines, _ = m.View()
	if said := strings.Join(lines, "\n"); !strings.Contains(said, "undone") {
		t.Errorf("afterwards:\n%s", said)
	}
}

// D3: a message that no memory led to leads back to the list, not to an empty memory.
func TestSourceOfNothing(t *testing.T) {
	m := filled(55, 20)
	m.SetFocus(true)
	m.ShowSource(words.Quote{Text: "I moved to Almada", Session: "moving"})
	press(m, "esc")
	if m.Modal() || m.Opened() != "" {
		t.Errorf("it leads to %q", m.Opened())
	}
}

// S9: in a group, which has no memory, no memory can be added.
func TestUnavailableRefusesToAdd(t *testing.T) {
	m := newPane(60, 12)
	m.SetFocus(true)
	m.SetUnavailable("A group remembers nothing itself.")
	m.SetItems(nil, 0)
	m.Key(tea.KeyPressMsg{Code: 'a', Text: "a"})
	lines, _ := m.View()
	if got := strings.Join(lines, "\n"); m.Capturing() || !strings.Contains(got, "A group remembers nothing itself.") || strings.Contains(got, "add") {
		t.Errorf("it offers:\n%s", got)
	}
}
