package list_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"pgregory.net/rapid"

	"memoria/ui/clean"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// listing is a pane of words. It asks for sentences.
type listing struct {
	list.Base[string, string]
	all   list.Paged[string]
	asked string
	page  []string
}

var (
	press = panetest.Press[string]
	typed = panetest.Type[string]
)

func newWords(w, h int) *listing { return newIn(words.English, w, h) }

func newIn(l words.Language, w, h int) *listing {
	k := keys.Default(words.Words{Language: l})
	m := &listing{all: list.NewPaged(func(a, b string) bool { return a == b })}
	m.Base = list.NewBase[string](list.Config[string]{
		Keys: k, Moves: k.List.Moves, Loc: time.UTC, Near: 3, Waiting: "saving …",
		Rows: func() {
			m.Head(list.Count(m.Words.Words, m.all.Total, "word"))
			for _, w := range m.all.Items {
				m.Add(w, w, "   "+clean.Line(w))
			}
			list.Rest(&m.Base, &m.all)
		},
		Key: func(msg tea.KeyPressMsg) (string, bool) {
			r, _ := m.List.Selected()
			switch {
			case key.Matches(msg, k.List.Filter):
				return m.OpenSearch(""), true
			case key.Matches(msg, k.List.Undo):
				d, _ := m.Undo()
				return d.ID, true
			case key.Matches(msg, k.List.Edit):
				in := list.Text("word", "a word", r.Of, 1)
				note := list.Text("note", "a note", "", 1)
				m.Open(&list.Form[string]{
					Title: "edit", Label: 6, Inset: 9, Fields: []*list.Input{in, note},
					Save: func() string { return m.Once("save " + in.Value() + " " + note.Written()) },
				})
			case key.Matches(msg, k.List.Delete):
				m.AskDelete(func() string { return "Delete " + m.Named(r.Of, 12) + "?" }, "delete "+r.Of, "It is gone for good.")
			default:
				return "", false
			}
			return "", true
		},
		Hints: func() []string { return m.Hints("esc back", k.List.Edit) },
		More: func() string {
			if from, ok := m.all.Next(); ok {
				m.Build()
				return fmt.Sprint("more from ", from)
			}
			return ""
		},
		Ask:  func(words string, typed bool) string { m.asked = words; return fmt.Sprint("find ", words, " ", typed) },
		Text: func() []string { return m.page },
	})
	m.all.Set([]string{"one", "two", "three", "four", "five"}, 9)
	m.SetFocus(true)
	return panetest.Show(m, w, h)
}

func view(t panetest.T, m *listing) string { return panetest.View(t, m, m.Width, m.Height) }

func TestBaseAsksOnce(t *testing.T) {
	m := newWords(40, 12)
	for _, tt := range []struct{ keys, want, shown string }{
		{"down d", "", "Delete “two”?"},
		{"x", "", "▸ two"},
		{"d delete", "delete two", "saving …"},
		{"delete", "", "saving …"},
		{"esc", "", "▸ two"},
		{"e ! tab n ctrl+s", "save two! n", "saving …"},
		{"ctrl+s", "", "saving …"},
		{"esc", "", "▸ two"},
		{"u", "", "nothing to undo"},
		{"down", "", "▸ three"},
		{"down", "more from 5", "reading more"},
		{"end", "", "▸ five"},
	} {
		if got := press(m, strings.Fields(tt.keys)...); got != tt.want {
			t.Errorf("%s asks for %q, want %q", tt.keys, got, tt.want)
		}
		if got := view(t, m); !strings.Contains(got, tt.shown) {
			t.Errorf("after %s there is no %q:\n%s", tt.keys, tt.shown, got)
		}
	}
}

func TestBaseKeepsAFormAfterAFailure(t *testing.T) {
	m := newWords(40, 12)
	press(m, "e", "!", "ctrl+s")
	m.Failed("The disk is full.")
	if got := view(t, m); !m.Capturing() || !strings.Contains(got, "one!") || !strings.Contains(got, "disk is full") {
		t.Errorf("the form is lost:\n%s", got)
	}
	if got := press(m, "ctrl+s"); got != "save one! " {
		t.Errorf("again asks for %q", got)
	}
	m.Done()
	if m.Modal() || m.Busy {
		t.Error("the form does not close")
	}
}

