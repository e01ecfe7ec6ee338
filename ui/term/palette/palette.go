package palette

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/theme"
)

// Command is one thing to do.
type Command struct {
	ID   string
	Name string
	Key  string // its shortcut, "" for none
}

// Model is the list. It is used by one goroutine.
type Model struct {
	commands []Command
	shown    []Command
	at       int
	input    *field.Model
}

// New returns a closed list.
func New() *Model {
	m := &Model{input: field.New(1)}
	m.input.SetPlaceholder("type to find a command")
	return m
}

// Open shows these commands.
func (m *Model) Open(commands []Command) {
	m.commands, m.at = commands, 0
	m.input.Set("")
	m.input.Focus()
	m.match()
}

// match keeps the commands that have every word of the filter.
func (m *Model) match() {
	m.shown = m.shown[:0]
	words := strings.Fields(strings.ToLower(m.input.Value()))
next:
	for _, c := range m.commands {
		for _, w := range words {
			if !strings.Contains(strings.ToLower(c.Name), w) {
				continue next
			}
		}
		m.shown = append(m.shown, c)
	}
	m.at = min(m.at, max(0, len(m.shown)-1))
}

// Key takes a key. done is true when the list closes; id is what was chosen, ""
// for nothing.
func (m *Model) Key(msg tea.KeyPressMsg) (id string, done bool) {
	switch msg.String() {
	case "esc", "ctrl+p", "ctrl+c":
		return "", true
	case "up", "shift+tab":
		m.at = max(0, m.at-1)
	case "down", "tab":
		m.at = min(m.at+1, max(0, len(m.shown)-1))
	case "enter":
		if m.at < len(m.shown) {
			return m.shown[m.at].ID, true
		}
	default:
		if m.input.Update(msg) {
			m.at = 0
			m.match()
		}
	}
	return "", false
}

// Paste takes a paste.
func (m *Model) Paste(msg tea.PasteMsg) {
	if m.input.Update(msg) {
		m.match()
	}
}

// View returns h lines of w cells and where the cursor stands in them.
func (m *Model) View(s theme.Styles, w, h int) ([]string, *tea.Cursor) {
	m.input.SetStyles(s)
	m.input.SetWidth(max(4, w-6))
	lines := []string{"", s.Accent.Render(" : ") + m.input.View()[0], ""}
	cursor := m.input.Cursor()
	if cursor != nil {
		cursor.X += 3
		cursor.Y = 1
	}
	for i, c := range m.shown {
		sign, style := "   ", s.Text
		if i == m.at {
			sign, style = s.Accent.Render(" ▸ "), s.Selected
		}
		lines = append(lines, cells.Spread(sign+style.Render(c.Name), s.Dim.Render(c.Key+" "), min(w, 60)))
	}
	if len(m.shown) == 0 {
		lines = append(lines, s.Dim.Render("   no command has these words"))
	}
	return cells.Block(lines, w, h), cursor
}
