package store

import (
	"bytes"
	"errors"

	"memoria/kv"
	"memoria/memory"
)

// Moving says which records go to another session, and how.
type Moving struct {
	Agent string
	From  string // the session that they are in
	First string // the first record that goes; all behind it go along
	To    string // the session behind whose records they come; it may have none
	// Parent becomes the parent of those whose own stays behind.
	Parent string
	// Shift is added to the number of a turn, which is the version of working memory
	// that it saw.
	Shift int
	// Edit may change what stands beside the words; nil changes nothing.
	Edit func(*memory.Record)
}

// MoveRecords moves the last records of a session behind those of another one, with
// what belongs to their turns: packages, the working memory that these saw, queued
// work, and the session that memories name as their evidence. It returns the records
// as they are now, oldest first, and whether any stayed behind. Sessions, and working
// memory as it is now, are left to the caller.
func (tx *Tx) MoveRecords(m Moving) (moved []memory.Record, left bool, err error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(m.Agent, m.First))
	if err != nil {
		return nil, false, err
	}
	ids, turns := map[string]bool{}, map[string]bool{}
	var keys [][]byte
	for e, err := range records.Scan(tx.kv, kv.Prefix(m.Agent, m.From)) {
		var bad *kv.RecordError
		if err != nil && !errors.As(err, &bad) {
			return nil, false, err
		}
		var agent, session string
		var position uint64
		if err := kv.Unpack(e.Key, &agent, &session, &position); err != nil {
			return nil, false, err
		}
		if position < at.Position || err != nil { // what cannot be read stays where it is
			left = true
			continue
		}
		moved, keys = append(moved, e.Value), append(keys, bytes.Clone(e.Key))
		ids[e.Value.ID], turns[e.Value.TurnID] = true, true
	}
	for i := range moved {
		r := &moved[i]
		if r.SessionID = m.To; !ids[r.ParentID] {
			r.ParentID = m.Parent
		}
		if m.Edit != nil {
			m.Edit(r)
		}
		err := errors.Join(
			records.Delete(tx.kv, keys[i]), recordPlaces.Delete(tx.kv, kv.Key(m.Agent, r.ID)),
			tx.bump(m.Agent, "records", -1), tx.AppendRecord(*r),
		)
		if err != nil {
			return nil, false, err
		}
	}
	return moved, left, errors.Join(
		tx.movePackages(m, turns), tx.moveJobs(m, turns), tx.moveEvidence(m, ids),
	)
}

// movePackages moves what turns sent, and the working memory that they saw.
func (tx *Tx) movePackages(m Moving, turns map[string]bool) error {
	all, err := tx.Packages(m.Agent, m.From)
	if err != nil {
		return err
	}
	for _, p := range all {
		if !turns[p.TurnID] {
			continue
		}
		if err := packages.Delete(tx.kv, kv.Key(m.Agent, m.From, p.TurnID)); err != nil {
			return err
		}
		was := p.Turn
		p.SessionID, p.Turn = m.To, max(1, p.Turn+m.Shift)
		for _, b := range p.Blocks {
			for i := range b.Parts {
				if part := &b.Parts[i]; part.Kind == memory.KindWorking && part.ID == m.From {
					part.ID, part.Version = m.To, p.Turn
				}
			}
		}
		var cited []*memory.Evidence
		for i := range p.Citations {
			cited = append(cited, &p.Citations[i].Evidence)
		}
		for i := range p.Used {
			for k := range p.Used[i].Evidence {
				cited = append(cited, &p.Used[i].Evidence[k])
			}
		}
		for _, ev := range cited {
			if ev.SessionID != m.From {
				continue
			}
			if ev.SessionID, err = tx.sessionOr(m.Agent, ev.RecordID, m.From); err != nil {
				return err
			}
		}
		if err := errors.Join(tx.PutPackage(p), tx.moveVersion(m, was, p.Turn)); err != nil {
			return err
		}
	}
	return nil
}

// moveVersion moves the working memory that a turn saw, as it was.
func (tx *Tx) moveVersion(m Moving, was, is int) error {
	old := kv.Key(m.Agent, m.From, uint64(was))
	w, err := workingVersions.Get(tx.kv, old)
	if errors.Is(err, ErrNotFound) || err != nil && tx.skip(err) {
		return nil
	}
	w.SessionID = m.To
	return errors.Join(err, workingVersions.Delete(tx.kv, old), workingVersions.Put(tx.kv, kv.Key(m.Agent, m.To, uint64(is)), w))
}

// sessionOr returns the session that a record is in now, or else the one given.
func (tx *Tx) sessionOr(agent, record, session string) (string, error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(agent, record))
	if errors.Is(err, ErrNotFound) || err != nil && tx.skip(err) {
		return session, nil
	}
	return at.Session, err
}

// moveJobs moves what is queued of turns; consolidations stay with their session.
func (tx *Tx) moveJobs(m Moving, turns map[string]bool) error {
	queued, err := tx.Jobs(m.Agent)
	for _, j := range queued {
		if err == nil && j.SessionID == m.From && turns[j.TurnID] {
			j.SessionID = m.To
			err = tx.PutJob(j)
		}
	}
	return err
}

// moveEvidence lets memories name the session that their words are in now, in all
// their versions. Nothing is changed of what they say, so there is no new one.
func (tx *Tx) moveEvidence(m Moving, ids map[string]bool) error {
	from, err := tx.ItemsFromSession(m.Agent, m.From)
	if err != nil {
		return err
	}
	move := func(it *memory.Item) {
		it.Evidence = append([]memory.Evidence(nil), it.Evidence...)
		for i := range it.Evidence {
			if ev := &it.Evidence[i]; ev.SessionID == m.From && ids[ev.RecordID] {
				if ev.SessionID = m.To; it.SessionID == m.From {
					it.SessionID = m.To
				}
			}
		}
	}
	for _, it := range from {
		move(&it)
		if err := items.Put(tx.kv, kv.Key(m.Agent, it.ID), it); err != nil {
			return err
		}
		versions, err := collect(tx, itemVersions, kv.Prefix(m.Agent, it.ID))
		for _, v := range versions {
			if move(&v); err == nil {
				err = itemVersions.Put(tx.kv, kv.Key(m.Agent, v.ID, uint64(v.Version)), v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// DropSession removes a session of which no record is left.
func (tx *Tx) DropSession(s memory.Session) error {
	key := kv.Key(s.AgentID, s.ID)
	_, err := workingVersions.DeletePrefix(tx.kv, kv.Prefix(s.AgentID, s.ID))
	return errors.Join(
		err, sessions.Delete(tx.kv, key), sessionTimes.Delete(tx.kv, kv.Key(s.AgentID, s.LastMessageAt, s.ID)),
		working.Delete(tx.kv, key), tx.bump(s.AgentID, "sessions", -1),
	)
}