// Typing destroys nothing: text at a choice goes to the text field before it; without one the
// form leaves it to others.
func TestBaseKeepsTextAtAChoice(t *testing.T) {
	choice := func() *list.Input { return &list.Input{Choices: []string{"tea", "rye"}, Choice: "tea"} }
	m := newWords(40, 12)
	word, kind := list.Text("word", "", "one", 1), choice()
	m.Open(&list.Form[string]{Fields: []*list.Input{word, kind}})
	press(m, "tab", "right")
	typed(m, "o k")
	if word.Value() != "oneo k" || kind.Choice != "rye" {
		t.Errorf("the word is %q, the choice %q", word.Value(), kind.Choice)
	}
	press(m, "tab")
	m.Paste(tea.PasteMsg{Content: "!"})
	if word.Value() != "oneo k!" {
		t.Errorf("with a paste the word is %q", word.Value())
	}
	m.Open(&list.Form[string]{Fields: []*list.Input{choice()}})
	if _, handled := m.Key(panetest.Key("o")); handled {
		t.Error("a form without a text field takes text")
	}
}

// Design, "Typing never destroys anything": enter goes from field to field and to the button; there a
// second one saves, and a letter or a paste between them is of the last text field.
func TestBaseSavesAtTheButton(t *testing.T) {
	m := newWords(40, 12)
	panetest.Lacks(t, view(t, m), "[ save ]")
	press(m, "e")
	typed(m, "!")
	panetest.Shows(t, view(t, m), "   [ save ]")
	if a := press(m, "enter", "enter"); a != "" || !m.Form.OnButton() {
		t.Fatalf("enter in the last field asks for %q", a)
	}
	panetest.Shows(t, view(t, m), "▸ [ save ]", "enter\u00a0save", "esc\u00a0do\u00a0not\u00a0save")
	for range 3 {
		if a := typed(m, " so"); a != "" || m.Form.OnButton() || m.Form.At != 1 {
			t.Fatalf("text at the button asks for %q", a)
		}
		if a := press(m, "enter"); a != "" {
			t.Fatalf("one enter after a text asks for %q", a)
		}
	}
	m.Paste(tea.PasteMsg{Content: " pasted"})
	if a := press(m, "enter"); a != "" {
		t.Fatalf("one enter after a paste asks for %q", a)
	}
	if a := press(m, "enter"); a != "save one! so so so pasted" {
		t.Errorf("enter at the button asks for %q", a)
	}
	m.Done()
	for _, way := range []string{"tab tab", "down down", "shift+tab", "enter up enter down enter"} {
		press(m, "e")
		if press(m, strings.Fields(way)...); !m.Form.OnButton() {
			t.Errorf("%s does not lead to the button", way)
		}
		press(m, "up", "esc")
	}
	choice := &list.Input{Choices: []string{"tea", "rye"}, Choice: "tea"}
	m.Open(&list.Form[string]{Fields: []*list.Input{choice}, Save: func() string { return choice.Choice }})
	if _, handled := m.Key(panetest.Key("o")); handled {
		t.Error("a form without a text field takes text")
	}
	if a := press(m, "right", "enter"); a != "rye" {
		t.Errorf("enter at a form of choices asks for %q", a)
	}
}

// U2: what was written in a form that was left is in the next form of the same thing, until it is
// left as it was offered, or saved.
func TestBaseKeepsWhatWasNotSaved(t *testing.T) {
	m := newWords(40, 12)
	open := func(id string) *list.Input {
		in, kind := list.Text("word", "", "one", 1), &list.Input{Choices: []string{"tea", "rye"}, Choice: "tea"}
		m.Open(&list.Form[string]{ID: id, Fields: []*list.Input{in, kind}, Save: func() string { return m.Once(in.Value() + kind.Choice) }})
		return in
	}
	open("a")
	press(m, "esc")
	panetest.Lacks(t, view(t, m), "Nothing was saved")
	open("a")
	typed(m, "!")
	press(m, "tab", "right", "esc")
	panetest.Shows(t, view(t, m), "Nothing was saved. Open it again to go", "on with your text.")
	if press(m, "down"); strings.Contains(view(t, m), "Nothing was saved") {
		t.Error("the notice stays")
	}
	if got := open("b").Value(); got != "one" {
		t.Errorf("the form of another thing has %q", got)
	}
	press(m, "esc")
	if got := open("a").Value(); got != "one!" || m.Form.Fields[1].Choice != "rye" {
		t.Errorf("again it has %q", got)
	}
	panetest.Shows(t, view(t, m), "which was not", "Esc drops it")
	press(m, "esc")
	panetest.Shows(t, view(t, m), "is dropped")
	if got := open("a").Value(); got != "one" {
		t.Errorf("what was dropped is there: %q", got)
	}
	typed(m, "?")
	press(m, "esc")
	open("a")
	if a := press(m, "ctrl+s"); a != "one?tea" {
		t.Errorf("saving asks for %q", a)
	}
	m.Done()
	if got := open("a").Value(); got != "one" {
		t.Errorf("what was saved is offered again: %q", got)
	}
}

