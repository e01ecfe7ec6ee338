package store

import (
	"errors"
	"iter"
	"slices"

	"memoria/kv"
	"memoria/memory"
)

// gap is the tombstone of a deleted message in its session. It keeps the position and
// parent, so that the branch stays connected. It holds no words.
type gap struct {
	Place
	Parent string `json:"parent,omitempty"`
	Root   bool   `json:"root,omitempty"`
}

// Path yields a branch backwards: the record head, its parent, and so on to the first,
// across sessions where one was forked from another. It skips deleted records. A record
// from an older program, without a parent, follows the record before it. The walk
// always ends, whatever the records say. For a missing head it is empty.
func (tx *Tx) Path(agent, head string) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		w := walk{tx: tx, agent: agent, in: map[string]bool{}}
		for {
			at, id, ok, err := w.locate(head)
			if err != nil {
				yield(memory.Record{}, err)
			}
			if err != nil || !ok {
				return
			}
			next, more, err := w.from(at, id, yield)
			if err != nil {
				yield(memory.Record{}, err)
			}
			if err != nil || !more {
				return
			}
			head = next
		}
	}
}

// walk is one walk along a path. Positions in a session only fall and no session is
// entered twice, so it ends.
type walk struct {
	tx    *Tx
	agent string
	at    Place // of the last record or gap; without a session at the start
	in    map[string]bool
}

// from yields records downwards from a position while each is the parent of the
// previous one, the usual case without forks. id names the first; "" accepts any. It
// returns the parent that is elsewhere.
func (w *walk) from(at Place, id string, yield func(memory.Record, error) bool) (next string, more bool, err error) {
	prefix := kv.Prefix(w.agent, at.Session)
	for e, err := range records.ScanBefore(w.tx.kv, prefix, kv.Key(w.agent, at.Session, at.Position+1)) {
		var agent, session string
		var position uint64
		if kerr := kv.Unpack(e.Key, &agent, &session, &position); kerr != nil {
			return "", false, kerr
		}
		if err != nil && !w.tx.skip(err) {
			return "", false, err
		}
		if err != nil { // its parent is unknown
			if id != "" && position != at.Position {
				return id, true, nil
			}
			w.at, id = Place{Session: session, Position: position}, ""
			continue
		}
		if id != "" && e.Value.ID != id {
			return id, true, nil
		}
		w.at = Place{Session: session, Position: position}
		r, err := w.tx.resolve(e.Value)
		if err != nil && !w.tx.skip(err) {
			return "", false, err
		}
		if err == nil && !yield(r, nil) || e.Value.Root {
			return "", false, nil
		}
		id = e.Value.ParentID
	}
	return id, id != "", nil
}

// locate finds the next record of a path: its place, or that of the record before it if
// it was deleted. found is its id, or "" for any.
func (w *walk) locate(id string) (at Place, found string, ok bool, err error) {
	for range maxGaps {
		at, err = recordPlaces.Get(w.tx.kv, kv.Key(w.agent, id))
		if err == nil {
			return at, id, w.enter(at), nil
		}
		if !errors.Is(err, ErrNotFound) && !w.tx.skip(err) {
			return at, "", false, err
		}
		g, err := gaps.Get(w.tx.kv, kv.Key(w.agent, id))
		if errors.Is(err, ErrNotFound) || err != nil && w.tx.skip(err) {
			return w.before(id)
		}
		if err != nil || !w.pass(g.Place) || g.Root {
			return at, "", false, err
		}
		if g.Session != w.at.Session || g.Position < w.at.Position {
			w.at = g.Place
		}
		if g.Parent == "" {
			return Place{Session: w.at.Session, Position: w.at.Position - 1}, "", true, nil
		}
		id = g.Parent
	}
	return at, "", false, nil
}

// before returns where a path continues after a record with an unknown parent: older
// programs kept no gaps. The beginning of a fork is gone permanently.
func (w *walk) before(id string) (at Place, found string, ok bool, err error) {
	if w.at.Session == "" {
		return at, "", false, nil
	}
	s, err := w.tx.Session(w.agent, w.at.Session)
	if err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err) {
		return at, "", false, err
	}
	if f := s.ForkedFrom; f != nil && f.RecordID == id {
		return at, "", false, nil
	}
	return Place{Session: w.at.Session, Position: w.at.Position - 1}, "", true, nil
}

