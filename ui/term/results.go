package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/ui/term/pane"
	"memoria/ui/term/recall"
)

// result takes what an effect came to.
func (m *root) result(msg tea.Msg) tea.Cmd {
	if m.branchResult(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case startedMsg:
		m.ready = true
		m.tell(msg.err)
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
		m.tell(msg.err)
	case draftDueMsg:
		m.draftTimer = false
		return m.saveDraft()
	case draftSavedMsg:
		m.draftBusy, m.draftErr = false, msg.err
		if msg.err == nil {
			m.draftSaved = msg.text
		}
		return m.followDraft()
	case previewDueMsg:
		m.previewTimer = false
		return m.lookUp()
	case previewMsg:
		return m.onPreview(msg)
	case itemsMsg:
		switch {
		case msg.id != m.itemsID:
		case msg.err != nil:
			m.recall.Failed("The memories cannot be read. " + pane.Short(msg.err))
		default:
			m.setNow(msg.now)
			m.recall.SetItems(msg.page.Items, msg.page.Total)
		}
	case statusMsg:
		if msg.err == nil {
			m.tellHeld(msg.status.Held)
			m.status, m.counted = msg.status, true
		}
	case changedMsg:
		return m.onChanged(msg)
	case sentMsg:
		return m.onSent(msg)
	case takenBackMsg:
		m.onTakenBack(msg)
	case actedMsg:
		m.say = msg.said()
		m.tell(msg.err)
	case modelsMsg:
		return m.onModels(msg)
	case editedMsg:
		m.onEdited(msg)
	case foundMsg:
		m.found = msg.found
	case connectedMsg:
		m.linking = false
		if msg.err != nil {
			m.tell(msg.err)
		} else {
			m.found = nil
		}
	case pane.Failed:
		m.pointAt = ""
		m.tell(msg.Err)
	default:
		return m.itemResult(msg)
	}
	return nil
}

// itemResult takes what became of something done to one memory or package.
func (m *root) itemResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case detailMsg:
		if msg.err != nil {
			m.recall.Failed(pane.Short(msg.err))
		} else if m.recall.Opened() == msg.id {
			m.recall.Show(msg.detail)
		}
	case savedMsg:
		if msg.err != nil {
			m.recall.Failed(pane.Short(msg.err))
			return nil
		}
		m.recall.Saved(msg.item)
		return m.fx.detail(msg.item.ID)
	case deletedMsg:
		if msg.err != nil {
			m.recall.Failed(pane.Short(msg.err))
			return nil
		}
		m.recall.Deleted(msg.removed)
		m.setNow(msg.now)
	case undeletedMsg:
		m.recall.TakenBack(msg.id)
		if msg.err != nil {
			m.recall.Failed(pane.Short(msg.err))
		} else {
			m.say = "taken back: " + msg.text
		}
	case undoneMsg:
		return m.onUndone(msg)
	case learnedMsg:
		m.onLearnedAgain(msg)
	case sourceMsg:
		m.onSource(msg)
	case packageMsg:
		m.sent.Show(msg.turn, msg.detail)
	case sourcesMsg:
		return m.onSources(msg)
	case workingMsg:
		m.onWorking(msg)
	case matchingMsg:
		return m.onMatching(msg)
	case healthMsg:
		m.onHealth(msg)
	case mendedMsg:
		return m.onMended(msg)
	case profileMsg, profileSavedMsg, profileEditedMsg, profileUndoneMsg:
		return m.profileResult(msg)
	case agentsMsg, agentsAgainMsg, groupMsg, agentSavedMsg, agentEditedMsg, agentFoundMsg, wentMsg, agentDeletedMsg, agentRestoredMsg:
		return m.agentResult(msg)
	case settingsMsg, settingMsg:
		return m.settingsResult(msg)
	case inboxMsg, acceptedMsg, rejectedMsg, unacceptedMsg, unrejectedMsg:
		return m.inboxResult(msg)
	case secretErasedMsg:
		return m.onSecretErased(msg)
	case archiveDueMsg, archiveMsg, markedMsg, lessonsMsg, messageDeletedMsg, messageRestoredMsg:
		return m.archiveResult(msg)
	case journalMsg, journalFileMsg, journalDueMsg, journalFoundMsg, journalNamedMsg, journalWrittenMsg, journalEditedMsg, journalSourceMsg:
		return m.journalResult(msg)
	default:
		return m.sessionResult(msg)
	}
	return nil
}

