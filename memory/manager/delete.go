package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/doors"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/profiles"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// deletionSet lists what a deletion removes.
type deletionSet struct {
	sessions, items, records []string
	// notes are added to the history, without content.
	notes []memory.Change
	// withItems also deletes items whose only evidence is in the sessions and records.
	// group deletes the group that they belong to.
	withItems, group bool
	// withheld are the messages of deleted and rejected items.
	withheld []string
	// redactions remove words from derived records.
	redactions []store.Redaction
}

// DeleteItems moves items to the trash. They can be restored until Deletion.Until and are
// destroyed then (L6, D2). A message that says little else, and taught nothing that stays, is
// kept out of the memory. A keyed hash remains, so that they are not learned again from
// remaining data until the user restates them. The program's own answers lose the words of
// the items, see [store.Derived]. If an id is unknown, nothing is deleted. An
// unreadable item is destroyed at once.
func (m *Manager) DeleteItems(ctx context.Context, agentID string, ids ...string) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	return m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
		var d deletionSet
		seen := map[string]bool{}
		for _, id := range ids {
			full, err := lookup.ItemID(t.Tx, a.ID, id)
			if err != nil {
				return d, fmt.Errorf("memory %s: %w", id, err)
			}
			if seen[full] {
				continue
			}
			seen[full] = true
			d.items = append(d.items, full)
		}
		var err error
		d.withheld, err = sayingLittleElse(t, d.items)
		return d, err
	})
}

// sayingLittleElse returns the messages of which turns learned the items and little else: an answer that quoted them would have
// what was deleted.
func sayingLittleElse(t *write.Tx, items []string) (ids []string, err error) {
	covered := map[string]int{} // bytes of a message
	for _, id := range items {
		it, err := t.Item(t.Owner.ID, id)
		if lookup.Lacking(err) || store.Unreadable(err) {
			continue // it is deleted all the same
		}
		if err != nil {
			return nil, err
		}
		if it.Origin != memory.OriginTurn {
			continue
		}
		for _, ev := range it.Evidence {
			r, err := t.Record(t.Owner.ID, ev.RecordID)
			if lookup.Lacking(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if covered[r.ID] += ev.Length; ev.Length == 0 || 5*covered[r.ID] > 3*len(r.Content) {
				ids = append(ids, r.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// ClearItems deletes all items of an agent. Working memory stays (L6).
func (m *Manager) ClearItems(ctx context.Context, agentID string) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	return m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
		var d deletionSet
		for id, err := range t.ItemIDs(a.ID) {
			if err != nil {
				return d, err
			}
			d.items = append(d.items, id)
		}
		return d, nil
	})
}

// DeleteSession moves a session with its messages, packages, working memory and pending
// jobs to the trash. withItems also deletes the items whose only evidence is in this
// session, and the episodes made from it. Other items stay active, with their evidence
// shown as forgotten (D2). The program's own answers in other sessions lose words
// as by [Manager.DeleteRecords]. Everything can be restored until Deletion.Until, except an
// unreadable title. id may be the beginning or end of an id, as for [lookup.Reader.Session].
func (m *Manager) DeleteSession(ctx context.Context, agentID, id string, withItems bool) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	return m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
		session, err := lookup.SessionID(t.Tx, a.ID, id)
		if err != nil {
			return deletionSet{}, fmt.Errorf("session %s: %w", id, err)
		}
		d := deletionSet{sessions: []string{session}, withItems: withItems}
		if err := t.RefuseHeard(session); err != nil {
			return d, err
		}
		if withItems {
			d.items, err = t.ItemsOnlyFrom(a.ID, session)
		}
		return d, err
	})
}

func (m *Manager) delete(ctx context.Context, a *write.Agent, which func(*write.Tx) (deletionSet, error)) (write.Deletion, error) {
	var gone store.Deleted
	err := m.Update(ctx, a, func(t *write.Tx) error {
		d, err := which(t)
		if err == nil {
			d, err = withRepeats(t, d)
		}
		if err != nil {
			return err
		}
		id := t.NewID()
		heard, items, err := deleteForMembers(t, d, id) // while the words are still known
		if err != nil {
			return err
		}
		if gone, err = moveToTrash(t, d, id); err != nil {
			return err
		}
		if len(d.withheld) > 0 {
			if gone, err = withholdTaught(t, gone, d); err != nil {
				return err
			}
		}
		gone.Items += items
		if d.group {
			err = t.TrashGroup(a.ID, id)
		}
		if len(heard) > 0 {
			err = errors.Join(err, t.NoteHeard(a.ID, id, heard))
		}
		return err
	})
	if err != nil {
		return write.Deletion{}, fmt.Errorf("deleting: %w", err)
	}
	m.PlanPurge()
	return write.DeletionOf(gone), nil
}

