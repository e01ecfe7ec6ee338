package term

import (
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
)

// side is a part of the panel as the root drives it. A function that is nil
// stands for "never" or "nothing".
type side struct {
	title string
	count func() int // stands behind the title when it is not 0
	size  interface {
		SetStyles(theme.Styles)
		SetSize(w, h int)
		SetFocus(bool)
	}
	view      func() ([]string, *tea.Cursor)
	key       func(tea.KeyPressMsg) (tea.Cmd, bool)
	paste     func(tea.PasteMsg) tea.Cmd
	wheel     func(lines int) tea.Cmd
	setNow    func(time.Time)
	capturing func() bool // letters are text
	asking    func() bool // a question takes every key
	careful   []key.Binding
	modal     func() bool // esc leaves something inside the part
	counting  func() bool // time alone changes it
	// load reads what the part shows: when it comes into view and when the
	// memory has changed meanwhile.
	load  func() tea.Cmd
	hints func() []key.Binding
}

// doing joins what a part asks for with what makes an effect of it.
func doing[A any](ask func(tea.KeyPressMsg) (A, bool), do func(A) tea.Cmd) func(tea.KeyPressMsg) (tea.Cmd, bool) {
	return func(msg tea.KeyPressMsg) (tea.Cmd, bool) {
		a, handled := ask(msg)
		return do(a), handled
	}
}

// after is doing for what always has an answer.
func after[M, A any](ask func(M) A, do func(A) tea.Cmd) func(M) tea.Cmd {
	return func(msg M) tea.Cmd { return do(ask(msg)) }
}

func is(f func() bool) bool { return f != nil && f() }

// shown is the part that the panel shows.
func (m *root) shown() *side { return &m.sides[m.part] }

func (m *root) setPart(p pane.ID) tea.Cmd {
	came := p != m.part
	m.part = p
	m.setFocus(m.focus)
	if came {
		return m.loadShown()
	}
	return nil
}

// showPart shows a part and leaves the keyboard where it is.
func (m *root) showPart(p pane.ID) tea.Cmd {
	if m.focus == onPanel {
		return m.openPart(p)
	}
	m.showing = true
	return tea.Batch(m.setPart(p), m.loadShown())
}

// openPart gives a part the keyboard.
func (m *root) openPart(p pane.ID) tea.Cmd {
	m.focus, m.showing = onPanel, false
	return tea.Batch(m.setPart(p), m.loadShown())
}

func (m *root) loadShown() tea.Cmd {
	if load := m.shown().load; load != nil {
		return load()
	}
	return nil
}

func (m *root) panelKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	s, k := m.shown(), m.keys.Panel
	if is(s.capturing) {
		cmd, handled := s.key(msg)
		if is(s.capturing) && msg.Code == tea.KeyEnter {
			m.say = m.keys.Form.Save.Help().Key + " saves it, esc leaves it as it was"
		}
		return cmd, handled || msg.Text != ""
	}
	if is(s.asking) {
		return s.key(msg)
	}
	for i, b := range k.Parts {
		if key.Matches(msg, b) && i < len(m.sides) {
			return m.setPart(pane.ID(i)), true
		}
	}
	switch {
	case key.Matches(msg, k.NextPart):
		return m.setPart((m.part + 1) % pane.ID(len(m.sides))), true
	case key.Matches(msg, k.PrevPart):
		return m.setPart((m.part + pane.ID(len(m.sides)) - 1) % pane.ID(len(m.sides))), true
	case key.Matches(msg, k.Help):
		m.openHelp()
		return nil, true
	}
	return s.key(msg)
}

// panelView is the tabs and the part that is shown.
func (m *root) panelView() ([]string, *tea.Cursor) {
	lines := []string{cells.Fit(m.tabs(m.screen.Panel.W), m.screen.Panel.W)}
	body, cursor := m.shown().view()
	if cursor != nil {
		cursor.Y++
	}
	return append(lines, body...), cursor
}

// tabs are the names of the parts. Where they do not all fit, the last ones keep
// their number alone.
func (m *root) tabs(w int) string {
	pad, last := "  ", pane.ID(len(m.sides))
	if m.tabsWidth(pad, last) > w {
		for pad = " "; last > 0 && m.tabsWidth(pad, last) > w; {
			last--
		}
	}
	var b strings.Builder
	for i := range m.sides {
		text := m.tabText(pane.ID(i), pad, pane.ID(i) < last)
		if pane.ID(i) == m.part {
			b.WriteString(pad[1:] + m.styles.Accent.Render(text[len(pad)-1:]))
		} else {
			b.WriteString(m.styles.Dim.Render(text))
		}
	}
	return b.String()
}

// tabsWidth is how wide the tabs are when those before last have their names.
func (m *root) tabsWidth(pad string, last pane.ID) (n int) {
	for i := range m.sides {
		n += cells.Width(m.tabText(pane.ID(i), pad, pane.ID(i) < last))
	}
	return n
}

// tabText is the number of a part, the name of the one that is shown or is to be named,
// and its count.
func (m *root) tabText(i pane.ID, pad string, named bool) string {
	n, count := m.keys.Panel.Parts[i].Help().Key, ""
	if c := m.sides[i].count; c != nil && c() > 0 {
		count = strconv.Itoa(c())
	}
	name := strings.TrimRight(n+" "+m.sides[i].title+" "+count, " ")
	switch {
	case i == m.part:
		return pad[1:] + "[" + name + "]"
	case named:
		return pad + name + pad[1:]
	case count != "":
		n += "·" + count
	}
	return " " + n
}
