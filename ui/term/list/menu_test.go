package list_test

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// shelf is a pane of books with a menu. Its actions are the names of what was done to a book.
type shelf struct {
	list.Base[string, string]
	books []string
	acts  []key.Binding
	page  []string
}

// action is a binding whose press asks for its description.
func action(desc string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(keys[0], desc))
}

func newShelf(w, h int) *shelf {
	k := keys.Default(words.Words{})
	m := &shelf{
		books: []string{"Emma", "Faust", "红楼梦"},
		acts: []key.Binding{
			action("read", "enter"), action("lend", "l"), action("sign", "ctrl+g"), action("burn", "d", "delete"), action("more", "+"),
		},
	}
	m.Base = list.NewBase[string](list.Config[string]{
		Keys: k, Moves: k.List.Moves,
		Rows: func() {
			m.Head("books")
			for _, b := range m.books {
				m.Add(b, b, "   "+b)
			}
		},
		Key: func(msg tea.KeyPressMsg) (string, bool) {
			r, _ := m.List.Selected()
			for _, b := range m.acts {
				if key.Matches(msg, b) {
					return b.Help().Desc + " " + r.Of, true
				}
			}
			return "", false
		},
		Hints: func() []string { return m.Hints("esc back", m.acts...) },
		Acts: func() (string, []key.Binding) {
			r, ok := m.List.Selected()
			if !ok {
				return "", nil
			}
			return "the book " + r.Of, m.acts
		},
		Text: func() []string { return m.page },
	})
	m.SetFocus(true)
	return panetest.Show(m, w, h)
}

func TestMenu(t *testing.T) {
	for _, tt := range []struct{ keys, want, shown string }{
		{"", "", " enter actions · l lend · ctrl+g sign · d burn · + more"},
		{"enter", "", " ─ the book Emma ─"},
		{"enter", "", " ▾ Emma"},
		{"enter", "", " ▸        read"},
		{"enter enter", "read Emma", " ▸ Emma"},
		{"enter down", "", " ▸ l      lend"},
		{"enter down enter", "lend Emma", " enter actions"},
		{"enter down down enter", "sign Emma", ""},
		{"enter down up up enter", "read Emma", ""},
		{"enter end enter", "more Emma", ""},
		{"enter end pgup home enter", "read Emma", ""},
		{"down enter l", "lend Faust", " ▸ Faust"},
		{"enter delete", "burn Emma", ""},
		{"enter ctrl+g", "sign Emma", ""},
		{"enter esc", "", " ▸ Emma"},
		{"enter esc enter enter", "read Emma", ""},
		{"enter down esc enter enter", "read Emma", ""}, // begins with the first again
		{"enter x", "", " ▸ Emma"},
		{"enter j", "", " ▸ Emma"},
		{"enter f5", "", " ▸ Emma"},
	} {
		m := newShelf(60, 12)
		if got := panetest.Press[string](m, strings.Fields(tt.keys)...); got != tt.want {
			t.Errorf("%s asks for %q, want %q", tt.keys, got, tt.want)
		}
		if got := strings.ReplaceAll(panetest.View(t, m, 60, 12), "\u00a0", " "); !strings.Contains(got, tt.shown) {
			t.Errorf("after %q there is no %q:\n%s", tt.keys, tt.shown, got)
		}
	}
}

// A letter without a meaning closes the menu and goes to the input, and so do those that move
// the cursor of the list.
func TestMenuLeavesText(t *testing.T) {
	for _, k := range []string{"x", "j", "k", "g", "G", "你"} {
		m := newShelf(60, 12)
		panetest.Press[string](m, "down", "enter")
		if !m.Modal() || m.Capturing() {
			t.Fatalf("modal %t, capturing %t", m.Modal(), m.Capturing())
		}
		if a, handled := m.Key(panetest.Key(k)); handled || a != "" || m.Modal() {
			t.Errorf("%q: %q, handled %t, open %t", k, a, handled, m.Modal())
		}
		if r, _ := m.List.Selected(); r.Of != "Faust" {
			t.Errorf("%q moves to %s", k, r.Of)
		}
	}
}