func TestBaseSearches(t *testing.T) {
	m := newWords(40, 12)
	press(m, "/")
	if got := typed(m, "ab "); got != "find ab true" || !m.Capturing() {
		t.Errorf("typing asks for %q", got)
	}
	if press(m, "enter"); m.Capturing() || !strings.Contains(view(t, m), " / ab") {
		t.Errorf("enter does not go to the results:\n%s", view(t, m))
	}
	press(m, "/")
	if got := press(m, "esc"); got != "find  false" || m.asked != "" || m.Modal() {
		t.Errorf("esc asks for %q", got)
	}
	press(m, "/")
	if m.SetFocus(false); m.Capturing() {
		t.Error("the field has the keyboard in a pane that has not")
	}
}

func TestBaseUndoNotice(t *testing.T) {
	m := newWords(60, 12)
	m.Removed.Add(list.Removed{ID: "d1", Title: "one", Until: panetest.Noon.Add(9 * time.Second)})
	if got := view(t, m); !m.Counting() || !strings.Contains(got, "F7 restores it (9 s)") {
		t.Errorf("no notice:\n%s", got)
	}
	if a, b := press(m, "u"), press(m, "u"); a != "d1" || b != "" {
		t.Errorf("u asks for %q, then %q", a, b)
	}
	m.Restored("d1")
	m.Removed.Add(list.Removed{ID: "d2", Until: panetest.Noon.Add(time.Second)})
	if m.SetNow(panetest.Noon.Add(time.Second)); m.Counting() {
		t.Error("the notice outlives its time")
	}
}

func TestBaseScrollsText(t *testing.T) {
	m := newWords(40, 6)
	for i := range 20 {
		m.page = append(m.page, fmt.Sprint(" line ", i))
	}
	for keys, want := range map[string]string{"home": "line 0", "home down": "line 1", "end": "line 19", "home pgdn": "line 3"} {
		press(m, strings.Fields(keys)...)
		if got := view(t, m); !strings.Contains(got, want) {
			t.Errorf("after %s there is no %q:\n%s", keys, want, got)
		}
	}
}

func TestPagedDropsWhatDoesNotContinue(t *testing.T) {
	p := list.NewPaged(func(a, b int) bool { return a == b })
	if from, ok := p.Next(); from != 0 || !ok {
		t.Fatal("the first page is not read")
	}
	p.Set([]int{1, 2}, 5)
	p.Next()
	if _, ok := p.Next(); ok {
		t.Error("reads twice")
	}
	p.Append(7, []int{9}, 5)
	p.Append(2, []int{2, 3}, 6) // one came meanwhile, so one comes again
	if !slices.Equal(p.Items, []int{1, 2, 3}) || p.Total != 6 {
		t.Errorf("%v of %d", p.Items, p.Total)
	}
	if n := p.Drop(func(i int) bool { return i == 1 }); n != 1 || p.Total != 5 {
		t.Errorf("dropped %d, %d are left", n, p.Total)
	}
	p.Append(2, nil, 6)
	if _, ok := p.Next(); ok {
		t.Error("reads on after the end")
	}
}

func TestBaseFillsItsPlace(t *testing.T) {
	filled := func(t *rapid.T) *listing {
		m := newWords(0, 0)
		m.all.Set(rapid.SliceOfDistinct(panetest.Texts, rapid.ID).Draw(t, "words"), 12)
		return m
	}
	panetest.Fills(t, "/ e d u delete ctrl+s", filled, func(*rapid.T, *listing, string) {})
}

