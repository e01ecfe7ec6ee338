package chat

import (
	"context"

	"memoria/memory"
)

// Ask sends one message and waits for its end, for the command line. on is
// called for every event of the conversation meanwhile; it may be nil. In a group the
// end is that of the last answer. Nothing
// else may read Events. When ctx ends, the answer is cancelled and what has
// arrived is kept. What the turn teaches is left to the background or to the next
// process.
func (c *Chat) Ask(ctx context.Context, text string, spans []memory.Span, on func(Event)) (Finished, error) {
	r, err := c.keep(ctx, text, spans, memory.Record{})
	if err != nil {
		return Finished{}, err
	}
	waits := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		if !c.Cancel() && c.beside.busy(c.conversation) {
			close(waits)
		}
	})
	defer stop()
	for {
		var e Event
		select {
		case <-waits: // for the turn of another conversation; the message stays for later
			return Finished{}, context.Cause(ctx)
		case next, ok := <-c.Events():
			if !ok {
				return Finished{}, ErrClosed
			}
			e = next
		}
		if on != nil {
			on(e)
		}
		if u, ok := e.(UserStored); ok && u.TurnID == r.TurnID && ctx.Err() != nil {
			c.Cancel() // ctx ended before there was this turn to cancel
		}
		if f, ok := e.(Finished); ok && f.TurnID == r.TurnID && !f.More {
			return f, nil
		}
	}
}