// enter reports whether a path may continue at a location.
func (w *walk) enter(at Place) bool {
	if at.Session == w.at.Session {
		return at.Position < w.at.Position
	}
	if w.in[at.Session] {
		return false
	}
	w.in[at.Session] = true
	return true
}

// pass reports whether a path may continue before a deleted record. If the last records of a
// session were deleted permanently, the next message has the position of the first of them.
func (w *walk) pass(at Place) bool { return at.Session == w.at.Session || w.enter(at) }

// Node is a record in the tree of its session.
type Node struct {
	ID     string
	TurnID string
	Role   memory.Role
	// Parent is the nearest existing ancestor; empty for the start of a session. That
	// of a fork's start is in another session.
	Parent string
}

// Tree returns all readable records of a session as a tree, in order of appending:
// every parent comes before its children. Parents are those of [Tx.Path].
func (tx *Tx) Tree(agent, session string) ([]Node, error) {
	s, err := tx.Session(agent, session)
	if err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err) {
		return nil, err
	}
	var out []Node
	b := before{tx: tx, agent: agent, session: session, in: map[string]bool{}, fork: s.ForkedFrom}
	for e, err := range readable(tx, records.Scan(tx.kv, kv.Prefix(agent, session))) {
		if err != nil {
			return nil, err
		}
		r := e.Value
		n := Node{ID: r.ID, TurnID: r.TurnID, Role: r.Role, Parent: r.ParentID}
		var in, of string
		var position uint64
		if err := kv.Unpack(e.Key, &of, &in, &position); err != nil {
			return nil, err
		}
		if n.Parent, err = b.parent(r, position); err != nil {
			return nil, err
		}
		out = append(out, n)
		b.in[r.ID], b.ids, b.at = true, append(b.ids, r.ID), append(b.at, position)
	}
	return out, nil
}

// before holds the records of a session before a position.
type before struct {
	tx             *Tx
	agent, session string
	fork           *memory.Fork
	in             map[string]bool
	ids            []string
	at             []uint64 // their positions
}

// last returns the last one before a position.
func (b *before) last(position uint64) string {
	i, _ := slices.BinarySearch(b.at, position)
	if i == 0 {
		return ""
	}
	return b.ids[i-1]
}

// parent returns a record's nearest existing ancestor, as in [Tx.Path].
func (b *before) parent(r memory.Record, position uint64) (string, error) {
	id, root := r.ParentID, r.Root
	for range maxGaps {
		switch {
		case root:
			return "", nil
		case id == "":
			return b.last(position), nil
		case b.in[id]:
			return id, nil
		case b.fork != nil && id == b.fork.RecordID:
			return id, nil
		}
		g, err := gaps.Get(b.tx.kv, kv.Key(b.agent, id))
		if errors.Is(err, ErrNotFound) || err != nil && b.tx.skip(err) {
			return b.last(position), nil
		}
		if err != nil {
			return "", err
		}
		if id, root = g.Parent, g.Root; g.Session == b.session {
			position = min(position, g.Position)
		}
	}
	return "", nil
}

// TurnsOf returns the turns that answered a message of the user, its own first. The
// message itself need not be in the tree.
func TurnsOf(tree []Node, said memory.Record) []string {
	turns, below := []string{said.TurnID}, map[string]bool{said.ID: true}
	for _, n := range tree {
		if n.Role == memory.RoleUser || !below[n.Parent] {
			continue
		}
		below[n.ID] = true
		if !slices.Contains(turns, n.TurnID) {
			turns = append(turns, n.TurnID)
		}
	}
	return turns
}

// maxGaps bounds the deleted records skipped in a row.
const maxGaps = 1 << 16

// leaveGap writes the gap of a deleted record.
func (tx *Tx) leaveGap(agent, id string, at Place, r memory.Record) error {
	return gaps.Put(tx.kv, kv.Key(agent, id), gap{Place: at, Parent: r.ParentID, Root: r.Root})
}

// closeGap removes the gap of a restored record.
func (tx *Tx) closeGap(agent, id string) error { return gaps.Delete(tx.kv, kv.Key(agent, id)) }
