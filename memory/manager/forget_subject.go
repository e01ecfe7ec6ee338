package manager

import (
	"context"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager/write"
)

// messagesOn returns the ids of the messages that an order to forget everything on a subject is
// about: those that name it, whether a memory was made from them or not (U2). It returns none
// for an order about single memories.
func messagesOn(ctx context.Context, m *Manager, order memory.Record) ([]string, error) {
	in, ok := instruct.Read(order.Content, order.Spans)
	if !ok || in.Kind != instruct.Forget || !in.Whole || in.Today || in.Object == "" {
		return nil, nil
	}
	return messagesSaying(ctx, m, order.AgentID, in.Object, order.ID)
}

// messagesOnAll is messagesOn for several orders.
func messagesOnAll(ctx context.Context, m *Manager, orders []memory.Record) (ids []string, err error) {
	for _, order := range orders {
		on, err := messagesOn(ctx, m, order)
		if err != nil {
			return nil, err
		}
		ids = append(ids, on...)
	}
	return ids, nil
}

// ordersOf returns the messages that led to a question and still exist.
func ordersOf(ctx context.Context, m *Manager, q memory.Question, agentID string) (orders []memory.Record) {
	for _, id := range q.Asked {
		if r, err := m.Lookup().FindRecord(ctx, agentID, id); err == nil {
			orders = append(orders, r)
		}
	}
	return orders
}

// mark marks messages as not for memory. It returns marked with those that had no mark before.
func mark(t *write.Tx, ids, marked []string) ([]string, error) {
	for _, id := range ids {
		if slices.Contains(marked, id) {
			continue
		}
		session, err := t.SessionOf(t.Owner.ID, id)
		if err != nil {
			continue // it was deleted meanwhile
		}
		changed, err := t.SetNotForMemory(t.Owner.ID, id, true)
		if err == nil && changed {
			marked, err = append(marked, id), retitleWithheld(t, session)
		}
		if err != nil {
			return marked, err
		}
	}
	return marked, nil
}