// In Chinese, what every pane says fits a narrow panel, and hints break between keys.
func TestChinese(t *testing.T) {
	open := func(m *listing) {
		in := list.Text("词", "", "茶", 1)
		m.Open(&list.Form[string]{Title: "修改", Label: 6, Inset: 9, Fields: []*list.Input{in, {Label: "人设", Choice: "无", From: "persona.md"}}})
	}
	for name, tt := range map[string]struct {
		do    func(*listing)
		shown []string
	}{
		"list":    {func(*listing) {}, []string{" 9 个词", "   ……还有 4 项"}},
		"reading": {func(m *listing) { press(m, "end") }, []string{"   正在读取更多……"}},
		"failed":  {func(m *listing) { m.all.Fail("磁盘不见了。"); m.Build() }, []string{" 没能读出更多：磁盘不见了。按 ↓", " 重试。"}},
		"form":    {open, []string{"来自 persona.md，请到那", "里修改"}},
		"nothing": {func(m *listing) { press(m, "u") }, []string{" 没有可以撤销的。"}},
		"deleted": {func(m *listing) {
			m.Removed.Add(list.Removed{ID: "d1", What: "1 条记忆", Until: panetest.Noon.Add(9 * time.Second)})
			m.Removed.Add(list.Removed{ID: "d2", Title: "一个很长很长的名字", Until: panetest.Noon.Add(9 * time.Second)})
		}, []string{" 已删除“一个很长很…”和另外 1 项", " 按 F7 恢复（9 秒）"}},
		"delete": {func(m *listing) { press(m, "d") }, []string{" del/ctrl+y 删除 · 其他键保留"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newIn(words.Chinese, 32, 14)
			tt.do(m)
			panetest.Shows(t, view(t, m), tt.shown...)
		})
	}
	got := list.Hints(lipgloss.NewStyle(), 16, "enter 看记忆 · esc 返回")
	if want := []string{" enter\u00a0看记忆", " esc\u00a0返回"}; !slices.Equal(got, want) {
		t.Errorf("hints %q, want %q", got, want)
	}
}

// A careful key asks below its row and names it. Only the key of a yes does what it asks, and only
// to the same row.
func TestBaseAsksFirst(t *testing.T) {
	m := newWords(40, 14)
	m.all.Items, m.all.Total = []string{"one", "two", "three", "four"}, 4
	m.SetFocus(true)
	m.Build()
	m.AskFirst(func() []key.Binding { return []key.Binding{m.Keys.List.Delete} })
	press(m, "down")
	for _, tt := range []struct {
		key  string
		does bool
	}{{"esc", false}, {"enter", false}, {"y", false}, {"ctrl+y", true}} {
		m.Question = nil
		if press(m, "d"); m.Question == nil || !strings.Contains(view(t, m), "delete?") || !strings.Contains(view(t, m), "ctrl+y yes") {
			t.Fatalf("nothing is asked:\n%s", view(t, m))
		}
		press(m, tt.key)
		if does := strings.Contains(view(t, m), "Delete “two”?"); does != tt.does {
			t.Errorf("%s: it is done: %v\n%s", tt.key, does, view(t, m))
		}
	}
	m.Question.Row = "two" // it is about the second row
	lines := strings.Split(view(t, m), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "▸") })
	if !strings.Contains(lines[at+1], "Delete “two”?") || !strings.Contains(lines[at+4], "three") {
		t.Errorf("it is not below its row:\n%s", view(t, m))
	}
	m.List.Seek("three")
	if lines := strings.Split(view(t, m), "\n"); !strings.Contains(strings.Join(lines[8:], "\n"), "Delete “two”?") {
		t.Errorf("it is below another row:\n%s", view(t, m))
	}
}

// D2: a yes restores the deletion that the question names, or says why not: its time is over, or
// another came after it.
func TestUndoQuestionIsAboutOneDeletion(t *testing.T) {
	for want, meanwhile := range map[string]func(*listing){
		"":                           func(*listing) {},
		"Too late":                   func(m *listing) { m.Removed.Drop("d1") },
		"something else was deleted": func(m *listing) { m.Removed.Add(list.Removed{ID: "d2", Until: panetest.Noon.Add(time.Minute)}) },
	} {
		m := newWords(80, 14)
		m.all.Items, m.all.Total = []string{"one", "two"}, 2
		m.SetFocus(true)
		m.Build()
		m.AskFirst(func() []key.Binding { return []key.Binding{m.Keys.List.Undo} })
		m.KeepUndoable(m.Keys.List.Undo, func(list.Removed) tea.Cmd { return nil })
		m.Removed.Add(list.Removed{ID: "d1", Title: "zero", Until: panetest.Noon.Add(time.Minute)})
		if press(m, "u"); m.Question == nil || !strings.Contains(view(t, m), "Restore “zero”?") {
			t.Fatalf("nothing is asked:\n%s", view(t, m))
		}
		meanwhile(m)
		if press(m, "ctrl+y"); !strings.Contains(m.Notice, want) || (want == "") != (m.Notice == "") {
			t.Errorf("%q: the notice is %q", want, m.Notice)
		}
	}
}
