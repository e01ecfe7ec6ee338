package manager

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// CollectRecord sets or removes the bookmark of a message (A1). id may be partial, as for
// [lookup.Reader.FindRecord].
func (m *Manager) CollectRecord(ctx context.Context, agentID, id string, on bool) (memory.Record, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	var r memory.Record
	err = m.Update(ctx, a, func(t *write.Tx) error {
		full, err := lookup.RecordID(t.Tx, a.ID, id)
		if err != nil {
			return err
		}
		r, err = t.SetCollected(a.ID, full, on)
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("bookmarking message %s: %w", id, err)
	}
	return m.Recall().Fetch(r), nil
}

// restsElsewhere reports whether an item keeps evidence without these messages. An
// episode depends on all of its messages.
func restsElsewhere(t *write.Tx, it memory.Item, records []string) (bool, error) {
	if it.Type == memory.TypeEpisode && it.Generation != "" {
		return false, nil
	}
	for _, ev := range it.Evidence {
		if slices.Contains(records, ev.RecordID) {
			continue
		}
		if there, err := t.HasRecord(t.Owner.ID, ev.RecordID); there || err != nil {
			return there, err
		}
	}
	return false, nil
}

// DeleteRecords moves single messages to the trash (A5), and removes them from the
// archive, the session's summary and the packages that quoted them. The program's own
// answers to them and their tool results are deleted with them; others lose the words that
// repeat them. withItems also deletes the items whose only evidence is in these messages, and
// the episodes made from them (D2). A session without remaining messages is deleted as by
// [Manager.DeleteSession]. Everything can be restored until Deletion.Until. ids may be
// partial; if one is unknown, nothing is deleted.
func (m *Manager) DeleteRecords(ctx context.Context, agentID string, withItems bool, ids ...string) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	return m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
		full := make([]string, len(ids))
		for i, id := range ids {
			if full[i], err = lookup.RecordID(t.Tx, a.ID, id); err != nil {
				return deletionSet{}, fmt.Errorf("message %s: %w", id, err)
			}
		}
		return recordsToDelete(t, withItems, full)
	})
}

// recordsToDelete returns the deletion set of messages.
func recordsToDelete(t *write.Tx, withItems bool, ids []string) (deletionSet, error) {
	d := deletionSet{withItems: withItems}
	for _, id := range ids {
		session, err := t.SessionOf(t.Owner.ID, id)
		if err == nil {
			err = t.RefuseHeard(session)
		}
		if err != nil {
			return d, fmt.Errorf("message %s: %w", id, err)
		}
		if !slices.Contains(d.records, id) {
			d.records = append(d.records, id)
		}
	}
	if !withItems || len(d.records) == 0 {
		return d, nil
	}
	items, err := t.ItemsFromRecords(t.Owner.ID, d.records)
	if err != nil {
		return d, err
	}
	for _, it := range items {
		rest, err := restsElsewhere(t, it, d.records)
		if err != nil {
			return d, err
		}
		if !rest {
			d.items = append(d.items, it.ID)
		}
	}
	return d, nil
}

// isWholeSession reports whether n is the number of a session's messages.
func isWholeSession(t *write.Tx, session string, n int) (bool, error) {
	there, err := t.HasSession(t.Owner.ID, session)
	if err != nil || !there {
		return false, err
	}
	size, err := t.SessionSize(t.Owner.ID, session)
	return size == n, err
}

// ignoredIn reports whether the user deleted a memory of the message.
func ignoredIn(s memory.Session, r memory.Record) bool {
	return slices.ContainsFunc(s.Silenced, func(ev memory.Evidence) bool { return ev.RecordID == r.ID })
}

// retitle gives new titles to sessions whose title was made from a deleted message, or from
// the words of a deleted memory.
func retitle(t *write.Tx, left []store.Left) error {
	for _, l := range left {
		s, err := t.Session(t.Owner.ID, l.Session)
		if lookup.Lacking(err) || err == nil && s.Title != "" {
			continue
		}
		if err != nil {
			return err
		}
		records, err := lookup.RecordsOf(t.Tx, s, 0, true)
		if err != nil {
			return err
		}
		for _, r := range records {
			if r.Role == memory.RoleUser && !r.NotForMemory && !ignoredIn(s, r) {
				s.Title = t.Core.Title(t.Core.Recall().Fetch(r).Typed())
				break
			}
		}
		if err := t.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}
