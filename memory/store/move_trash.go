package store

import (
	"bytes"

	"memoria/kv"
	"memoria/memory"
)

// trashed is what lies in the trash of records that move.
type trashed struct {
	chunks map[string][]row  // by the key in the trash
	tail   map[string]uint64 // by deletion, the highest position that it took of them
	stay   map[string]bool   // deletions that took others of that session, too
	turn   map[int]bool      // the versions of working memory of their turns
}

// findTrashed finds what was deleted of the records that move, and adds their turns.
func (tx *Tx) findTrashed(m Moving, first uint64, turns map[string]bool) (trashed, error) {
	out := trashed{chunks: map[string][]row{}, tail: map[string]uint64{}, stay: map[string]bool{}, turn: map[int]bool{}}
	for e, err := range trash.Scan(tx.kv, kv.Prefix(m.Agent)) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return out, err
		}
		var agent, deletion string
		var number uint64
		if err := kv.Unpack(e.Key, &agent, &deletion, &number); err != nil {
			return out, err
		}
		out.chunks[string(e.Key)] = e.Value
		for _, r := range e.Value {
			var session string
			var position uint64
			if r.bucket != records.Name() || kv.Unpack(r.key, &agent, &session, &position) != nil || session != m.From {
				continue
			}
			if position < first {
				out.stay[deletion] = true
				continue
			}
			out.tail[deletion] = max(out.tail[deletion], position)
			if said, err := kv.JSON[memory.Record]().Decode(1, r.value); err == nil {
				turns[said.TurnID] = true
			}
		}
	}
	all, err := tx.Packages(m.Agent, m.From)
	for _, p := range all {
		out.turn[p.Turn] = out.turn[p.Turn] || turns[p.TurnID]
	}
	return out, err
}

// moveTrash moves what was deleted of the records that move: it comes back where they
// are then.
func (tx *Tx) moveTrash(m Moving, found trashed, first uint64, to func(uint64) location, ids, turns map[string]bool) error {
	for key, rows := range found.chunks {
		changed := false
		for i := range rows {
			did, err := tx.moveRow(m, &rows[i], found, first, to, ids, turns)
			if err != nil {
				return err
			}
			changed = changed || did
		}
		if !changed {
			continue
		}
		if err := trash.Put(tx.kv, []byte(key), rows); err != nil {
			return err
		}
	}
	for deletion, tail := range found.tail {
		if err := tx.moveLeft(m, deletion, to(tail).Position, found.stay[deletion], ids); err != nil {
			return err
		}
	}
	return nil
}

// moveRow moves a deleted row when it belongs to what moves, and says whether it did.
func (tx *Tx) moveRow(
	m Moving, r *row, found trashed, first uint64, to func(uint64) location, ids, turns map[string]bool,
) (did bool, err error) {
	var agent, session, turn string
	var at uint64
	switch r.bucket {
	case records.Name():
		if err := kv.Unpack(r.key, &agent, &session, &at); err != nil || session != m.From || at < first {
			return false, err
		}
		r.key = kv.Key(agent, m.To, to(at).Position)
		return true, rewrite(r, func(r *memory.Record) error {
			if r.SessionID = m.To; !ids[r.ParentID] {
				r.ParentID, r.Root = m.Parent, m.Parent == ""
			}
			return nil
		})
	case packages.Name():
		if err := kv.Unpack(r.key, &agent, &session, &turn); err != nil || session != m.From || !turns[turn] {
			return false, err
		}
		r.key = kv.Key(agent, m.To, turn)
		return true, rewrite(r, func(p *memory.Package) error { return tx.movePackage(m, p) })
	case workingVersions.Name():
		if err := kv.Unpack(r.key, &agent, &session, &at); err != nil || session != m.From || !found.turn[int(at)] {
			return false, err
		}
		r.key = kv.Key(agent, m.To, uint64(max(1, int(at)+m.Shift)))
		return true, rewrite(r, func(w *memory.Working) error { w.SessionID = m.To; return nil })
	case jobs.Name():
		if !bytes.Contains(r.value, []byte(m.From)) {
			return false, nil
		}
		return true, rewrite(r, func(j *Job) error {
			if j.SessionID == m.From && turns[j.TurnID] {
				j.SessionID = m.To
			}
			return nil
		})
	case items.Name(), itemVersions.Name():
		if !bytes.Contains(r.value, []byte(m.From)) {
			return false, nil
		}
		return true, rewrite(r, func(it *memory.Item) error { m.evidence(it, ids); return nil })
	}
	return false, nil
}

// rewrite changes what a row holds; one that cannot be read stays as it is.
func rewrite[T any](r *row, change func(*T) error) error {
	v, err := kv.JSON[T]().Decode(1, r.value)
	if err != nil {
		return nil //nolint:nilerr // nobody could bring it back to use
	}
	if err := change(&v); err != nil {
		return err
	}
	r.value, err = kv.JSON[T]().Encode(v)
	return err
}

// moveLeft lets a deletion give what it took of a session back to the one that the
// records are in now; stay says that some of them are where they were.
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
			to.LastRecordID = goes.LastRecordID // what moved stands last
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
