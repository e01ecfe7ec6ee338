package recall

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// detailLines is everything about the open item (L1, D3); at is the line of the
// cursor in its history, -1 when there is none.
func (m *Model) detailLines() (out []string, at int) {
	it := m.detail.Item
	out = append(out, " "+m.styles.Accent.Render(clean.Line(words.Readable(it.Type))))
	text, hidden := clean.Text(it.Content)
	for _, l := range clean.Wrap(text, max(10, m.width-2)) {
		out = append(out, " "+m.styles.Strong.Render(l))
	}
	if hidden > 0 {
		out = append(out, " "+m.styles.Warn.Render("! "+list.Plural(hidden, "hidden character")))
	}
	out = append(out, "")
	add := func(label, value string) {
		if value == "" {
			return
		}
		for i, l := range clean.Wrap(clean.Line(value), max(8, m.width-14)) {
			if i > 0 {
				label = ""
			}
			out = append(out, " "+m.styles.Dim.Render(cells.Fit(clean.Line(label), 12))+m.styles.Text.Render(l))
		}
	}
	for _, f := range words.MemoryFields(it, m.loc) {
		add(f.Name, f.Said)
	}
	out = append(out, "")
	out = append(out, m.evidenceLines()...)
	history, at := m.historyLines()
	if at >= 0 {
		at += len(out)
	}
	return append(out, history...), at
}

func (m *Model) evidenceLines() []string {
	out := []string{m.styles.Accent.Render(" where it comes from · " + fmt.Sprint(len(m.detail.Quotes)))}
	if len(m.detail.Quotes) == 0 {
		return append(out, append(m.wrapped(m.styles.Dim, "No message: it was written by hand or came with an import.", 3), "")...)
	}
	for _, q := range m.detail.Quotes {
		if q.Gone {
			out = append(out, m.wrapped(m.styles.Dim, words.Say("quote.gone", q.Fate()), 3)...)
			continue
		}
		out = append(out, m.wrapped(m.styles.Text, "“"+q.Text+"”", 3)...)
		out = append(out, m.wrapped(m.styles.Dim, words.SessionTitle(memory.Session{Title: q.Session})+" · "+m.moment(q.Time), 3)...)
	}
	return append(out, "")
}

// sourceLines is the message that a memory came from, with the words marked.
func (m *Model) sourceLines() []string {
	q := m.source
	out := []string{
		m.styles.Accent.Render(cells.Fit(" "+words.SessionTitle(memory.Session{Title: q.Session}), m.width)),
		m.styles.Dim.Render(" said " + m.moment(q.Time)), "",
	}
	if q.Gone {
		return append(out, m.wrapped(m.styles.Dim, words.Say("quote.gone", q.Fate()), 1)...)
	}
	lo, n := q.Evidence.Offset, q.Evidence.Length
	if n == 0 || lo < 0 || lo+n > len(q.Whole) {
		lo, n = 0, 0
	}
	before, _ := clean.Text(q.Whole[:lo])
	said, _ := clean.Text(q.Whole[lo : lo+n])
	after, _ := clean.Text(q.Whole[lo+n:])
	if said != "" {
		lines := strings.Split(said, "\n")
		for i := range lines {
			lines[i] = m.styles.Mark.Render(lines[i])
		}
		said = strings.Join(lines, "\n")
	}
	for _, l := range clean.WrapStyled(before+said+after, max(10, m.width-2)) {
		out = append(out, " "+l)
	}
	return out
}

// moment shows a time; "" for none.
func (m *Model) moment(t time.Time) string { return words.Moment(t, m.loc) }
