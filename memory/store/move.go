package store

import (
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
// work, and the session that memories name as their evidence. How they hang together
// stays, also where some between them were deleted. It returns the records as they
// are now, oldest first, and whether any stayed behind. Sessions, and working memory
// as it is now, are left to the caller.
func (tx *Tx) MoveRecords(m Moving) (moved []memory.Record, left bool, err error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(m.Agent, m.First))
	if err != nil {
		return nil, false, err
	}
	next, err := tx.nextPosition(m.Agent, m.To)
	if err != nil {
		return nil, false, err
	}
	to := func(position uint64) location { return location{m.To, position - at.Position + next} }
	ids, turns := map[string]bool{}, map[string]bool{}
	var places []uint64
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
		moved, places = append(moved, e.Value), append(places, position)
		ids[e.Value.ID], turns[e.Value.TurnID] = true, true
	}
	if err := tx.moveGaps(m, at.Position, to, ids); err != nil {
		return nil, false, err
	}
	gone, err := tx.findTrashed(m, at.Position, turns)
	if err != nil {
		return nil, false, err
	}
	for i := range moved {
		r := &moved[i]
		if r.SessionID = m.To; !ids[r.ParentID] {
			r.ParentID, r.Root = m.Parent, m.Parent == "" && i > 0
		}
		if m.Edit != nil {
			m.Edit(r)
		}
		is := to(places[i])
		err := errors.Join(
			records.Delete(tx.kv, kv.Key(m.Agent, m.From, places[i])), records.Put(tx.kv, kv.Key(m.Agent, m.To, is.Position), *r),
			recordPlaces.Put(tx.kv, kv.Key(m.Agent, r.ID), is), tx.announce(m.Agent, KindRecord, r.ID, OpPut),
		)
		if err != nil {
			return nil, false, err
		}
	}
	return moved, left, errors.Join(
		tx.moveTrash(m, gone, at.Position, to, ids, turns), tx.movePackages(m, turns), tx.moveJobs(m, turns), tx.moveEvidence(m, ids),
	)
}

// moveGaps moves what is left of deleted records from a position on, and adds their
// ids.
func (tx *Tx) moveGaps(m Moving, first uint64, to func(uint64) location, ids map[string]bool) error {
	found := map[string]gap{}
	for e, err := range gaps.Scan(tx.kv, kv.Prefix(m.Agent)) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return err
		}
		var agent, id string
		if err := kv.Unpack(e.Key, &agent, &id); err != nil {
			return err
		}
		if g := e.Value; g.Session == m.From && g.Position >= first {
			found[id], ids[id] = g, true
		}
	}
	for id, g := range found {
		if g.location = to(g.Position); !ids[g.Parent] {
			g.Parent, g.Root = m.Parent, m.Parent == ""
		}
		if err := gaps.Put(tx.kv, kv.Key(m.Agent, id), g); err != nil {
			return err
		}
	}
	return nil
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
		if err := tx.movePackage(m, &p); err != nil {
			return err
		}
		if err := errors.Join(tx.PutPackage(p), tx.moveVersion(m, was, p.Turn)); err != nil {
			return err
		}
	}
	return nil
}

// movePackage lets a package name the session that its turn is in now.
func (tx *Tx) movePackage(m Moving, p *memory.Package) (err error) {
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

// evidence lets one memory name the session that its words are in now.
func (m Moving) evidence(it *memory.Item, ids map[string]bool) {
	it.Evidence = append([]memory.Evidence(nil), it.Evidence...)
	for i := range it.Evidence {
		if ev := &it.Evidence[i]; ev.SessionID == m.From && ids[ev.RecordID] {
			if ev.SessionID = m.To; it.SessionID == m.From {
				it.SessionID = m.To
			}
		}
	}
}

// moveEvidence lets memories name the session that their words are in now, in all
// their versions. Nothing is changed of what they say, so there is no new one.
func (tx *Tx) moveEvidence(m Moving, ids map[string]bool) error {
	from, err := tx.ItemsFromSession(m.Agent, m.From)
	if err != nil {
		return err
	}
	for _, it := range from {
		m.evidence(&it, ids)
		if err := items.Put(tx.kv, kv.Key(m.Agent, it.ID), it); err != nil {
			return err
		}
		versions, err := collect(tx, itemVersions, kv.Prefix(m.Agent, it.ID))
		for _, v := range versions {
			if m.evidence(&v, ids); err == nil {
				err = itemVersions.Put(tx.kv, kv.Key(m.Agent, v.ID, uint64(v.Version)), v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// DropSession removes a session of which no record is left, with what was summed up
// of it.
func (tx *Tx) DropSession(s memory.Session) error {
	key := kv.Key(s.AgentID, s.ID)
	_, err := workingVersions.DeletePrefix(tx.kv, kv.Prefix(s.AgentID, s.ID))
	return errors.Join(
		err, tx.Unsummarise(s.AgentID, &s), sessions.Delete(tx.kv, key), sessionTimes.Delete(tx.kv, kv.Key(s.AgentID, s.LastMessageAt, s.ID)),
		working.Delete(tx.kv, key), tx.bump(s.AgentID, "sessions", -1),
	)
}
