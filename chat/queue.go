package chat

import (
	"context"
	"slices"
)

// queue holds the turns of a conversation that wait, and knows which one runs. Its methods
// are called with conversation.mu held.
type queue struct {
	waiting  []*turn
	stuck    []*turn // on disk, but they could not begin
	arriving bool    // a message is being kept, and then waits
	running  bool    // a turn or an operation of the worker
	current  *turn   // that runs; nil while an operation runs
	// operation runs when the current turn has ended, before all that wait; nil: none.
	operation func()
}

// busy reports whether a message is being answered, waits or arrives.
func (q *queue) busy() bool {
	return q.running || q.arriving || q.operation != nil || len(q.waiting) > 0
}

func (q *queue) add(t *turn) { q.waiting = append(q.waiting, t) }

func (q *queue) addFirst(t *turn) { q.waiting = slices.Insert(q.waiting, 0, t) }

// letGo lets go of all turns that have not ended.
func (q *queue) letGo() {
	for _, t := range slices.Concat(q.stuck, q.waiting) {
		t.letGo()
	}
}

// find returns the turn of a message that waits for its first answer; nil if there is none.
func (q *queue) find(id string) *turn {
	i := slices.IndexFunc(q.waiting, func(t *turn) bool { return t.late.Message.ID == id && !t.retry })
	if i < 0 {
		return nil
	}
	return q.waiting[i]
}

func (q *queue) remove(t *turn) {
	q.waiting = slices.DeleteFunc(q.waiting, func(o *turn) bool { return o == t })
}

// requeue puts the stuck turns before all others and reports whether there were any.
func (q *queue) requeue() bool {
	if len(q.stuck) == 0 {
		return false
	}
	q.waiting, q.stuck = append(q.stuck, q.waiting...), nil
	return true
}

// take starts the operation or the first turn that waits. Both results are nil when there
// is none. The turn ends with ctx.
func (q *queue) take(ctx context.Context) (next *turn, turnCtx context.Context, operation func()) {
	switch {
	case q.operation != nil:
		operation, q.operation = q.operation, nil
	case len(q.waiting) > 0:
		next = q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		turnCtx, next.cancel = context.WithCancelCause(ctx)
		next.settling, next.hurried = !next.retry, false
	default:
		return nil, nil, nil
	}
	q.running, q.current = true, next
	return next, turnCtx, operation
}

// ended notes that nothing runs any more.
func (q *queue) ended() { q.running, q.current = false, nil }

// cancel ends the current turn's answer and reports whether there was a turn to end.
func (q *queue) cancel(why error) bool {
	if q.current == nil {
		return false
	}
	q.current.cancel(why)
	return true
}

// retries reports whether a turn that waits answers a message again.
func (q *queue) retries() bool {
	return slices.ContainsFunc(q.waiting, func(t *turn) bool { return t.retry })
}

// headsFor reports whether a turn that runs or waits goes to a session.
func (q *queue) headsFor(session string) bool {
	return q.current != nil && q.current.heading() == session ||
		slices.ContainsFunc(q.waiting, func(t *turn) bool { return t.heading() == session })
}

// unkept are the turns that have not begun and whose message is not on disk.
func (q *queue) unkept() (out []*turn) {
	for _, t := range slices.Concat(q.stuck, q.waiting) {
		if !t.late.Kept {
			out = append(out, t)
		}
	}
	return out
}

// messages are the messages that wait for their first answer, oldest first (C8).
func (q *queue) messages() []Waiting {
	out := make([]Waiting, 0, len(q.waiting))
	for _, t := range q.waiting {
		if !t.retry {
			out = append(out, Waiting{ID: t.late.Message.ID, Text: t.late.Message.Content})
		}
	}
	return out
}
