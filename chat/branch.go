package chat

import (
	"context"
	"errors"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// Regenerate answers a message of the conversation's session once more: the message that
// the record answers or is, or the last one if recordID is empty. The earlier answers stay,
// each with its package, and the conversation continues from the new one. The error is
// ErrNothing if there is no such message, ErrBusy while a message is being answered or
// waits.
func (c *Chat) Regenerate(ctx context.Context, recordID string) error {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	s := c.Session()
	switch {
	case c.inGroup():
		return write.ErrInGroup
	case s.ID == "":
		return ErrNothing
	}
	if recordID == "" {
		last, err := c.memory.Lookup().LastRecords(ctx, c.agent.ID, s.ID, 1)
		if err != nil {
			return err
		}
		if len(last) == 0 {
			return ErrNothing
		}
		recordID = last[0].ID
	}
	message, err := c.memory.Lookup().Said(ctx, c.agent.ID, s.ID, recordID)
	if errors.Is(err, lookup.ErrNotFound) {
		return ErrNothing
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resting() != nil || c.session.ID != s.ID {
		return ErrBusy
	}
	t := retryOf(message)
	t.beside = true
	c.queue.add(t)
	poke(c.wake)
	return nil
}

// atRest takes a ticket for an operation that is refused with ErrBusy while a message is
// being answered, waits or is not written. It returns the session of the conversation.
func (c *Chat) atRest(ctx context.Context) (session string, done func(), err error) {
	done, err = c.tickets.take(ctx)
	if err != nil {
		return "", nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err = c.resting(); err != nil {
		done()
		return "", nil, err
	}
	return c.session.ID, done, nil
}

// Step moves the conversation to another branch of its session; see
// [manager.Manager.StepBranch]. [SessionChanged] tells. It reports whether there was one.
// The error is ErrBusy while a message is being answered or waits.
func (c *Chat) Step(ctx context.Context, recordID string, by int) (bool, error) {
	id, done, err := c.atRest(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if id == "" {
		return false, ErrNothing
	}
	before, err := c.memory.Lookup().Session(ctx, c.agent.ID, id)
	if err != nil {
		return false, err
	}
	s, err := c.memory.StepBranch(ctx, c.agent.ID, id, recordID, by)
	if err != nil || s.LastRecordID == before.LastRecordID {
		return false, err
	}
	c.enter(s, WhyBranched)
	return true, nil
}

// editedIn is where a message goes that replaces another.
func (c *Chat) editedIn(ctx context.Context, r memory.Record) destination {
	id := manager.EditedBy(r)
	if id == "" {
		return destination{}
	}
	old, err := c.memory.Lookup().Record(ctx, c.agent.ID, id)
	if err != nil { // it is gone: this is a message like any other
		return destination{}
	}
	return destination{sessionID: old.SessionID}
}

// UndoTurn undoes the last turn of the conversation: the message and its answers stay in a
// branch of their own, and what they taught is undone. An answer that is arriving is
// cancelled before. [SessionChanged] tells, and [Chat.RedoTurn] restores the turn. The error
// is ErrNothing if the session has no turn, ErrBusy if messages wait.
func (c *Chat) UndoTurn(ctx context.Context) (manager.LeftTurns, error) {
	if c.inGroup() { // no answer is cancelled for that
		return manager.LeftTurns{}, write.ErrInGroup
	}
	type result struct {
		left manager.LeftTurns
		err  error
	}
	undone := make(chan result, 1)
	err := c.afterAnswer(func() {
		left, s, err := c.memory.UndoLastTurn(ctx, c.agent.ID, c.Session().ID)
		if errors.Is(err, lookup.ErrNotFound) {
			err = ErrNothing
		}
		c.mu.Lock()
		if err == nil {
			c.session = s
			c.announceSession(WhyBranched)
		}
		c.queue.ended() // the caller may begin something new at once
		c.mu.Unlock()
		undone <- result{left, err}
	})
	if err != nil {
		return manager.LeftTurns{}, err
	}
	select {
	case r := <-undone:
		return r.left, r.err
	case <-c.ctx.Done():
		return manager.LeftTurns{}, ErrClosed
	}
}

// afterAnswer cancels the answer that is arriving and lets the worker run an operation when
// it has ended.
func (c *Chat) afterAnswer(operation func()) error {
	defer c.tickets.next()()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return ErrClosed
	case c.queue.operation != nil || len(c.queue.waiting) > 0 || c.unsavedTurns > 0:
		return ErrBusy
	case c.session.ID == "" && !c.queue.running:
		return ErrNothing
	}
	c.queue.cancel(errUser)
	c.queue.operation = operation
	poke(c.wake)
	return nil
}

// RedoTurn restores a turn that [Chat.UndoTurn] undid. The error is manager.ErrGone if
// something was said since, ErrBusy while a message is being answered or waits.
func (c *Chat) RedoTurn(ctx context.Context, left manager.LeftTurns) error {
	in, done, err := c.atRest(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := c.memory.RedoTurn(ctx, c.agent.ID, left)
	if err != nil {
		return err
	}
	c.learner.wake()
	if in == s.ID {
		c.enter(s, WhyBranched)
	}
	return nil
}

// Fork moves the conversation to a new session that begins after a message; the one that
// was open is archived as by [Chat.NewSession]. The error is ErrBusy while a message is
// being answered or waits.
func (c *Chat) Fork(ctx context.Context, recordID string) error {
	if c.temporary {
		return ErrTemporary
	}
	_, done, err := c.atRest(ctx)
	if err != nil {
		return err
	}
	defer done()
	open, has, err := c.lastSession(ctx, false)
	if err != nil {
		return err
	}
	archive := ""
	if has && open.State == memory.SessionActive {
		archive = open.ID
	}
	s, err := c.memory.Fork(ctx, c.agent.ID, recordID, archive)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.next = s, destination{}
	c.announceSession(WhyForked)
	c.learner.wake()
	return nil
}
