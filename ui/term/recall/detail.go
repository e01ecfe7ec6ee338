package recall

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/part"
)

// detailLines is everything about the open item (L1, D3); at is the line of the
// cursor in its history, -1 when there is none.
func (m *Model) detailLines() (out []string, at int) {
	it := m.detail.Item
	out = append(out, " "+m.styles.Accent.Render(clean.Line(string(it.Type)))+m.styles.Dim.Render(" · "+stateWords(it)))
	text, hidden := clean.Text(it.Content)
	for _, l := range clean.Wrap(text, max(10, m.width-2)) {
		out = append(out, " "+m.styles.Strong.Render(l))
	}
	if hidden > 0 {
		out = append(out, " "+m.styles.Warn.Render("! "+part.Plural(hidden, "hidden character")))
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
	add("title", it.Title)
	add("key", it.Key)
	if v := string(it.Value); v != "" && v != "null" {
		add("value", v)
	}
	add("tags", strings.Join(it.Tags, ", "))
	add("sure", fmt.Sprintf("%.2f · importance %.2f", it.Confidence, it.Importance))
	add("from", fmt.Sprintf("%s, by %s · trust %s", spaced(string(it.Source)), spaced(string(it.Origin)), it.Trust))
	add("created", m.moment(it.CreatedAt))
	if !it.UpdatedAt.Equal(it.CreatedAt) {
		add("changed", m.moment(it.UpdatedAt))
	}
	if !it.LastConfirmedAt.Equal(it.CreatedAt) {
		add("confirmed", m.moment(it.LastConfirmedAt))
	}
	used := "never sent to a model"
	if it.AccessCount > 0 {
		used = fmt.Sprintf("sent %s, last %s", part.Plural(it.AccessCount, "time"), m.moment(it.LastAccessed))
	}
	add("used", used)
	if !it.ValidTo.IsZero() {
		add("valid until", m.moment(it.ValidTo))
	}
	if it.ValidFrom.After(it.CreatedAt) {
		add("valid from", m.moment(it.ValidFrom))
	}
	add("replaces", it.Supersedes)
	add("replaced by", it.SupersededBy)
	for _, f := range it.Metadata.Fields() {
		add(f.Name, f.Value)
	}
	add("id", fmt.Sprintf("%s · version %d", it.ID, it.Version))
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
			out = append(out, m.wrapped(m.styles.Dim, "the message was "+q.fate(), 3)...)
			continue
		}
		out = append(out, m.wrapped(m.styles.Text, "“"+q.Text+"”", 3)...)
		out = append(out, m.wrapped(m.styles.Dim, sessionTitle(q.Session)+" · "+m.moment(q.Time), 3)...)
	}
	return append(out, "")
}

// fate is what became of a message that is gone.
func (q Quote) fate() string {
	if q.Unkept {
		return "not kept"
	}
	return "deleted"
}

// sourceLines is the message that a memory came from, with the words marked.
func (m *Model) sourceLines() []string {
	q := m.source
	out := []string{
		m.styles.Accent.Render(cells.Fit(" "+clean.Line(sessionTitle(q.Session)), m.width)),
		m.styles.Dim.Render(" said " + m.moment(q.Time)), "",
	}
	if q.Gone {
		return append(out, m.wrapped(m.styles.Dim, "The message was "+q.fate()+".", 1)...)
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

func sessionTitle(s string) string {
	if s == "" {
		return "a session without a title"
	}
	return s
}

func stateWords(it memory.Item) string {
	switch it.State {
	case memory.StateHeld:
		return "held: waiting for your approval, not recalled"
	case memory.StateMuted:
		return "muted: kept, never recalled"
	case memory.StateInactive:
		if it.SupersededBy != "" {
			return "replaced by a newer one, not recalled"
		}
		return "inactive, not recalled"
	}
	return "active"
}

// spaced makes the name of a constant readable.
func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }

// moment shows a time; "" for none.
func (m *Model) moment(t time.Time) string { return part.Moment(t, m.loc) }
