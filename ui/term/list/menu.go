package list

import (
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
)

// An input method swallows letters, so every action is also in a menu. In a list, enter opens
// the menu of the row under the cursor; a page shows its menu all the time. The menu is at the
// foot of the pane.

// menuState is the state of the menu. What it offers is asked for whenever it is needed.
type menuState struct {
	of    string // the row or the page that it belongs to; "" while it is closed
	at    string // the first key of the chosen action; "" for the first action
	first int    // first visible action
}

// menu is the menu of a pane.
type menu[T, A any] struct{ *Base[T, A] }

func menuOf[T, A any](p *Base[T, A]) menu[T, A] { return menu[T, A]{p} }

const (
	enter = "enter"
	// menuPage is how many actions a page key passes.
	menuPage = 4
	// spacious is the least height of a page whose menu has a line above it.
	spacious = 16
	// beside is how many lines of the list stay visible above its menu, where there is room.
	beside = 3
)

// actions returns the subject of the menu and what it offers; nothing where there is none.
func (p menu[T, A]) actions() (subject string, acts []key.Binding) {
	if p.config.Acts == nil || !p.Focused || p.Capturing() || p.Asking() || p.Busy && p.config.Waiting != "" {
		return "", nil
	}
	if subject, acts = p.config.Acts(); len(acts) < 2 {
		return "", nil
	}
	return subject, acts
}

// owner identifies what the menu of a subject belongs to.
func (p menu[T, A]) owner(subject string) string {
	if p.text() != nil {
		return "page " + subject
	}
	r, _ := p.List.Selected()
	return "row " + r.Key
}

// opened returns the open menu. It has no actions while the menu is closed.
func (p menu[T, A]) opened() (subject string, acts []key.Binding) {
	subject, acts = p.actions()
	switch of := p.owner(subject); {
	case len(acts) == 0, p.menu.of != of && p.text() == nil:
		return "", nil
	case p.menu.of != of:
		p.menu = menuState{of: of}
	}
	return subject, acts
}

// isOpen reports whether the menu of a row is open, which esc closes.
func (p menu[T, A]) isOpen() bool {
	if p.menu.of == "" || p.text() != nil {
		return false
	}
	_, acts := p.opened()
	return len(acts) > 0
}

// closeStale closes the menu if its row is not under the cursor any more.
func (p menu[T, A]) closeStale() {
	if p.menu.of != "" && p.text() == nil && !p.isOpen() {
		p.menu = menuState{}
	}
}

// chosen is the number of the chosen action.
func (p menu[T, A]) chosen(acts []key.Binding) int {
	return max(0, slices.IndexFunc(acts, func(b key.Binding) bool { return b.Keys()[0] == p.menu.at }))
}

// choose moves the choice by n actions.
func (p menu[T, A]) choose(acts []key.Binding, n int) {
	p.menu.at = acts[min(max(0, p.chosen(acts)+n), len(acts)-1)].Keys()[0]
}

// wheel moves the choice by the mouse.
func (p menu[T, A]) wheel(n int) {
	if _, acts := p.opened(); len(acts) > 0 {
		p.choose(acts, n)
	}
}

// take takes a key for the menu. Any other key closes the menu of a row and is not taken,
// except that a letter that would move the cursor means nothing there: it is of a text.
func (p menu[T, A]) take(msg tea.KeyPressMsg) (a A, handled, taken bool) {
	page := p.text() != nil
	_, acts := p.opened()
	open := len(acts) > 0
	n, moves := p.config.Moves.By(msg, menuPage)
	switch {
	case open && msg.String() == enter:
		b := acts[p.chosen(acts)]
		if !page {
			p.menu = menuState{}
		}
		a, handled = p.do(pressOf(b))
		return a, handled, true
	case open && page && moves && msg.Text == "":
		return a, true, p.step(acts, n)
	case open && page:
		return a, false, false
	case open && moves && msg.Text == "":
		p.choose(acts, n)
		return a, true, true
	case msg.String() == enter && !page:
		if subject, acts := p.actions(); len(acts) > 0 {
			p.menu = menuState{of: p.owner(subject)}
			p.List.moved = true // new rows leave the cursor on this one
			return a, true, true
		}
	}
	p.menu = menuState{}
	return a, msg.Text == "", open && (moves || msg.String() == "esc")
}

