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
	m.head("sent.tool", m.Words.Count(calls, "call"))
	if calls == 0 {
		m.wrap(m.Styles.Dim, m.Words.Say("sent.tool.unused"), 3)
	}
	if len(m.detail.Offered) > 0 {
		m.fold("tool", m.Words.Say("sent.tool.text"), "", m.detail.Offered[0])
	}
	n := 0
	for i, r := range m.detail.Further {
		if r.SaidText != "" {
			m.wrap(m.Styles.Dim, m.Words.Say("sent.said", r.SaidText), 3)
		}
		for _, c := range r.Called {
			n++
			m.addCall(fmt.Sprintf("call %d", n), c)
		}
		round := "sent.round"
		if !r.Tools {
			round = "sent.round.last"
		}
		m.wrap(m.Styles.Dim, m.Words.Say(round, i+2, r.Hash[:min(len(r.Hash), 12)]), 3)
	}
	m.add("")
}

func (m *Model) addCall(key string, c memory.RenderedCall) {
	if c.Name == "" {
		m.wrap(m.Styles.Warn, m.Words.Say("call.gone"), 3)
		return
	}
	came := m.Words.Say("sent.call.came", c.Found, cells.Number(c.Tokens))
	if c.Failed != "" {
		came = m.Words.Translate(c.Failed)
	}
	m.fold(key, c.Name+" "+c.Arguments, came, m.noted(c.Text, c.Forgotten))
	if c.Written != "" {
		m.wrap(m.Styles.Warn, m.Words.Say("sent.call.wrote", c.Written), 5)
	}
	if c.Forgotten > 0 {
		m.wrap(m.Styles.Warn, m.Words.Say("sent.forgotten", m.Words.Count(c.Forgotten, "part")), 5)
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
