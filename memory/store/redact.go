package store

import (
	"errors"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/gone"
)

// Redaction is a change of the words of a derived record by a deletion.
type Redaction struct {
	RecordID string `json:"record_id"`
	Was      string `json:"was"`
	Now      string `json:"now"`
	// Count is the number of the record's redactions, with this one.
	Count int `json:"count"`
}

// Redact changes the words of records as part of a deletion made by [Tx.Trash]. Undoing the
// deletion restores the words that no later deletion has changed.
func (tx *Tx) Redact(agent, deletionID string, all []Redaction) error {
	d, err := deletions.Get(tx.kv, kv.Key(agent, deletionID))
	if err != nil || len(all) == 0 {
		return err
	}
	for _, x := range all {
		if err := reword(tx, agent, x, x.Was, x.Now, x.Count, tx.forget); err != nil {
			return err
		}
	}
	d.Redacted = all
	return deletions.Put(tx.kv, kv.Key(agent, deletionID), d)
}

// unredact restores the words that a deletion changed.
func unredact(tx *Tx, agent string, d Deleted) error {
	for _, x := range d.Redacted {
		if err := reword(tx, agent, x, x.Now, x.Was, x.Count-1, tx.remember); err != nil {
			return err
		}
	}
	return nil
}

// reword replaces the words of a record and lists or unlists the redaction. It changes nothing
// if the record has other words.
func reword(
	tx *Tx, agent string, x Redaction, from, to string, count int, list func(string, memory.Kind, string) error,
) error {
	at, err := recordPlaces.Get(tx.kv, kv.Key(agent, x.RecordID))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	key := kv.Key(agent, at.Session, at.Position)
	r, err := records.Get(tx.kv, key)
	if Unreadable(err) || err == nil && r.Content != from {
		return nil
	}
	if err != nil {
		return err
	}
	r.Content, r.Metadata.Redacted = to, count
	return errors.Join(
		records.Put(tx.kv, key, r),
		list(agent, gone.KindRedacted, gone.Redaction(r.ID, x.Count)),
		tx.announce(agent, KindRecord, r.ID, OpPut),
	)
}

// redactedSince returns the redactions that bring the records of an older state to their
// present words.
func redactedSince(tx *Tx, agent string, old *Tx, before time.Time) (out []Redaction, err error) {
	_, err = tx.forgottenWhere(agent, gone.KindRedacted, before, func(name string) (bool, error) {
		id, _, _ := strings.Cut(name, "/")
		now, err := tx.Record(agent, id)
		if errors.Is(err, ErrNotFound) || Unreadable(err) {
			return false, nil // it was deleted since
		}
		if err != nil {
			return false, err
		}
		was, err := old.Record(agent, id)
		if errors.Is(err, ErrNotFound) || Unreadable(err) || was.Metadata.Redacted >= now.Metadata.Redacted {
			return false, nil
		}
		out = append(out, Redaction{RecordID: id, Was: was.Content, Now: now.Content, Count: now.Metadata.Redacted})
		return false, err
	})
	return out, err
}
