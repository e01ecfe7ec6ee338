package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/ui/term/pane"
)

// result takes what an effect came to.
func (m *root) result(msg tea.Msg) tea.Cmd {
	if m.branch.branchResult(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case pane.Callback:
		return msg()
	case startedMsg:
		m.conv.ready = true
		m.Tell(msg.err)
	case sessionMsg:
		return m.conv.onSession(msg)
	case draftLoadedMsg:
		if msg.err == nil {
			m.drafts.saved = msg.draft.Text
			if m.input.Empty() && msg.draft.Text != "" {
				m.input.Set(msg.draft.Text, msg.draft.Spans)
				m.edited = true
			}
		}
		m.Tell(msg.err)
	case draftSavedMsg:
		m.drafts.busy, m.drafts.err = false, msg.err
		if msg.err == nil {
			m.drafts.saved = msg.text
		}
		return m.drafts.followDraft()
	case statusMsg:
		if msg.err == nil {
			m.conv.tellHeld(msg.status.Held)
			m.conv.SetStatus(msg.status)
			m.conv.counted = true
		}
	case changedMsg:
		return m.onChanged(msg)
	case sentMsg:
		return m.conv.onSent(msg)
	case takenBackMsg:
		m.conv.onTakenBack(msg)
	case actedMsg:
		m.say = msg.said()
		m.Tell(msg.err)
	case modelsMsg:
		return m.commands.onModels(msg)
	case foundMsg:
		m.found = msg.found
	case connectedMsg:
		m.linking = false
		if msg.err != nil {
			m.Tell(msg.err)
		} else {
			m.found = nil
		}
	case pane.Failed:
		m.conv.pointAt = ""
		m.Tell(msg.Err)
	case sourcesMsg:
		return m.sources.arrived(msg)
	case agentFoundMsg, groupMsg, wentMsg:
		return m.switching.onSwitching(msg)
	case secretErasedMsg:
		return m.conv.onSecretErased(msg)
	}
	return nil
}

// onChanged reads again what is shown of the memory.
func (m *root) onChanged(msg changedMsg) tea.Cmd {
	if msg.closed {
		return nil
	}
	cmds := []tea.Cmd{m.recall.Refresh(), m.fx.status(), m.fx.nextChange(), m.sent.Do(m.sent.Stale()), m.sources.refresh()}
	if m.screen.Panel.W > 0 {
		cmds = append(cmds, m.current().Load())
	}
	return tea.Batch(cmds...)
}

func (m *root) notice(p chat.Problem) {
	for _, n := range m.problems.notices {
		if n == p {
			return
		}
	}
	m.problems.notices = append(m.problems.notices, p)
}
