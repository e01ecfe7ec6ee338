package chat

import (
	"context"
)

// Overrule decides against the judgement of a message of this conversation: the message
// goes on with the session that had timed out, or begins a session of its own after all,
// with everything that depends on it (see [manager.Manager.Overrule]). An answer that is
// arriving is cancelled and asked for again there; messages that wait come after it.
// [SessionChanged] tells, or a [Notice] if it could not be done. The error is ErrBusy while
// something is not on disk.
func (c *Chat) Overrule(ctx context.Context, recordID string) error {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := c.memory.Lookup().Record(ctx, c.agent.ID, recordID)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	current := c.queue.current
	switch {
	case c.closed:
		return ErrClosed
	case r.Judgement == nil || r.SessionID != c.session.ID:
		return ErrNotJudged
	case c.unsavedTurns > 0, current != nil && current.settling, c.queue.operation != nil, c.queue.retries():
		return ErrBusy
	}
	again := c.queue.cancel(errUser)
	// The answer is cancelled for it, so it is done even if the conversation ends meanwhile.
	c.queue.operation = func() { c.overrule(context.WithoutCancel(c.ctx), recordID, again) }
	poke(c.wake)
	return nil
}

// overrule is [Chat.Overrule] in the order of sending (S7); again says that the last answer
// was cancelled for it.
func (c *Chat) overrule(ctx context.Context, recordID string, again bool) {
	err := c.guard("overruling", func() error {
		if c.storage.hasUnsaved() { // the answer that was cancelled for it
			again = false
			return ErrBusy
		}
		s, err := c.memory.Overrule(ctx, c.agent.ID, recordID)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.next = destination{} // the next message follows this one
		c.mu.Unlock()
		c.enter(s, WhyOverruled)
		return nil
	})
	if err != nil {
		c.log.Warn("a judgement was not overruled", "error", err)
		c.emit("", func(h Head) Event { return Notice{Head: h, Problem: Explain(err)} })
	}
	if !again {
		return
	}
	session := c.Session().ID
	records, err := c.memory.Lookup().LastRecords(ctx, c.agent.ID, session, lookBack)
	if err != nil {
		c.log.Warn("the answer is not asked for again", "error", err)
		return
	}
	if message, ok := c.pending(ctx, session, records); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.queue.addFirst(retryOf(message))
	}
}
