package store

import (
	"cmp"
	"errors"
	"slices"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
)

// Moving describes a move of records to another session.
type Moving struct {
	Agent string
	From  string // their current session
	First string // the record to move, with all its descendants
	To    string // the target session; may be empty
	// Parent becomes the parent of First; empty means none.
	Parent string
	// Shift is added to a turn's number, which is the version of working memory it
	// used.
	Shift int
	// Edit may change fields other than the words; it may be nil.
	Edit func(*memory.Record)
}

// MoveRecords moves a record and all its descendants to the end of another session. It
// also moves what belongs to their turns: packages, versions of working memory, jobs,
// and the session in memories' evidence. Other branches stay. The tree structure is
// kept, even across deleted records. Deleted records of other branches move only if
// nothing else is left of the session. It returns the records after the move, oldest
// first, and whether any stayed. The caller updates the sessions and the current
// working memory.
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
		g.Place = w.to(g.Position)
		if err := gaps.Put(tx.kv, kv.Key(m.Agent, id), g); err != nil {
			return nil, false, err
		}
	}
	return w.records, !w.all, errors.Join(w.moveTrash(), tx.movePackages(m, w.turns), tx.moveJobs(m, w.turns), tx.moveEvidence(m, w.in))
}

// move is a move in progress. All its parts are chosen before any is moved.
type move struct {
	Moving
	tx      *Tx
	all     bool              // nothing stays
	in      map[string]bool   // ids of the moved records, including deleted ones
	parent  map[string]string // parents, where the record itself has none
	records []memory.Record
	places  []uint64 // positions of records
	gaps    map[string]gap
	turns   map[string]bool
	base    uint64 // lowest moved position
	next    uint64 // position of the first moved record
	root    bool   // First starts a branch after other records
	trash   trashed
}

// to returns the new location of a position.
func (w *move) to(position uint64) Place { return Place{w.To, position - w.base + w.next} }

// hangs returns the new parent of a moved record.
func (w *move) hangs(id, parent string, root bool) (string, bool) {
	switch {
	case id == w.First:
		return w.Parent, w.root
	case w.in[parent]:
		return parent, root
	case w.in[w.parent[id]]:
		return w.parent[id], false
	}
	return w.Parent, w.root // deleted, from a branch without other records
}

// lower records that a position is moved.
func (w *move) lower(position uint64) {
	if w.base == 0 || position < w.base {
		w.base = position
	}
}

// choose finds the records to move. Unreadable ones stay.
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

// chooseGaps finds the gaps of deleted records to move, and adds their ids.
func (w *move) chooseGaps() error {
	w.gaps = map[string]gap{}
	found := map[string]gap{}
	var order []string
	for e, err := range readable(w.tx, gaps.Scan(w.tx.kv, kv.Prefix(w.Agent))) {
		if err != nil {
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

// follows reports whether a deleted record followed a moved one if it has no parent, as
// in older programs: it follows the record before it.
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

// movePackages moves turns' packages and the working memory they used.
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

// movePackage updates the session in a package.
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

// moveVersion moves a turn's version of working memory.
func (tx *Tx) moveVersion(m Moving, was, is int) error {
	old := kv.Key(m.Agent, m.From, uint64(was))
	w, err := workingVersions.Get(tx.kv, old)
	if errors.Is(err, ErrNotFound) || err != nil && tx.skip(err) {
		return nil
	}
	w.SessionID = m.To
	return errors.Join(err, workingVersions.Delete(tx.kv, old), workingVersions.Put(tx.kv, kv.Key(m.Agent, m.To, uint64(is)), w))
}

// moveJobs moves the jobs of turns; consolidations stay with their session.
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

// evidence updates the session in one memory's evidence.
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

// moveEvidence updates the session in memories' evidence, in all their versions. Their
// content is unchanged, so there is no new version.
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

// DropSession deletes a session without records, with its summaries.
func (tx *Tx) DropSession(s memory.Session) error {
	key := kv.Key(s.AgentID, s.ID)
	_, err := workingVersions.DeletePrefix(tx.kv, kv.Prefix(s.AgentID, s.ID))
	return errors.Join(
		err, tx.Unsummarise(s.AgentID, &s), sessions.Delete(tx.kv, key),
		sessionTimes.Delete(tx.kv, kv.Key(s.AgentID, s.LastMessageAt, s.ID)),
		working.Delete(tx.kv, key), tx.Add(s.AgentID, counter.Sessions, -1),
	)
}
