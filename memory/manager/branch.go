package manager

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
var ErrOtherSession = fmt.Errorf("%w: the message belongs to the session that this one was forked from", ErrInvalid)

// branch returns the last n messages of the branch in use, oldest first; n = 0 means all.
// own excludes those of the session that it was forked from.
func branch(tx *store.Tx, s memory.Session, n int, own bool) ([]memory.Record, error) {
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

// branchIn is branch for a session id. A missing session has no messages.
func branchIn(tx *store.Tx, agent, session string, n int) ([]memory.Record, error) {
	s, err := tx.Session(agent, session)
	if lacking(err) {
		return tx.LastRecords(agent, session, n)
	}
	if err != nil {
		return nil, err
	}
	return branch(tx, s, n, false)
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
func (m *Manager) Branch(ctx context.Context, agentID, id string) (Branch, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Branch{}, err
	}
	var b Branch
	err = m.view(ctx, func(tx *store.Tx) error {
		b, err = branchOf(tx, a.id, id)
		return err
	})
	if err != nil {
		return Branch{}, fmt.Errorf("reading session %s: %w", id, err)
	}
	b.Records = m.recall.FetchAll(b.Records)
	return b, nil
}

func branchOf(tx *store.Tx, agent, id string) (b Branch, err error) {
	if b.Session, err = tx.Session(agent, id); err != nil {
		return b, err
	}
	if b.Records, err = branch(tx, b.Session, 0, false); err != nil {
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

// StepBranch switches a session to another branch, by steps from the one of recordID: an
// edited message or a regenerated answer. With an empty recordID it starts at the end of
// the branch, and a forward step redoes undone turns. by = 0 switches to a branch that
// contains the record, unless the branch in use does. A branch resumes where it was last
// used. Learned items do not change. It stops at the first and last alternative, and
// returns the session.
func (m *Manager) StepBranch(ctx context.Context, agentID, sessionID, recordID string, by int) (memory.Session, error) {
	return m.editBranch(ctx, agentID, sessionID, func(t *tx, s *memory.Session) error {
		nodes, err := t.Tree(t.a.id, s.ID)
		if err != nil {
			return err
		}
		tr := newTree(nodes)
		if recordID == "" {
			last, err := branch(t.Tx, *s, 1, false)
			if ways := tr.children[tr.tip(last)]; err == nil && by > 0 && len(ways) > 0 {
				s.LastRecordID = tr.leaf(ways[len(ways)-1]) // the last one undone
			}
			return err
		}
		if _, ok := tr.parent[recordID]; !ok {
			return ErrNotFound
		}
		if by == 0 { // to a branch that contains it
			in, err := branch(t.Tx, *s, 0, true)
			if err == nil && !slices.ContainsFunc(in, func(r memory.Record) bool { return r.ID == recordID }) {
				s.LastRecordID = tr.leaf(recordID)
			}
			return err
		}
		from := tr.fork(recordID)
		ways := tr.children[tr.parent[from]]
		at := slices.Index(ways, from)
		if to := min(max(at+by, 0), len(ways)-1); to != at {
			s.LastRecordID = tr.leaf(ways[to])
		}
		return nil
	})
}

// editBranch changes a session in one write.
func (m *Manager) editBranch(
	ctx context.Context, agentID, sessionID string, change func(*tx, *memory.Session) error,
) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var s memory.Session
	err = m.update(ctx, a, func(t *tx) error {
		if s, err = t.Session(a.id, sessionID); err == nil {
			err = t.refuseBranching(s)
		}
		if err != nil {
			return err
		}
		if err := change(t, &s); err != nil {
			return err
		}
		s, err = t.written(s)
		return err
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("session %s: %w", sessionID, err)
	}
	return s, nil
}

// Said returns the user message that a record answers, or the record itself if it is one.
// The error is ErrOtherSession if it belongs to another session, and ErrNotFound if it
// was deleted.
func (m *Manager) Said(ctx context.Context, agentID, sessionID, recordID string) (memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	var said memory.Record
	err = m.view(ctx, func(tx *store.Tx) error {
		r, err := tx.Record(a.id, recordID)
		if err != nil {
			return err
		}
		said, err = saidBefore(tx, r)
		if err == nil && said.SessionID != sessionID {
			err = ErrOtherSession
		}
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("message %s: %w", recordID, err)
	}
	return m.recall.Fetch(said), nil
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
