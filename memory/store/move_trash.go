package store

import (
	"bytes"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/queue"
)

// trashed is the trash of moved records.
type trashed struct {
	chunks map[string][]codec.Row // by trash key
	tail   map[string]uint64      // by deletion, the highest position taken
	stay   map[string]bool        // deletions that also took other records of the session
	turn   map[int]bool           // versions of working memory of their turns
}

// chooseTrash finds the deleted records to move, and adds their turns.
func (w *move) chooseTrash() error {
	out := trashed{chunks: map[string][]codec.Row{}, tail: map[string]uint64{}, stay: map[string]bool{}, turn: map[int]bool{}}
	for e, err := range readable(w.tx, trash.Scan(w.tx.kv, kv.Prefix(w.Agent))) {
		if err != nil {
			return err
		}
		var agent, deletion string
		var number uint64
		if err := kv.Unpack(e.Key, &agent, &deletion, &number); err != nil {
			return err
		}
		out.chunks[string(e.Key)] = e.Value
		for _, r := range e.Value {
			at, said, is := w.deleted(r)
			if !is {
				continue
			}
			if !w.goes(said) {
				out.stay[deletion] = true
				continue
			}
			out.tail[deletion] = max(out.tail[deletion], at)
			w.lower(at)
			w.turns[said.TurnID] = true
		}
	}
	all, err := w.tx.Packages(w.Agent, w.From)
	for _, p := range all {
		out.turn[p.Turn] = out.turn[p.Turn] || w.turns[p.TurnID]
	}
	w.trash = out
	return err
}

// deleted returns a deleted record of the session, and its position. An unreadable one
// is empty.
func (w *move) deleted(r codec.Row) (at uint64, said memory.Record, is bool) {
	var agent, session string
	if r.Bucket != records.Name() || kv.Unpack(r.Key, &agent, &session, &at) != nil || session != w.From {
		return 0, said, false
	}
	said, err := codec.DecodeRecord(r.Value)
	if err != nil {
		said = memory.Record{}
	}
	return at, said, true
}

// goes reports whether a deleted record is moved.
func (w *move) goes(said memory.Record) bool { return w.all || w.in[said.ID] }

// moveTrash moves the deleted records, so that undo restores them in the new session.
func (w *move) moveTrash() error {
	for key, rows := range w.trash.chunks {
		changed := false
		for i := range rows {
			did, err := w.moveRow(&rows[i])
			if err != nil {
				return err
			}
			changed = changed || did
		}
		if !changed {
			continue
		}
		if err := trash.Put(w.tx.kv, []byte(key), rows); err != nil {
			return err
		}
	}
	for deletion, tail := range w.trash.tail {
		if err := w.tx.moveLeft(w.Moving, deletion, w.to(tail).Position, w.trash.stay[deletion], w.in); err != nil {
			return err
		}
	}
	return nil
}

// moveRow updates a deleted row that belongs to the move, and reports whether it did.
func (w *move) moveRow(r *codec.Row) (did bool, err error) {
	var agent, session, turn string
	var at uint64
	switch r.Bucket {
	case records.Name():
		at, said, is := w.deleted(*r)
		if !is || !w.goes(said) {
			return false, nil
		}
		r.Key = kv.Key(w.Agent, w.To, w.to(at).Position)
		return true, rewrite(r, records, func(r *memory.Record) error {
			r.SessionID = w.To
			r.ParentID, r.Root = w.hangs(r.ID, r.ParentID, r.Root)
			return nil
		})
	case packages.Name():
		if err := kv.Unpack(r.Key, &agent, &session, &turn); err != nil || session != w.From || !w.turns[turn] {
			return false, err
		}
		r.Key = kv.Key(agent, w.To, turn)
		return true, rewrite(r, packages, func(p *memory.Package) error { w.movePackage(p); return nil })
	case workingVersions.Name():
		if err := kv.Unpack(r.Key, &agent, &session, &at); err != nil || session != w.From || !w.trash.turn[int(at)] {
			return false, err
		}
		r.Key = kv.Key(agent, w.To, uint64(max(1, int(at)+w.Shift)))
		return true, rewrite(r, workingVersions, func(v *memory.Working) error { v.SessionID = w.To; return nil })
	case jobs.Name():
		if !bytes.Contains(r.Value, []byte(w.From)) {
			return false, nil
		}
		return true, rewrite(r, jobs, func(j *queue.Job) error {
			if j.SessionID == w.From && w.turns[j.TurnID] {
				j.SessionID = w.To
			}
			return nil
		})
	case items.Name(), itemVersions.Name():
		if !bytes.Contains(r.Value, []byte(w.From)) {
			return false, nil
		}
		return true, rewrite(r, items, func(it *memory.Item) error { w.evidence(it, w.in); return nil })
	}
	return false, nil
}

// rewrite changes the value of a row; an unreadable one stays unchanged.
func rewrite[T any](r *codec.Row, b kv.Bucket[T], change func(*T) error) error {
	v, err := b.Codec().Decode(1, r.Value)
	if err != nil {
		return nil //nolint:nilerr // restoring it would be useless
	}
	if err := change(&v); err != nil {
		return err
	}
	r.Value, err = b.Codec().Encode(v)
	return err
}

// moveLeft makes a deletion return what it took from a session to the records' new
// session; stay says that some of them stayed.
func (tx *Tx) moveLeft(m Moving, deletion string, tail uint64, stay bool, ids map[string]bool) error {
	key := kv.Key(m.Agent, deletion)
	d, err := deletions.Get(tx.kv, key)
	if err != nil {
		if tx.skip(err) {
			return nil
		}
		return err
	}
	var rest []Left
	to := Left{Session: m.To, Tail: tail}
	for _, l := range d.Left {
		if l.Session != m.To && l.Session != m.From {
			rest = append(rest, l)
			continue
		}
		goes := l
		if l.Session == m.From && stay {
			goes = Left{Lost: l.Lost}
			if l.Lost = nil; ids[l.LastRecordID] {
				goes.LastRecordID, goes.LastMessageAt = l.LastRecordID, l.LastMessageAt
				l.LastRecordID = ""
			}
			rest = append(rest, l)
		}
		if goes.LastRecordID != "" && (to.LastRecordID == "" || l.Session == m.From) {
			to.LastRecordID = goes.LastRecordID // the moved records are last
		}
		if goes.LastMessageAt.After(to.LastMessageAt) {
			to.LastMessageAt = goes.LastMessageAt
		}
		if to.Lost == nil || l.Session == m.From && goes.Lost != nil {
			to.Lost = goes.Lost
		}
		if l.Session == m.To {
			to.Title = l.Title
		}
	}
	rest = append(rest, to)
	d.Left = rest
	return deletions.Put(tx.kv, key, d)
}
