package store

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/gone"
)

// DropGone permanently deletes everything in the list from an older state of the store.
// newID returns ids for deletions. newer is the present state, whose refusals are taken over:
// an agent that it has was recreated after its deletion. It may be nil.
func (tx *Tx) DropGone(l *gone.List, newID func() string, newer *Tx) error {
	known, err := tx.Agents()
	if err != nil {
		return err
	}
	var present []string
	if newer != nil {
		if present, err = newer.Agents(); err != nil {
			return err
		}
	}
	for _, agent := range known {
		if slices.Contains(present, agent) {
			if err := takeRefused(tx, newer, agent); err != nil {
				return err
			}
		} else if l.Has(agent, gone.KindAgent, agent) {
			if _, err := tx.TrashAgent(agent, newID()); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			continue
		}
		if err := tx.dropGoneOf(agent, l, newID, newer == nil); err != nil {
			return err
		}
	}
	_, _, err = tx.PurgeTrash(time.Time{})
	return err
}

// dropGoneOf includes what was made of the words of quoted messages only if asked to: the list
// does not say when.
func (tx *Tx) dropGoneOf(agent string, l *gone.List, newID func() string, quotes bool) error {
	var itemIDs, recordIDs, sessionIDs, quoted []string
	for id, err := range tx.ItemIDs(agent) {
		if err != nil {
			return err
		}
		if l.Has(agent, memory.KindItem, id) {
			itemIDs = append(itemIDs, id)
		}
	}
	left := map[string]int{} // remaining messages, by session
	for r, err := range tx.AllRecords(agent) {
		if err != nil {
			return err
		}
		if kind, redaction := gone.NextRedaction(r); l.Has(agent, memory.KindRecord, r.ID) || l.Has(agent, kind, redaction) {
			left[r.SessionID] += 0
			recordIDs = append(recordIDs, r.ID)
		} else {
			left[r.SessionID]++
			if quotes && l.Has(agent, kindQuoted, r.ID) {
				quoted = append(quoted, r.ID)
			}
		}
	}
	for session, n := range left {
		if there, err := tx.HasSession(agent, session); err != nil {
			return err
		} else if n == 0 && there {
			sessionIDs = append(sessionIDs, session)
		}
	}
	if len(sessionIDs) > 0 { // deleting them includes their messages
		kept := recordIDs[:0]
		for _, id := range recordIDs {
			session, err := tx.SessionOf(agent, id)
			if err != nil {
				return err
			}
			if !slices.Contains(sessionIDs, session) {
				kept = append(kept, id)
			}
		}
		recordIDs = kept
	}
	var versions []int
	all, err := tx.ProfileVersions(agent)
	if err != nil {
		return err
	}
	for _, v := range all {
		if l.Has(agent, memory.KindProfile, strconv.Itoa(v)) {
			versions = append(versions, v)
		}
	}
	if len(itemIDs)+len(sessionIDs)+len(recordIDs) > 0 {
		if _, err := tx.Trash(agent, newID(), sessionIDs, itemIDs, recordIDs...); err != nil {
			return err
		}
	}
	if len(quoted) > 0 {
		if err := tx.TrashQuoted(agent, newID(), quoted); err != nil {
			return err
		}
	}
	if len(versions) > 0 {
		_, err = tx.TrashProfiles(agent, newID(), versions, false)
	}
	return err
}

// beginGone creates the list of a store that has none.
func (s *Store) beginGone() error {
	if s.db.ReadOnly() {
		return nil
	}
	if _, err := os.Stat(gone.Path(s.db.Path())); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lines []string
	err := s.View(func(tx *Tx) error {
		for key, err := range forgotten.Keys(tx.kv, nil) {
			var agent, kind, id string
			if err == nil {
				err = kv.Unpack(key, &agent, &kind, &id)
			}
			if err != nil {
				return err
			}
			lines = append(lines, gone.Deleted(agent, memory.Kind(kind), id))
		}
		return nil
	})
	return errors.Join(err, gone.Append(s.db.Path(), lines))
}
