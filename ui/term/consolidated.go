package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/term/recall"
	"memoria/ui/words"
)

// onConsolidated shows what a conversation came to when it ended, or a long one
// before that (P7, S12).
func (m *root) onConsolidated(e chat.Learned) tea.Cmd {
	var done []memory.Change // what was proposed and not used is of no use here
	for _, c := range e.Changes {
		if c.Item != nil {
			done = append(done, c)
		}
	}
	title := ""
	if e.Summary != nil {
		title = e.Summary.Title
	}
	if e.SessionID == m.session.ID && e.Summary != nil && m.session.State != memory.SessionActive {
		m.session.Title = title
	}
	if len(done) > 0 || e.Summary != nil && !e.Waits {
		m.recall.SetRun(recall.Run{Generation: e.Generation, Title: title, Changes: done})
	}
	if line := words.OneLine(words.Lessons(done)); line != "" && m.say == "" {
		m.say = "From a conversation · " + line
		m.told += heldIn(done)
	}
	return m.current().Load()
}
