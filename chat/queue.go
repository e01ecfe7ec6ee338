package chat

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
)

// queued is a message that waits for its turn, or a turn to be answered
// again.
type queued struct {
	record memory.Record
	want   next // what the user decided about its session before sending it
	again  bool
	anew   bool    // beside the answers that it has
	op     func()  // what is to be done in place of a turn; nil: nothing
	unkept bool    // not on disk: that does not take it
	to     []Agent // in a group, who answers
	tries  int     // that failed before it was in its session
}

// Send keeps a message and lets it be answered after those before it. When it
// returns, the text is on disk (A1), unless [StorageChanged] has said that the
// disk takes nothing: then it is answered all the same, and written when it can
// be. spans are the parts that were not typed.
func (c *Chat) Send(ctx context.Context, text string, spans []memory.Span) (id string, err error) {
	r, err := c.keep(ctx, text, spans, memory.Record{})
	return r.ID, err
}

// keep is Send for a message that takes the place of another; edited without an id
// is none.
func (c *Chat) keep(ctx context.Context, text string, spans []memory.Span, edited memory.Record) (memory.Record, error) {
	switch {
	case blank(text):
		return memory.Record{}, ErrEmpty
	case len(text) > maxMessage:
		return memory.Record{}, fmt.Errorf("%w: it has %d bytes, and at most %d can be sent", ErrTooLarge, len(text), maxMessage)
	}
	if edited.ID != "" && c.inGroup() {
		return memory.Record{}, manager.ErrInGroup
	}
	if c.inGroup() {
		if err := namesNobody(text, spans, c.group.Members); err != nil {
			return memory.Record{}, err
		}
	}
	// The ticket makes the order on disk the order in the queue.
	defer c.order.next()()
	if err := c.arrives(edited.ID != ""); err != nil {
		return memory.Record{}, err
	}
	spans = c.withNames(text, spans)
	var r memory.Record
	var err error
	unkept := c.temporary
	if !unkept {
		// What was said is not lost because the one who passes it on is ending.
		r, err = c.memory.KeepEdited(context.WithoutCancel(ctx), c.agent.ID, text, spans, edited.ID)
		_, unkept = manager.TroubleOf(err)
	}
	if unkept {
		r, err = c.memory.NewIncoming(c.agent.ID, text, spans)
		r = manager.Editing(r, edited.ID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arriving = false
	if err != nil {
		c.rest()
		return memory.Record{}, err
	}
	if edited.ID != "" {
		c.goingTo = next{sessionID: edited.SessionID}
	}
	c.queue = append(c.queue, queued{record: r, want: c.goingTo, unkept: unkept})
	c.goingTo = next{}
	if !c.requeue() {
		c.announceQueue()
		poke(c.wake)
	}
	return r, nil
}

// arrives makes way for a message that is about to be kept; one that takes the place of
// another is refused while anything is under way.
func (c *Chat) arrives(edited bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finished {
		return ErrClosed
	}
	if edited && c.resting() != nil {
		return ErrBusy
	}
	c.makeWay()
	c.arriving = true
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

// TakeBack takes a message out of the queue and returns it, text and spans (C8).
func (c *Chat) TakeBack(ctx context.Context, id string) (memory.Record, error) {
	done, err := c.order.take(ctx) // until then no turn begins
	if err != nil {
		return memory.Record{}, err
	}
	defer done()
	c.mu.Lock()
	i := c.waits(id)
	kept := i >= 0 && !c.queue[i].unkept
	c.mu.Unlock()
	if i < 0 {
		return memory.Record{}, ErrTooLate
	}
	if kept {
		if _, err := c.memory.DropIncoming(ctx, c.agent.ID, id); err != nil {
			return memory.Record{}, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i = c.waits(id); i < 0 {
		return memory.Record{}, ErrTooLate
	}
	r := c.queue[i].record
	r.Spans = r.Given()
	if c.goingTo == (next{}) {
		c.goingTo = c.queue[i].want
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	c.rest()
	c.announceQueue()
	return r, nil
}

// waits is the place of a message in the queue, -1 when it is not there; c.mu is held.
func (c *Chat) waits(id string) int {
	return slices.IndexFunc(c.queue, func(q queued) bool { return q.record.ID == id && !q.again })
}

// announceQueue tells what waits; c.mu is held.
func (c *Chat) announceQueue() {
	waiting := make([]Waiting, 0, len(c.queue))
	for _, q := range c.queue {
		if !q.again {
			waiting = append(waiting, Waiting{ID: q.record.ID, Text: q.record.Content})
		}
	}
	session := c.session.ID
	c.events.send(func(seq uint64) Event {
		return QueueChanged{Head: Head{Seq: seq, SessionID: session}, Waiting: waiting}
	})
}

// Cancel ends the running answer; what has arrived is kept. Until it is decided where
// a message belongs it ends the judging instead, where there is one, and the message
// begins a new session (S4). It reports whether there was anything to end.
func (c *Chat) Cancel() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.cancel == nil || !c.running:
		return false
	case c.settling:
		if c.hurried = true; c.judging != nil {
			c.judging(errUser)
		}
		return true
	}
	c.cancel(errUser)
	return true
}

// requeue puts the messages whose turn could not begin before all others and
// reports whether there were any; c.mu is held.
func (c *Chat) requeue() bool {
	if len(c.stuck) == 0 {
		return false
	}
	c.queue, c.stuck = append(c.stuck, c.queue...), nil
	c.announceQueue()
	poke(c.wake)
	return true
}

// Retry answers the session's last message again when it has no complete
// answer, or those messages whose turn could not begin.
func (c *Chat) Retry(ctx context.Context) error {
	done, err := c.order.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	c.mu.Lock()
	found := c.requeue()
	c.mu.Unlock()
	if found {
		return nil
	}
	s := c.Session()
	if s.ID == "" {
		return ErrNothing
	}
	records, err := c.memory.LastRecords(ctx, c.agent.ID, s.ID, 50)
	if err != nil {
		return err
	}
	said, ok := c.unanswered(ctx, s.ID, records)
	if !ok {
		return ErrNothing
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy() {
		return ErrBusy
	}
	c.queue = append(c.queue, queued{record: said, again: true})
	poke(c.wake)
	return nil
}
