package recall

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/theme"
)

// The fields of the form, in the order of tab.
const (
	fieldContent = iota
	fieldType
	fieldTags
	fields
)

const labelWidth = 10

// form edits what a user may write of an item.
type form struct {
	id      string // "" for a new item
	content *field.Model
	tags    *field.Model
	kind    memory.Type
	at      int
}

func (m *Model) openForm(it memory.Item) {
	f := &form{id: it.ID, kind: it.Type, content: field.New(8), tags: field.New(1)}
	f.content.SetPlaceholder("one sentence, as it should be recalled")
	f.tags.SetPlaceholder("words, separated by commas")
	f.setStyles(m.styles)
	f.setWidth(m.width)
	f.content.Set(it.Content)
	f.tags.Set(strings.Join(it.Tags, ", "))
	f.focus(fieldContent)
	m.form, m.mode, m.notice, m.scroll = f, editing, "", 0
}

func (f *form) setStyles(s theme.Styles) { f.content.SetStyles(s); f.tags.SetStyles(s) }

func (f *form) setWidth(w int) {
	f.content.SetWidth(max(8, w-labelWidth-3))
	f.tags.SetWidth(max(8, w-labelWidth-3))
}

func (f *form) focus(at int) {
	f.at = (at + fields) % fields
	f.content.Blur()
	f.tags.Blur()
	switch f.at {
	case fieldContent:
		f.content.Focus()
	case fieldTags:
		f.tags.Focus()
	}
}

func (f *form) draft() Draft {
	d := Draft{Content: strings.TrimSpace(f.content.Value()), Type: f.kind}
	for _, t := range strings.FieldsFunc(f.tags.Value(), func(r rune) bool { return r == ',' || r == '，' || r == '、' }) {
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(d.Tags, t) {
			d.Tags = append(d.Tags, t)
		}
	}
	return d
}

// turn chooses another type.
func (f *form) turn(by int) {
	types := memory.Types()
	i := max(0, slices.Index(types, f.kind))
	f.kind = types[(i+by+len(types))%len(types)]
}

func (m *Model) formKey(msg tea.KeyPressMsg) Action {
	f, k := m.form, m.keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		m.form, m.notice, m.busy = nil, "", false
		m.mode = listing
		if f.id != "" && m.detail.Item.ID == f.id {
			m.mode = detailing
		}
	case m.busy:
	case key.Matches(msg, k.NextField):
		f.focus(f.at + 1)
	case key.Matches(msg, k.PrevField):
		f.focus(f.at - 1)
	case key.Matches(msg, k.Save):
		d := f.draft()
		if d.Content == "" {
			m.notice = "A memory needs some words."
			return Action{}
		}
		m.busy, m.notice = true, ""
		if f.id == "" {
			return Action{Do: Add, Draft: d}
		}
		return Action{Do: Save, ID: f.id, Draft: d}
	case f.at == fieldType && key.Matches(msg, k.Left):
		f.turn(-1)
	case f.at == fieldType && (key.Matches(msg, k.Right) || msg.String() == "space"):
		f.turn(1)
	case f.at == fieldContent:
		f.content.Update(msg)
	case f.at == fieldTags:
		f.tags.Update(msg)
	}
	return Action{}
}

// formView returns the lines of the form and the cursor in them.
func (m *Model) formView() ([]string, *tea.Cursor) {
	f := m.form
	title := " edit the memory"
	if f.id == "" {
		title = " a new memory"
	}
	lines := []string{m.styles.Accent.Render(title), ""}
	var cursor *tea.Cursor
	put := func(at int, label string, body []string, c *tea.Cursor) {
		sign := "  "
		style := m.styles.Dim
		if f.at == at {
			sign, style = m.styles.Accent.Render("▸ "), m.styles.Accent
		}
		if c != nil {
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
		lines = append(lines, "")
	}
	put(fieldContent, "content", f.content.View(), f.content.Cursor())
	put(fieldType, "type", []string{"‹ " + clean.Line(string(f.kind)) + " ›"}, nil)
	put(fieldTags, "tags", f.tags.View(), f.tags.Cursor())
	return lines, cursor
}