// step moves the choice below a page by one. While the page has more lines in that direction, it
// returns false, so that the page is scrolled instead.
func (p menu[T, A]) step(acts []key.Binding, n int) bool {
	switch {
	case n == 1 && p.Scroll < len(p.text())-(p.Height-len(p.Foot())), n == -1 && p.chosen(acts) == 0, n != 1 && n != -1:
		return false
	}
	p.choose(acts, n)
	return true
}

// lines returns the open menu in at most room lines, the chosen action among them; nothing
// while it is closed.
func (p menu[T, A]) lines(room int) (out []string) {
	subject, acts := p.opened()
	if len(acts) == 0 || room <= 0 {
		return nil
	}
	last, keep := "menu.close", min(beside, room/3)
	if p.text() != nil {
		last, keep, subject = "menu.back", room/2, p.Words.Say("menu.actions")
	}
	if last == "menu.close" || room >= spacious {
		out = append(out, p.head(subject))
	}
	at, n := p.chosen(acts), len(acts)
	var foot []string
	for ; ; n-- {
		p.menu.first = cells.Window(len(acts), n, p.menu.first, at)
		foot = p.keys(last, slices.Concat(acts[:p.menu.first], acts[p.menu.first+n:]))
		if n == 1 || len(out)+n+len(foot) <= room-keep {
			break
		}
	}
	if len(out)+1+len(foot) > room {
		foot = nil
	}
	if len(out)+1 > room {
		out = nil
	}
	wide := 0
	for _, b := range acts {
		wide = max(wide, cells.Width(keyOf(b)))
	}
	for i := range n {
		b := acts[p.menu.first+i]
		name := p.Styles.Key.Render(cells.Fit(keyOf(b), wide)) + " "
		if wide == 0 {
			name = ""
		}
		line := indent + name + p.Styles.Text.Render(clean.Line(b.Help().Desc))
		if p.menu.first+i == at {
			line = Chosen(p.Styles, p.Styles.Accent.Render(" ▸ ")+strings.TrimPrefix(line, indent), len(indent), p.Width)
		}
		out = append(out, line)
	}
	return append(out, foot...)
}

// head is the line above a menu, with what it is about.
func (p menu[T, A]) head(subject string) string {
	name := clean.Truncate(clean.Line(subject), max(1, p.Width-6), cells.Ellipsis)
	rest := strings.Repeat("─", max(0, p.Width-cells.Width(name)-5))
	return p.Styles.Rule.Render(" ─ ") + p.Styles.Strong.Render(name) + p.Styles.Rule.Render(" "+rest)
}

// keys names the keys of the menu, and those of actions for which there was no room.
func (p menu[T, A]) keys(last string, hidden []key.Binding) []string {
	bindings := append([]key.Binding{p.hint("↑/↓", "menu.choose"), p.hint(enter, "menu.do")}, named(hidden)...)
	return Hints(p.Styles.Dim, p.Width, "esc "+p.Words.Say(last), bindings...)
}

func (p menu[T, A]) hint(name, id string) key.Binding {
	return key.NewBinding(key.WithKeys(name), key.WithHelp(name, p.Words.Say(id)))
}

// hinted returns the keys that a list names: enter opens the menu, where there is one.
func (p menu[T, A]) hinted(bindings []key.Binding) []key.Binding {
	if _, acts := p.actions(); len(acts) == 0 || p.text() != nil {
		return bindings
	}
	return append([]key.Binding{p.Keys.Menu.Open}, named(bindings)...)
}

// named returns the bindings that have a key besides enter, with the name of that key.
func named(bindings []key.Binding) (out []key.Binding) {
	for _, b := range bindings {
		if name := keyOf(b); name != "" {
			b.SetHelp(name, b.Help().Desc)
			out = append(out, b)
		}
	}
	return out
}

// keyOf names the key that does an action while enter does the chosen one; "" for none.
func keyOf(b key.Binding) string {
	if name := b.Help().Key; name != enter {
		return name
	}
	for _, name := range b.Keys() {
		if name != enter {
			return name
		}
	}
	return ""
}

// pressOf is the press of the first key of a binding.
func pressOf(b key.Binding) tea.KeyPressMsg {
	name := b.Keys()[0]
	if code, ok := map[string]rune{enter: tea.KeyEnter, "delete": tea.KeyDelete, "left": tea.KeyLeft, "esc": tea.KeyEscape}[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	r, _ := utf8.DecodeRuneInString(rest)
	if ctrl {
		return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: r, Text: name}
}
