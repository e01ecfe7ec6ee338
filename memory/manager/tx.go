package manager

import (
	"fmt"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// A group and its hearers are written in one transaction, so that every member has heard
// every message and no reference dangles. Locks are taken in one order: the group's, then
// the agents' by id. A group cannot be a member, so there is no deadlock.

// tx is a transaction of one agent, or of a group and its hearers, that records its
// changes.
type tx struct {
	*store.Tx
	core    *Core
	a       *agent
	touched []recall.HeadChange
	// news are items whose profile line must be updated. profiled reports a new version
	// of the profile. moved reports removed or restored messages, which views may quote.
	news     []itemNews
	profiled bool
	moved    bool
	// hearers are set for a group: the transactions of all who heard something in it.
	// Only its members still listen. group is set for a hearer: the id of its group.
	hearers []*tx
	group   string
}

func (t *tx) newID() string { return t.core.ids.New(t.Now()) }

// put writes an item and its change, which gets an id if it has none. The profile is
// updated at the end of the write.
func (t *tx) put(it memory.Item, c memory.Change) error {
	c.Time = t.Now()
	if c.ID == "" {
		c.ID = t.newID()
	}
	if err := t.PutItem(it, c.ID, c); err != nil {
		return err
	}
	t.touched = append(t.touched, recall.HeadChange{ID: it.ID, Head: store.HeadOf(it)})
	t.noteProfileNews(it.ID, c)
	return nil
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

// PutSession writes a session. An ended one is archiving until its generation is done.
func (t *tx) PutSession(s memory.Session) error {
	switch {
	case s.State == memory.SessionActive:
	case s.Memories == memory.MemoriesGenerating:
		s.State = memory.SessionArchiving
	default:
		s.State = memory.SessionArchived
	}
	return t.Tx.PutSession(s)
}

// itemNews is an item change that its line must follow.
type itemNews struct {
	id     string
	change memory.Change
}

// noteProfileNews records an item change for the profile update at the end of the write.
func (t *tx) noteProfileNews(id string, c memory.Change) { t.news = append(t.news, itemNews{id, c}) }
