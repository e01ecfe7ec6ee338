package transcript

import (
	"memoria/memory"
	"memoria/ui/clean"
)

// MessageOf returns the id of the message of the user to which a turn belongs; "" when it
// is not in the conversation. A regenerated answer is a turn of its own and
// belongs to the message above it.
func (m *Model) MessageOf(turn string) string {
	found := false
	for i := len(m.items) - 1; i >= 0 && turn != ""; i-- {
		it := m.items[i]
		if found = found || it.TurnID == turn; found && it.Role == memory.RoleUser {
			return it.ID
		}
	}
	return ""
}

// SetLessons puts what a message taught under it.
func (m *Model) SetLessons(id string, lessons []Lesson) {
	i, ok := m.index[id]
	if !ok {
		return
	}
	e := m.items[i].Entry
	e.Lessons = lessons
	if !m.items[i].same(e) {
		m.items[i].Lessons = lessons
		m.items[i].version++
		m.clamp()
	}
}

// lessonLines are the lessons, each followed by its keys, or with them on a line of their own
// where there is no room.
func (r *renderer) lessonLines(lessons []Lesson, width int) (out []string) {
	for _, l := range lessons {
		sign, style := "✓ ", r.styles.Good
		switch {
		case l.Undone:
			sign, style = "− ", r.styles.Dim
		case l.Waits:
			sign, style = "? ", r.styles.Warn
		}
		rows := clean.Wrap(sign+clean.Line(l.Text), width)
		last := len(rows) - 1
		for _, row := range rows {
			out = append(out, style.Render(row))
		}
		switch keys := clean.Line(l.Keys); {
		case keys == "":
		case clean.Width(rows[last])+2+clean.Width(keys) <= width:
			out[len(out)-1] += "  " + r.styles.Dim.Render(keys)
		default:
			for _, row := range clean.Wrap(keys, max(1, width-2)) {
				out = append(out, "  "+r.styles.Dim.Render(row))
			}
		}
	}
	return out
}
