package working

import (
	"charm.land/bubbles/v2/key"

	"memoria/ui/clean"
	"memoria/ui/term/list"
)

// openEdit opens the form for the topic or a variable. A form belongs to the session that
// was shown when it was opened.
func (m *Model) openEdit(e entry) {
	title, label := "edit “"+clean.Line(e.name)+"”", "value"
	a := Action{Do: Variable, SessionID: m.state.SessionID, Key: e.name}
	if e.topic {
		title, label, a.Do = "what it is about", "topic", Topic
	}
	f := m.Keys.Form
	value := list.Text(label, "what it is", e.value, 4)
	m.open(title, []key.Binding{f.Save, f.NewLine, f.Leave}, func() Action {
		a.Value = value.Written()
		switch {
		case !value.Touched():
			m.Done()
			return Action{}
		case a.Value == "" && !e.topic:
			return m.refuse("A variable needs a value; d deletes it.", 0)
		}
		return m.Once(a)
	}, value)
}

// openNew opens the form for a new variable.
func (m *Model) openNew() {
	a := Action{Do: Variable, SessionID: m.state.SessionID}
	f := m.Keys.Form
	name, value := list.Text("name", "a name", "", 1), list.Text("value", "what it is", "", 4)
	m.open("a new variable", []key.Binding{f.Save, f.NextField, f.NewLine, f.Leave}, func() Action {
		a.Key, a.Value = name.Written(), value.Written()
		_, taken := m.state.ContextVariables[a.Key]
		switch {
		case taken && a.SessionID == m.state.SessionID:
			m.Notice = "There is a variable with this name already; e on it edits it."
			return Action{}
		case a.Key == "":
			return m.refuse("A variable needs a name.", 0)
		case a.Value == "":
			return m.refuse("A variable needs a value; d deletes it.", 1)
		}
		return m.Once(a)
	}, name, value)
}

func (m *Model) open(title string, hints []key.Binding, save func() Action, fields ...*list.Input) {
	m.Open(&list.Form[Action]{Title: title, Label: 7, Inset: 11, Fields: fields, Hints: hints, Save: save})
}

// refuse says why a form is not saved, and goes to the field at fault.
func (m *Model) refuse(why string, at int) Action {
	m.Notice = why
	m.Form.Focus(at-1, 1)
	return Action{}
}
