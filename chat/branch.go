package chat

import (
	"context"
	"errors"

	"memoria/memory"
	"memoria/memory/manager"
)

// Regenerate answers a message of the conversation's session once more: the one
// that the record answers or is, or the last one where recordID is empty. The
// answers before stay, each with its package, and the conversation goes on from the
// new one. The error is ErrNothing when there is no such message, ErrBusy while a
// message is being answered or waits.
func (c *Chat) Regenerate(ctx context.Context, recordID string) error {
	done, err := c.order.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	s := c.Session()
	switch {
	case c.inGroup():
		return manager.ErrInGroup
	case s.ID == "":
		return ErrNothing
	}
	if recordID == "" {
		last, err := c.memory.LastRecords(ctx, c.agent.ID, s.ID, 1)
		if err != nil {
			return err
		}
		if len(last) == 0 {
			return ErrNothing
		}
		recordID = last[0].ID
	}
	said, err := c.memory.Said(ctx, c.agent.ID, s.ID, recordID)
	if errors.Is(err, manager.ErrNotFound) {
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
	c.queue = append(c.queue, queued{record: said, again: true, anew: true})
	poke(c.wake)
	return nil
}

// Step lets the conversation be in another branch of its session and go on from
// there; see [manager.Manager.StepBranch]. [SessionChanged] tells. It reports
// whether there was one. The error is ErrBusy while a message is being answered or
// waits.
func (c *Chat) Step(ctx context.Context, recordID string, by int) (bool, error) {
	id, done, err := c.beginAtRest(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if id == "" {
		return false, ErrNothing
	}
	before, err := c.memory.Session(ctx, c.agent.ID, id)
	if err != nil {
		return false, err
	}
	s, err := c.memory.StepBranch(ctx, c.agent.ID, id, recordID, by)
	if err != nil || s.LastRecordID == before.LastRecordID {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.branched(s)
	return true, nil
}

// beginAtRest takes a ticket for an operation that is refused while a message is being
// answered, waits or is not written. It returns the session of the conversation.
func (c *Chat) beginAtRest(ctx context.Context) (session string, done func(), err error) {
	done, err = c.order.take(ctx)
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

// resting is ErrBusy while a message is being answered, waits, or is not written
// yet; c.mu is held.
func (c *Chat) resting() error {
	if c.busy() || c.owing > 0 {
		return ErrBusy
	}
	return nil
}

// branched tells that the conversation is in another branch of its session; c.mu is
// held.
func (c *Chat) branched(s memory.Session) {
	c.session = s
	c.announceSession(WhyBranched)
}

// SendEdited is Send for a message that takes the place of an earlier one of the
// user's: what was said from there on stays in a branch of its own, and what it had
// taught is taken back; [TurnsLeft] tells. The error is ErrBusy while a message is
// being answered or waits.
func (c *Chat) SendEdited(ctx context.Context, recordID, text string, spans []memory.Span) (id string, err error) {
	old, err := c.memory.Said(context.WithoutCancel(ctx), c.agent.ID, c.Session().ID, recordID) // as keep
	if err != nil {
		return "", err
	}
	r, err := c.keep(ctx, text, spans, old)
	return r.ID, err
}

// editedIn is where a message goes that takes the place of another.
func (c *Chat) editedIn(ctx context.Context, r memory.Record) next {
	id := manager.EditedBy(r)
	if id == "" {
		return next{}
	}
	old, err := c.memory.Record(ctx, c.agent.ID, id)
	if err != nil { // it is gone: this is a message as any
		return next{}
	}
	return next{sessionID: old.SessionID}
}

// UndoTurn lets the conversation be as before its last turn: the message and its
// answers stay in a branch of their own, and what they taught is taken back. An
// answer that is arriving is cancelled before. [SessionChanged] tells, and
// [Chat.RedoTurn] takes it back. The error is ErrNothing when the session has no
// turn, ErrBusy when messages wait.
func (c *Chat) UndoTurn(ctx context.Context) (manager.LeftTurns, error) {
	if c.inGroup() { // no answer is cancelled for that
		return manager.LeftTurns{}, manager.ErrInGroup
	}
	type result struct {
		left manager.LeftTurns
		err  error
	}
	done := make(chan result, 1)
	err := c.afterThis(func() {
		left, err := c.undoTurn(ctx)
		c.mu.Lock()
		c.running = false // who hears of it may begin something new at once
		c.mu.Unlock()
		done <- result{left, err}
	})
	if err != nil {
		return manager.LeftTurns{}, err
	}
	select {
	case r := <-done:
		return r.left, r.err
	case <-c.ctx.Done():
		return manager.LeftTurns{}, ErrClosed
	}
}

// afterThis lets the worker do something when the answer that is arriving has been
// cancelled.
func (c *Chat) afterThis(op func()) error {
	defer c.order.next()()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.finished:
		return ErrClosed
	case len(c.queue) > 0 || c.owing > 0:
		return ErrBusy
	case c.session.ID == "" && !c.running:
		return ErrNothing
	}
	if c.running && c.cancel != nil {
		c.cancel(errUser)
	}
	c.queue = append(c.queue, queued{again: true, op: op, record: memory.Record{SessionID: c.session.ID}})
	poke(c.wake)
	return nil
}

func (c *Chat) undoTurn(ctx context.Context) (manager.LeftTurns, error) {
	left, s, err := c.memory.UndoLastTurn(ctx, c.agent.ID, c.Session().ID)
	if errors.Is(err, manager.ErrNotFound) {
		err = ErrNothing
	}
	if err != nil {
		return left, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.branched(s)
	return left, nil
}

// RedoTurn takes an UndoTurn back. The error is manager.ErrGone when something was
// said since, ErrBusy while a message is being answered or waits.
func (c *Chat) RedoTurn(ctx context.Context, left manager.LeftTurns) error {
	_, done, err := c.beginAtRest(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := c.memory.RedoTurn(ctx, c.agent.ID, left)
	if err != nil {
		return err
	}
	poke(c.learn)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session.ID == s.ID {
		c.branched(s)
	}
	return nil
}

// Fork lets the conversation be in a new session that begins behind a message; the
// one that was open is archived as by [Chat.NewSession]. The error is ErrBusy while
// a message is being answered or waits.
func (c *Chat) Fork(ctx context.Context, recordID string) error {
	if c.temporary {
		return ErrTemporary
	}
	_, done, err := c.beginAtRest(ctx)
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
	c.session, c.goingTo = s, next{}
	c.announceSession(WhyForked)
	poke(c.learn)
	return nil
}
