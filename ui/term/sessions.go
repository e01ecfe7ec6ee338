package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
	"memoria/ui/term/sessions"
)

// sessionPage is how many sessions the list loads at once.
const sessionPage = 100

// findSessions shows the earlier sessions, or looks for words in all of them.
func (m *root) findSessions(words string) tea.Cmd {
	cmd := m.openPart(pane.Sessions)
	return tea.Batch(cmd, m.sessionsDo(m.sessions.OpenSearch(words)))
}

// deleteThisSession asks how far deleting the running session shall go.
func (m *root) deleteThisSession() tea.Cmd {
	cmd := m.openPart(pane.Sessions)
	m.sessions.OpenDelete(m.session)
	return cmd
}

// loadSessions reads again as much of the list as there is.
func (m *root) loadSessions() tea.Cmd {
	m.sessions.SetCurrent(m.session.ID)
	m.sessionsID++
	return m.fx.sessions(m.sessionsID, 0, max(sessionPage, m.sessions.Loaded()))
}

// sessionsDo makes an effect of what the part about sessions asks for.
func (m *root) sessionsDo(a sessions.Action) tea.Cmd {
	switch a.Do {
	case sessions.Load:
		return m.fx.sessions(m.sessionsID, a.Offset, sessionPage)
	case sessions.Open:
		return m.browse(a.SessionID, a.RecordID)
	case sessions.Rename:
		return m.fx.renameSession(a.SessionID, a.Title)
	case sessions.Delete:
		return m.fx.deleteSession(a.SessionID, a.Memories)
	case sessions.TakeBack:
		return m.fx.restoreSession(a.ID)
	case sessions.Begin:
		m.setFocus(onInput)
		return m.fx.newSession()
	case sessions.Search:
		m.stopSearch()
		if a.Query == "" {
			return nil
		}
		return m.fx.After(previewPause, searchDueMsg{query: a.Query})
	case sessions.Copy:
		return m.copyText(a.Text)
	case sessions.Export:
		return m.exportOf(a)
	case sessions.Leave:
		m.setFocus(onInput)
	}
	return nil
}

// browse shows a session; sending in it resumes it (S9a). record is where to
// point, "" for its end.
func (m *root) browse(session, record string) tea.Cmd {
	if m.busy() {
		m.say = "an answer is arriving; esc cancels it"
		return nil
	}
	m.pointAt = record
	m.setFocus(onTalk)
	if session == m.session.ID {
		m.pointNow()
		return nil
	}
	return m.fx.resume(session)
}

// pointNow shows the message that a search or a memory led to, once it is there.
func (m *root) pointNow() {
	if m.pointAt == "" {
		return
	}
	if m.point(m.pointAt, 0, 0) {
		m.pointAt = ""
	}
}

// point shows a message in the conversation with some of its words marked, and gives it
// the keyboard; false when it is not there. The conversation may have been hidden and
// has its size first: what is in sight depends on it.
func (m *root) point(record string, offset, length int) bool {
	if _, there := m.talk.Entry(record); !there {
		return false
	}
	m.setFocus(onTalk)
	m.arrange()
	return m.talk.Point(record, offset, length)
}

// stopSearch ends the search that runs; what it would find is stale.
func (m *root) stopSearch() {
	if m.searching != nil {
		m.searching()
		m.searching = nil
	}
}

// searchAgain looks anew for what is being looked for.
func (m *root) searchAgain() tea.Cmd {
	query := m.sessions.Query()
	if query == "" {
		return nil
	}
	m.stopSearch()
	var cmd tea.Cmd
	cmd, m.searching = m.fx.search(query)
	return cmd
}

func (m *root) sessionResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionsMsg:
		switch {
		case msg.id != m.sessionsID: // something was deleted meanwhile, or it is read again
		case msg.err != nil:
			m.sessions.LoadFailed(pane.Short(msg.err))
		case msg.offset == 0:
			m.sessions.SetSessions(msg.list, msg.total)
		default:
			m.sessions.AddSessions(msg.offset, msg.list, msg.total)
		}
	case searchDueMsg:
		if m.sessions.Query() == msg.query {
			return m.searchAgain()
		}
	case searchMsg:
		if msg.err != nil {
			m.sessions.SearchFailed(msg.query, pane.Short(msg.err))
		} else {
			m.sessions.Found(msg.query, msg.results)
		}
	case renamedMsg:
		if msg.err != nil {
			m.sessions.Failed(pane.Short(msg.err))
			m.tell(msg.err)
			break
		}
		m.sessions.Renamed(msg.session)
		if msg.session.ID == m.session.ID {
			m.session.Title = msg.session.Title
		}
		m.say = "renamed"
	case sessionDeletedMsg:
		if msg.err != nil {
			m.sessions.Failed(pane.Short(msg.err))
			break
		}
		m.setNow(msg.now)
		m.sessions.Deleted(msg.removed)
		m.input.Forget() // what was said in it comes back nowhere (D2)
		return tea.Batch(m.loadSessions(), m.searchAgain())
	case sessionRestoredMsg:
		m.sessions.TakenBack(msg.id)
		if msg.err != nil {
			m.sessions.Failed(pane.Short(msg.err))
			break
		}
		m.say = "taken back"
		return tea.Batch(m.loadSessions(), m.searchAgain())
	}
	return nil
}
