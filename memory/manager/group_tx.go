package manager

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// A group and its hearers are written in one transaction, so that every member has heard
// every message and no reference dangles. Locks are taken in one order: the group's, then
// the agents' by id. A group cannot be a member, so there is no deadlock.

// lock takes the write lock of an agent, or those of a group and its hearers, and returns
// a transaction to begin.
func (m *Manager) lock(ctx context.Context, a *agent) (_ *tx, unlock func(), err error) {
	if err := context.Cause(ctx); err != nil { // no need to wait for the lock
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
	if a.deleted {
		unlock()
		return nil, nil, recall.ErrExcluded
	}
	if a.noHearers {
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
		if held = append(held, h); h.deleted {
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

// hearersOf returns the agents that hear what is said under a's id, and caches that there
// are none. The caller holds a.write.
func (m *Manager) hearersOf(ctx context.Context, a *agent) (ids []string, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		ids, err = tx.Hearers(a.id)
		return err
	})
	if store.Unreadable(err) { // sessions stay readable, with unknown hearers
		err = nil
	}
	a.noHearers = err == nil && len(ids) == 0
	return ids, err
}

// begin attaches a store transaction and resets the recorded changes.
func (t *tx) begin(stx *store.Tx) {
	_ = t.eachOwner(func(t *tx) error {
		t.Tx, t.touched, t.news, t.profiled = stx, nil, nil, false
		return nil
	})
}

// eachOwner calls fn for the transaction and for those of the hearers.
func (t *tx) eachOwner(fn func(*tx) error) error {
	for _, o := range append([]*tx{t}, t.hearers...) {
		if err := fn(o); err != nil {
			return err
		}
	}
	return nil
}

// isGroup reports whether the transaction belongs to a group.
func (t *tx) isGroup() bool { return len(t.hearers) > 0 }

// refuseGroup returns an error for a group, which has no memory of its own.
func (t *tx) refuseGroup() error {
	if !t.isGroup() {
		return nil
	}
	return fmt.Errorf("%w: the group %s remembers nothing itself, its members do; name one of them (--agent %s)", memory.ErrInvalid, t.a.id, t.hearers[0].a.id)
}

// ErrInGroup reports that a conversation with a group cannot branch, because every member
// has heard it.
var ErrInGroup = fmt.Errorf("%w: a conversation with a group cannot branch: no answer is regenerated, no message edited, no turn undone, and nothing forked", memory.ErrInvalid)

// refuseBranching returns an error for a session of a group.
func (t *tx) refuseBranching(s memory.Session) error {
	if t.isGroup() || s.Group != "" {
		return ErrInGroup
	}
	return nil
}

// of returns the transaction of an agent: this one, or a hearer's.
func (t *tx) of(agent string) (*tx, error) {
	if agent == t.a.id {
		return t, nil
	}
	for _, h := range t.hearers {
		if h.a.id == agent {
			return h, nil
		}
	}
	return nil, fmt.Errorf("%s is not in the group %s: %w", agent, t.a.id, memory.ErrInvalid)
}

// members returns the transactions of the current members.
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

// refuseHeard returns an error if the session was heard in a group: only the group can
// end or delete it, for all.
func (t *tx) refuseHeard(session string) error {
	s, err := t.Session(t.a.id, session)
	if lookup.Lacking(err) || err == nil && (s.Group == "" || t.group != "") {
		return nil
	}
	if err != nil {
		return err
	}
	return &GroupSessionError{Group: s.Group, SessionID: s.ID}
}

// GroupSessionError reports that a session belongs to a group and can only be continued,
// ended and deleted there, for all who heard it. It is an [memory.ErrInvalid].
type GroupSessionError struct{ Group, SessionID string }

func (e *GroupSessionError) Error() string {
	return fmt.Sprintf("session %s was held in the group %s: it goes on and is deleted there, for all who heard it", e.SessionID, e.Group)
}

// Unwrap returns memory.ErrInvalid.
func (e *GroupSessionError) Unwrap() error { return memory.ErrInvalid }
