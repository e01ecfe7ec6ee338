package field

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
)

// Model is one field. It is used by one goroutine.
type Model struct {
	ta    textarea.Model
	width int
	multi bool
}

// New returns an empty field that shows up to lines lines. A field of one line
// holds no line breaks.
func New(lines int) *Model {
	ta := textarea.New()
	ta.ShowLineNumbers = false
	ta.Prompt = ""
	ta.CharLimit = 0
	ta.MaxWidth = 0
	ta.MaxHeight = max(1, lines)
	ta.MaxContentHeight = 1 << 20
	ta.DynamicHeight = lines > 1
	ta.SetVirtualCursor(false)
	ta.SetHeight(1)
	k := textarea.DefaultKeyMap()
	k.InsertNewline.Unbind()
	if lines > 1 {
		k.InsertNewline = key.NewBinding(key.WithKeys("ctrl+j", "shift+enter", "alt+enter"))
	}
	k.LineNext.SetKeys("down")
	k.LinePrevious.SetKeys("up")
	k.Paste.Unbind()         // it would start another program;
	k.CopySelection.Unbind() // the terminal's own paste arrives as a message
	ta.KeyMap = k
	return &Model{ta: ta, multi: lines > 1}
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	state := textarea.StyleState{Text: s.Text, Placeholder: s.Dim}
	m.ta.SetStyles(textarea.Styles{
		Focused: state, Blurred: state,
		Cursor: textarea.CursorStyle{Color: s.Cursor, Shape: tea.CursorBar, Blink: true},
	})
}

// SetPlaceholder sets the text shown in the empty field.
func (m *Model) SetPlaceholder(s string) { m.ta.Placeholder = s }

// SetWidth sets the width in cells.
func (m *Model) SetWidth(w int) {
	m.width = w
	m.ta.SetWidth(max(2, w))
}

// Focus gives the field the keyboard and the cursor; Blur takes them away.
func (m *Model) Focus() { m.ta.Focus() }

// Blur takes the keyboard and the cursor away.
func (m *Model) Blur() { m.ta.Blur() }

// Value is what was written.
func (m *Model) Value() string { return m.ta.Value() }

// Set replaces the text and puts the cursor at its end.
func (m *Model) Set(s string) {
	m.ta.Reset()
	focused := m.ta.Focused()
	m.ta.Focus()
	m.insert(s)
	m.ta.MoveToEnd()
	if !focused {
		m.ta.Blur()
	}
}

// Update takes a key or a paste. It reports whether the text changed.
func (m *Model) Update(msg tea.Msg) bool {
	before := m.ta.Value()
	switch p := msg.(type) {
	case tea.PasteMsg:
		m.insert(p.Content)
	case tea.KeyPressMsg:
		if text := p.Text; text != "" {
			if p.Text = clean.Typed(text); p.Text == "" {
				return false
			}
		}
		m.ta, _ = m.ta.Update(p) // without a virtual cursor there is no command
	default:
		m.ta, _ = m.ta.Update(msg)
	}
	return m.ta.Value() != before
}

func (m *Model) insert(s string) {
	s, _ = clean.Text(s)
	if !m.multi {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	m.ta, _ = m.ta.Update(tea.PasteMsg{Content: s})
}

// FirstLine reports whether the cursor is in the first shown line.
func (m *Model) FirstLine() bool { return m.ta.Line() == 0 && m.ta.LineInfo().RowOffset == 0 }

// LastLine reports whether the cursor is in the last shown line.
func (m *Model) LastLine() bool {
	info := m.ta.LineInfo()
	return m.ta.Line() == m.ta.LineCount()-1 && info.RowOffset >= info.Height-1
}

// Lines is the height of the view.
func (m *Model) Lines() int { return m.ta.Height() }

// View returns the field's lines, each of its exact width.
func (m *Model) View() []string {
	return cells.Block(strings.Split(m.ta.View(), "\n"), m.width, m.ta.Height())
}

// Cursor returns the place of the cursor in the view, or nil without focus.
func (m *Model) Cursor() *tea.Cursor { return m.ta.Cursor() }
