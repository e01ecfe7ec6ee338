package chat

import (
	"context"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// departure is how a deletion left the current session, so that undo can enter it again.
type departure struct {
	deletion string
	session  string
	next     destination
}

// leave leaves a session that is gone.
func (s *state) leave(sessionID string, d write.Deletion) (left bool) {
	if s.next.sessionID == sessionID {
		s.next = destination{fresh: true}
	}
	if s.session.ID != sessionID {
		return false
	}
	s.left = departure{deletion: d.ID, session: sessionID, next: s.next}
	s.session, s.next = memory.Session{}, destination{fresh: true}
	return true
}

// DeleteSession deletes a session and all that belongs to it; withItems also what was
// learned only there (D2). If the conversation was in that session, it becomes a new and
// empty one, and [Chat.UndoDeletion] restores both. The error is ErrBusy if a message of
// that session is being answered or waits.
func (c *Chat) DeleteSession(ctx context.Context, sessionID string, withItems bool) (write.Deletion, error) {
	done, err := c.tickets.take(ctx) // no turn begins meanwhile
	if err != nil {
		return write.Deletion{}, err
	}
	defer done()
	s, err := c.memory.Lookup().Session(ctx, c.agent.ID, sessionID)
	if err != nil {
		return write.Deletion{}, err
	}
	if c.inUse(s) {
		return write.Deletion{}, ErrBusy
	}
	d, err := c.memory.DeleteSession(ctx, c.agent.ID, s.ID, withItems)
	if err != nil {
		return write.Deletion{}, err
	}
	c.deleted(s.ID, d)
	return d, nil
}

// DeleteMessages deletes single messages; withItems also what was learned only from them
// (D2, see [manager.Manager.DeleteRecords]). If the conversation is in their session,
// [SessionChanged] tells; a session that loses its last message is left as by
// [Chat.DeleteSession]. [Chat.UndoDeletion] restores them. The error is ErrBusy if a message
// of one of their sessions is being answered or waits.
func (c *Chat) DeleteMessages(ctx context.Context, withItems bool, ids ...string) (write.Deletion, error) {
	done, err := c.tickets.take(ctx) // no turn begins meanwhile
	if err != nil {
		return write.Deletion{}, err
	}
	defer done()
	var sessions, records []string
	for _, id := range ids {
		r, err := c.memory.Lookup().FindRecord(ctx, c.agent.ID, id)
		if err != nil {
			return write.Deletion{}, err
		}
		sessions, records = append(sessions, r.SessionID), append(records, r.ID)
	}
	for _, id := range sessions {
		s, err := c.memory.Lookup().Session(ctx, c.agent.ID, id)
		if err == nil && c.inUse(s) {
			return write.Deletion{}, ErrBusy
		}
	}
	d, err := c.memory.DeleteRecords(ctx, c.agent.ID, withItems, records...)
	if err != nil {
		return write.Deletion{}, err
	}
	ctx = context.WithoutCancel(ctx) // an error says below that a session is gone
	for _, id := range sessions {
		if _, err := c.memory.Lookup().Session(ctx, c.agent.ID, id); err != nil {
			c.deleted(id, d)
		}
	}
	c.refresh(ctx)
	c.learner.wake() // summarises an ended session again
	return d, nil
}

// EraseSecret deletes a message that holds a secret, and what repeats it in its session
// (P5a); see [lookup.Reader.SecretRecords] and [Chat.DeleteMessages]. What was learned from
// the message stays.
func (c *Chat) EraseSecret(ctx context.Context, id string) (write.Deletion, error) {
	ids, err := c.memory.Lookup().SecretRecords(ctx, c.agent.ID, id)
	if err != nil {
		return write.Deletion{}, err
	}
	return c.DeleteMessages(ctx, false, ids...)
}

// UndoDeletion undoes a deletion of a session or of single messages. If it deleted the
// session that the conversation was in, and nothing was sent since, the conversation is in
// that session again. The error is manager.ErrGone if it is too late.
func (c *Chat) UndoDeletion(ctx context.Context, deletionID string) (write.Deletion, error) {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return write.Deletion{}, err
	}
	defer done()
	d, err := c.memory.UndoDeletion(ctx, c.agent.ID, deletionID)
	if err != nil {
		return write.Deletion{}, err
	}
	ctx = context.WithoutCancel(ctx) // it is restored, and the conversation goes with it
	c.refresh(ctx)
	c.learner.wake() // there may be more to read again
	c.mu.Lock()
	left := c.left
	stays := left.deletion != deletionID || c.session.ID != "" || c.queue.busy()
	c.mu.Unlock()
	if stays {
		return d, nil
	}
	s, err := c.memory.Lookup().Session(ctx, c.agent.ID, left.session)
	if err != nil {
		return d, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.next, c.left = s, left.next, departure{}
	if s.State != memory.SessionActive { // another is open by now; the next message still goes here
		c.next = destination{sessionID: s.ID}
	}
	c.announceSession(WhyRestored)
	return d, nil
}

func (c *Chat) inUse(s memory.Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.uses(s)
}

// deleted leaves a deleted session if the conversation is in it.
func (c *Chat) deleted(sessionID string, d write.Deletion) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leave(sessionID, d) {
		c.announceSession(WhyDeleted)
	}
}

// refresh announces the session of the conversation if its messages have changed.
func (c *Chat) refresh(ctx context.Context) {
	in := c.Session()
	if in.ID == "" {
		return
	}
	s, err := c.memory.Lookup().Session(ctx, c.agent.ID, in.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	same := c.session.ID == in.ID && c.session.Messages == in.Messages // no turn went on meanwhile
	if err == nil && same && (s.Messages != in.Messages || s.Title != in.Title) {
		c.session = s
		c.announceSession(WhyEdited)
	}
}
