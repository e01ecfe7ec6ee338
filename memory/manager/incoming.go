package manager

import (
	"context"
	"fmt"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// KeepIncoming stores a user message before its session is known. When it returns, the
// message is durable (A1). The record's spans are those given and the quotes found in
// what was typed (K9). edits is the id of the message that it replaces, or empty; see
// [Editing]. The replacement also holds if another process begins the turn.
func (m *Manager) KeepIncoming(
	ctx context.Context, agentID, said string, spans []memory.Span, edits string,
) (memory.Record, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	if !utf8.ValidString(said) {
		return memory.Record{}, fmt.Errorf("keeping a message: %w: it is not UTF-8", memory.ErrInvalid)
	}
	now := m.Now()
	r := memory.Record{
		ID: m.IDs.New(now), AgentID: a.ID, TurnID: m.IDs.New(now), Role: memory.RoleUser,
		Content: said, Spans: learning.WithQuoted(said, spans), Status: memory.StatusIncoming,
	}
	r = Editing(r, edits)
	kept, err := m.files.StoreLong(ctx, r)
	if err != nil {
		return memory.Record{}, fmt.Errorf("keeping a message: %w", err)
	}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		r.Timestamp, kept.Timestamp = t.Now(), t.Now()
		return t.PutIncoming(kept)
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("keeping a message: %w", err)
	}
	return r, nil
}

// DropIncoming removes and returns a message that has no session yet (C8).
func (m *Manager) DropIncoming(ctx context.Context, agentID, id string) (memory.Record, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	var r memory.Record
	err = m.Update(ctx, a, func(t *write.Tx) (err error) {
		r, err = t.TakeIncoming(a.ID, id)
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("removing an unsent message: %w", err)
	}
	whole := m.Recall().Fetch(r)
	if r.ContentRef != "" {
		m.files.Remove([]string{r.ContentRef})
	}
	return whole, nil
}
