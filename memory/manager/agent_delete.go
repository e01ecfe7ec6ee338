package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// ErrInUse reports that a deleted agent was recreated, so its deletion cannot be undone.
var ErrInUse = store.ErrInUse

// DeleteAgent moves an agent with all its data to the trash in one write: description,
// memories, sessions, profile, drafts, pending jobs, vectors and indexes (D2, I4). It can
// be undone with [Manager.UndoAgentDeletion] until Deletion.Until. After that the data is
// destroyed, with its files, also in the backups. Earlier deletions of the agent can no
// longer be undone. The agent leaves its groups until the deletion is undone. Its
// messages there stay, and a deletion in a group also deletes its references. The caller
// must not use the agent during the call; a later use recreates it. The error is
// ErrNotFound if the agent has no data.
func (m *Manager) DeleteAgent(ctx context.Context, id string) (write.Deletion, error) {
	if !memory.ValidAgentID(id) {
		return write.Deletion{}, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, memory.ErrInvalid)
	}
	if _, err := m.Lookup().Group(ctx, id); err == nil { // before the agent is unloaded
		return write.Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, write.ErrGroup)
	}
	unlock, err := m.lockGroups(ctx)
	if err != nil {
		return write.Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, err)
	}
	defer unlock()
	var gone store.Deleted
	err = m.whileUnloaded(ctx, id, func(t *write.Tx) (err error) {
		if _, err := t.Group(id); err == nil {
			return write.ErrGroup
		}
		if err := leaveGroups(t); err != nil {
			return err
		}
		gone, err = t.TrashAgent(id, t.NewID())
		return err
	})
	if err != nil {
		return write.Deletion{}, fmt.Errorf("deleting the agent %s: %w", id, err)
	}
	m.journals.Move(id, gone.ID, false)
	m.PlanPurge()
	d := write.DeletionOf(gone)
	d.Agent = id
	return d, nil
}

// UndoAgentDeletion undoes DeleteAgent. The error is ErrGone after the undo time, and
// ErrInUse if the agent was recreated. The caller must not use the agent during the call.
func (m *Manager) UndoAgentDeletion(ctx context.Context, id, deletionID string) (write.Deletion, error) {
	unlock, err := m.lockGroups(ctx)
	if err != nil {
		return write.Deletion{}, fmt.Errorf("undoing the deletion of the agent %s: %w", id, err)
	}
	defer unlock()
	var back store.Deleted
	err = m.whileUnloaded(ctx, id, func(t *write.Tx) (err error) {
		if err := m.trash.PurgeExpiredIn(t.Tx); err != nil {
			return err
		}
		if back, err = t.RestoreAgent(id, deletionID); errors.Is(err, lookup.ErrNotFound) {
			return ErrGone
		}
		if err != nil {
			return err
		}
		return errors.Join(rejoinGroups(t), relinkGroups(t))
	})
	if err != nil {
		return write.Deletion{}, fmt.Errorf("undoing the deletion of the agent %s: %w", id, err)
	}
	m.journals.Move(id, deletionID, true)
	d := write.DeletionOf(back)
	d.Agent = id
	return d, nil
}

// lockGroups locks all groups for writing while an agent that may belong to them is
// deleted or restored. The caller must hold no other lock.
func (m *Manager) lockGroups(ctx context.Context) (unlock func(), err error) {
	all, err := m.Lookup().Groups(ctx)
	if err != nil {
		return nil, err
	}
	var held []*write.Agent
	unlock = func() {
		for _, a := range held {
			a.NoHearers = false // the hearers may change
			a.Writes.Unlock()
		}
	}
	for _, g := range all {
		a, err := m.Agent(g.ID)
		if err != nil {
			unlock()
			return nil, err
		}
		a.Writes.Lock()
		held = append(held, a)
	}
	return unlock, nil
}

