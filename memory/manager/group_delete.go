package manager

import (
	"errors"

	"memoria/memory/store"
)

// deleteHeard takes what the hearers of a group have of what is doomed in it, under
// the same deletion: references, summaries, what was sent, and with the items those
// that each of them made of it. It returns of whom, and how many items
// that are.
func (t *tx) deleteForMembers(d deletionSet, id string) (heard []string, items int, err error) {
	for _, h := range t.hearers {
		mine, err := h.memberDeletion(d)
		if err != nil {
			return nil, 0, err
		}
		if len(mine.sessions)+len(mine.records)+len(mine.items) == 0 {
			continue
		}
		gone, err := h.delete(mine, id)
		if err != nil {
			return nil, 0, err
		}
		items += gone.Items
		heard = append(heard, h.a.id)
	}
	return heard, items, nil
}

// doomedHeard is what a hearer has of what is doomed in the group.
func (t *tx) memberDeletion(d deletionSet) (deletionSet, error) {
	var records []string
	for _, id := range d.records {
		there, err := t.HasRecord(t.a.id, id)
		if err != nil {
			return deletionSet{}, err
		}
		if there {
			records = append(records, id)
		}
	}
	mine, err := t.recordsToDelete(d.withItems, records)
	if err != nil {
		return mine, err
	}
	for _, session := range d.sessions {
		there, err := t.HasSession(t.a.id, session)
		if err == nil && there {
			mine.sessions = append(mine.sessions, session)
			if d.withItems {
				var items []string
				items, err = t.ItemsOnlyFrom(t.a.id, session)
				mine.items = append(mine.items, items...)
			}
		}
		if err != nil {
			return mine, err
		}
	}
	return mine, nil
}

// takeBackHeard brings back what a deletion in a group took of its hearers, and ends
// for them what is archived by that. It returns how many items came back.
func (t *tx) restoreForMembers(deletionID string, group store.Restored) (items int, err error) {
	for _, h := range t.hearers {
		there, err := h.HasDeletion(h.a.id, deletionID)
		if err != nil {
			return items, err
		}
		if !there {
			continue
		}
		back, err := h.restoreDeletion(deletionID, 0)
		if err != nil {
			return items, err
		}
		items += len(back.Items)
		for _, s := range group.Sessions {
			now, err := t.Session(t.a.id, s.ID)
			if err == nil && now.State != s.State { // another is open by now
				err = h.archive(s.ID)
			}
			if err != nil && !errors.Is(err, ErrNotFound) {
				return items, err
			}
		}
	}
	return items, nil
}