func (m *root) onPreview(msg previewMsg) tea.Cmd {
	if msg.id != m.previewID {
		return nil
	}
	if msg.err == nil {
		m.recall.SetPreview(msg.result, msg.hits...)
	}
	m.tell(msg.err)
	if text, _ := m.input.Text(); text != m.previewText && !m.previewTimer {
		m.previewTimer = true
		return m.fx.After(previewPause, previewDueMsg{})
	}
	return nil
}

// onChanged reads again what is shown of the memory.
func (m *root) onChanged(msg changedMsg) tea.Cmd {
	if msg.closed {
		return nil
	}
	cmds := []tea.Cmd{m.loadItems(), m.fx.status(), m.lookUp(), m.fx.nextChange(), m.sentDo(m.sent.Stale()), m.sourcesAgain()}
	if m.screen.Panel.W > 0 {
		cmds = append(cmds, m.loadShown())
	}
	if id := m.recall.Opened(); id != "" {
		cmds = append(cmds, m.fx.detail(id))
	}
	if turn := m.recall.LearnedTurn(); turn != "" {
		cmds = append(cmds, m.fx.learned(turn))
	}
	if run := m.recall.RunID(); run != "" {
		cmds = append(cmds, m.fx.ran(run))
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
		m.tell(msg.err)
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

// onSource leads to the words a memory came from: in the conversation when they
// are there, else in the panel.
func (m *root) onSource(msg sourceMsg) {
	if msg.err != nil {
		m.recall.Failed(pane.Short(msg.err))
		return
	}
	q := msg.quote
	if q.Gone {
		m.recall.Failed("The message it came from was deleted.")
		return
	}
	if m.point(q.Evidence.RecordID, q.Evidence.Offset, q.Evidence.Length) {
		m.say = "it comes from this message"
		return
	}
	m.recall.ShowSource(q)
	m.part = pane.Recall
	m.setFocus(onPanel)
}

// recallDo makes an effect of what the recall part asks for.
func (m *root) recallDo(a recall.Action) tea.Cmd {
	switch a.Do {
	case recall.Open:
		return m.fx.detail(a.ID)
	case recall.Save:
		return m.fx.edit(a.ID, a.Draft)
	case recall.Add:
		return m.fx.add(a.Draft)
	case recall.Delete:
		return m.fx.remove(a.ID, a.Text)
	case recall.TakeBack:
		return m.fx.undelete(a.ID, a.Text)
	case recall.Undo:
		return m.fx.undo(a.ID)
	case recall.UndoTurn:
		return m.fx.undoTurn(a.ID)
	case recall.UndoRun:
		return m.fx.undoRun(a.ID)
	case recall.Source:
		return m.fx.source(a.Evidence)
	case recall.Browse:
		return m.browse(a.Evidence.SessionID, a.Evidence.RecordID)
	case recall.Copy:
		return m.copyText(a.Text)
	case recall.Filter:
		m.itemsLimit = itemPage
		return m.loadItems()
	case recall.More:
		m.itemsLimit = m.recall.Loaded() + itemPage
		return m.loadItems()
	case recall.File:
		return tea.Batch(m.openPart(pane.Journal), m.fx.journalFile(a.Text))
	case recall.Leave:
		m.setFocus(onInput)
	}
	return nil
}

// tell shows an error as a notice above the input, newest last, each once.
func (m *root) tell(err error) {
	if err == nil || m.fx.Ctx.Err() != nil {
		return
	}
	m.notice(chat.Explain(err))
}

func (m *root) notice(p chat.Problem) {
	for _, n := range m.notices {
		if n == p {
			return
		}
	}
	m.notices = append(m.notices, p)
}
