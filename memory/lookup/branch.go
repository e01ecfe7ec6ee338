package lookup

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/store"
)

// The records of a session form a tree by their parents: a regenerated answer and an
// edited message are siblings of the original, and records are never rewritten (A1). The
// branch in use ends at [memory.Session.LastRecordID]. Everything that reads a
// conversation reads this branch, through this file.

// ErrOtherSession reports that a message belongs to the session that this one was forked
// from. It can only be changed there.
var ErrOtherSession = fmt.Errorf("%w: the message belongs to the session that this one was forked from", memory.ErrInvalid)

// RecordsOf returns the last n messages of the branch in use, oldest first; n = 0 means all.
// own excludes those of the session that it was forked from.
func RecordsOf(tx *store.Tx, s memory.Session, n int, own bool) ([]memory.Record, error) {
	var out []memory.Record
	for r, err := range tx.Path(s.AgentID, s.LastRecordID) {
		if err != nil {
			return nil, err
		}
		if own && r.SessionID != s.ID {
			break
		}
		if out = append(out, r); len(out) == n {
			break
		}
	}
	slices.Reverse(out)
	return out, nil
}

// RecordsIn is RecordsOf for a session id. A missing session has no messages.
func RecordsIn(tx *store.Tx, agent, session string, n int) ([]memory.Record, error) {
	s, err := tx.Session(agent, session)
	if Lacking(err) {
		return tx.LastRecords(agent, session, n)
	}
	if err != nil {
		return nil, err
	}
	return RecordsOf(tx, s, n, false)
}

// Branch describes the branch in use of a session.
type Branch struct {
	Session memory.Session
	// Records are its messages, oldest first. In a fork the first Before of them belong
	// to the original session, where Gone others were deleted.
	Records []memory.Record
	Before  int
	Gone    int
	// Alternatives maps records to their positions among siblings: regenerated answers
	// and edited messages.
	Alternatives map[string]Alternative
	// Ahead counts the branches that continue after the end: undone turns.
	Ahead int
}

// Alternative is the position of the branch in use among its siblings, from 1.
type Alternative struct {
	At int `json:"at"`
	Of int `json:"of"`
}

// Branch returns the branch in use of a session; id must be complete.
func (r *Reader) Branch(ctx context.Context, agentID, id string) (Branch, error) {
	var b Branch
	err := r.read(ctx, agentID, "reading session "+id, func(tx *store.Tx) (err error) {
		b, err = branchOf(tx, agentID, id)
		return err
	})
	if err != nil {
		return Branch{}, err
	}
	b.Records = r.recall.FetchAll(b.Records)
	return b, nil
}

func branchOf(tx *store.Tx, agent, id string) (b Branch, err error) {
	if b.Session, err = tx.Session(agent, id); err != nil {
		return b, err
	}
	if b.Records, err = RecordsOf(tx, b.Session, 0, false); err != nil {
		return b, err
	}
	for b.Before < len(b.Records) && b.Records[b.Before].SessionID != id {
		b.Before++
	}
	if f := b.Session.ForkedFrom; f != nil {
		b.Gone = max(0, f.Messages-b.Before)
	}
	size, err := tx.SessionSize(agent, id)
	if err != nil || size == len(b.Records)-b.Before { // no other branch, as in most sessions
		return b, err
	}
	nodes, err := tx.Tree(agent, id)
	if err != nil {
		return b, err
	}
	t := newTree(nodes)
	b.Alternatives, b.Ahead = map[string]Alternative{}, len(t.children[t.tip(b.Records)])
	for i := b.Before; i < len(b.Records); i++ {
		r := b.Records[i]
		ways := t.children[t.parent[r.ID]]
		if len(ways) < 2 {
			continue
		}
		shown := r.ID // the last record of an answer with searches
		for _, next := range b.Records[i+1:] {
			if r.Role == memory.RoleUser || next.Role == memory.RoleUser || next.TurnID != r.TurnID {
				break
			}
			shown = next.ID
		}
		b.Alternatives[shown] = Alternative{At: slices.Index(ways, r.ID) + 1, Of: len(ways)}
	}
	return b, nil
}

