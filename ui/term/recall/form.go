package recall

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"memoria/memory"
	"memoria/ui/term/list"
)

// openForm opens the form for an item; a new one has no id.
func (m *Model) openForm(it memory.Item) {
	content := list.Text(m.Words.Say("memories.content"), m.Words.Say("memories.content.hint"), it.Content, 8)
	kind := &list.Input{Label: m.Words.Say("memory.type"), Choice: string(it.Type)}
	kind.Said = func() string { return "‹ " + m.kinds.nameOf(memory.Type(kind.Choice)) + " ›" }
	for _, t := range memory.Types() {
		kind.Choices = append(kind.Choices, string(t))
	}
	tags := list.Text(m.Words.Say("memory.tags"), m.Words.Say("memories.tags.hint"), strings.Join(it.Tags, ", "), 1)
	title, a := m.Words.Say("memories.edit"), Action{Do: Save, ID: it.ID}
	if it.ID == "" {
		title, a.Do = m.Words.Say("memories.new"), Add
	}
	k := m.Keys.Form
	m.Scroll = 0
	m.Open(&list.Form[Action]{
		ID: "memory " + it.ID, Title: title, Label: 10, Inset: 13, Fields: []*list.Input{content, kind, tags},
		Hints: []key.Binding{k.Save, k.NewLine, k.NextField, k.Leave},
		Save: func() Action {
			a.Draft = Draft{Content: content.Written(), Type: memory.Type(kind.Choice), Tags: split(tags.Written())}
			if a.Draft.Content == "" {
				m.Notice = m.Words.Say("memories.content.none")
				return Action{}
			}
			return m.Once(a)
		},
	})
}

// split returns the tags in a text.
func split(text string) (tags []string) {
	for _, t := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '，' || r == '、' }) {
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	return tags
}
