package inbox

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	var body []string
	if m.mode == editing {
		body, cursor = m.formView(h)
	} else {
		body = m.listView(h)
	}
	if !m.focused || cursor != nil && (cursor.X >= m.width || cursor.Y < 0 || cursor.Y >= h) {
		cursor = nil
	}
	return append(cells.Block(body, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

const indent = 3

func (m *Model) listView(h int) []string {
	switch {
	case m.problem != "":
		return m.wrapped(m.styles.Bad, "The inbox cannot be read. "+m.problem, 1)
	case !m.loaded:
		return []string{m.styles.Dim.Render(" reading the inbox …")}
	case m.total == 0:
		return append([]string{m.styles.Accent.Render(" inbox · 0")}, m.wrapped(m.styles.Dim,
			"Nothing waits. What comes here is not recalled before you say yes: personal data that you mention without asking to have it remembered, what pasted text or another program wants to have remembered, and what a machine concludes against your own words.", 1)...)
	}
	mark := ""
	if m.focused {
		mark = m.styles.Accent.Render(" ▸ ")
	}
	return m.list.View(h, mark)
}

// build makes the rows anew.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	rows := []list.Row[Entry]{{Lines: []string{m.styles.Accent.Render(fmt.Sprintf(" inbox · %d, newest first; not recalled yet", m.total))}}}
	for _, e := range m.entries {
		rows = append(rows, list.Row[Entry]{Key: e.Item.ID, Of: e, Lines: m.entry(e)})
	}
	if n := m.total - len(m.entries); n > 0 {
		rows = append(rows, list.Row[Entry]{Lines: []string{m.styles.Dim.Render(fmt.Sprintf("   … and %d more", n))}})
	}
	m.list.Set(rows)
}

// entry is everything about one memory that waits, all of its words.
func (m *Model) entry(e Entry) []string {
	text, hidden := clean.Text(e.Item.Content)
	var out []string
	for _, l := range clean.Wrap(text, max(10, m.width-indent-1)) {
		out = append(out, strings.Repeat(" ", indent)+m.styles.Strong.Render(l))
	}
	if hidden > 0 {
		out = append(out, m.wrapped(m.styles.Warn, fmt.Sprintf("! hidden characters: %d", hidden), indent)...)
	}
	out = append(out, m.wrapped(m.styles.Dim, words.Readable(e.Item.Type)+" · "+words.Ago(m.now, e.Since)+" · "+e.Reason, indent)...)
	if e.Replaces != "" {
		out = append(out, m.wrapped(m.styles.Warn, words.Say("memory.would-replace", e.Replaces), indent)...)
	}
	switch {
	case e.Gone:
		out = append(out, m.wrapped(m.styles.Dim, words.Say("quote.gone", words.Say("quote.deleted")), indent)...)
	case e.Said != "":
		in := words.SessionTitle(memory.Session{Title: e.Session})
		out = append(out, m.wrapped(m.styles.Text, "“"+e.Said+"”", indent)...)
		out = append(out, m.wrapped(m.styles.Dim, "from "+in+" · "+words.Moment(e.SaidAt, m.loc), indent)...)
	default:
		out = append(out, m.wrapped(m.styles.Dim, "from no message", indent)...)
	}
	return append(out, "")
}

func (m *Model) formView(h int) ([]string, *tea.Cursor) {
	lines := []string{m.styles.Accent.Render(" edit, then it is accepted"), ""}
	cursor := m.form.Cursor()
	if cursor != nil {
		cursor.X += 2
		cursor.Y += len(lines)
	}
	for _, l := range m.form.View() {
		lines = append(lines, "  "+l)
	}
	if cursor != nil && cursor.Y >= h { // keep the cursor's line in view
		over := cursor.Y - h + 1
		lines, cursor.Y = lines[over:], h-1
	}
	return lines, cursor
}

// foot is what stands at the bottom: a question, what can be taken back, what
// went wrong, and the keys.
func (m *Model) foot() []string {
	var out []string
	if m.notice != "" {
		out = append(out, m.wrapped(m.styles.Warn, m.notice, 1)...)
	}
	if m.mode == confirming {
		what := "Accept all that is listed here"
		if n := len(m.entries); n > 1 {
			what = fmt.Sprintf("Accept all %d that are listed here", n)
		}
		return append(out, m.wrapped(m.styles.Bad, what+"?", 1)[0],
			" "+m.styles.Key.Render("ctrl+y")+" accepts them · any other key does not")
	}
	out = append(out, m.removed.Offer(m.styles.Warn, "rejected", m.now, m.width)...)
	if !m.focused {
		return out
	}
	k, f := m.keys.Inbox, m.keys.Form
	switch {
	case m.mode == editing:
		return append(out, list.Hints(m.styles.Dim, m.width, "", f.Save, f.NewLine, f.Leave)...)
	case len(m.entries) == 0:
		return out
	}
	return append(out, list.Hints(m.styles.Dim, m.width, "", k.Accept, k.Edit, k.Reject, k.All, k.Source, k.Copy)...)
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	return list.Wrapped(style, text, m.width, indent)
}