// moveToTrash moves a deletion set of one agent to the trash.
func moveToTrash(t *write.Tx, d deletionSet, id string) (gone store.Deleted, err error) {
	if d.items, err = doors.WithEdits(t, d.items); err != nil {
		return gone, err
	}
	said, err := refusalKeysOf(t, d.items)
	if err == nil {
		err = errors.Join(t.Refuse(t.Owner.ID, said), ignoreQuotes(t, d))
	}
	if err != nil {
		return gone, err
	}
	if gone, err = t.Trash(t.Owner.ID, id, d.sessions, d.items, d.records...); err != nil {
		return gone, err
	}
	if gone.Redacted = d.redactions; len(d.redactions) > 0 {
		if err := t.Redact(t.Owner.ID, id, d.redactions); err != nil {
			return gone, err
		}
	}
	if err := errors.Join(retitle(t, gone.Left), resummarise(t, gone.Left)); err != nil {
		return gone, err
	}
	t.Moved = true
	for _, n := range d.notes {
		n.Time = t.Now()
		if err := t.Note(t.Owner.ID, t.NewID(), n); err != nil {
			return gone, err
		}
	}
	for _, id := range d.items {
		t.Removed(id, memory.OriginUser)
	}
	return gone, nil
}

// UndoDeletion undoes a deletion and returns what was restored; the title is the content of a
// single memory. The error is ErrGone
// after the undo time. It is ErrOrphaned if single messages were deleted before their
// session, which must be restored first. An open session is restored as archived if
// another is open.
func (m *Manager) UndoDeletion(ctx context.Context, agentID, deletionID string) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	var back store.Restored
	heard := 0
	err = m.Update(ctx, a, func(t *write.Tx) error {
		if err := m.trash.PurgeExpiredIn(t.Tx); err != nil {
			return err
		}
		open, err := openSessions(t)
		if err != nil {
			return err
		}
		if back, err = restoreDeletion(t, deletionID, open); err != nil {
			return err
		}
		a.NoHearers = false // a group may have been restored
		heard, err = restoreForMembers(t, deletionID, back)
		return err
	})
	if err != nil {
		return write.Deletion{}, fmt.Errorf("undoing a deletion: %w", err)
	}
	d := write.DeletionOf(back.Deleted)
	d.Items, d.Sessions, d.Messages = len(back.Items)+heard, len(back.Sessions), back.Messages
	if len(back.Items) == 1 && d.Items == 1 && d.Sessions == 0 {
		d.Title = back.Items[0].Content
	}
	return d, nil
}

// restoreDeletion restores one agent's part of a deletion. open is its number of open
// sessions.
func restoreDeletion(t *write.Tx, deletionID string, open int) (store.Restored, error) {
	back, err := t.RestoreTrash(t.Owner.ID, deletionID, t.NewID())
	if errors.Is(err, lookup.ErrNotFound) {
		return back, ErrGone
	}
	if err != nil {
		return back, err
	}
	t.Moved = true
	err = errors.Join(
		clearWithheld(t, back.Deleted), restoreItems(t, back.Items), ignoreInRestored(t, back.Sessions), resummarise(t, back.Left),
	)
	if err != nil {
		return back, err
	}
	if back.Cleared && len(back.Profiles) > 0 {
		if err := profiles.Return(t, back.Profiles); err != nil {
			return back, err
		}
	}
	for _, s := range back.Sessions {
		if open > 0 && s.State == memory.SessionActive && s.Group == "" {
			if err := archiveSession(t, s.ID); err != nil {
				return back, err
			}
		}
	}
	return back, nil
}

// restoreItems reconciles restored items with the current ones.
func restoreItems(t *write.Tx, back []memory.Item) error {
	if err := unignore(t, back); err != nil {
		return err
	}
	for _, it := range back {
		said, err := refusalKeys(t, it)
		if err == nil {
			err = t.Unrefuse(t.Owner.ID, said)
		}
		if err != nil {
			return err
		}
		t.Written(it, memory.Change{Action: memory.ActionRestored, Origin: memory.OriginUser})
		if it.State != memory.StateActive {
			continue
		}
		// An item learned again meanwhile has precedence.
		if rival, err := lookup.RivalOf(t.Tx, t.Owner.ID, it); err != nil {
			return err
		} else if rival.ID != "" {
			if err := learning.EndItem(t, it.ID, rival.ID, learning.ByUser); err != nil {
				return err
			}
		}
	}
	return nil
}

// openSessions counts the active sessions among the most recently used.
func openSessions(t *write.Tx) (n int, err error) {
	seen := 0
	for s, err := range t.Sessions(t.Owner.ID) {
		if err != nil {
			return 0, err
		}
		if s.State == memory.SessionActive && s.Group == "" {
			n++
		}
		if seen++; seen == openScan {
			break
		}
	}
	return n, nil
}

// openScan bounds the sessions that openSessions reads.
const openScan = 20

// Reject deletes held items in one write, all or none. It can be undone until
// Deletion.Until. A keyed hash remains, so that they are not proposed again until the
// user restates them (D2), and a note in the history without content. The messages that
// said it are marked not for memory, unless another memory rests on them.
func (m *Manager) Reject(ctx context.Context, agentID string, shown ...learning.Shown) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	return m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
		var d deletionSet
		held, err := learning.HeldItems(t, shown)
		for _, it := range held {
			d.items = append(d.items, it.ID)
			n := memory.Change{
				ItemID: it.ID, Action: memory.ActionRejected, Reason: "rejected by the user", Origin: memory.OriginUser,
				Version: it.Version,
			}
			if len(it.Evidence) > 0 {
				n.TurnID = it.Evidence[0].TurnID
			}
			d.notes = append(d.notes, n)
			if it.Metadata.StillTrue == "" {
				for _, ev := range it.Evidence {
					d.withheld = append(d.withheld, ev.RecordID)
				}
			}
			if err == nil {
				err = learning.RejectStill(t, it)
			}
		}
		return d, err
	})
}