// StepFrom returns the end of another branch of a session: by steps from the one that
// contains a record. With an empty recordID it starts at the end of the branch in use, and
// a forward step leads to the newest branch that continues it. by = 0 selects a branch
// that contains the record, preferably the one in use.
func StepFrom(tx *store.Tx, s memory.Session, recordID string, by int) (end string, err error) {
	nodes, err := tx.Tree(s.AgentID, s.ID)
	if err != nil {
		return "", err
	}
	t := newTree(nodes)
	if recordID == "" {
		last, err := RecordsOf(tx, s, 1, false)
		if ways := t.children[t.tip(last)]; err == nil && by > 0 && len(ways) > 0 {
			return t.leaf(ways[len(ways)-1]), nil // the last one undone
		}
		return s.LastRecordID, err
	}
	if _, ok := t.parent[recordID]; !ok {
		return "", ErrNotFound
	}
	if by == 0 {
		in, err := RecordsOf(tx, s, 0, true)
		if err != nil || slices.ContainsFunc(in, func(r memory.Record) bool { return r.ID == recordID }) {
			return s.LastRecordID, err
		}
		return t.leaf(recordID), nil
	}
	from := t.fork(recordID)
	ways := t.children[t.parent[from]]
	at := slices.Index(ways, from)
	if to := min(max(at+by, 0), len(ways)-1); to != at {
		return t.leaf(ways[to]), nil
	}
	return s.LastRecordID, nil
}

// tree is the tree of a session's records.
type tree struct {
	nodes    []store.Node
	parent   map[string]string
	role     map[string]memory.Role
	children map[string][]string // ids by parent, oldest first; the parent of a first record is empty or in another session
}

func newTree(nodes []store.Node) tree {
	t := tree{nodes: nodes, parent: map[string]string{}, role: map[string]memory.Role{}, children: map[string][]string{}}
	for _, n := range nodes {
		t.parent[n.ID], t.role[n.ID] = n.Parent, n.Role
		t.children[n.Parent] = append(t.children[n.Parent], n.ID)
	}
	return t
}

// tip returns the parent of the next record of a branch.
func (t tree) tip(branch []memory.Record) string {
	if len(branch) == 0 {
		return ""
	}
	return branch[len(branch)-1].ID
}

// leaf returns the newest descendant of id, where that branch was last used.
func (t tree) leaf(id string) string {
	in, leaf := map[string]bool{id: true}, id
	for _, n := range t.nodes {
		if in[n.Parent] {
			in[n.ID], leaf = true, n.ID
		}
	}
	return leaf
}

// fork returns the sibling record that id belongs to: itself, or the first record of an
// answer that ends with it.
func (t tree) fork(id string) string {
	for at := id; ; at = t.parent[at] {
		if len(t.children[t.parent[at]]) > 1 {
			return at
		}
		if _, here := t.parent[t.parent[at]]; !here || t.role[at] == memory.RoleUser || t.role[t.parent[at]] == memory.RoleUser {
			return id
		}
	}
}

// Said returns the user message that a record answers, or the record itself if it is one.
// The error is ErrOtherSession if it belongs to another session, and ErrNotFound if it
// was deleted.
func (r *Reader) Said(ctx context.Context, agentID, sessionID, recordID string) (memory.Record, error) {
	var said memory.Record
	err := r.read(ctx, agentID, "message "+recordID, func(tx *store.Tx) (err error) {
		r, err := tx.Record(agentID, recordID)
		if err != nil {
			return err
		}
		said, err = saidBefore(tx, r)
		if err == nil && said.SessionID != sessionID {
			err = ErrOtherSession
		}
		return err
	})
	return r.recall.Fetch(said), err
}

// saidBefore returns the user message that a record answers.
func saidBefore(tx *store.Tx, r memory.Record) (memory.Record, error) {
	if r.Role == memory.RoleUser {
		return r, nil
	}
	for at, err := range tx.Path(r.AgentID, r.ID) {
		switch {
		case err != nil:
			return at, err
		case at.Role == memory.RoleUser && (at.TurnID == r.TurnID || at.ID == r.Metadata.Answers):
			return at, nil
		case at.Role == memory.RoleUser:
			return memory.Record{}, ErrNotFound // it was deleted
		}
	}
	return memory.Record{}, ErrNotFound
}
