package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/store/queue"
)

// Sessions whose messages are not kept (A1). When such a session ends it is marked, and
// once its memories are made and nothing more is to be read of it, the session goes with
// its messages, packages and summary, as if the user had deleted it. Its memories stay and
// say that their source was not kept.

// KeepSession marks a session to be kept where sessions are not by default, or takes the
// mark back. The error is memory.ErrInvalid where none is kept (archival_enabled is false). id may
// be the beginning or end of an id, as for [lookup.Reader.Session].
func (m *Manager) KeepSession(ctx context.Context, agentID, id string, keep bool) (out memory.Session, err error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return out, err
	}
	if keep && !m.Config().Archival {
		return out, fmt.Errorf("%w: no session is kept while archival_enabled is false", memory.ErrInvalid)
	}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		if out, err = lookup.FindSession(t.Tx, a.ID, id); err != nil {
			return err
		}
		if out.Keep = keep; out.State != memory.SessionActive && out.Unkept {
			out.Unkept = !t.Core.Keeps(out)
		}
		return t.PutSession(out)
	})
	if err != nil {
		return out, fmt.Errorf("keeping session %s: %w", id, err)
	}
	return out, nil
}

// eraseUnkept takes away the sessions that are not kept and of which nothing more is read.
func (m *Manager) eraseUnkept(ctx context.Context, a *write.Agent) error {
	if !a.Unkept.Swap(false) { // before looking: a session that ends meanwhile sets it again
		return nil
	}
	due, waits, err := unkeptSessions(ctx, m.Core, a.ID)
	if waits || err != nil {
		a.Unkept.Store(true)
	}
	if err != nil {
		return fmt.Errorf("looking for sessions that are not kept: %w", err)
	}
	for _, id := range due {
		_, err := m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
			s, err := t.Session(a.ID, id)
			if err == nil && !s.Unkept { // it goes on, or was marked meanwhile
				err = lookup.ErrNotFound
			}
			return deletionSet{sessions: []string{id}}, errors.Join(err, markUnkept(t, id))
		})
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			a.Unkept.Store(true)
			return fmt.Errorf("erasing a session that is not kept: %w", err)
		}
	}
	return nil
}

// markUnkept notes that a session was not kept, in a group for all who heard it.
func markUnkept(t *write.Tx, session string) error {
	who, err := withHearers(t.Tx, t.Owner.ID)
	if err != nil {
		return err
	}
	for _, agent := range who {
		if err := t.MarkUnkept(agent, session); err != nil {
			return err
		}
	}
	return nil
}

// withHearers are an agent and, when it is a group, all who heard something in it.
func withHearers(tx *store.Tx, agent string) ([]string, error) {
	g, err := tx.Group(agent)
	if errors.Is(err, lookup.ErrNotFound) {
		return []string{agent}, nil
	}
	return append([]string{agent}, g.Hearers()...), err
}

// unkeptSessions are the sessions to be erased; waits says that there are others of which
// something is still to be read.
func unkeptSessions(ctx context.Context, c *write.Core, agent string) (due []string, waits bool, err error) {
	err = c.View(ctx, func(tx *store.Tx) error {
		who, err := withHearers(tx, agent)
		if err != nil {
			return err
		}
		var jobs []queue.Job
		for _, id := range who {
			more, err := tx.Jobs(id)
			if err != nil {
				return err
			}
			jobs = append(jobs, more...)
		}
		for s, err := range tx.Sessions(agent) {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case store.Unreadable(err):
				continue
			case err != nil:
				return err
			case !s.Unkept || s.State == memory.SessionActive:
				continue
			}
			if s.Memories == memory.MemoriesGenerating || slices.ContainsFunc(jobs, func(j queue.Job) bool { return j.SessionID == s.ID }) {
				waits = true
				continue
			}
			due = append(due, s.ID)
		}
		return nil
	})
	return due, waits, err
}
