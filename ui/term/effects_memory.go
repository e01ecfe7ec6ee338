package term

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/vault"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
	"memoria/ui/term/sessions"
	"memoria/ui/term/working"
	"memoria/ui/words"
)

// What the panel's parts read and change beside single memories.

// hitBytes is the most of a found message that is shown, around its words.
const hitBytes = 4 << 10

func (e effects) sessions(id, offset, limit int) tea.Cmd {
	return e.Do(func() tea.Msg {
		list, total, err := e.Memory.Sessions(e.Ctx, e.Agent, limit, offset)
		return sessionsMsg{id: id, offset: offset, list: list, total: total, err: err}
	})
}

// matching lists the active memories that have these words, two at most.
func (e effects) matching(words string) tea.Cmd {
	return e.Do(func() tea.Msg {
		page, err := e.Memory.Items(e.Ctx, e.Agent, manager.ItemFilter{Text: words, Limit: 2})
		return matchingMsg{words: words, page: page, err: err}
	})
}

// resume shows a session; the events tell that it is there.
func (e effects) resume(id string) tea.Cmd {
	return e.InOrder(func() tea.Msg { return pane.Failure(e.Chat.Resume(e.Ctx, id)) })
}

func (e effects) renameSession(id, title string) tea.Cmd {
	return e.Do(func() tea.Msg {
		if err := e.Chat.Rename(e.Ctx, id, title); err != nil {
			return renamedMsg{err: err}
		}
		s, err := e.Memory.Session(e.Ctx, e.Agent, id)
		return renamedMsg{session: s, err: err}
	})
}

func (e effects) deleteSession(id string, memories bool) tea.Cmd {
	return e.InOrder(func() tea.Msg {
		d, err := e.Chat.DeleteSession(e.Ctx, id, memories)
		return sessionDeletedMsg{removed: part.Removed{ID: d.ID, Of: id, Title: d.Title, Until: d.Until}, now: e.Now(), err: err}
	})
}

func (e effects) restoreSession(deletion string) tea.Cmd {
	return e.InOrder(func() tea.Msg {
		_, err := e.Chat.UndoDeletion(e.Ctx, deletion)
		return sessionRestoredMsg{id: deletion, err: err}
	})
}

// working reads a session's working memory, or what was kept of it (W4).
func (e effects) working(session string) tea.Cmd {
	return e.Look("working", func() tea.Msg {
		state, err := e.workingState(session)
		return workingMsg{session: session, state: state, err: err}
	})
}

func (e effects) workingState(session string) (*working.State, error) {
	s, err := e.Memory.Session(e.Ctx, e.Agent, session)
	if errors.Is(err, manager.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	w, err := e.Memory.Working(e.Ctx, e.Agent, session)
	switch {
	case err == nil:
		return &working.State{Working: w, Title: s.Title}, nil
	case !errors.Is(err, manager.ErrNotFound):
		return nil, err
	case s.Kept == nil:
		return nil, nil
	}
	return &working.State{Working: *s.Kept, Title: s.Title, Kept: true}, nil
}

func (e effects) editWorking(session string, edit func(*memory.Working)) tea.Cmd {
	return e.Do(func() tea.Msg {
		_, err := e.Memory.EditWorking(e.Ctx, e.Agent, session, edit)
		if err != nil {
			return workingMsg{session: session, edited: true, err: err}
		}
		state, err := e.workingState(session)
		return workingMsg{session: session, state: state, edited: true, err: err}
	})
}

// search looks for words in all sessions. The function ends it early.
func (e effects) search(query string) (tea.Cmd, func()) {
	ctx, stop := context.WithCancel(e.Ctx)
	return e.Do(func() tea.Msg {
		defer stop()
		page, err := e.Memory.Recall().SearchSessions(ctx, e.Agent, recall.ArchiveQuery{Text: query, Limit: sessionPage})
		if ctx.Err() != nil {
			return nil // nobody waits for it
		}
		return searchMsg{query: query, results: results(page), err: err}
	}), stop
}

// results are hits as the panel shows them.
func results(page recall.SessionPage) sessions.Results {
	r := sessions.Results{Degraded: page.Degraded}
	for _, f := range page.Sessions {
		g := sessions.Group{Session: f.Session, Messages: f.Total}
		for _, h := range f.Hits {
			g.Hits = append(g.Hits, sessions.Hit{RecordID: h.Record.ID, Who: words.Speaker(h.Record, ""), Time: h.Record.Timestamp, Text: head(h.Record.Content, hitBytes)})
		}
		r.Sessions = append(r.Sessions, g)
		r.Messages += f.Total
	}
	return r
}

func (e effects) health() tea.Cmd {
	return e.Look("health", func() tea.Msg {
		h, err := e.Memory.Health(e.Ctx, e.Agent, healthDays)
		if err != nil {
			return healthMsg{err: err}
		}
		backups, err := vault.Backups(e.Memory.Vault().Dir())
		return healthMsg{health: h, backups: backups, now: e.Now(), err: err}
	})
}

// mend runs something that takes its time and tells what it did.
func (e effects) mend(f func() (string, error)) tea.Cmd {
	return e.Do(func() tea.Msg {
		text, err := f()
		return mendedMsg{text: text, err: err}
	})
}

func (e effects) rebuild() tea.Cmd {
	return e.mend(func() (string, error) {
		if err := e.Memory.Recall().Rebuild(e.Agent); err != nil {
			return "", err
		}
		return "the indexes are rebuilt", e.Memory.Recall().Settle(e.Ctx, e.Agent)
	})
}

func (e effects) compact() tea.Cmd {
	return e.mend(func() (string, error) {
		before, after, err := e.Memory.CompactIndex(e.Ctx, e.Agent)
		return fmt.Sprintf("compacted: %s before, %s now", words.Bytes(before), words.Bytes(after)), err
	})
}

func (e effects) backup() tea.Cmd {
	return e.mend(func() (string, error) {
		b, err := e.Memory.Vault().Backup(e.Ctx, nil)
		return "backed up: " + b.Path, err
	})
}
