package write

import (
	"errors"
	"fmt"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// Tx is a transaction of one agent, or of a group and its hearers, that records its
// changes.
type Tx struct {
	*store.Tx
	Core    *Core
	Owner   *Agent // whose data is written
	touched []recall.HeadChange
	// News are items whose profile line must be updated. Profiled reports a new version
	// of the profile. Moved reports removed or restored messages, which views may quote.
	News     []ItemNews
	Profiled bool
	Moved    bool
	// HearerTx are set for a group: the transactions of all who heard something in it.
	// Only its members still listen. HeardIn is set for a hearer: the id of its group.
	HearerTx []*Tx
	HeardIn  string
}

// NewID returns an id for something made now.
func (t *Tx) NewID() string { return t.Core.IDs.New(t.Now()) }

// Put writes an item and its change, which gets an id if it has none. The profile is
// updated at the end of the write.
func (t *Tx) Put(it memory.Item, c memory.Change) error {
	c.Time = t.Now()
	if c.ID == "" {
		c.ID = t.NewID()
	}
	if err := t.PutItem(it, c.ID, c); err != nil {
		return err
	}
	t.Written(it, c)
	return nil
}

// Written records a written item for the hot set and the profile.
func (t *Tx) Written(it memory.Item, c memory.Change) {
	t.touched = append(t.touched, recall.HeadChange{ID: it.ID, Head: store.HeadOf(it)})
	t.News = append(t.News, ItemNews{it.ID, c})
}

// Removed records an item in the trash for the hot set and the profile.
func (t *Tx) Removed(id string, by memory.Origin) {
	t.touched = append(t.touched, recall.HeadChange{ID: id, Deleted: true})
	t.News = append(t.News, ItemNews{id, memory.Change{Action: memory.ActionDeleted, Origin: by}})
}

// MarkAccessed counts an access of an item.
func (t *Tx) MarkAccessed(id string) error {
	head, err := t.TouchItem(t.Owner.ID, id)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil
	}
	if err == nil {
		t.touched = append(t.touched, recall.HeadChange{ID: id, Head: head})
	}
	return err
}

// Begin attaches a store transaction and resets the recorded changes.
func (t *Tx) Begin(stx *store.Tx) {
	_ = t.eachOwner(func(t *Tx) error {
		t.Tx, t.touched, t.News, t.Profiled = stx, nil, nil, false
		return nil
	})
}

// eachOwner calls fn for the transaction and for those of the hearers.
func (t *Tx) eachOwner(fn func(*Tx) error) error {
	for _, o := range append([]*Tx{t}, t.HearerTx...) {
		if err := fn(o); err != nil {
			return err
		}
	}
	return nil
}

// IsGroup reports whether the transaction belongs to a group.
func (t *Tx) IsGroup() bool { return len(t.HearerTx) > 0 }

// RefuseGroup returns an error for a group, which has no memory of its own.
func (t *Tx) RefuseGroup() error {
	if !t.IsGroup() {
		return nil
	}
	return fmt.Errorf("%w: the group %s remembers nothing itself, its members do; name one of them (--agent %s)", memory.ErrInvalid, t.Owner.ID, t.HearerTx[0].Owner.ID)
}

// ErrInGroup reports that a conversation with a group cannot branch, because every member
// has heard it.
var ErrInGroup = fmt.Errorf("%w: a conversation with a group cannot branch: no answer is regenerated, no message edited, no turn undone, and nothing forked", memory.ErrInvalid)

// RefuseBranching returns an error for a session of a group.
func (t *Tx) RefuseBranching(s memory.Session) error {
	if t.IsGroup() || s.Group != "" {
		return ErrInGroup
	}
	return nil
}

// Of returns the transaction of an agent: this one, or a hearer's.
func (t *Tx) Of(agent string) (*Tx, error) {
	if agent == t.Owner.ID {
		return t, nil
	}
	for _, h := range t.HearerTx {
		if h.Owner.ID == agent {
			return h, nil
		}
	}
	return nil, fmt.Errorf("%s is not in the group %s: %w", agent, t.Owner.ID, memory.ErrInvalid)
}

// Members returns the transactions of the current members.
func (t *Tx) Members() ([]*Tx, error) {
	if !t.IsGroup() {
		return nil, nil
	}
	g, err := t.Group(t.Owner.ID)
	if err != nil {
		return nil, err
	}
	var out []*Tx
	for _, h := range t.HearerTx {
		if g.Has(h.Owner.ID) {
			out = append(out, h)
		}
	}
	return out, nil
}

// RefuseHeard returns an error if the session was heard in a group: only the group can
// end or delete it, for all.
func (t *Tx) RefuseHeard(session string) error {
	s, err := t.Session(t.Owner.ID, session)
	if lookup.Lacking(err) || err == nil && (s.Group == "" || t.HeardIn != "") {
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
func (t *Tx) PutSession(s memory.Session) error {
	switch {
	case s.State == memory.SessionActive:
	case s.Memories == memory.MemoriesGenerating:
		s.State = memory.SessionArchiving
	default:
		s.State = memory.SessionArchived
	}
	return t.Tx.PutSession(s)
}

// ItemNews is an item change that its line must follow.
type ItemNews struct {
	ID     string
	Change memory.Change
}
