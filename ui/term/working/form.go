package working

import (
	"charm.land/bubbles/v2/key"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

// openEdit opens the form for the topic or a variable. A form belongs to the session that
// was shown when it was opened.
func (m *Model) openEdit(e entry) {
	w := m.Words
	title, label := w.Say("working.edit", clean.Line(e.name)), w.Say("working.value")
	a := Action{Do: Variable, SessionID: m.state.SessionID, Key: e.name}
	if e.topic {
		title, label, a.Do = w.Say("working.edit.topic"), w.Say("working.topic"), Topic
	}
	f := m.Keys.Form
	value := list.Text(label, w.Say("working.value.hint"), e.value, 4)
	m.open(title, []key.Binding{f.Save, f.NewLine, f.Leave}, func() Action {
		a.Value = value.Written()
		switch {
		case !value.Touched():
			m.Done()
			return Action{}
		case a.Value == "" && !e.topic:
			return m.refuse(w.Say("working.no-value.delete"), 0)
		}
		return m.Once(a)
	}, value)
}

// openNew opens the form for a new variable.
func (m *Model) openNew() {
	a := Action{Do: Variable, SessionID: m.state.SessionID}
	f, w := m.Keys.Form, m.Words
	name := list.Text(w.Say("working.name"), w.Say("working.name.hint"), "", 1)
	value := list.Text(w.Say("working.value"), w.Say("working.value.hint"), "", 4)
	m.open(w.Say("working.add"), []key.Binding{f.Save, f.NextField, f.NewLine, f.Leave}, func() Action {
		a.Key, a.Value = name.Written(), value.Written()
		_, taken := m.state.ContextVariables[a.Key]
		switch {
		case taken && a.SessionID == m.state.SessionID:
			m.Notice = w.Say("working.taken")
			return Action{}
		case a.Key == "":
			return m.refuse(w.Say("working.no-name"), 0)
		case a.Value == "":
			return m.refuse(w.Say("working.no-value"), 1)
		}
		return m.Once(a)
	}, name, value)
}

func (m *Model) open(title string, hints []key.Binding, save func() Action, fields ...*list.Input) {
	wide := 0
	for _, f := range fields {
		wide = max(wide, cells.Width(f.Label)+2)
	}
	id := "working " + m.state.SessionID + " " + title
	m.Open(&list.Form[Action]{ID: id, Title: title, Label: wide, Inset: wide + 4, Fields: fields, Hints: hints, Save: save})
}

// refuse says why a form is not saved, and goes to the field at fault.
func (m *Model) refuse(why string, at int) Action {
	m.Notice = why
	m.Form.Focus(at-1, 1)
	return Action{}
}
