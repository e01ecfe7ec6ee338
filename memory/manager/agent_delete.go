package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// ErrInUse says that a deleted agent was begun anew and cannot come back any more.
var ErrInUse = store.ErrInUse

// DeleteAgent takes an agent with everything it has out of every view at once: its
// description, memories, sessions, profile, drafts, what is queued of it, vectors
// and indexes (D2, I4). Until Deletion.Until all of it can be taken back with
// [Manager.TakeBackAgent]; then it is destroyed, with its files, in the backups
// too. What was deleted of it before cannot be taken back any more. It leaves its
// groups until it is taken back: what it said there stays there, and what is erased
// there is erased of it. Nobody may talk to it meanwhile; whoever does later begins it
// anew. The error is ErrNotFound when there is nothing of it.
func (m *Manager) DeleteAgent(ctx context.Context, id string) (Deletion, error) {
	if !memory.ValidAgentID(id) {
		return Deletion{}, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, ErrInvalid)
	}
	if _, err := m.Group(ctx, id); err == nil { // before anything of it is unloaded
		return Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, ErrGroup)
	}
	unlock, err := m.lockGroups(ctx)
	if err != nil {
		return Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, err)
	}
	defer unlock()
	var gone store.Deleted
	err = m.without(ctx, id, func(t *tx) (err error) {
		if _, err := t.Group(id); err == nil {
			return ErrGroup
		}
		if err := t.leaveGroups(); err != nil {
			return err
		}
		gone, err = t.TrashAgent(id, t.newID())
		return err
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, err)
	}
	m.journalAside(id, gone.ID, false)
	m.schedulePurge(0)
	d := deletion(gone)
	d.Agent = id
	return d, nil
}

