package term

import (
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/ui/editor"
	"memoria/ui/words"
)

const noJournal = "A group has no journal of its own; what was said in it is in those of its members."

// journal reads how the journal is.
func (e effects) journal() tea.Cmd {
	return e.look("journal", func() tea.Msg {
		msg := journalMsg{now: e.now()}
		j, err := e.memory.Journal(e.agent)
		if errors.Is(err, manager.ErrGroup) {
			msg.state.Nobody = noJournal
			return msg
		}
		if msg.err = err; err != nil {
			return msg
		}
		if msg.state.Status, msg.err = j.Status(e.ctx); msg.err != nil || !msg.state.Status.Enabled {
			return msg
		}
		msg.state.Files, msg.err = j.Files(e.ctx)
		return msg
	})
}

// journalFile reads one file.
func (e effects) journalFile(p string) tea.Cmd {
	return e.look("journal file", func() tea.Msg {
		msg := journalFileMsg{file: memory.JournalFile{Path: p}}
		j, err := e.memory.Journal(e.agent)
		if msg.err = err; err != nil {
			return msg
		}
		all, err := j.Files(e.ctx)
		if msg.err = err; err != nil {
			return msg
		}
		if i := slices.IndexFunc(all, func(f memory.JournalFile) bool { return f.Path == p }); i >= 0 {
			msg.file = all[i]
		}
		msg.words, msg.err = j.Read(p)
		return msg
	})
}

// journalNamed looks for the file that the user named.
func (e effects) journalNamed(what string) tea.Cmd {
	return e.do(func() tea.Msg {
		msg := journalNamedMsg{asked: what}
		j, err := e.memory.Journal(e.agent)
		if errors.Is(err, manager.ErrGroup) {
			return nil // the part says so
		}
		if msg.err = err; err != nil {
			return msg
		}
		all, err := j.Files(e.ctx)
		if found := words.JournalNamed(all, what); len(found) > 0 {
			msg.path = found[0].Path
		}
		msg.err = err
		return msg
	})
}

func (e effects) journalSearch(text string) tea.Cmd {
	return e.look("journal search", func() tea.Msg {
		msg := journalFoundMsg{asked: text}
		j, err := e.memory.Journal(e.agent)
		if msg.err = err; err == nil {
			msg.hits, msg.err = j.Search(e.ctx, files.Query{Text: text, Limit: files.MostHits})
		}
		return msg
	})
}

// journalWrite writes what waits (J3).
func (e effects) journalWrite() tea.Cmd {
	return e.do(func() tea.Msg {
		j, err := e.memory.Journal(e.agent)
		if err != nil {
			return journalWrittenMsg{err: err}
		}
		report, err := j.RunWith(e.ctx, e.chat.Summariser(), files.Wanted{Now: true, Retry: true})
		msg := journalWrittenMsg{text: words.JournalReport(report), err: err}
		for _, f := range report.Failed {
			msg.text += ". " + f.Path + " was not written: " + short(f.Err)
		}
		return msg
	})
}

// journalEdit gives the terminal to the user's editor for a file, and creates the user's own
// file first.
func (e effects) journalEdit(command, p string) tea.Cmd {
	return e.anyones(func() tea.Msg {
		j, err := e.memory.Journal(e.agent)
		if err == nil && p == files.LongTerm {
			err = j.Begin()
		}
		if err != nil {
			return e.own(journalEditedMsg{err: err})
		}
		return tea.Exec(&unhurried{editor.Command(e.ctx, command, j.File(p))}, func(err error) tea.Msg {
			if err != nil {
				err = fmt.Errorf("%s: %w", command, err)
			}
			return e.own(journalEditedMsg{err: err})
		})()
	})
}

// journalSource finds the session of a message.
func (e effects) journalSource(record string) tea.Cmd {
	return e.do(func() tea.Msg {
		r, err := e.memory.Lookup().Record(e.ctx, e.agent, record)
		return journalSourceMsg{session: r.SessionID, record: record, err: err}
	})
}