func TestMenuCloses(t *testing.T) {
	for name, do := range map[string]func(*shelf){
		"without its row":   func(m *shelf) { m.books = m.books[1:]; m.Build() },
		"without the focus": func(m *shelf) { m.SetFocus(false); m.SetFocus(true) },
		"for a search":      func(m *shelf) { m.OpenSearch(""); m.StopTyping() },
		"for a page":        func(m *shelf) { m.page = []string{"text"}; m.Key(panetest.Key("x")); m.page = nil },
		"with its actions":  func(m *shelf) { all := m.acts; m.acts = all[:1]; m.Build(); m.acts = all },
	} {
		m := newShelf(60, 12)
		panetest.Press[string](m, "enter", "down")
		if do(m); m.Modal() {
			t.Errorf("%s: it stays open\n%s", name, panetest.View(t, m, 60, 12))
		}
	}
	m := newShelf(60, 12)
	panetest.Press[string](m, "enter", "down")
	m.books = append([]string{"Antigone"}, m.books...)
	if m.Build(); !m.Modal() || panetest.Press[string](m, "enter") != "lend Emma" {
		t.Error("a new row closes the menu, or changes what it is about")
	}
	panetest.Press[string](m, "enter", "down")
	m.acts = append(m.acts[:1:1], append([]key.Binding{action("sell", "s")}, m.acts[1:]...)...)
	if got := panetest.Press[string](m, "enter"); got != "lend Emma" {
		t.Errorf("a new action changes what was chosen: %q", got)
	}
}

// A list whose rows have one action has no menu.
func TestNoMenu(t *testing.T) {
	m := newShelf(60, 12)
	m.acts = m.acts[:1]
	if got := panetest.Press[string](m, "enter"); got != "read Emma" || m.Modal() {
		t.Errorf("enter asks for %q", got)
	}
}

// A page ends with its menu. The arrows scroll before they choose.
func TestMenuOfAPage(t *testing.T) {
	m := newShelf(40, 10)
	for range 8 {
		m.page = append(m.page, " line")
	}
	m.page = append(m.page, " the end")
	if got := panetest.Press[string](m, "enter"); got != "read Emma" {
		t.Errorf("enter asks for %q", got)
	}
	panetest.Press[string](m, "down")
	if got := panetest.View(t, m, 40, 10); !strings.Contains(got, "▸        read") || m.Scroll != 1 {
		t.Errorf("scrolled by %d:\n%s", m.Scroll, got)
	}
	panetest.Press[string](m, "end")
	panetest.View(t, m, 40, 10)
	panetest.Press[string](m, "down")
	if got := panetest.View(t, m, 40, 10); !strings.Contains(got, "the end") || !strings.Contains(got, "▸ l      lend") {
		t.Errorf("at the end:\n%s", got)
	}
	if got := panetest.Press[string](m, "enter"); got != "lend Emma" {
		t.Errorf("enter asks for %q", got)
	}
	panetest.Press[string](m, "up", "up")
	panetest.View(t, m, 40, 10)
	if got := panetest.Press[string](m, "enter"); got != "read Emma" {
		t.Errorf("enter asks for %q", got)
	}
}

// Whatever is pressed at any size, the chosen action is visible, and enter does it.
func TestMenuShowsWhatIsChosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newShelf(rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height"))
		m.books = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Emma", "Faust", "红楼梦", "Ulysses"}), 1, 4, rapid.ID[string]).Draw(t, "books")
		m.acts = m.acts[:rapid.IntRange(1, len(m.acts)).Draw(t, "actions")]
		m.Build()
		if rapid.Bool().Draw(t, "page") {
			m.page = make([]string, rapid.IntRange(1, 20).Draw(t, "lines"))
		}
		for range rapid.IntRange(0, 20).Draw(t, "keys") {
			k := rapid.SampledFrom([]string{"enter", "up", "down", "down", "end", "pgup", "pgdn", "esc", "x", "j", "l"}).Draw(t, "key")
			panetest.Press[string](m, k)
			lines, _ := m.View()
			got := panetest.Lines(t, lines, m.Width, m.Height)
			if !m.Modal() || m.Width < 20 || len(m.acts) < 2 {
				continue
			}
			at := strings.Index(got, " ▸ ")
			if at < 0 {
				t.Fatalf("nothing is chosen:\n%s", got)
			}
			line, _, _ := strings.Cut(got[at:], "\n")
			if k == "esc" { // of a page
				continue
			}
			asked := panetest.Press[string](m, "enter")
			if desc, _, _ := strings.Cut(asked, " "); desc == "" || !strings.Contains(line, desc) {
				t.Fatalf("%q does %q", line, asked)
			}
		}
	})
}
