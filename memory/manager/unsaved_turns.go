package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// UnsavedTurn is a turn that could not be written completely, with its data and what the
// store already has of it. [Manager.WriteUnsaved] writes the rest when the disk accepts
// writes again.
type UnsavedTurn struct {
	Message memory.Record
	Kept    bool // stored as incoming

	Place Place
	Begun bool // stored in its session

	Package *memory.Package // nil if none, or stored
	Texts   map[string]string
	Rounds  []ToolRound // empty if none, or stored

	Reply *memory.Record // nil if not answered yet
	Learn bool
	Next  []string // in a group: who answers next
}

// NewIncoming creates a message for an [UnsavedTurn] without storing it.
func (m *Manager) NewIncoming(agentID, said string, spans []memory.Span) (memory.Record, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	if !utf8.ValidString(said) {
		return memory.Record{}, fmt.Errorf("keeping a message: %w: it is not UTF-8", memory.ErrInvalid)
	}
	now := m.Now()
	return memory.Record{
		ID: m.IDs.New(now), AgentID: a.ID, TurnID: m.IDs.New(now), Role: memory.RoleUser, Timestamp: now.UTC().Round(0),
		Content: said, Spans: learning.WithQuoted(said, spans), Status: memory.StatusIncoming,
	}, nil
}

// NewID returns an id for a session to be created later.
func (m *Manager) NewID() string { return m.IDs.New(m.Now()) }

// KeepUnsaved stores a message of [Manager.NewIncoming], like KeepIncoming.
func (m *Manager) KeepUnsaved(ctx context.Context, r memory.Record) error {
	a, err := m.Agent(r.AgentID)
	if err != nil {
		return err
	}
	kept, err := m.StoreLongContent(ctx, r)
	if err == nil {
		err = m.Update(ctx, a, func(t *write.Tx) error { return t.PutIncoming(kept) })
	}
	if err != nil {
		return fmt.Errorf("keeping a message: %w", err)
	}
	return nil
}

// WriteUnsaved writes the missing parts of a turn in one write, with their original
// times.
func (m *Manager) WriteUnsaved(ctx context.Context, l UnsavedTurn) error {
	a, err := m.Agent(l.Message.AgentID)
	if err != nil {
		return err
	}
	if !l.Kept && !l.Begun {
		l.Message, err = m.StoreLongContent(ctx, l.Message)
	}
	l.Rounds = slices.Clone(l.Rounds)
	for i := range l.Rounds {
		if err == nil {
			l.Rounds[i], err = m.storeLongRound(ctx, l.Rounds[i])
		}
	}
	if err == nil && l.Reply != nil {
		reply := *l.Reply
		if reply.ID == "" {
			reply.ID = m.NewID()
		}
		reply, err = m.StoreLongContent(ctx, reply)
		l.Reply = &reply
	}
	if err == nil {
		err = m.Update(ctx, a, func(t *write.Tx) error {
			_, err := writeUnsaved(t, l)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("writing a turn late: %w", err)
	}
	return nil
}

// writeUnsaved writes the missing parts of a turn within a transaction.
func writeUnsaved(t *write.Tx, l UnsavedTurn) (turn Turn, err error) {
	r := l.Message
	if !l.Begun {
		if l.Kept {
			if r, err = t.TakeIncoming(t.Owner.ID, l.Message.ID); err != nil {
				return turn, err
			}
		}
		if turn, err = beginTurn(t, r, l.Place); err != nil {
			return turn, err
		}
	}
	if l.Package != nil {
		by, err := t.Of(l.Package.AgentID)
		if err == nil {
			_, err = savePackage(by, *l.Package, l.Texts)
		}
		if err != nil {
			return turn, err
		}
	}
	for _, r := range l.Rounds {
		if _, err := saveRound(t, r); err != nil {
			return turn, err
		}
	}
	if l.Reply != nil {
		_, err = finishTurn(t, *l.Reply, l.Learn, l.Next...)
	}
	return turn, err
}

// DryRun is a view of the store as if the unsaved turns were written.
type DryRun struct {
	tx   *write.Tx
	turn Turn
}

// errDryRun aborts the transaction of a dry run.
var errDryRun = errors.New("this was a rehearsal")

// DryRun applies unsaved turns in order, calls fn with the resulting view, and discards
// everything, so that it also works on a full disk. The view is valid only during fn.
func (m *Manager) DryRun(ctx context.Context, agentID string, late []UnsavedTurn, fn func(*DryRun) error) error {
	a, err := m.Agent(agentID)
	if err != nil {
		return err
	}
	t, unlock, err := m.Lock(ctx, a)
	if err != nil {
		return err
	}
	defer unlock()
	err = m.Store.Update(func(stx *store.Tx) error {
		t.Begin(stx)
		r := &DryRun{tx: t}
		for _, l := range late {
			if r.turn, err = writeUnsaved(r.tx, l); err != nil {
				return err
			}
		}
		if err := fn(r); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return fmt.Errorf("going on without the disk: %w", err)
}

// Turn returns the last of the turns, as begun.
func (r *DryRun) Turn() Turn {
	turn := r.turn
	turn.Record = r.tx.Core.Recall().Fetch(turn.Record)
	return turn
}

// LastRecords is [lookup.Reader.LastRecords], for the agent of the dry run or a member of that
// group.
func (r *DryRun) LastRecords(agentID, sessionID string, n int) ([]memory.Record, error) {
	out, err := lookup.RecordsIn(r.tx.Tx, agentID, sessionID, n)
	return r.tx.Core.Recall().FetchAll(out), err
}

// LastSent is [lookup.Reader.LastSent], for the agent of the dry run or a member of that group.
func (r *DryRun) LastSent(agentID string, turns []string) (*memory.Package, error) {
	return lookup.LastSent(r.tx.Tx, agentID, turns)
}

// Package is [Manager.SavePackage] without storing.
func (r *DryRun) Package(p memory.Package, texts map[string]string) (memory.Rendered, error) {
	by, err := r.tx.Of(p.AgentID)
	if err != nil {
		return memory.Rendered{}, err
	}
	return savePackage(by, p, texts)
}

// Round is [Manager.SaveRound] without storing.
func (r *DryRun) Round(round ToolRound) (memory.Rendered, error) { return saveRound(r.tx, round) }
