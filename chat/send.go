package chat

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
)

// Send keeps a message and has it answered after those before it. When it returns, the
// text is on disk (A1), unless [StorageChanged] has reported that the disk takes nothing:
// then the message is answered all the same and written later. spans are the parts that
// were not typed.
func (c *Chat) Send(ctx context.Context, text string, spans []memory.Span) (id string, err error) {
	r, err := c.keep(ctx, text, spans, memory.Record{})
	return r.ID, err
}

// SendEdited is [Chat.Send] for a message that replaces an earlier one of the user. What was
// said from there on stays in a branch of its own, and what it had taught is undone;
// [TurnsLeft] tells. The error is ErrBusy while a message is being answered or waits.
func (c *Chat) SendEdited(ctx context.Context, recordID, text string, spans []memory.Span) (id string, err error) {
	old, err := c.memory.Lookup().Said(context.WithoutCancel(ctx), c.agent.ID, c.Session().ID, recordID) // as keep
	if err != nil {
		return "", err
	}
	r, err := c.keep(ctx, text, spans, old)
	return r.ID, err
}

// keep writes a message and puts it into the queue. edited is the message that it replaces;
// without an id there is none.
func (c *Chat) keep(ctx context.Context, text string, spans []memory.Span, edited memory.Record) (memory.Record, error) {
	switch {
	case blank(text):
		return memory.Record{}, ErrEmpty
	case len(text) > maxMessage:
		return memory.Record{}, fmt.Errorf("%w: it has %d bytes, and at most %d can be sent", ErrTooLarge, len(text), maxMessage)
	}
	if c.inGroup() {
		if edited.ID != "" {
			return memory.Record{}, write.ErrInGroup
		}
		if err := unknownMember(text, spans, c.group.Members); err != nil {
			return memory.Record{}, err
		}
		spans = c.withNames(text, spans)
	}
	keepTrash(context.WithoutCancel(ctx), c, text, spans)
	// The ticket makes the order on disk the order in the queue.
	defer c.tickets.next()()
	if err := c.arrives(edited.ID != ""); err != nil {
		return memory.Record{}, err
	}
	r, release, kept, err := c.keepHeld(ctx, text, spans, edited)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue.arriving = false
	if err != nil {
		c.learner.release()
		return memory.Record{}, err
	}
	t := newTurn(r)
	t.releases = append(t.releases, release)
	t.late.Kept, t.want, c.next = kept, c.next, destination{}
	if edited.ID != "" {
		t.want = destination{sessionID: edited.SessionID}
	}
	c.queue.add(t)
	c.queue.requeue()
	c.announceQueue()
	poke(c.wake)
	return r, nil
}

// keepHeld writes a message and holds its turn, so that no other conversation takes it up.
func (c *Chat) keepHeld(
	ctx context.Context, text string, spans []memory.Span, edited memory.Record,
) (r memory.Record, release func(), kept bool, err error) {
	c.beside.keeping.RLock()
	defer c.beside.keeping.RUnlock()
	if kept = !c.temporary; kept {
		// The message is kept even if the front end that passes it on is ending.
		r, err = c.memory.KeepIncoming(context.WithoutCancel(ctx), c.agent.ID, text, spans, edited.ID)
		_, disk := vault.TroubleOf(err)
		kept = !disk
	}
	if !kept {
		r, err = c.memory.NewIncoming(c.agent.ID, text, spans)
		r = manager.Editing(r, edited.ID)
	}
	release, _ = c.memory.Held.Hold(r.TurnID)
	return r, release, kept, err
}

// arrives makes way for a message that is about to be kept. One that replaces another is
// refused unless the conversation is at rest.
func (c *Chat) arrives(edited bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	if edited && c.resting() != nil {
		return ErrBusy
	}
	c.learner.makeWay()
	c.queue.arriving = true
	return nil
}

func blank(s string) bool {
	for _, r := range s {
		if r > ' ' && r != '\u3000' && r != '\u00a0' {
			return false
		}
	}
	return true
}

// Unsend takes a message out of the queue and returns it, text and spans (C8). The error is
// ErrTooLate if it is being answered.
func (c *Chat) Unsend(ctx context.Context, id string) (memory.Record, error) {
	done, err := c.tickets.take(ctx) // no turn begins meanwhile
	if err != nil {
		return memory.Record{}, err
	}
	defer done()
	c.mu.Lock()
	t := c.queue.find(id)
	c.mu.Unlock()
	if t == nil {
		return memory.Record{}, ErrTooLate
	}
	if t.late.Kept { // only an operation changes it while the turn waits
		if _, err := c.memory.DropIncoming(ctx, c.agent.ID, id); err != nil {
			return memory.Record{}, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue.remove(t)
	t.letGo()
	if c.next == (destination{}) {
		c.next = t.want
	}
	c.learner.release()
	c.announceQueue()
	r := t.late.Message
	r.Spans = r.Given()
	return r, nil
}

// Cancel ends the running answer; what has arrived is kept. While it is not decided which
// session a message belongs to, Cancel ends the judging instead, and the message begins a
// new session (S4). It reports whether there was anything to end.
func (c *Chat) Cancel() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.queue.current; t != nil && t.settling {
		if t.hurried = true; t.endJudging != nil {
			t.endJudging(errUser)
		}
		return true
	}
	return c.queue.cancel(errUser)
}

// Retry answers the session's last message again if it has no complete answer, or the
// messages whose turn could not begin. The error is ErrNothing if there are none.
func (c *Chat) Retry(ctx context.Context) error {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	c.mu.Lock()
	s, requeued := c.session, c.queue.requeue()
	if requeued {
		c.announceQueue()
		poke(c.wake)
	}
	c.mu.Unlock()
	if requeued {
		return nil
	}
	if s.ID == "" {
		return ErrNothing
	}
	records, err := c.memory.Lookup().LastRecords(ctx, c.agent.ID, s.ID, 50)
	if err != nil {
		return err
	}
	message, ok := c.pending(ctx, s.ID, records)
	if !ok {
		return ErrNothing
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.queue.busy() {
		return ErrBusy
	}
	c.queue.add(retryOf(message))
	poke(c.wake)
	return nil
}
