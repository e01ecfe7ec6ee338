package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/store"
)

// LateTurn is a turn of which not everything could be written: what there is of
// it, and what of that the store has already. [Manager.WriteLate] writes the
// rest when the disk takes it.
type LateTurn struct {
	Message memory.Record
	Kept    bool // it is incoming

	Place Place
	Begun bool // it is in its session

	Package *memory.Package // nil: none, or stored already
	Texts   map[string]string
	Rounds  []ToolRound // none, or stored already

	Reply *memory.Record // nil: not answered yet
	Learn bool
	Next  []string // in a group, who answers after it
}

// NewIncoming makes a message for a [LateTurn] without writing it.
func (m *Manager) NewIncoming(agentID, said string, spans []memory.Span) (memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	if !utf8.ValidString(said) {
		return memory.Record{}, fmt.Errorf("keeping a message: %w: it is not UTF-8", ErrInvalid)
	}
	now := m.now()
	return memory.Record{
		ID: m.ids.New(now), AgentID: a.id, TurnID: m.ids.New(now), Role: memory.RoleUser, Timestamp: now.UTC().Round(0),
		Content: said, Spans: withQuoted(said, spans), Status: memory.StatusIncoming,
	}, nil
}

// NewID makes an id for a session that is begun later.
func (m *Manager) NewID() string { return m.ids.New(m.now()) }

// KeepLate writes a message of [Manager.NewIncoming], as KeepIncoming would have.
func (m *Manager) KeepLate(ctx context.Context, r memory.Record) error {
	a, err := m.agent(r.AgentID)
	if err != nil {
		return err
	}
	kept, err := m.putAside(ctx, r)
	if err == nil {
		err = m.update(ctx, a, func(t *tx) error { return t.PutIncoming(kept) })
	}
	if err != nil {
		return fmt.Errorf("keeping a message: %w", err)
	}
	return nil
}

// WriteLate writes everything of a turn that the store does not have yet, in
// one write, with the times at which it was said.
func (m *Manager) WriteLate(ctx context.Context, l LateTurn) error {
	a, err := m.agent(l.Message.AgentID)
	if err != nil {
		return err
	}
	if !l.Kept && !l.Begun {
		l.Message, err = m.putAside(ctx, l.Message)
	}
	l.Rounds = slices.Clone(l.Rounds)
	for i := range l.Rounds {
		if err == nil {
			l.Rounds[i], err = m.roundAside(ctx, l.Rounds[i])
		}
	}
	if err == nil && l.Reply != nil {
		reply := *l.Reply
		if reply.ID == "" {
			reply.ID = m.NewID()
		}
		reply, err = m.putAside(ctx, reply)
		l.Reply = &reply
	}
	if err == nil {
		err = m.update(ctx, a, func(t *tx) error {
			_, err := t.late(l)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("writing a turn late: %w", err)
	}
	return nil
}

// late takes a turn from where the store has it to where it is.
func (t *tx) late(l LateTurn) (turn Turn, err error) {
	r := l.Message
	if !l.Begun {
		if l.Kept {
			if r, err = t.TakeIncoming(t.a.id, l.Message.ID); err != nil {
				return turn, err
			}
		}
		if turn, err = t.beginTurn(r, l.Place); err != nil {
			return turn, err
		}
	}
	if l.Package != nil {
		by, err := t.of(l.Package.AgentID)
		if err == nil {
			_, err = by.savePackage(*l.Package, l.Texts)
		}
		if err != nil {
			return turn, err
		}
	}
	for _, r := range l.Rounds {
		if _, err := t.saveRound(r); err != nil {
			return turn, err
		}
	}
	if l.Reply != nil {
		_, err = t.finishTurn(*l.Reply, l.Learn, l.Next...)
	}
	return turn, err
}

// Rehearsal is what the store would hold when all late turns were written.
type Rehearsal struct {
	tx   *tx
	turn Turn
}

// errRehearsed ends a rehearsal: nothing of it is written.
var errRehearsed = errors.New("this was a rehearsal")

// Rehearse applies late turns in their order, shows fn what the store would then
// hold, and writes nothing, so that it works on a full disk too. The Rehearsal
// ends with fn.
func (m *Manager) Rehearse(ctx context.Context, agentID string, late []LateTurn, fn func(*Rehearsal) error) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	t, unlock, err := m.lock(ctx, a)
	if err != nil {
		return err
	}
	defer unlock()
	err = m.store.Update(func(stx *store.Tx) error {
		t.begin(stx)
		r := &Rehearsal{tx: t}
		for _, l := range late {
			if r.turn, err = r.tx.late(l); err != nil {
				return err
			}
		}
		if err := fn(r); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return fmt.Errorf("going on without the disk: %w", err)
}

// Turn is the last of the turns as it has begun.
func (r *Rehearsal) Turn() Turn {
	turn := r.turn
	turn.Record = r.tx.m.recall.Fetch(turn.Record)
	return turn
}

// LastRecords is [Manager.LastRecords], for the agent of the rehearsal or a member
// of that group.
func (r *Rehearsal) LastRecords(agentID, sessionID string, n int) ([]memory.Record, error) {
	out, err := branchIn(r.tx.Tx, agentID, sessionID, n)
	return r.tx.m.recall.FetchAll(out), err
}

// LastSent is [Manager.LastSent], for the agent of the rehearsal or a member of that
// group.
func (r *Rehearsal) LastSent(agentID string, turns []string) (*memory.Package, error) {
	return lastSent(r.tx.Tx, agentID, turns)
}

// Package is [Manager.SavePackage]: what would be sent.
func (r *Rehearsal) Package(p memory.Package, texts map[string]string) (memory.Rendered, error) {
	by, err := r.tx.of(p.AgentID)
	if err != nil {
		return memory.Rendered{}, err
	}
	return by.savePackage(p, texts)
}

// Round is [Manager.SaveRound]: what would be sent.
func (r *Rehearsal) Round(round ToolRound) (memory.Rendered, error) { return r.tx.saveRound(round) }
