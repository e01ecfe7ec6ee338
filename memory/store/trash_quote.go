package store

import (
	"errors"
	"slices"

	"memoria/kv"
	"memoria/memory"
)

// kindQuoted marks a message whose words a deleted item quoted: an older state of the store
// may have the message without the item, and a title that was made from the message.
const kindQuoted = memory.Kind("quoted")

// TrashQuoted removes what was made of the words of messages, which stay, under a deletion like
// that of [Tx.Trash].
func (tx *Tx) TrashQuoted(agent, deletionID string, recordIDs []string) error {
	b := &bin{tx: tx, agent: agent, deletion: deletionID}
	for _, id := range recordIDs {
		b.quoted = append(b.quoted, quotation{Evidence: memory.Evidence{RecordID: id}})
	}
	d := Deleted{ID: deletionID, At: tx.Now()}
	return errors.Join(b.unquote(&d), b.flush(), deletions.Put(tx.kv, kv.Key(agent, deletionID), d))
}

// quotation is a source quote of a deleted item, with what the item says.
type quotation struct {
	memory.Evidence
	said string
}

// unquote removes what was made of the source words of the deleted items, which stay in their
// messages: keywords of packages, titles, summaries, and working memory (D2).
func (b *bin) unquote(d *Deleted) error {
	var left []*Left
	for _, q := range b.quoted {
		at, err := recordPlaces.Get(b.tx.kv, kv.Key(b.agent, q.RecordID))
		if errors.Is(err, ErrNotFound) || Unreadable(err) {
			continue // it was deleted as well
		}
		if err != nil {
			return err
		}
		i := slices.IndexFunc(left, func(l *Left) bool { return l.Session == at.Session })
		if i < 0 {
			i = len(left)
			left = append(left, &Left{Session: at.Session, of: map[string]bool{}, Quoted: true})
		}
		if err := errors.Join(b.quote(q, at, left[i]), b.tx.forget(b.agent, kindQuoted, q.RecordID)); err != nil {
			return err
		}
		d.Quoted = append(d.Quoted, q.RecordID)
	}
	for _, l := range left {
		if err := b.leave(l); err != nil {
			return err
		}
		d.Left = append(d.Left, *l)
	}
	return nil
}

// quote adds the words of a quotation to what a session loses.
func (b *bin) quote(q quotation, at Place, l *Left) error {
	r, err := records.Get(b.tx.kv, kv.Key(b.agent, at.Session, at.Position))
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return nil
	}
	if err != nil {
		return err
	}
	said := b.tx.saidIn(r)
	if lo, hi := q.Offset, q.Offset+q.Length; q.Length > 0 && lo >= 0 && hi <= len(said) {
		said = said[lo:hi]
	}
	l.said = append(l.said, said, q.said)
	turns, err := b.turnsOf(at)
	if err != nil {
		return err
	}
	if r.TurnID != "" {
		turns = append(turns, r.TurnID)
	}
	for _, turn := range turns {
		l.of[turn] = true
		if err := b.keywordsOf(turn); err != nil {
			return err
		}
	}
	return nil
}
