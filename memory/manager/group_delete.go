package manager

import (
	"errors"

	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// deleteForMembers deletes the hearers' data derived from a deletion set of their group,
// under the same deletion: references, summaries, packages and, with items, those learned
// there. It returns the affected agents and the number of items.
func deleteForMembers(t *write.Tx, d deletionSet, id string) (heard []string, items int, err error) {
	for _, h := range t.HearerTx {
		mine, err := memberDeletion(h, d)
		if err != nil {
			return nil, 0, err
		}
		if len(mine.sessions)+len(mine.records)+len(mine.items) == 0 {
			continue
		}
		gone, err := moveToTrash(h, mine, id)
		if err != nil {
			return nil, 0, err
		}
		items += gone.Items
		heard = append(heard, h.Owner.ID)
	}
	return heard, items, nil
}

// memberDeletion returns a hearer's part of a deletion in the group.
func memberDeletion(t *write.Tx, d deletionSet) (deletionSet, error) {
	var records []string
	for _, id := range d.records {
		there, err := t.HasRecord(t.Owner.ID, id)
		if err != nil {
			return deletionSet{}, err
		}
		if there {
			records = append(records, id)
		}
	}
	mine, err := recordsToDelete(t, d.withItems, records)
	if err != nil {
		return mine, err
	}
	for _, session := range d.sessions {
		there, err := t.HasSession(t.Owner.ID, session)
		if err == nil && there {
			mine.sessions = append(mine.sessions, session)
			if d.withItems {
				var items []string
				items, err = t.ItemsOnlyFrom(t.Owner.ID, session)
				mine.items = append(mine.items, items...)
			}
		}
		if err != nil {
			return mine, err
		}
	}
	return withRepeats(t, mine)
}

// restoreForMembers restores the hearers' parts of a deletion in a group, and ends for
// them the sessions that the restore archives. It returns the number of restored items.
func restoreForMembers(t *write.Tx, deletionID string, group store.Restored) (items int, err error) {
	for _, h := range t.HearerTx {
		there, err := h.HasDeletion(h.Owner.ID, deletionID)
		if err != nil {
			return items, err
		}
		if !there {
			continue
		}
		back, err := restoreDeletion(h, deletionID, 0)
		if err != nil {
			return items, err
		}
		items += len(back.Items)
		for _, s := range group.Sessions {
			now, err := t.Session(t.Owner.ID, s.ID)
			if err == nil && now.State != s.State { // another is open now
				err = archiveSession(h, s.ID)
			}
			if err != nil && !errors.Is(err, lookup.ErrNotFound) {
				return items, err
			}
		}
	}
	return items, nil
}