// TakeBackAgent undoes DeleteAgent. It returns ErrGone when it is too late, and
// ErrInUse when the agent was begun anew. Nobody may talk to it meanwhile.
func (m *Manager) TakeBackAgent(ctx context.Context, id, deletionID string) (Deletion, error) {
	unlock, err := m.lockGroups(ctx)
	if err != nil {
		return Deletion{}, fmt.Errorf("taking the agent %s back: %w", id, err)
	}
	defer unlock()
	var back store.Deleted
	err = m.without(ctx, id, func(t *tx) (err error) {
		// What is due is gone, though its timer may be late.
		if err := m.purgeIn(t.Tx, t.Now().Add(-TakeBackTime)); err != nil {
			return err
		}
		if back, err = t.RestoreAgent(id, deletionID); errors.Is(err, ErrNotFound) {
			return ErrGone
		}
		if err != nil {
			return err
		}
		return errors.Join(t.rejoinGroups(), t.hearAgain())
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("taking the agent %s back: %w", id, err)
	}
	m.journalAside(id, deletionID, true)
	d := deletion(back)
	d.Agent = id
	return d, nil
}

// lockGroups keeps every group from being written to, while an agent goes or comes back
// that it may hear of. No other lock is held by whoever calls it.
func (m *Manager) lockGroups(ctx context.Context) (unlock func(), err error) {
	all, err := m.Groups(ctx)
	if err != nil {
		return nil, err
	}
	var held []*agent
	unlock = func() {
		for _, a := range held {
			a.lonely = false // who hears it may be others now
			a.write.Unlock()
		}
	}
	for _, g := range all {
		a, err := m.agent(g.ID)
		if err != nil {
			unlock()
			return nil, err
		}
		a.write.Lock()
		held = append(held, a)
	}
	return unlock, nil
}

// leaveGroups takes an agent that is going to be deleted out of every group, also where
// nobody or one alone is left. What it said stays there, under the name by which it was
// known; what it heard is its own, and goes with the agent.
func (t *tx) leaveGroups() error {
	all, err := t.Groups()
	if err != nil {
		return err
	}
	is := func(id string) bool { return id == t.a.id }
	for _, g := range all {
		// One that was away is somebody else by now, begun anew under the same id.
		if _, away := g.Away[t.a.id]; !away && !slices.Contains(g.Hearers(), t.a.id) {
			continue
		}
		t.group = g.ID
		g.Away = maps.Clone(g.Away)
		if delete(g.Away, t.a.id); g.Has(t.a.id) {
			if g.Away == nil {
				g.Away = map[string]int{}
			}
			g.Away[t.a.id] = slices.Index(g.Members, t.a.id)
		}
		g.Members, g.Left = slices.DeleteFunc(g.Members, is), slices.DeleteFunc(g.Left, is)
		g.UpdatedAt = t.Now()
		if err := errors.Join(t.leave(), t.PutGroup(g)); err != nil {
			return fmt.Errorf("leaving the group %s: %w", g.ID, err)
		}
	}
	return nil
}

// rejoinGroups gives an agent that is back its place in the groups that it was taken out
// of with its deletion. It hears what is said from then on.
func (t *tx) rejoinGroups() error {
	all, err := t.Groups()
	if err != nil {
		return err
	}
	for _, g := range all {
		at, away := g.Away[t.a.id]
		if !away {
			continue
		}
		g.Away = maps.Clone(g.Away)
		delete(g.Away, t.a.id)
		if !g.Has(t.a.id) && len(g.Members) < memory.MaxMembers {
			g.Members = slices.Insert(slices.Clone(g.Members), min(at, len(g.Members)), t.a.id)
		}
		g.UpdatedAt = t.Now()
		if err := t.PutGroup(g); err != nil {
			return fmt.Errorf("going back to the group %s: %w", g.ID, err)
		}
	}
	return nil
}

// hearAgain lets groups that an agent had left before know it again, so that what is
// erased there is erased of it, too (S9), and takes from it what was erased meanwhile.
func (t *tx) hearAgain() error {
	heard := map[string][]string{} // sessions by group
	for s, err := range t.Sessions(t.a.id) {
		if err != nil {
			return err
		}
		if s.Group != "" {
			heard[s.Group] = append(heard[s.Group], s.ID)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(heard)) {
		if err := errors.Join(t.noteLeft(group), t.eraseErased(group, heard[group])); err != nil {
			return fmt.Errorf("bringing what was heard in the group %s in line with it: %w", group, err)
		}
	}
	return nil
}

// noteLeft adds the agent to those who left a group; of one that is gone nobody needs
// to know.
func (t *tx) noteLeft(group string) error {
	g, err := t.Group(group)
	if errors.Is(err, ErrNotFound) || err == nil && slices.Contains(g.Hearers(), t.a.id) {
		return nil
	}
	if err != nil {
		return err
	}
	g.Left = append(slices.Clip(g.Left), t.a.id)
	return t.PutGroup(g)
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
// nobody follows it, and ends with its profile in line. It is loaded anew, its indexes made anew, when it is next
// asked for.
func (m *Manager) without(ctx context.Context, id string, fn func(*tx) error) error {
	if err := context.Cause(ctx); err != nil { // before anything of it is unloaded
		return err
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return recall.ErrClosed
	}
	m.tasks.Add(1)
	m.mu.Unlock()
	defer m.tasks.Done()
	readmit, err := m.recall.Exclude(id)
	if err != nil {
		return err
	}
	defer func() { readmit(); m.changed() }()
	m.unload(id)
	if err := m.dropIndexes(id); err != nil {
		return err
	}
	return m.change(ctx, func(stx *store.Tx) error {
		t := &tx{Tx: stx, m: m, a: &agent{id: id}} // of which nothing lies in memory
		if err := fn(t); err != nil {
			return err
		}
		return t.followItems()
	})
}

// unload ends the use of an agent: its pending writes will fail.
func (m *Manager) unload(id string) {
	m.mu.Lock()
	a := m.agents[id]
	delete(m.agents, id)
	m.mu.Unlock()
	if a == nil {
		return
	}
	a.write.Lock()
	m.mu.Lock()
	a.left = true
	m.mu.Unlock()
	a.write.Unlock()
	if a.journal != nil {
		_ = a.journal.Close()
	}
}
