package term

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

const noJournal = "A group has no journal of its own; what was said in it is in those of its members."

// journal reads how the journal is.
func (e effects) journal() tea.Cmd {
	return e.Look("journal", func() tea.Msg {
		msg := journalMsg{now: e.Now()}
		j, err := e.Memory.Journal(e.Agent)
		if errors.Is(err, manager.ErrGroup) {
			msg.state.Nobody = noJournal
			return msg
		}
		if msg.err = err; err != nil {
			return msg
		}
		if msg.state.Status, msg.err = j.Status(e.Ctx); msg.err != nil || !msg.state.Status.Enabled {
			return msg
		}
		msg.state.Files, msg.err = j.Files(e.Ctx)
		return msg
	})
}

// journalFile reads one file.
func (e effects) journalFile(p string) tea.Cmd {
	return e.Look("journal file", func() tea.Msg {
		msg := journalFileMsg{file: memory.JournalFile{Path: p}}
		j, err := e.Memory.Journal(e.Agent)
		if msg.err = err; err != nil {
			return msg
		}
		all, err := j.Files(e.Ctx)
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
	return e.Do(func() tea.Msg {
		msg := journalNamedMsg{asked: what}
		j, err := e.Memory.Journal(e.Agent)
		if errors.Is(err, manager.ErrGroup) {
			return nil // the part says so
		}
		if msg.err = err; err != nil {
			return msg
		}
		all, err := j.Files(e.Ctx)
		if found := words.JournalNamed(all, what); len(found) > 0 {
			msg.path = found[0].Path
		}
		msg.err = err
		return msg
	})
}

func (e effects) journalSearch(text string) tea.Cmd {
	return e.Look("journal search", func() tea.Msg {
		msg := journalFoundMsg{asked: text}
		j, err := e.Memory.Journal(e.Agent)
		if msg.err = err; err == nil {
			msg.hits, msg.err = j.Search(e.Ctx, files.Query{Text: text, Limit: files.MostHits})
		}
		return msg
	})
}

// journalWrite writes what waits (J3).
func (e effects) journalWrite() tea.Cmd {
	return e.Do(func() tea.Msg {
		j, err := e.Memory.Journal(e.Agent)
		if err != nil {
			return journalWrittenMsg{err: err}
		}
		report, err := j.RunWith(e.Ctx, e.Chat.Summariser(), files.Wanted{Now: true, Retry: true})
		msg := journalWrittenMsg{text: words.JournalReport(report), err: err}
		for _, f := range report.Failed {
			msg.text += ". " + f.Path + " was not written: " + pane.Short(f.Err)
		}
		return msg
	})
}

// journalEdit gives the terminal to the user's editor for a file, and creates the user's own
// file first.
func (e effects) journalEdit(command, p string) tea.Cmd {
	path := func(ctx context.Context) (string, error) {
		j, err := e.Memory.Journal(e.Agent)
		if err == nil && p == files.LongTerm {
			err = j.Begin()
		}
		if err != nil {
			return "", err
		}
		return j.File(p), nil
	}
	return e.EditFile(command, path, func(err error) tea.Msg { return journalEditedMsg{err: err} })
}

// journalSource finds the session of a message.
func (e effects) journalSource(record string) tea.Cmd {
	return e.Do(func() tea.Msg {
		r, err := e.Memory.Record(e.Ctx, e.Agent, record)
		return journalSourceMsg{session: r.SessionID, record: record, err: err}
	})
}
