package chat

import (
	"cmp"
	"context"
	"slices"

	"memoria/memory"
)

// Overrule decides against the judgement of a message of this conversation: it goes
// on with the session that had timed out, or begins one of its own after all, with
// all that hangs from it (see [manager.Manager.Overrule]). An answer that is
// arriving is cancelled and asked for again there; messages that wait come after it.
// [SessionChanged] tells, or a [Notice] when it could not be done. The error is
// ErrBusy while something is not on the disk.
func (c *Chat) Overrule(ctx context.Context, recordID string) error {
	done, err := c.order.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := c.memory.Record(ctx, c.agent.ID, recordID)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.finished:
		return ErrClosed
	case r.Judgement == nil || r.SessionID != c.session.ID:
		return ErrNotJudged
	case c.owing > 0, c.settling, slices.ContainsFunc(c.queue, func(q queued) bool { return q.again }):
		return ErrBusy
	}
	again := c.running && c.cancel != nil
	if again {
		c.cancel(errUser)
	}
	// The answer is cancelled for it: it is done though the conversation ends meanwhile.
	overrule := func() { c.overrule(context.WithoutCancel(c.ctx), recordID, again) }
	c.queue = slices.Insert(c.queue, 0, queued{again: true, op: overrule, record: memory.Record{SessionID: r.SessionID}})
	poke(c.wake)
	return nil
}

// overrule is [Chat.Overrule] in the order of sending (S7); again says that the last
// answer was cancelled for it.
func (c *Chat) overrule(ctx context.Context, recordID string, again bool) {
	var s memory.Session
	err := c.guard("overruling", func() (err error) {
		if c.isOwing() { // the answer that was cancelled for it
			again = false
			return ErrBusy
		}
		s, err = c.memory.Overrule(ctx, c.agent.ID, recordID)
		return err
	})
	if err != nil {
		c.log.Warn("a judgement was not overruled", "error", err)
		c.emit("", func(h Head) Event { return Notice{Head: h, Problem: Explain(err)} })
	} else {
		c.mu.Lock()
		c.goingTo = next{} // the next message goes on where this one is now
		c.mu.Unlock()
		c.enter(s, WhyOverruled)
	}
	if !again {
		return
	}
	records, err := c.memory.LastRecords(ctx, c.agent.ID, c.Session().ID, lookBack)
	if err != nil {
		c.log.Warn("the answer is not asked for again", "error", err)
		return
	}
	if said, ok := c.unanswered(ctx, c.Session().ID, records); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.queue = slices.Insert(c.queue, 0, queued{record: said, again: true})
	}
}

// unanswered returns the last message of the user in a session, with the turn of its
// answer, when it has no complete one: in a group, when somebody owes his.
func (c *Chat) unanswered(ctx context.Context, session string, records []memory.Record) (said memory.Record, ok bool) {
	turn := ""
	for _, r := range slices.Backward(records) {
		if r.SessionID != session {
			break
		}
		if turn == "" && r.Role == memory.RoleAssistant {
			turn = r.TurnID // not that of the message when it was answered anew
		}
		switch {
		case r.Answers() && r.Status == memory.StatusComplete && !c.inGroup():
			return said, false
		case r.Role == memory.RoleUser && c.inGroup():
			return r, len(c.owingAnswer(ctx, r)) > 0
		case r.Role == memory.RoleUser:
			r.TurnID = cmp.Or(turn, r.TurnID)
			return r, true
		}
	}
	return said, false
}
