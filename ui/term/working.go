package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/pane"
	"memoria/ui/term/working"
)

// loadWorking reads what the session is about.
func (m *root) loadWorking() tea.Cmd {
	if m.session.ID == "" {
		m.working.None()
		return nil
	}
	return m.fx.working(m.session.ID)
}

// workingDo makes an effect of what the part about working memory asks for.
func (m *root) workingDo(a working.Action) tea.Cmd {
	edit := func(change func(*memory.Working)) tea.Cmd { return m.fx.editWorking(a.SessionID, change) }
	switch a.Do {
	case working.Topic:
		return edit(func(w *memory.Working) { w.CurrentTopic = a.Value })
	case working.Variable:
		return edit(func(w *memory.Working) {
			if w.ContextVariables == nil {
				w.ContextVariables = map[string]string{}
			}
			w.ContextVariables[a.Key] = a.Value
		})
	case working.Remove:
		return edit(func(w *memory.Working) { delete(w.ContextVariables, a.Key) })
	case working.Copy:
		return m.copyText(a.Value)
	case working.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) onWorking(msg workingMsg) {
	if msg.edited {
		if msg.err != nil {
			m.working.Failed(pane.Short(msg.err))
			return
		}
		m.working.Saved()
	}
	switch {
	case msg.session != m.session.ID:
	case msg.err != nil:
		m.working.ReadFailed(pane.Short(msg.err))
	case msg.state == nil:
		m.working.None()
	default:
		s := *msg.state
		if !s.Kept && m.opts.idleTimeout > 0 {
			s.EndsAt = s.UpdatedAt.Add(m.opts.idleTimeout)
		}
		m.working.Show(s)
	}
}
