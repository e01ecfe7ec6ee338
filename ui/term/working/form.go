package working

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/theme"
)

// form edits the topic, or a variable. It belongs to the session that was shown
// when it was opened.
type form struct {
	session string
	topic   bool
	name    string       // of a variable that exists
	key     *field.Model // nil unless the variable is new
	value   *field.Model
	before  string // what value held
	onValue bool
}

const formLabel = 7

func (m *Model) openForm(f *form, value string) {
	f.session = m.state.SessionID
	f.value = field.New(4)
	f.value.Set(value)
	if f.key != nil {
		f.key.SetPlaceholder("a name")
	}
	f.value.SetPlaceholder("what it is")
	f.setStyles(m.styles)
	f.setWidth(m.width)
	f.focus(f.key == nil)
	f.before = f.value.Value()
	m.form, m.mode, m.notice = f, editing, ""
}

func (f *form) setStyles(s theme.Styles) {
	f.value.SetStyles(s)
	if f.key != nil {
		f.key.SetStyles(s)
	}
}

func (f *form) setWidth(w int) {
	f.value.SetWidth(max(2, w-formLabel-4))
	if f.key != nil {
		f.key.SetWidth(max(2, w-formLabel-4))
	}
}

func (f *form) focus(value bool) {
	f.onValue = value || f.key == nil
	if f.key != nil {
		f.key.Blur()
	}
	f.value.Blur()
	f.at().Focus()
}

// at is the field with the keyboard.
func (f *form) at() *field.Model {
	if f.onValue {
		return f.value
	}
	return f.key
}

func (m *Model) formKey(msg tea.KeyPressMsg) Action {
	f, k := m.form, m.keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		m.form, m.mode, m.busy, m.notice = nil, listing, false, ""
	case m.busy:
	case key.Matches(msg, k.NextField, k.PrevField):
		f.focus(!f.onValue)
	case key.Matches(msg, k.Save):
		return m.save()
	default:
		f.at().Update(msg)
	}
	return Action{}
}

func (m *Model) save() Action {
	f := m.form
	a := Action{Do: Variable, SessionID: f.session, Key: f.name, Value: strings.TrimSpace(f.value.Value())}
	switch {
	case f.key == nil && f.value.Value() == f.before:
		m.form, m.mode, m.notice = nil, listing, ""
		return Action{}
	case f.topic:
		a.Do = Topic
	case f.key != nil:
		a.Key = strings.TrimSpace(f.key.Value())
		if _, taken := m.state.ContextVariables[a.Key]; taken && f.session == m.state.SessionID {
			m.notice = "There is a variable with this name already; e on it edits it."
			return Action{}
		}
		if a.Key == "" {
			m.notice = "A variable needs a name."
			f.focus(false)
			return Action{}
		}
	}
	if a.Value == "" && !f.topic {
		m.notice = "A variable needs a value; d deletes it."
		f.focus(true)
		return Action{}
	}
	m.busy, m.notice = true, ""
	return a
}

// formView returns the form's lines and the cursor in them.
func (m *Model) formView() (lines []string, cursor *tea.Cursor) {
	f := m.form
	title := "a new variable"
	switch {
	case f.topic:
		title = "what it is about"
	case f.key == nil:
		title = "edit “" + clean.Line(f.name) + "”"
	}
	lines = []string{m.styles.Accent.Render(cells.Fit(" "+title, m.width)), ""}
	put := func(label string, part *field.Model, here bool) {
		sign, style := "  ", m.styles.Dim
		if here {
			sign, style = m.styles.Accent.Render("▸ "), m.styles.Accent
		}
		if c := part.Cursor(); c != nil {
			cursor = c
			cursor.X += 2 + formLabel
			cursor.Y += len(lines)
		}
		for i, l := range part.View() {
			head := strings.Repeat(" ", 2+formLabel)
			if i == 0 {
				head = sign + style.Render(cells.Fit(label, formLabel))
			}
			lines = append(lines, head+l)
		}
		lines = append(lines, "")
	}
	if f.key != nil {
		put("name", f.key, !f.onValue)
	}
	label := "value"
	if f.topic {
		label = "topic"
	}
	put(label, f.value, f.onValue)
	return lines, cursor
}
