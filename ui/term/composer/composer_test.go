package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

func newInput() *Model {
	m := New(words.Words{})
	m.SetSize(60, 8)
	m.Focus()
	return m
}

func typeText(m *Model, s string) {
	for _, r := range s {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func press(m *Model, code rune, mod tea.KeyMod) { m.Update(tea.KeyPressMsg{Code: code, Mod: mod}) }

func TestPasteBecomesASpan(t *testing.T) {
	m := newInput()
	typeText(m, "看 ")
	m.Update(tea.PasteMsg{Content: "第一行\r\n\tx := 1"})
	typeText(m, " ok")
	text, spans := m.Text()
	want := "看 第一行\n\tx := 1 ok"
	if text != want {
		t.Fatalf("text %q, want %q", text, want)
	}
	pasted := "第一行\n\tx := 1"
	if diff := cmp.Diff([]memory.Span{{Offset: len("看 "), Length: len(pasted), Kind: memory.SpanPasted}}, spans); diff != "" {
		t.Error(diff)
	}
}

func TestEditsNearAPaste(t *testing.T) {
	left := func(m *Model, n int) {
		for range n {
			press(m, tea.KeyLeft, 0)
		}
	}
	back := func(m *Model, n int) {
		for range n {
			press(m, tea.KeyBackspace, 0)
		}
	}
	tests := []struct {
		name string
		edit func(m *Model)
		want string // pasted parts in «»
	}{
		{"typed before, same letters", func(m *Model) { left(m, 6); typeText(m, "ab") }, "ab«abcabc»"},
		{"typed after, same letters", func(m *Model) { typeText(m, "abc") }, "«abcabc»abc"},
		{"typed inside", func(m *Model) { left(m, 3); typeText(m, "字") }, "«abc字abc»"},
		{"deleted inside", func(m *Model) { left(m, 2); back(m, 2) }, "«abbc»"},
		{"deleted whole", func(m *Model) { back(m, 6) }, ""},
		{"deleted over the end", func(m *Model) { typeText(m, "xy"); back(m, 4) }, "«abca»"},
		{"deleted over the start", func(m *Model) {
			left(m, 6)
			typeText(m, "xy")
			press(m, tea.KeyRight, 0)
			back(m, 2)
		}, "x«bcabc»"},
		{"pasted inside", func(m *Model) { left(m, 3); m.Paste("Z\tZ") }, "«abc»«Z\tZ»«abc»"},
		{"word deleted", func(m *Model) { typeText(m, " tail"); press(m, 'w', tea.ModCtrl) }, "«abcabc» "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newInput()
			m.Paste("abcabc")
			tt.edit(m)
			if got := marked(m.Text()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func marked(text string, spans []memory.Span) string {
	var b strings.Builder
	last := 0
	for _, s := range spans {
		b.WriteString(text[last:s.Offset] + "«" + text[s.Offset:s.Offset+s.Length] + "»")
		last = s.Offset + s.Length
	}
	return b.String() + text[last:]
}

func TestLongPasteIsOneLineAndSentWhole(t *testing.T) {
	m := newInput()
	long := strings.Repeat("a line of a log\n", 300)
	typeText(m, "see ")
	m.Paste(long)
	typeText(m, "?")
	if m.Lines() != 1 {
		t.Errorf("%d lines, want 1", m.Lines())
	}
	if got := strings.Join(m.View(), "\n"); !strings.Contains(got, "[pasted 300 lines, 4.7 KB]?") {
		t.Errorf("view %q", got)
	}
	if text, _ := m.Text(); text != "see "+long+"?" {
		t.Error("the paste is not sent whole")
	}

	// It goes as a whole, and the cursor is never inside it.
	press(m, tea.KeyLeft, 0)
	press(m, tea.KeyLeft, 0)
	typeText(m, "!")
	if text, _ := m.Text(); text != "see !"+long+"?" {
		t.Error("the cursor did not jump over the paste")
	}
	press(m, tea.KeyRight, 0)
	press(m, tea.KeyBackspace, 0)
	if text, spans := m.Text(); text != "see !?" || len(spans) != 0 {
		t.Errorf("after deleting: %q %v", text, spans)
	}
	typeText(m, "x")
	if text, _ := m.Text(); text != "see !x?" {
		t.Errorf("cursor after deleting: %q", text)
	}
}

func TestHiddenCharactersAreSaid(t *testing.T) {
	m := newInput()
	evil := "hello\u202eworld\U000E0041"
	m.Paste(evil)
	view := strings.Join(m.View(), "\n")
	if !strings.Contains(view, "2 hidden characters") || strings.ContainsRune(view, '\u202e') {
		t.Errorf("view %q", view)
	}
	if text, _ := m.Text(); text != evil {
		t.Errorf("sent %q", text)
	}
}

func TestCursorStandsBehindChinese(t *testing.T) {
	m := newInput()
	typeText(m, "部署脚本 ok")
	c := m.Cursor()
	if want := promptWidth + 4*2 + 3; c == nil || c.X != want || c.Y != 0 {
		t.Fatalf("cursor %+v, want x %d", c, want)
	}
	press(m, tea.KeyLeft, 0)
	press(m, tea.KeyLeft, 0)
	press(m, tea.KeyLeft, 0)
	if c := m.Cursor(); c.X != promptWidth+8 {
		t.Errorf("cursor %d, want %d", c.X, promptWidth+8)
	}
	press(m, 'j', tea.ModCtrl)
	if c := m.Cursor(); c.X != promptWidth || c.Y != 1 {
		t.Errorf("cursor after new line %+v", c.Position)
	}
	m.Blur()
	if m.Cursor() != nil {
		t.Error("a cursor without focus")
	}
}

func TestGrowsToItsLimit(t *testing.T) {
	m := newInput()
	for i := range 12 {
		if want := min(i+1, 8); m.Lines() != want {
			t.Fatalf("%d lines at line %d, want %d", m.Lines(), i, want)
		}
		press(m, 'j', tea.ModCtrl)
	}
	if got := len(m.View()); got != 8 {
		t.Errorf("view has %d lines", got)
	}
	if c := m.Cursor(); c.Y != 7 {
		t.Errorf("cursor in line %d", c.Y)
	}
}

func TestHistoryKeepsTheDraft(t *testing.T) {
	m := newInput()
	m.Seed([]memory.Record{{Content: "one"}, {Content: "two"}, {Content: "two"}})
	typeText(m, "draft ")
	m.Paste("p")
	for _, want := range []string{"two", "one"} {
		if !m.Earlier() {
			t.Fatal("no earlier message")
		}
		if text, _ := m.Text(); text != want {
			t.Fatalf("got %q, want %q", text, want)
		}
		if got, _ := m.Draft(); got != "draft p" {
			t.Errorf("draft %q while history is shown", got)
		}
	}
	if m.Earlier() {
		t.Error("earlier than the first")
	}
	m.Later()
	m.Later()
	if got := marked(m.Text()); got != "draft «p»" {
		t.Errorf("draft %q", got)
	}
	if m.Later() {
		t.Error("later than the draft")
	}
}

func TestTakeLeavesWhiteSpace(t *testing.T) {
	m := newInput()
	typeText(m, "  ")
	if _, _, ok := m.Take(); ok {
		t.Error("white space was taken")
	}
	typeText(m, "x")
	if text, _, ok := m.Take(); !ok || text != "  x" || !m.Empty() {
		t.Errorf("took %q %v", text, ok)
	}
}

// TestNothingPastedBecomesTyped: whatever is done, a letter that was pasted is
// inside a span. Pasted letters are capitals, typed ones are small.
func TestNothingPastedBecomesTyped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newInput()
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 7).Draw(t, "step") {
			case 0, 1:
				typeText(m, rapid.StringOfN(rapid.SampledFrom([]rune("ab字 ")), 1, 4, -1).Draw(t, "typed"))
			case 2:
				m.Paste(rapid.StringOfN(rapid.SampledFrom([]rune("AB国\t\n")), 1, 6, -1).Draw(t, "pasted"))
			case 3:
				m.Paste(strings.Repeat("A\n", 60))
			case 4:
				press(m, tea.KeyLeft, 0)
			case 5:
				press(m, rapid.SampledFrom([]rune{tea.KeyHome, tea.KeyEnd, tea.KeyUp, tea.KeyDown}).Draw(t, "move"), 0)
			case 6:
				press(m, tea.KeyBackspace, 0)
			case 7:
				press(m, rapid.SampledFrom([]rune{'w', 'k', 'u'}).Draw(t, "ctrl"), tea.ModCtrl)
			}
			text, spans := m.Text()
			typed := memory.Record{Content: text, Spans: spans}.Typed()
			if strings.ContainsAny(typed, "AB国\t[") {
				t.Fatalf("typed %q of %q %v", typed, text, spans)
			}
			for i, s := range spans {
				if s.Length <= 0 || s.Offset < 0 || s.Offset+s.Length > len(text) || i > 0 && s.Offset < spans[i-1].Offset+spans[i-1].Length {
					t.Fatalf("spans %v of %d bytes", spans, len(text))
				}
			}
		}
		// What goes to history and comes back is the same.
		text, spans := m.Text()
		m.Set(text, spans)
		if again, spans2 := m.Text(); again != text || !cmp.Equal(spans, spans2) {
			t.Fatalf("set %q %v, got %q %v", text, spans, again, spans2)
		}
	})
}

// What comes back from an editor replaces the text; what was pasted stays known
// as such, and an edited paste does not become the user's own words.
func TestEdit(t *testing.T) {
	for _, tt := range []struct {
		name, typed, pasted, back string
		want                      []memory.Span
	}{
		{"untouched", "see ", "the page", "see the page", []memory.Span{{Offset: 4, Length: 8, Kind: memory.SpanPasted}}},
		{"words around it", "see ", "the page", "please see 喝茶 the page!", []memory.Span{{Offset: 18, Length: 8, Kind: memory.SpanPasted}}},
		{"the paste changed", "see ", "the page", "see the pages of it", []memory.Span{{Offset: 4, Length: 8, Kind: memory.SpanPasted}}},
		{"the paste rewritten", "see ", "the page", "see a page", []memory.Span{{Offset: 0, Length: 10, Kind: memory.SpanPasted}}},
		{"nothing pasted", "see ", "", "look", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := New(words.Words{})
			m.SetSize(60, 8)
			m.Focus()
			for _, r := range tt.typed {
				m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			m.Paste(tt.pasted)
			m.Edit(tt.back)
			text, spans := m.Text()
			if text != tt.back {
				t.Errorf("text %q", text)
			}
			if diff := cmp.Diff(tt.want, spans); diff != "" {
				t.Error(diff)
			}
			if m.Edit(tt.back) {
				t.Error("the same text is a change")
			}
		})
	}
}

// Lines are counted as people count them: a last line end begins no line.
func TestPastedLines(t *testing.T) {
	if got := New(words.Words{}).display(strings.Repeat("line\n", 200)); !strings.HasPrefix(got, "[pasted 200 lines") {
		t.Error(got)
	}
}

// A text that is set while another pane has the keyboard is not lost, and what
// was deleted comes back with no key.
func TestSetWithoutFocusAndForget(t *testing.T) {
	m := newInput()
	m.Remember("say the secret", nil)
	typeText(m, "draft")
	m.Earlier()
	m.Blur()
	m.Forget()
	if text, _ := m.Text(); text != "draft" || m.Focused() {
		t.Errorf("text %q, focused %v", text, m.Focused())
	}
	if m.Earlier() {
		t.Error("what was forgotten comes back")
	}
}

// What ctrl+u and ctrl+k delete can be put back, wherever the cursor is by then, and a pasted
// part stays pasted.
func TestPutBack(t *testing.T) {
	m := newInput()
	if m.PutBack() {
		t.Error("puts back nothing")
	}
	typeText(m, "thirty minutes 的工作")
	press(m, 'u', tea.ModCtrl)
	if !m.Empty() || !m.PutBack() || m.PutBack() {
		t.Error("is not put back once")
	}
	if text, _ := m.Text(); text != "thirty minutes 的工作" {
		t.Errorf("put back %q", text)
	}
	press(m, 'j', tea.ModCtrl)
	typeText(m, "more")
	press(m, 'u', tea.ModCtrl)
	typeText(m, "and ")
	m.PutBack()
	if text, _ := m.Text(); text != "thirty minutes 的工作\nand more" {
		t.Errorf("put back %q", text)
	}
	press(m, 'u', tea.ModCtrl)
	press(m, 'u', tea.ModCtrl)
	press(m, 'u', tea.ModCtrl)
	m.PutBack()
	if text, _ := m.Text(); text != "thirty minutes 的工作\nand more" {
		t.Errorf("several in a row put back %q", text)
	}
	for _, between := range []string{"", "x "} {
		m = newInput()
		m.Paste(strings.Repeat("long\n", 200))
		want, _ := m.Text()
		press(m, 'u', tea.ModCtrl)
		typeText(m, between)
		m.PutBack()
		text, spans := m.Text()
		if text != between+want || len(spans) != 1 || spans[0].Length != len(want) {
			t.Errorf("after %q: %d bytes with %+v", between, len(text), spans)
		}
	}
}

// A folded paste is told in the language of the run, and sent as it was.
func TestFoldedInChinese(t *testing.T) {
	m := New(words.Words{Language: words.Chinese})
	m.SetStyles(theme.New(theme.None, true))
	m.SetSize(60, 8)
	m.Focus()
	pasted := strings.Repeat("一行\n", 60) + "\u202e"
	m.Paste(pasted)
	if got := strings.Join(m.View(), "\n"); !strings.Contains(got, "[已粘贴 61 行、423 字节、1 个隐藏字符]") {
		t.Errorf("%q", got)
	}
	if text, _ := m.Text(); text != pasted {
		t.Errorf("%q", text)
	}
}
