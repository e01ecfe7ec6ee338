package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

// ErrInUse says that a deleted agent was begun anew and cannot come back any more.
var ErrInUse = store.ErrInUse

// DeleteAgent takes an agent with everything it has out of every view at once: its
// description, memories, sessions, profile, drafts, what is queued of it, vectors
// and indexes (D2, I4). Until Deletion.Until all of it can be taken back with
// [Manager.TakeBackAgent]; then it is destroyed, with its files, in the backups
// too. What was deleted of it before cannot be taken back any more. It leaves its
// groups, also when it is taken back: what it said there stays there, and what is
// erased there is erased of it. Nobody may talk
// to it meanwhile; whoever does later begins it anew. The error is ErrNotFound when
// there is nothing of it.
func (m *Manager) DeleteAgent(ctx context.Context, id string) (Deletion, error) {
	if !memory.ValidAgentID(id) {
		return Deletion{}, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, ErrInvalid)
	}
	if _, err := m.Group(ctx, id); err == nil { // before anything of it is unloaded
		return Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, ErrGroup)
	}
	if err := m.LeaveGroups(ctx, id); err != nil {
		return Deletion{}, err
	}
	var gone store.Deleted
	err := m.without(id, func(tx *store.Tx) (err error) {
		if _, err := tx.Group(id); err == nil {
			return ErrGroup
		}
		gone, err = tx.TrashAgent(id, m.ids.New(tx.Now()))
		return err
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, err)
	}
	m.schedulePurge(0)
	d := deletion(gone)
	d.Agent = id
	return d, nil
}

// TakeBackAgent undoes DeleteAgent. It returns ErrGone when it is too late, and
// ErrInUse when the agent was begun anew. Nobody may talk to it meanwhile.
func (m *Manager) TakeBackAgent(_ context.Context, id, deletionID string) (Deletion, error) {
	var back store.Deleted
	err := m.without(id, func(tx *store.Tx) (err error) {
		// What is due is gone, though its timer may be late.
		if err := m.purgeIn(tx, tx.Now().Add(-TakeBackTime)); err != nil {
			return err
		}
		if back, err = tx.RestoreAgent(id, deletionID); errors.Is(err, ErrNotFound) {
			return ErrGone
		}
		return err
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("taking the agent %s back: %w", id, err)
	}
	if err := m.hearAgain(id); err != nil {
		return Deletion{}, fmt.Errorf("bringing what the agent %s heard in groups in line with them: %w", id, err)
	}
	d := deletion(back)
	d.Agent = id
	return d, nil
}

// hearAgain lets groups know an agent that is back as one who left them, so that what
// is erased there is erased of it, too (S9), and takes from it what was erased
// meanwhile.
func (m *Manager) hearAgain(id string) error {
	heard := map[string][]string{} // sessions by group
	err := m.store.View(func(tx *store.Tx) error {
		for s, err := range tx.Sessions(id) {
			if err != nil {
				return err
			}
			if s.Group != "" {
				heard[s.Group] = append(heard[s.Group], s.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for group, sessions := range heard {
		if err := m.noteLeft(group, id); err != nil {
			return err
		}
		a, err := m.agent(id)
		if err != nil {
			return err
		}
		if err := m.update(a, func(t *tx) error { return t.eraseErased(group, sessions) }); err != nil {
			return err
		}
	}
	return nil
}

// noteLeft adds an agent to those who left a group; of one that is gone nobody needs
// to know.
func (m *Manager) noteLeft(group, id string) error {
	if _, err := m.Group(context.Background(), group); errors.Is(err, ErrNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	a, err := m.agent(group)
	if err != nil {
		return err
	}
	return m.update(a, func(t *tx) error {
		g, err := t.Group(group)
		if errors.Is(err, ErrNotFound) || err == nil && slices.Contains(g.Hearers(), id) {
			return nil
		}
		if err != nil {
			return err
		}
		g.Left = append(slices.Clip(g.Left), id)
		a.lonely = false
		return t.PutGroup(g)
	})
}

// eraseErased deletes what an agent has of sessions of a group that is not there any
// more.
func (t *tx) eraseErased(group string, sessions []string) error {
	var gone, records []string
	for _, session := range sessions {
		there, err := t.HasSession(group, session)
		if err != nil {
			return err
		}
		if !there {
			gone = append(gone, session)
			continue
		}
		heard, err := t.Tree(t.a.id, session)
		if err != nil {
			return err
		}
		for _, r := range heard {
			if there, err := t.HasRecord(group, r.ID); err != nil {
				return err
			} else if !there {
				records = append(records, r.ID)
			}
		}
	}
	if len(gone)+len(records) == 0 {
		return nil
	}
	t.group = group // which has erased them
	d, err := t.doomedRecords(false, records)
	if err != nil {
		return err
	}
	d.sessions = append(d.sessions, gone...)
	_, err = t.delete(d, t.newID())
	return err
}

// without runs a durable transaction while nothing of an agent lies in memory and
// nobody follows it. It is loaded anew, its indexes made anew, when it is next
// asked for.
func (m *Manager) without(id string, fn func(*store.Tx) error) error {
	m.mu.Lock()
	switch {
	case m.closed:
		m.mu.Unlock()
		return errClosed
	case m.apart[id]:
		m.mu.Unlock()
		return errLeft
	}
	m.apart[id] = true
	a := m.agents[id]
	delete(m.agents, id)
	m.tasks.Add(1)
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		delete(m.apart, id)
		m.mu.Unlock()
		m.tasks.Done()
		m.changed()
	}()
	if a != nil {
		m.unload(a)
	}
	if err := m.dropIndexes(id); err != nil {
		return err
	}
	return m.noteWrite(m.store.Update(fn))
}

// unload ends what lies in memory of an agent. Who still holds it can write
// nothing any more.
func (m *Manager) unload(a *agent) {
	a.write.Lock()
	m.mu.Lock()
	a.left = true
	m.mu.Unlock()
	a.write.Unlock()
	a.hot.wait()
	for _, f := range []*indexer.Follower{a.recall, a.archive} {
		if f != nil {
			_ = f.Close()
		}
	}
	if a.vectors != nil {
		_ = a.vectors.Close()
	}
}
