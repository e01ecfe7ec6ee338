package sent

import (
	"fmt"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

// addRounds shows the tool that was offered and what the model called in the turn:
// the arguments in one row, the result in its fold, both as they were sent (I2, C5).
func (m *Model) addRounds(p memory.Package) {
	if len(p.Tools) == 0 {
		return
	}
	calls := 0
	for _, r := range p.Rounds {
		calls += len(r.Calls)
	}
	m.add(m.Styles.Accent.Render(fmt.Sprintf(" search tool · %s", list.Plural(calls, "call"))))
	if calls == 0 {
		m.wrap(m.Styles.Dim, "It was offered, and the model did not call it.", 3)
	}
	if len(m.detail.Offered) > 0 {
		m.fold("tool", "description", "", m.detail.Offered[0])
	}
	n := 0
	for i, r := range m.detail.Further {
		if r.SaidText != "" {
			m.wrap(m.Styles.Dim, "said before: "+r.SaidText, 3)
		}
		for _, c := range r.Called {
			n++
			m.addCall(fmt.Sprintf("call %d", n), c)
		}
		what := fmt.Sprintf("request %d: all of the above and this", i+2)
		if !r.Tools {
			what += ", without the tool"
		}
		m.wrap(m.Styles.Dim, what+" · sha256 "+r.Hash[:min(len(r.Hash), 12)], 3)
	}
	m.add("")
}

func (m *Model) addCall(key string, c memory.RenderedCall) {
	if c.Name == "" {
		m.wrap(m.Styles.Warn, "a call that was forgotten since", 3)
		return
	}
	came := fmt.Sprintf("%d found · ~%s", c.Found, cells.Number(c.Tokens))
	if c.Failed != "" {
		came = c.Failed
	}
	m.fold(key, c.Name+" "+c.Arguments, came, c.Text)
	if c.Written != "" {
		m.wrap(m.Styles.Warn, "the model wrote: "+c.Written, 5)
	}
	if c.Forgotten > 0 {
		m.wrap(m.Styles.Warn, list.Plural(c.Forgotten, "part")+" forgotten since", 5)
	}
}

// fold is a row that opens to a text.
func (m *Model) fold(key, label, right, text string) {
	sign := "+ "
	if m.open[key] {
		sign = "- "
	}
	if right != "" {
		right = m.Styles.Dim.Render(clean.Line(right) + " ")
	}
	room := max(8, m.Width-cells.Width(right)-5)
	label = clean.Line(label)
	line := "   " + m.Styles.Text.Render(clean.Truncate(sign+label, room, cells.Ellipsis))
	m.rows = append(m.rows, row{key: key, text: cells.Spread(line, right, m.Width), copy: text})
	if !m.open[key] {
		return
	}
	if cells.Width(sign+label) > room { // all of it
		for _, l := range clean.Wrap(label, max(10, m.Width-6)) {
			m.add("     " + m.Styles.Dim.Render(l))
		}
	}
	for _, l := range list.Verbatim(m.Words.Words, m.Styles.Text, m.Styles.Warn, text, m.Width, 5) {
		m.add(l)
	}
}
