package store

import (
	"errors"
	"iter"
	"slices"

	"memoria/kv"
	"memoria/memory"
)

// gap is what is left of a deleted message in its session: where it stood, so that
// what was said behind it still has what was said before it. It holds no words.
type gap struct {
	location
	Parent string `json:"parent,omitempty"`
	Root   bool   `json:"root,omitempty"`
}

// Path walks a branch backwards: the record head, the one before it, and so on to
// the first, across sessions where one was forked from another. Deleted records are
// passed over. What an older program wrote without saying what stood before it
// follows the record that lies before it. The walk ends where nothing more is known,
// and always ends, whatever the records say. Of a head that is not there it is empty.
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
	at    location // of the last record or gap; without a session at the beginning
	in    map[string]bool
}

// from yields records from a position on downwards as long as each is the parent of
// the one before, which is how they lie but at a fork. id names the first; empty is
// any. It returns the parent that lies elsewhere.
func (w *walk) from(at location, id string, yield func(memory.Record, error) bool) (next string, more bool, err error) {
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
		if err != nil { // nobody knows what stood before it
			if id != "" && position != at.Position {
				return id, true, nil
			}
			w.at, id = location{Session: session, Position: position}, ""
			continue
		}
		if id != "" && e.Value.ID != id {
			return id, true, nil
		}
		w.at = location{Session: session, Position: position}
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

// locate finds where a path goes on: the place of a record, or of what lies before
// it when it was deleted; then id is that, or empty for whatever lies there.
func (w *walk) locate(id string) (at location, found string, ok bool, err error) {
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
		if err != nil || !w.pass(g.location) || g.Root {
			return at, "", false, err
		}
		if w.at = g.location; g.Parent == "" {
			return location{Session: g.Session, Position: g.Position - 1}, "", true, nil
		}
		id = g.Parent
	}
	return at, "", false, nil
}

// before is where a path goes on behind which nothing is known of what stood before
// it: older programs kept no gaps. What a fork began with is gone for good.
func (w *walk) before(id string) (at location, found string, ok bool, err error) {
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
	return location{Session: w.at.Session, Position: w.at.Position - 1}, "", true, nil
}

// enter reports whether a path may go on there.
func (w *walk) enter(at location) bool {
	if at.Session == w.at.Session {
		return at.Position < w.at.Position
	}
	if w.in[at.Session] {
		return false
	}
	w.in[at.Session] = true
	return true
}

// pass reports whether a path may go on before what was deleted there. When that was
// the last of its session for good, what was said next has its place.
func (w *walk) pass(at location) bool { return at == w.at || w.enter(at) }

// Node is a record as it stands in the tree of its session.
type Node struct {
	ID     string
	TurnID string
	Role   memory.Role
	// Parent is the record before it that is still there; empty for one that begins
	// the session. That of a fork's beginning lies in another session.
	Parent string
}

// Tree returns all records of a session that can be read as they hang together, in
// the order of appending: every parent comes before its children. The parents are
// those of [Tx.Path].
func (tx *Tx) Tree(agent, session string) ([]Node, error) {
	s, err := tx.Session(agent, session)
	if err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err) {
		return nil, err
	}
	var out []Node
	b := before{tx: tx, agent: agent, session: session, in: map[string]bool{}, fork: s.ForkedFrom}
	for e, err := range records.Scan(tx.kv, kv.Prefix(agent, session)) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
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

// before are the records of a session that lie before one.
type before struct {
	tx             *Tx
	agent, session string
	fork           *memory.Fork
	in             map[string]bool
	ids            []string
	at             []uint64 // their positions
}

// last is the last one that lies before a position.
func (b *before) last(position uint64) string {
	i, _ := slices.BinarySearch(b.at, position)
	if i == 0 {
		return ""
	}
	return b.ids[i-1]
}

// parent is the parent of a record that is still there, as [Tx.Path] finds it.
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
			position = g.Position
		}
	}
	return "", nil
}

// TurnsOf returns the turns in which a message of the user was answered, its own
// first. The message itself need not be in the tree any more.
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

// maxGaps bounds how many deleted records are passed over at once.
const maxGaps = 1 << 16

// leaveGap notes where a record stood that is deleted.
func (tx *Tx) leaveGap(agent, id string, at location, r memory.Record) error {
	return gaps.Put(tx.kv, kv.Key(agent, id), gap{location: at, Parent: r.ParentID, Root: r.Root})
}

// closeGap takes such a note away: the record is back.
func (tx *Tx) closeGap(agent, id string) error { return gaps.Delete(tx.kv, kv.Key(agent, id)) }
