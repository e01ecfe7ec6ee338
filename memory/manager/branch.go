package manager

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/store"
)

// The records of a session are a tree over their parents: an answer that was made
// anew, and a message that was edited, stand beside the one before, and nothing is
// rewritten (A1). A session is in one branch of it, that which ends at
// [memory.Session.LastRecordID]. All that reads what was said reads this branch, and
// reads it through here.

// ErrOtherSession says that a message belongs to the session that this one was
// forked from: what is changed about it is changed there.
var ErrOtherSession = fmt.Errorf("%w: the message belongs to the session that this one was forked from", ErrInvalid)

// branch returns at most n of the last messages of a session's branch, oldest first;
// 0 is all. own leaves out those of the session that it was forked from.
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

// branchIn is branch for the id of a session; of one that is gone there is nothing.
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

// Branch is the branch that a session is in.
type Branch struct {
	Session memory.Session
	// Records are its messages, oldest first. Of a fork the first Before are those of
	// the session that it was forked from, and Gone of these were deleted there.
	Records []memory.Record
	Before  int
	Gone    int
	// Ways are the other branches, by the record that shows that there are some: an
	// answer that was made anew, a message that was edited.
	Ways map[string]Ways
	// Ahead is how many branches go on behind its end: what was undone.
	Ahead int
}

// Ways says which one of several branches is in use, from 1.
type Ways struct {
	At int `json:"at"`
	Of int `json:"of"`
}

// Branch returns the branch that a session is in. id is the whole id of a session.
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
	if err != nil || size == len(b.Records)-b.Before { // as in most sessions
		return b, err
	}
	nodes, err := tx.Tree(agent, id)
	if err != nil {
		return b, err
	}
	t := newTree(nodes)
	b.Ways, b.Ahead = map[string]Ways{}, len(t.below[t.end(b.Records)])
	for i := b.Before; i < len(b.Records); i++ {
		r := b.Records[i]
		ways := t.below[t.parent[r.ID]]
		if len(ways) < 2 {
			continue
		}
		shown := r.ID // the end of an answer that searched first
		for _, next := range b.Records[i+1:] {
			if r.Role == memory.RoleUser || next.Role == memory.RoleUser || next.TurnID != r.TurnID {
				break
			}
			shown = next.ID
		}
		b.Ways[shown] = Ways{At: slices.Index(ways, r.ID) + 1, Of: len(ways)}
	}
	return b, nil
}

// tree is how the records of one session hang together.
type tree struct {
	nodes  []store.Node
	parent map[string]string
	role   map[string]memory.Role
	below  map[string][]string // by parent, oldest first; that of the first ones is empty or in another session
}

func newTree(nodes []store.Node) tree {
	t := tree{nodes: nodes, parent: map[string]string{}, role: map[string]memory.Role{}, below: map[string][]string{}}
	for _, n := range nodes {
		t.parent[n.ID], t.role[n.ID] = n.Parent, n.Role
		t.below[n.Parent] = append(t.below[n.Parent], n.ID)
	}
	return t
}

// end is what the next record of a branch would hang from.
func (t tree) end(branch []memory.Record) string {
	if len(branch) == 0 {
		return ""
	}
	return branch[len(branch)-1].ID
}

// leaf is the newest record behind id: where that branch was left last.
func (t tree) leaf(id string) string {
	in, leaf := map[string]bool{id: true}, id
	for _, n := range t.nodes {
		if in[n.Parent] {
			in[n.ID], leaf = true, n.ID
		}
	}
	return leaf
}

// fork is the record of several ways to which id belongs: itself, or for the end of
// an answer its beginning.
func (t tree) fork(id string) string {
	for at := id; ; at = t.parent[at] {
		if len(t.below[t.parent[at]]) > 1 {
			return at
		}
		if _, here := t.parent[t.parent[at]]; !here || t.role[at] == memory.RoleUser || t.role[t.parent[at]] == memory.RoleUser {
			return id
		}
	}
}

// StepBranch lets a session be in another branch: by steps from that of the
// record, which is a message that was edited or an answer that was made anew; an
// empty recordID is the end of the branch, from which a step forward goes to what
// was undone. No step at all goes to a branch that has the record, where that in use
// has not. The branch is taken up where it was left last. Nothing that was learned
// changes by it. The session is returned as it is; at the last way it stays.
func (m *Manager) StepBranch(ctx context.Context, agentID, sessionID, recordID string, by int) (memory.Session, error) {
	return m.inBranch(ctx, agentID, sessionID, func(t *tx, s *memory.Session) error {
		nodes, err := t.Tree(t.a.id, s.ID)
		if err != nil {
			return err
		}
		tr := newTree(nodes)
		if recordID == "" {
			last, err := branch(t.Tx, *s, 1, false)
			if ways := tr.below[tr.end(last)]; err == nil && by > 0 && len(ways) > 0 {
				s.LastRecordID = tr.leaf(ways[len(ways)-1]) // what was undone last
			}
			return err
		}
		if _, ok := tr.parent[recordID]; !ok {
			return ErrNotFound
		}
		if by == 0 { // into the branch that has it
			in, err := branch(t.Tx, *s, 0, true)
			if err == nil && !slices.ContainsFunc(in, func(r memory.Record) bool { return r.ID == recordID }) {
				s.LastRecordID = tr.leaf(recordID)
			}
			return err
		}
		from := tr.fork(recordID)
		ways := tr.below[tr.parent[from]]
		at := slices.Index(ways, from)
		if to := min(max(at+by, 0), len(ways)-1); to != at {
			s.LastRecordID = tr.leaf(ways[to])
		}
		return nil
	})
}

// inBranch changes a session in one write.
func (m *Manager) inBranch(
	ctx context.Context, agentID, sessionID string, change func(*tx, *memory.Session) error,
) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var s memory.Session
	err = m.update(ctx, a, func(t *tx) error {
		if s, err = t.Session(a.id, sessionID); err == nil {
			err = t.alone(s)
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

// Said returns the message of the user that a record answers, which is itself when
// it is one. The error is ErrOtherSession when it does not belong to the session,
// ErrNotFound when it is not there any more.
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

// saidBefore is the message of the user that a record answers.
func saidBefore(tx *store.Tx, r memory.Record) (memory.Record, error) {
	if r.Role == memory.RoleUser {
		return r, nil
	}
	for at, err := range tx.Path(r.AgentID, r.ID) {
		switch {
		case err != nil:
			return at, err
		case at.Role == memory.RoleUser && (at.TurnID == r.TurnID || at.ID == r.Metadata[answered]):
			return at, nil
		case at.Role == memory.RoleUser:
			return memory.Record{}, ErrNotFound // it was deleted
		}
	}
	return memory.Record{}, ErrNotFound
}

// answered names in an answer that was made anew, and in the partial one before it,
// the message that it answers: its turn is not that of the message, so that the
// package of either answer stays what it was (C5).
const answered = "answers"
