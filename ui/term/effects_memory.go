package term

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/vault"
	"memoria/ui/term/part"
	"memoria/ui/term/sessions"
	"memoria/ui/term/working"
	"memoria/ui/words"
)

// What the panel's parts read and change beside single memories.

// hitBytes is the most of a found message that is shown, around its words.
const hitBytes = 4 << 10

func (e effects) sessions(id, offset, limit int) tea.Cmd {
	return e.do(func() tea.Msg {
		list, total, err := e.memory.Lookup().Sessions(e.ctx, e.agent, limit, offset)
		return sessionsMsg{id: id, offset: offset, list: list, total: total, err: err}
	})
}

// matching lists the active memories that have these words, two at most.
func (e effects) matching(words string) tea.Cmd {
	return e.do(func() tea.Msg {
		page, err := e.memory.Lookup().Items(e.ctx, e.agent, lookup.ItemFilter{Text: words, Limit: 2})
		return matchingMsg{words: words, page: page, err: err}
	})
}

// resume shows a session; the events tell that it is there.
func (e effects) resume(id string) tea.Cmd {
	return e.inOrder(func() tea.Msg { return failure(e.chat.Resume(e.ctx, id)) })
}

func (e effects) renameSession(id, title string) tea.Cmd {
	return e.do(func() tea.Msg {
		if err := e.chat.Rename(e.ctx, id, title); err != nil {
			return renamedMsg{err: err}
		}
		s, err := e.memory.Lookup().Session(e.ctx, e.agent, id)
		return renamedMsg{session: s, err: err}
	})
}

func (e effects) deleteSession(id string, memories bool) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		d, err := e.chat.DeleteSession(e.ctx, id, memories)
		return sessionDeletedMsg{removed: part.Removed{ID: d.ID, Of: id, Title: d.Title, Until: d.Until}, now: e.now(), err: err}
	})
}

func (e effects) restoreSession(deletion string) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		_, err := e.chat.UndoDeletion(e.ctx, deletion)
		return sessionRestoredMsg{id: deletion, err: err}
	})
}

// working reads a session's working memory, or what was kept of it (W4).
func (e effects) working(session string) tea.Cmd {
	return e.look("working", func() tea.Msg {
		state, err := e.workingState(session)
		return workingMsg{session: session, state: state, err: err}
	})
}

func (e effects) workingState(session string) (*working.State, error) {
	s, err := e.memory.Lookup().Session(e.ctx, e.agent, session)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	w, err := e.memory.Lookup().Working(e.ctx, e.agent, session)
	switch {
	case err == nil:
		return &working.State{Working: w, Title: s.Title}, nil
	case !errors.Is(err, lookup.ErrNotFound):
		return nil, err
	case s.Kept == nil:
		return nil, nil
	}
	return &working.State{Working: *s.Kept, Title: s.Title, Kept: true}, nil
}

func (e effects) editWorking(session string, edit func(*memory.Working)) tea.Cmd {
	return e.do(func() tea.Msg {
		_, err := e.memory.EditWorking(e.ctx, e.agent, session, edit)
		if err != nil {
			return workingMsg{session: session, edited: true, err: err}
		}
		state, err := e.workingState(session)
		return workingMsg{session: session, state: state, edited: true, err: err}
	})
}

// search looks for words in all sessions. The function ends it early.
func (e effects) search(query string) (tea.Cmd, func()) {
	ctx, stop := context.WithCancel(e.ctx)
	return e.do(func() tea.Msg {
		defer stop()
		page, err := e.memory.Recall().SearchSessions(ctx, e.agent, recall.ArchiveQuery{Text: query, Limit: sessionPage})
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
	return e.look("health", func() tea.Msg {
		h, err := e.memory.Lookup().Health(e.ctx, e.agent, healthDays)
		if err != nil {
			return healthMsg{err: err}
		}
		backups, err := vault.Backups(e.memory.Vault().Dir())
		return healthMsg{health: h, backups: backups, now: e.now(), err: err}
	})
}

// mend runs something that takes its time and tells what it did.
func (e effects) mend(f func() (string, error)) tea.Cmd {
	return e.do(func() tea.Msg {
		text, err := f()
		return mendedMsg{text: text, err: err}
	})
}

func (e effects) rebuild() tea.Cmd {
	return e.mend(func() (string, error) {
		if err := e.memory.Recall().Rebuild(e.agent); err != nil {
			return "", err
		}
		return "the indexes are rebuilt", e.memory.Recall().Settle(e.ctx, e.agent)
	})
}

func (e effects) compact() tea.Cmd {
	return e.mend(func() (string, error) {
		before, after, err := e.memory.CompactIndex(e.ctx, e.agent)
		return fmt.Sprintf("compacted: %s before, %s now", words.Bytes(before), words.Bytes(after)), err
	})
}

func (e effects) backup() tea.Cmd {
	return e.mend(func() (string, error) {
		b, err := e.memory.Vault().Backup(e.ctx, nil)
		return "backed up: " + b.Path, err
	})
}
