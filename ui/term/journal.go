package term

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/store"
	"memoria/ui/term/journal"
	"memoria/ui/term/pane"
)

// openJournal shows the journal, a file of it, or what words find in it; "run" writes what
// waits. The input keeps the keyboard, except for a search.
func (m *root) openJournal(what string) tea.Cmd {
	switch what {
	case "", "status":
		return m.showPart(pane.Journal)
	case "run":
		return tea.Batch(m.showPart(pane.Journal), m.journalDo(m.journal.Write()))
	}
	return tea.Batch(m.showPart(pane.Journal), m.fx.journalNamed(what))
}

// loadJournal reads how the journal is, and again what is shown of it.
func (m *root) loadJournal() tea.Cmd {
	cmds := []tea.Cmd{m.fx.journal()}
	if p := m.journal.Reading(); p != "" {
		cmds = append(cmds, m.fx.journalFile(p))
	}
	if words := m.journal.Asked(); words != "" {
		cmds = append(cmds, m.fx.journalSearch(words))
	}
	return tea.Batch(cmds...)
}

// journalDo makes an effect of what the part about the journal asks for.
func (m *root) journalDo(a journal.Action) tea.Cmd {
	switch a.Do {
	case journal.Read:
		return m.fx.journalFile(a.Path)
	case journal.Edit:
		if command := m.editorCommand(); command != "" {
			return m.fx.journalEdit(command, a.Path)
		}
	case journal.Write:
		return m.fx.journalWrite()
	case journal.Search:
		if a.Typed {
			return m.fx.After(previewPause, journalDueMsg{asked: a.Text})
		}
		return m.fx.journalSearch(a.Text)
	case journal.Open:
		return m.fx.journalSource(a.Record)
	case journal.Copy:
		return m.copyText(a.Text)
	case journal.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) journalResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case journalMsg:
		m.setNow(msg.now)
		if msg.err != nil {
			m.journal.NotRead(pane.Short(msg.err))
		} else {
			m.journal.Set(msg.state)
		}
	case journalFileMsg:
		switch {
		case errors.Is(msg.err, store.ErrNotFound):
			m.journal.Gone(msg.file.Path)
		case msg.err != nil:
			m.journal.Failed(pane.Short(msg.err))
		default:
			m.journal.Show(msg.file, msg.words)
		}
	case journalDueMsg:
		if msg.asked == m.journal.Asked() {
			return m.fx.journalSearch(msg.asked)
		}
	case journalFoundMsg:
		if msg.err != nil {
			m.journal.Failed(pane.Short(msg.err))
		} else {
			m.journal.Found(msg.asked, msg.hits)
		}
	case journalNamedMsg:
		switch {
		case msg.err != nil:
			m.journal.Failed(pane.Short(msg.err))
		case msg.path != "":
			return m.fx.journalFile(msg.path)
		default:
			return tea.Batch(m.openPart(pane.Journal), m.journalDo(m.journal.OpenSearch(msg.asked)))
		}
	case journalWrittenMsg:
		if msg.err != nil {
			msg.text = pane.Short(msg.err)
		}
		m.journal.Written(msg.text)
		return m.loadJournal()
	case journalEditedMsg:
		if msg.err != nil {
			m.journal.Failed(pane.Short(msg.err))
		}
		return m.loadJournal()
	case journalSourceMsg:
		if msg.err != nil {
			m.journal.Failed("The message is not there any more. " + pane.Short(msg.err))
			break
		}
		return m.browse(msg.session, msg.record)
	}
	return nil
}
