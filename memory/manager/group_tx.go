package manager

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// A group is written to together with all who hear it: one transaction, so that
// there is no message that one member heard and another did not, and no reference
// to what is gone. Locks are taken in one order: the group's, then those of the
// agents in the order of their ids. No group is a member, so nobody waits in a ring.

// lock takes the write lock of an agent, or those of a group and its hearers, and
// returns the transaction to begin.
func (m *Manager) lock(ctx context.Context, a *agent) (_ *tx, unlock func(), err error) {
	if err := context.Cause(ctx); err != nil { // it would wait in vain
		return nil, nil, err
	}
	a.write.Lock()
	held := []*agent{a}
	unlock = func() {
		for _, a := range slices.Backward(held) {
			a.write.Unlock()
		}
	}
	t := &tx{m: m, a: a}
	if a.left {
		unlock()
		return nil, nil, recall.ErrExcluded
	}
	if a.lonely {
		return t, unlock, nil
	}
	ids, err := m.hearersOf(ctx, a)
	for _, id := range ids {
		var h *agent
		if err == nil {
			h, err = m.agent(id)
		}
		if err != nil {
			break
		}
		h.write.Lock()
		if held = append(held, h); h.left {
			err = recall.ErrExcluded
			break
		}
		t.hearers = append(t.hearers, &tx{m: m, a: h, group: a.id})
	}
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("reading who is in a group: %w", err)
	}
	return t, unlock, nil
}

// hearersOf returns the agents that hear what is said under a's id, and remembers
// when it is no group. The caller has a.write.
func (m *Manager) hearersOf(ctx context.Context, a *agent) (ids []string, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		ids, err = tx.Hearers(a.id)
		return err
	})
	if store.Unreadable(err) { // its sessions can be read; nobody knows who heard them
		err = nil
	}
	a.lonely = err == nil && len(ids) == 0
	return ids, err
}

// begin makes the transaction one of the store's, with nothing done yet.
func (t *tx) begin(stx *store.Tx) {
	_ = t.eachOwner(func(t *tx) error {
		t.Tx, t.touched, t.news, t.profiled = stx, nil, nil, false
		return nil
	})
}

// eachOwner calls fn for the transaction and those of the hearers.
func (t *tx) eachOwner(fn func(*tx) error) error {
	for _, o := range append([]*tx{t}, t.hearers...) {
		if err := fn(o); err != nil {
			return err
		}
	}
	return nil
}

// isGroup reports whether the transaction is that of a group.
func (t *tx) isGroup() bool { return len(t.hearers) > 0 }

// remembers refuses to remember something for a group: its members do, each for
// itself.
func (t *tx) remembers() error {
	if !t.isGroup() {
		return nil
	}
	return fmt.Errorf("%w: the group %s remembers nothing itself, its members do; name one of them (--agent %s)", ErrInvalid, t.a.id, t.hearers[0].a.id)
}

// ErrInGroup says that a conversation with a group has one branch, which every member
// has heard.
var ErrInGroup = fmt.Errorf("%w: a conversation with a group has one branch: its answers are not made anew, its messages not edited, its turns not undone, and nothing is forked from it", ErrInvalid)

// alone refuses what branches a session that several hear.
func (t *tx) alone(s memory.Session) error {
	if t.isGroup() || s.Group != "" {
		return ErrInGroup
	}
	return nil
}

// of returns the transaction of an agent: this one, or that of a hearer.
func (t *tx) of(agent string) (*tx, error) {
	if agent == t.a.id {
		return t, nil
	}
	for _, h := range t.hearers {
		if h.a.id == agent {
			return h, nil
		}
	}
	return nil, fmt.Errorf("%s is not in the group %s: %w", agent, t.a.id, ErrInvalid)
}

// members are the transactions of those who are in the group now.
func (t *tx) members() ([]*tx, error) {
	if !t.isGroup() {
		return nil, nil
	}
	g, err := t.Group(t.a.id)
	if err != nil {
		return nil, err
	}
	var out []*tx
	for _, h := range t.hearers {
		if g.Has(h.a.id) {
			out = append(out, h)
		}
	}
	return out, nil
}

// onlyHeard refuses to end or delete what an agent heard in a group by itself: it is
// the group's, and goes there for all.
func (t *tx) onlyHeard(session string) error {
	s, err := t.Session(t.a.id, session)
	if lacking(err) || err == nil && (s.Group == "" || t.group != "") {
		return nil
	}
	if err != nil {
		return err
	}
	return &HeardError{Group: s.Group, SessionID: s.ID}
}

// HeardError says that a session was held in a group: it goes on, ends and is deleted
// there, for all who heard it. It is an [ErrInvalid].
type HeardError struct{ Group, SessionID string }

func (e *HeardError) Error() string {
	return fmt.Sprintf("session %s was held in the group %s: it goes on and is deleted there, for all who heard it", e.SessionID, e.Group)
}

// Unwrap returns ErrInvalid.
func (e *HeardError) Unwrap() error { return ErrInvalid }
