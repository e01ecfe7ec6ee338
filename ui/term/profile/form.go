package profile

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	rules "memoria/memory/profile"
	"memoria/ui/term/list"
)

// title is the name of a section.
func (m *Model) title(s memory.Section) string { return m.Words.Named("section", string(s)) }

// text is the page as it is edited, with headings in the language of the run.
func (m *Model) text() string { return rules.MarkdownIn(m.page.Lines, m.title) }

// Retry opens the form with a text, which may be one that could not be saved. shown is the
// version that it is made of.
func (m *Model) Retry(text string, shown int) {
	var headings []string
	for _, s := range memory.Sections() {
		headings = append(headings, rules.Heading(m.title(s)))
	}
	page := list.Text("", m.Words.List(headings), text, 1<<10)
	whole := map[string]string{} // lines as the form shows them, and as they are
	seen, are := strings.Split(page.Field.Value(), "\n"), strings.Split(text, "\n")
	for i := range seen {
		if len(seen) == len(are) {
			whole[seen[i]] = are[i]
		}
	}
	// What the form holds: a line that was not touched is what it was, also where the
	// field cannot show it; only so it still follows its memory.
	ask := func(do Do) Action {
		lines := strings.Split(page.Field.Value(), "\n")
		for i, l := range lines {
			if line, ok := whole[l]; ok {
				lines[i] = line
			}
		}
		m.Notice = ""
		return m.Once(Action{Do: do, Version: shown, Text: strings.Join(lines, "\n")})
	}
	f, k, id := m.Keys.Form, m.Keys.Profile, ""
	if text == m.text() { // else it is what was not saved
		id = "profile " + strconv.Itoa(shown)
	}
	m.Open(&list.Form[Action]{
		ID: id, Title: m.Words.Say("profile.form"), Inset: 2, Dense: true, Fields: []*list.Input{page},
		Hints: []key.Binding{f.Save, f.NewLine, k.Editor, f.Leave},
		Save:  func() Action { return ask(Save) },
		Key: func(msg tea.KeyPressMsg) (Action, bool) {
			if key.Matches(msg, k.Editor) {
				return ask(Editor), true
			}
			return Action{}, false
		},
	})
}
