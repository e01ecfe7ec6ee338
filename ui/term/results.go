package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/ui/term/pane"
)

// result takes what an effect came to.
func (m *root) result(msg tea.Msg) tea.Cmd {
	if m.branchResult(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case startedMsg:
		m.ready = true
		m.Tell(msg.err)
	case sessionMsg:
		return m.onSession(msg)
	case draftLoadedMsg:
		if msg.err == nil {
			m.draftSaved = msg.draft.Text
			if m.input.Empty() && msg.draft.Text != "" {
				m.input.Set(msg.draft.Text, msg.draft.Spans)
				m.edited = true
			}
		}
		m.Tell(msg.err)
	case draftDueMsg:
		m.draftTimer = false
		return m.saveDraft()
	case draftSavedMsg:
		m.draftBusy, m.draftErr = false, msg.err
		if msg.err == nil {
			m.draftSaved = msg.text
		}
		return m.followDraft()
	case statusMsg:
		if msg.err == nil {
			m.tellHeld(msg.status.Held)
			m.SetStatus(msg.status)
			m.counted = true
		}
	case changedMsg:
		return m.onChanged(msg)
	case sentMsg:
		return m.onSent(msg)
	case takenBackMsg:
		m.onTakenBack(msg)
	case actedMsg:
		m.say = msg.said()
		m.Tell(msg.err)
	case modelsMsg:
		return m.onModels(msg)
	case editedMsg:
		m.onEdited(msg)
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
		m.pointAt = ""
		m.Tell(msg.Err)
	case sourcesMsg:
		return m.onSources(msg)
	case agentFoundMsg, groupMsg, wentMsg, againMsg:
		return m.onSwitching(msg)
	case secretErasedMsg:
		return m.onSecretErased(msg)
	default:
		return m.panel.update(msg)
	}
	return nil
}

// onChanged reads again what is shown of the memory.
func (m *root) onChanged(msg changedMsg) tea.Cmd {
	if msg.closed {
		return nil
	}
	cmds := []tea.Cmd{m.recall.Refresh(), m.fx.status(), m.fx.nextChange(), m.sent.Do(m.sent.Stale()), m.sourcesAgain()}
	if m.screen.Panel.W > 0 {
		cmds = append(cmds, m.current().Load())
	}
	return tea.Batch(cmds...)
}

// onSent: a message is on disk, or it comes back into the input.
func (m *root) onSent(msg sentMsg) tea.Cmd {
	for i, o := range m.sending {
		if o.local != msg.local {
			continue
		}
		m.sending = append(m.sending[:i:i], m.sending[i+1:]...)
		if msg.err == nil {
			return m.saveDraft()
		}
		if m.input.Empty() {
			m.input.Set(o.text, o.spans)
			m.edited = true
			m.branch.editing = o.edits
		}
		m.Tell(msg.err)
		break
	}
	return nil
}

func (m *root) onTakenBack(msg takenBackMsg) {
	if msg.err != nil {
		m.say = "It is being answered already."
		return
	}
	if text, spans := m.input.Text(); text != "" {
		m.input.Remember(text, spans)
	}
	m.input.Set(msg.text, msg.spans)
	m.edited = true
}

func (m *root) notice(p chat.Problem) {
	for _, n := range m.notices {
		if n == p {
			return
		}
	}
	m.notices = append(m.notices, p)
}
