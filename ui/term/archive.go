package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/archive"
	"memoria/ui/term/pane"
	"memoria/ui/term/recall"
)

// archivePage is how many messages the archive loads at once.
const archivePage = 50

// searchArchive shows every message, or looks for some.
func (m *root) searchArchive(words string) tea.Cmd {
	if words == "" {
		return m.showPart(pane.Archive)
	}
	return tea.Batch(m.openPart(pane.Archive), m.archiveDo(m.archive.OpenSearch(words)))
}

// loadArchive reads again as much of the list as there is.
func (m *root) loadArchive() tea.Cmd {
	q := m.archive.Question()
	q.Limit = max(q.Limit, archivePage)
	return m.lookIntoArchive(q)
}

// lookIntoArchive asks a question; the one before is not awaited any more.
func (m *root) lookIntoArchive(q archive.Question) tea.Cmd {
	m.stopLooking()
	var cmd tea.Cmd
	cmd, m.looking = m.fx.archive(q, m.loc)
	return cmd
}

func (m *root) stopLooking() {
	if m.looking != nil {
		m.looking()
		m.looking = nil
	}
}

// archiveDo makes an effect of what the part about the archive asks for.
func (m *root) archiveDo(a archive.Action) tea.Cmd {
	switch a.Do {
	case archive.Ask:
		if a.Typed {
			m.stopLooking()
			return m.fx.After(previewPause, archiveDueMsg{question: a.Question})
		}
		return m.lookIntoArchive(a.Question)
	case archive.Open:
		return m.browse(a.SessionID, a.RecordID)
	case archive.Learned:
		return m.fx.learnedFrom(a.RecordID)
	case archive.OpenItem:
		cmd := m.openPart(pane.Recall)
		m.recall.Show(recall.Detail{Item: a.Item})
		return tea.Batch(cmd, m.fx.detail(a.Item.ID))
	case archive.Mark:
		return m.fx.mark(a.RecordID, a.On)
	case archive.Delete:
		return m.fx.deleteMessage(a.RecordID, a.Memories)
	case archive.TakeBack:
		return m.fx.restoreMessage(a.ID)
	case archive.Copy:
		return m.copyText(a.Text)
	case archive.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) archiveResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case archiveDueMsg:
		if now := m.archive.Question(); now.Words == msg.question.Words && now.Collected == msg.question.Collected {
			return m.lookIntoArchive(msg.question)
		}
	case archiveMsg:
		if msg.err != nil {
			m.archive.NotFound(msg.question, pane.Short(msg.err))
		} else {
			m.archive.Found(msg.question, msg.page)
		}
	case markedMsg:
		if msg.err != nil {
			m.archive.Failed(pane.Short(msg.err))
			break
		}
		m.archive.Marked(msg.id, msg.on)
		return m.loadArchive()
	case lessonsMsg:
		if msg.err != nil {
			m.archive.Failed(pane.Short(msg.err))
		} else {
			m.archive.ShowLearned(msg.record, msg.items)
		}
	case messageDeletedMsg:
		if msg.err != nil {
			m.archive.Failed(pane.Short(msg.err))
			break
		}
		m.setNow(msg.now)
		m.archive.Deleted(msg.removed)
		return m.loadArchive()
	case messageRestoredMsg:
		m.archive.TakenBack(msg.id)
		if msg.err != nil {
			m.archive.Failed(pane.Short(msg.err))
			break
		}
		m.say = "taken back"
		return m.loadArchive()
	}
	return nil
}
