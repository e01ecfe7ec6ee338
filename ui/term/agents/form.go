package agents

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/theme"
)

// The fields of the form, in the order of tab.
const (
	atName = iota
	atID
	atPersona
	atModel
	atColor
	fields
)

const labelWidth = 9

// form describes an agent.
type form struct {
	id                       string // "" for a new one
	given                    map[string]string
	name, ident              *field.Model
	persona, model           *field.Model
	color                    string
	at                       int
	was                      memory.Agent
	shownPersona, shownModel string // as the fields first held them
	shownName                string
}

func (m *Model) openForm() {
	a := m.subject
	f := &form{
		id: a.ID, given: a.Given, color: a.Color, was: a.Agent,
		name: field.New(1), ident: field.New(1), persona: field.New(8), model: field.New(1),
	}
	f.name.SetPlaceholder("what to call it")
	f.ident.SetPlaceholder("made of the name")
	f.persona.SetPlaceholder("You are …")
	f.model.SetPlaceholder("the configured one")
	f.setStyles(m.styles)
	f.setWidth(m.width)
	f.name.Set(a.Name)
	f.persona.Set(a.Persona)
	f.model.Set(a.Model)
	f.shownName, f.shownPersona, f.shownModel = f.name.Value(), f.persona.Value(), f.model.Value()
	f.at = -1
	f.step(1)
	m.form, m.mode, m.notice, m.busy, m.awaited = f, editing, "", false, false
}

func (f *form) all() []*field.Model { return []*field.Model{f.name, f.ident, f.persona, f.model} }

func (f *form) setStyles(s theme.Styles) {
	for _, x := range f.all() {
		x.SetStyles(s)
	}
}

func (f *form) setWidth(w int) {
	for _, x := range f.all() {
		x.SetWidth(max(8, w-labelWidth-3))
	}
}

// fixed reports whether a field cannot be written: the file gives it, or it is the id
// of an agent that there is.
func (f *form) fixed(at int) bool {
	return at == atID && f.id != "" || f.where(at) != ""
}

// where says where a file gives a field.
func (f *form) where(at int) string {
	return f.given[[fields]string{atName: lookup.AgentName, atPersona: lookup.AgentPersona, atModel: lookup.AgentModel, atColor: lookup.AgentColor}[at]]
}

// step goes to the next field that can be written.
func (f *form) step(by int) {
	for range fields {
		f.at = (f.at + by + fields) % fields
		if !f.fixed(f.at) {
			break
		}
	}
	for i, x := range f.all() {
		if i == f.at {
			x.Focus()
		} else {
			x.Blur()
		}
	}
}

// agent is what was written. A field that was not touched is what it was, also
// where it cannot show it as it is.
func (f *form) agent() memory.Agent {
	a := f.was
	a.Color = f.color
	if v := f.name.Value(); v != f.shownName {
		a.Name = strings.TrimSpace(v)
	}
	if v := f.persona.Value(); v != f.shownPersona {
		a.Persona = strings.TrimSpace(v)
	}
	if v := f.model.Value(); v != f.shownModel {
		a.Model = strings.TrimSpace(v)
	}
	if f.id == "" {
		a.ID = strings.TrimSpace(f.ident.Value())
	}
	return a
}

func (f *form) turn(by int) {
	colors := append([]string{""}, memory.AgentColors()...)
	i := max(0, slices.Index(colors, f.color))
	f.color = colors[(i+by+len(colors))%len(colors)]
}

func (m *Model) formKey(msg tea.KeyPressMsg) Action {
	f, k := m.form, m.keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		m.form, m.notice, m.busy, m.mode = nil, "", false, listing
		m.build()
	case m.busy:
	case key.Matches(msg, k.NextField):
		f.step(1)
	case key.Matches(msg, k.PrevField):
		f.step(-1)
	case key.Matches(msg, k.Save):
		return m.save()
	case key.Matches(msg, m.keys.Profile.Editor) && !f.fixed(atPersona):
		m.busy, m.notice = true, ""
		return Action{Do: Editor, Text: f.agent().Persona}
	case f.at == atColor && key.Matches(msg, k.Left):
		f.turn(-1)
	case f.at == atColor && (key.Matches(msg, k.Right) || msg.String() == "space"):
		f.turn(1)
	case f.at < atColor:
		f.all()[f.at].Update(msg)
	}
	return Action{}
}

// save asks for what was written, when it may be so.
func (m *Model) save() Action {
	a := m.form.agent()
	m.notice = ""
	switch err := a.ValidateFields(); {
	case m.form.id == "" && a.Name == "":
		m.notice = "An agent needs a name."
	case m.form.id == "" && a.ID != "" && !memory.ValidAgentID(a.ID):
		m.notice = "An id has 1 to 64 of a-z, 0-9, - and _."
	case err != nil:
		m.notice = "The " + err.Error() + "."
	case m.form.id == "":
		m.busy = true
		return Action{Do: Add, Agent: a}
	default:
		m.busy = true
		return Action{Do: Save, ID: m.form.id, Agent: a}
	}
	return Action{}
}

// formView returns the form's lines and the cursor in them, with the cursor in view.
func (m *Model) formView(h int) (lines []string, cursor *tea.Cursor) {
	f := m.form
	title := " a new agent"
	if f.id != "" {
		title = " edit " + clean.Truncate(clean.Line(m.subject.Title()), max(4, m.width-8), cells.Ellipsis)
	}
	lines = []string{m.styles.Accent.Render(title), ""}
	put := func(at int, label string, body []string, c *tea.Cursor) {
		sign, style := "  ", m.styles.Dim
		if f.at == at {
			sign, style = m.styles.Accent.Render("▸ "), m.styles.Accent
		}
		if c != nil && f.at == at {
			cursor = c
			cursor.X += 2 + labelWidth
			cursor.Y += len(lines)
		}
		for i, l := range body {
			head := strings.Repeat(" ", 2+labelWidth)
			if i == 0 {
				head = sign + style.Render(cells.Fit(label, labelWidth))
			}
			lines = append(lines, head+l)
		}
		if where := f.where(at); where != "" {
			lines = append(lines, m.wrapped(m.styles.Dim, "from "+where+"; it is changed there", 2+labelWidth)...)
		}
	}
	put(atName, "name", f.name.View(), f.name.Cursor())
	if f.id == "" {
		put(atID, "id", f.ident.View(), f.ident.Cursor())
	}
	put(atPersona, "persona", f.persona.View(), f.persona.Cursor())
	put(atModel, "model", f.model.View(), f.model.Cursor())
	color := "none"
	if f.color != "" {
		color = m.styles.Shade(f.color).Render(clean.Line(f.color))
	}
	put(atColor, "color", []string{"‹ " + color + " ›"}, nil)
	if cursor != nil {
		if over := cursor.Y - h + 1; over > 0 {
			lines, cursor.Y = lines[min(over, len(lines)):], h-1
		}
	}
	return lines, cursor
}
