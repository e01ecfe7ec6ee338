package store

import (
	"cmp"
	"errors"
	"slices"

	"memoria/kv"
	"memoria/memory"
)

// Moving says which records go to another session, and how.
type Moving struct {
	Agent string
	From  string // the session that they are in
	First string // the record that goes; all that hangs from it goes along
	To    string // the session behind whose records they come; it may have none
	// Parent becomes the parent of First; empty: nothing stands before it.
	Parent string
	// Shift is added to the number of a turn, which is the version of working memory
	// that it saw.
	Shift int
	// Edit may change what stands beside the words; nil changes nothing.
	Edit func(*memory.Record)
}

// MoveRecords moves a record of a session and all that hangs from it behind those of
// another one, with what belongs to their turns: packages, the working memory that
// these saw, queued work, and the session that memories name as their evidence. Other
// branches stay where they are. How the records hang together stays, also where some
// between them were deleted; what was deleted of other branches goes along only when
// nothing else is left of the session. It returns the records as they are now, oldest
// first, and whether any stayed behind. Sessions, and working memory as it is now, are
// left to the caller.
func (tx *Tx) MoveRecords(m Moving) (moved []memory.Record, left bool, err error) {
	w := move{Moving: m, tx: tx, in: map[string]bool{m.First: true}, turns: map[string]bool{}, parent: map[string]string{}}
	if w.next, err = tx.nextPosition(m.Agent, m.To); err != nil {
		return nil, false, err
	}
	w.root = m.Parent == "" && w.next > 1
	if err := errors.Join(w.choose(), w.chooseGaps(), w.chooseTrash()); err != nil {
		return nil, false, err
	}
	if len(w.records) == 0 {
		return nil, false, ErrNotFound
	}
	for i, r := range w.records {
		from := kv.Key(m.Agent, m.From, w.places[i])
		is := w.to(w.places[i])
		r.SessionID = m.To
		r.ParentID, r.Root = w.hangs(r.ID, r.ParentID, r.Root)
		if m.Edit != nil {
			m.Edit(&r)
		}
		err := errors.Join(
			records.Delete(tx.kv, from), records.Put(tx.kv, kv.Key(m.Agent, m.To, is.Position), r),
			recordPlaces.Put(tx.kv, kv.Key(m.Agent, r.ID), is), tx.announce(m.Agent, KindRecord, r.ID, OpPut),
		)
		if err != nil {
			return nil, false, err
		}
		w.records[i] = r
	}
	for id, g := range w.gaps {
		g.Parent, g.Root = w.hangs(id, g.Parent, g.Root)
		g.location = w.to(g.Position)
		if err := gaps.Put(tx.kv, kv.Key(m.Agent, id), g); err != nil {
			return nil, false, err
		}
	}
	return w.records, !w.all, errors.Join(w.moveTrash(), tx.movePackages(m, w.turns), tx.moveJobs(m, w.turns), tx.moveEvidence(m, w.in))
}

// move is one move: what goes, chosen before anything does.
type move struct {
	Moving
	tx      *Tx
	all     bool              // nothing stays
	in      map[string]bool   // the ids of what goes, deleted ones too
	parent  map[string]string // of what goes, where the record itself does not say it
	records []memory.Record
	places  []uint64 // theirs
	gaps    map[string]gap
	turns   map[string]bool
	base    uint64 // the lowest position of what goes
	next    uint64 // where that comes
	root    bool   // First begins, though others lie before it
	trash   trashed
}

// to is the place of what goes from a position.
func (w *move) to(position uint64) location { return location{w.To, position - w.base + w.next} }

// hangs says from what something hangs where it goes.
func (w *move) hangs(id, parent string, root bool) (string, bool) {
	switch {
	case id == w.First:
		return w.Parent, w.root
	case w.in[parent]:
		return parent, root
	case w.in[w.parent[id]]:
		return w.parent[id], false
	}
	return w.Parent, w.root // deleted, and of a branch of which nothing else is left
}

// lower takes note that something goes from a position.
func (w *move) lower(position uint64) {
	if w.base == 0 || position < w.base {
		w.base = position
	}
}

// choose finds the records that go. What cannot be read stays where it is.
func (w *move) choose() error {
	nodes, err := w.tx.Tree(w.Agent, w.From)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if w.in[n.Parent] {
			w.in[n.ID], w.parent[n.ID] = true, n.Parent
		}
	}
	w.all = true
	for e, err := range records.Scan(w.tx.kv, kv.Prefix(w.Agent, w.From)) {
		var bad *kv.RecordError
		if err != nil && !errors.As(err, &bad) {
			return err
		}
		if err != nil || !w.in[e.Value.ID] {
			w.all = false
			continue
		}
		var agent, session string
		var position uint64
		if err := kv.Unpack(e.Key, &agent, &session, &position); err != nil {
			return err
		}
		w.records, w.places = append(w.records, e.Value), append(w.places, position)
		w.turns[e.Value.TurnID] = true
		w.lower(position)
	}
	return nil
}

// chooseGaps finds what is left of deleted records that go, and adds their ids.
func (w *move) chooseGaps() error {
	w.gaps = map[string]gap{}
	found := map[string]gap{}
	var order []string
	for e, err := range gaps.Scan(w.tx.kv, kv.Prefix(w.Agent)) {
		if err != nil {
			if w.tx.skip(err) {
				continue
			}
			return err
		}
		var agent, id string
		if err := kv.Unpack(e.Key, &agent, &id); err != nil {
			return err
		}
		if e.Value.Session == w.From {
			found[id], order = e.Value, append(order, id)
		}
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(found[x].Position, found[y].Position) })
	for _, id := range order {
		g := found[id]
		if !w.all && (g.Root || !w.in[g.Parent]) && !w.follows(g, found) {
			continue
		}
		w.gaps[id], w.in[id] = g, true
		w.lower(g.Position)
	}
	return nil
}

// follows reports whether what was deleted stood behind what goes, where it does not
// say what stood before it, as with older programs: it follows what lies before it.
func (w *move) follows(g gap, among map[string]gap) bool {
	if _, known := among[g.Parent]; g.Root || known || g.Parent != "" {
		return false
	}
	at, before := uint64(0), ""
	for i, p := range w.places {
		if p < g.Position && p > at {
			at, before = p, w.records[i].ID
		}
	}
	return before != "" && at+1 == g.Position
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
		m.movePackage(&p)
		if err := errors.Join(tx.PutPackage(p), tx.moveVersion(m, was, p.Turn)); err != nil {
			return err
		}
	}
	return nil
}

// movePackage lets a package name the session that its turn is in now.
func (m Moving) movePackage(p *memory.Package) {
	p.SessionID, p.Turn = m.To, max(1, p.Turn+m.Shift)
	for _, b := range p.Blocks {
		for i := range b.Parts {
			if part := &b.Parts[i]; part.Kind == memory.KindWorking && part.ID == m.From {
				part.ID, part.Version = m.To, p.Turn
			}
		}
	}
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
