package term

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/ui/clean"
	"memoria/ui/term/part"
)

// onInstructed shows what an instruction to the memory did (U2–U4), and offers to undo a
// deletion with the key that undoes others.
func (m *root) onInstructed(e chat.Instructed, at time.Time) tea.Cmd {
	m.branch.undo = "" // the last change is another one now
	m.say = clean.Line(strings.Join(e.Lines, " · "))
	if d := e.Deletion; d.ID != "" {
		m.recall.Deleted(part.Removed{ID: d.ID, Title: d.Title, What: m.say, Until: d.Until})
		m.SetNow(at)
	}
	return m.current().Load()
}
