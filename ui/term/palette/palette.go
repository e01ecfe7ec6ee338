package palette

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Command is one thing to choose.
type Command struct {
	ID   string
	Name string // shown, and found by its words; cleaned here
	Key  string // its shortcut or a short remark, "" for none
	// Words also find it and are not shown: other names, other languages.
	Words string
	// Group is the heading above it while the filter is empty; "" for none. The commands of
	// a group follow each other.
	Group string
	// Quiet commands are hidden while nothing is typed. Later they need every word typed.
	Quiet bool
}

// List is a list of commands to choose from.
type List struct {
	Prompt   string // shown in the empty filter
	Commands []Command
	// Empty is said when there is nothing to choose from; "" has a default.
	Empty string
}

// Model is the list. It is used by one goroutine.
type Model struct {
	words words.Words
	list  List
	shown []Command
	at    int
	moved bool // with the cursor keys
	first int
	input *field.Model
}

// New returns a closed list that speaks a language.
func New(w words.Words) *Model { return &Model{words: w, input: field.New(1)} }

// Open shows a list, with an empty filter.
func (m *Model) Open(l List) {
	m.input.SetPlaceholder(l.Prompt)
	m.input.Set("")
	m.input.Focus()
	m.at, m.first, m.moved = 0, 0, false
	m.Set(l)
}

// Set replaces the commands and keeps the filter, for commands that arrive late.
func (m *Model) Set(l List) {
	m.list = l
	m.match()
}

// filter is what was typed. A slash before it is the one before a command's name in the input.
func (m *Model) filter() string { return strings.TrimLeft(m.input.Value(), " /／") }

// Search is what was typed to find a command.
func (m *Model) Search() pane.Search {
	return pane.Search{Text: strings.TrimSpace(m.input.Value()), Found: len(m.shown) > 0}
}

// Sure reports whether the command under the cursor was meant: it was chosen with the cursor
// keys, or the filter is its name, as after a slash in the input.
func (m *Model) Sure() bool {
	return m.moved || m.at < len(m.shown) && named(m.shown[m.at], m.filter())
}

// Title is the name of the command under the cursor; empty if there is none.
func (m *Model) Title() string {
	if m.at >= len(m.shown) {
		return ""
	}
	return clean.Line(m.shown[m.at].Name)
}

// match keeps the commands that match the filter.
func (m *Model) match() {
	m.shown = match(m.list.Commands, m.filter())
	m.at = min(m.at, max(0, len(m.shown)-1))
}

// Key takes a key. done is true when the list closes; id is what was chosen, ""
// for nothing.
func (m *Model) Key(msg tea.KeyPressMsg) (id string, done bool) {
	switch msg.String() {
	case "esc", "ctrl+p", "ctrl+c":
		return "", true
	case "up", "shift+tab":
		m.at, m.moved = max(0, m.at-1), true
	case "down", "tab":
		m.at, m.moved = min(m.at+1, max(0, len(m.shown)-1)), true
	case "pgup":
		m.at, m.moved = max(0, m.at-pageLines), true
	case "pgdown":
		m.at, m.moved = min(m.at+pageLines, max(0, len(m.shown)-1)), true
	case "enter":
		if m.at < len(m.shown) {
			return m.shown[m.at].ID, true
		}
	default:
		if m.input.Update(msg) {
			m.at, m.moved = 0, false
			m.match()
		}
	}
	return "", false
}

// pageLines is how far a page key moves.
const pageLines = 8

// maxWidth is the width in cells from which on a wider list would only be harder to read.
const maxWidth = 100

// Paste takes a paste.
func (m *Model) Paste(msg tea.PasteMsg) {
	if m.input.Update(msg) {
		m.at, m.moved = 0, false
		m.match()
	}
}

// View returns h lines of w cells and the place of the cursor in them.
func (m *Model) View(s theme.Styles, w, h int) ([]string, *tea.Cursor) {
	const head = 3
	m.input.SetStyles(s)
	m.input.SetWidth(max(4, w-6))
	lines := []string{"", s.Accent.Render(" : ") + m.input.View()[0], ""}
	cursor := m.input.Cursor()
	if cursor != nil {
		cursor.X += 3
		cursor.Y = 1
	}
	room := max(1, h-head-1)
	rows, at := m.rows(s, min(w, maxWidth))
	m.first = cells.Window(len(rows), room, m.first, at)
	if m.at == 0 {
		m.first = 0 // with its heading
	}
	lines = append(lines, rows[m.first:min(m.first+room, len(rows))]...)
	if len(m.shown) == 0 {
		lines = append(lines, s.Dim.Render("   "+m.nothing()))
	}
	lines = cells.Block(lines, w, h)
	if h > head {
		lines[h-1] = cells.Fit(s.Dim.Render(" "+m.words.Say("palette.foot")), w)
	}
	return lines, cursor
}

// rows returns the commands and their headings, and the row of the chosen command.
func (m *Model) rows(s theme.Styles, w int) (rows []string, at int) {
	group := ""
	for i, c := range m.shown {
		if c.Group != group && m.input.Value() == "" {
			group = c.Group
			rows = append(rows, s.Accent.Render(" "+clean.Line(group)))
		}
		sign, style := "   ", s.Text
		if i == m.at {
			sign, style, at = s.Accent.Render(" ▸ "), s.Selected, len(rows)
		}
		right := s.Dim.Render(" " + clean.Line(c.Key) + " ")
		rows = append(rows, cells.Spread(sign+style.Render(clean.Line(c.Name)), right, w))
	}
	return rows, at
}

func (m *Model) nothing() string {
	switch {
	case len(m.list.Commands) > 0:
		return m.words.Say("palette.no-match")
	case m.list.Empty != "":
		return clean.Line(m.list.Empty)
	}
	return m.words.Say("palette.empty")
}