// leaveGroups removes an agent that is about to be deleted from every group, also if at
// most one member remains. Its messages stay in the group under its name there. Its own
// references are deleted with the agent.
func leaveGroups(t *write.Tx) error {
	all, err := t.Groups()
	if err != nil {
		return err
	}
	is := func(id string) bool { return id == t.Owner.ID }
	for _, g := range all {
		// An agent in Away was deleted before; this one was recreated under its id.
		if _, away := g.Away[t.Owner.ID]; !away && !slices.Contains(g.Hearers(), t.Owner.ID) {
			continue
		}
		t.HeardIn = g.ID
		g.Away = maps.Clone(g.Away)
		if delete(g.Away, t.Owner.ID); g.Has(t.Owner.ID) {
			if g.Away == nil {
				g.Away = map[string]int{}
			}
			g.Away[t.Owner.ID] = slices.Index(g.Members, t.Owner.ID)
		}
		g.Members, g.Left = slices.DeleteFunc(g.Members, is), slices.DeleteFunc(g.Left, is)
		g.UpdatedAt = t.Now()
		if err := errors.Join(endHeardSessions(t), t.PutGroup(g)); err != nil {
			return fmt.Errorf("leaving the group %s: %w", g.ID, err)
		}
	}
	return nil
}

// rejoinGroups gives a restored agent its place in the groups that its deletion removed
// it from. It hears later messages only.
func rejoinGroups(t *write.Tx) error {
	all, err := t.Groups()
	if err != nil {
		return err
	}
	for _, g := range all {
		at, away := g.Away[t.Owner.ID]
		if !away {
			continue
		}
		g.Away = maps.Clone(g.Away)
		delete(g.Away, t.Owner.ID)
		if !g.Has(t.Owner.ID) && len(g.Members) < memory.MaxMembers {
			g.Members = slices.Insert(slices.Clone(g.Members), min(at, len(g.Members)), t.Owner.ID)
		}
		g.UpdatedAt = t.Now()
		if err := t.PutGroup(g); err != nil {
			return fmt.Errorf("going back to the group %s: %w", g.ID, err)
		}
	}
	return nil
}

// relinkGroups registers a restored agent with the groups that it had left before its
// deletion, so that deletions there reach it again (S9). It also applies the deletions
// made meanwhile.
func relinkGroups(t *write.Tx) error {
	heard := map[string][]string{} // sessions by group
	for s, err := range t.Sessions(t.Owner.ID) {
		if err != nil {
			return err
		}
		if s.Group != "" {
			heard[s.Group] = append(heard[s.Group], s.ID)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(heard)) {
		if err := errors.Join(addFormerMember(t, group), deleteErased(t, group, heard[group])); err != nil {
			return fmt.Errorf("bringing what was heard in the group %s in line with it: %w", group, err)
		}
	}
	return nil
}

// addFormerMember adds the agent to the former members of a group. A deleted group is
// ignored.
func addFormerMember(t *write.Tx, group string) error {
	g, err := t.Group(group)
	if errors.Is(err, lookup.ErrNotFound) || err == nil && slices.Contains(g.Hearers(), t.Owner.ID) {
		return nil
	}
	if err != nil {
		return err
	}
	g.Left = append(slices.Clip(g.Left), t.Owner.ID)
	return t.PutGroup(g)
}

// deleteErased deletes the agent's references to sessions and messages that no longer
// exist in the group.
func deleteErased(t *write.Tx, group string, sessions []string) error {
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
		heard, err := t.Tree(t.Owner.ID, session)
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
	t.HeardIn = group // the deletion is the group's
	d, err := recordsToDelete(t, false, records)
	if err != nil {
		return err
	}
	d.sessions = append(d.sessions, gone...)
	if d, err = withRepeats(t, d); err == nil {
		_, err = moveToTrash(t, d, t.NewID())
	}
	return err
}

// whileUnloaded runs a durable transaction while the agent is unloaded and has no
// followers, then updates its profile. The agent is loaded again and its indexes are
// rebuilt on the next use.
func (m *Manager) whileUnloaded(ctx context.Context, id string, fn func(*write.Tx) error) error {
	if err := context.Cause(ctx); err != nil { // before the agent is unloaded
		return err
	}
	if !m.Begin() {
		return recall.ErrClosed
	}
	defer m.Tasks.Done()
	readmit, err := m.Recall().Exclude(id)
	if err != nil {
		return err
	}
	defer func() { readmit(); m.Changed() }()
	m.Unload(id)
	m.journals.Close(id)
	if err := m.files.DropIndexes(id); err != nil {
		return err
	}
	return m.ChangeUnloaded(ctx, id, fn)
}
