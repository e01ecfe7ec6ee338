package chat

import (
	"context"

	"memoria/memory/manager"
)

// DeleteMessages deletes single messages; withItems also what was learned only
// from them (D2, see [manager.Manager.DeleteRecords]). When the conversation is in
// their session, [SessionChanged] tells; a session whose last message goes is
// left as by [Chat.DeleteSession]. [Chat.TakeBackSession] brings them back. The
// error is ErrBusy when a message of one of their sessions is being answered or
// waits.
func (c *Chat) DeleteMessages(ctx context.Context, withItems bool, ids ...string) (manager.Deletion, error) {
	done, err := c.order.take(ctx) // no turn begins meanwhile
	if err != nil {
		return manager.Deletion{}, err
	}
	defer done()
	var sessions, records []string
	for _, id := range ids {
		r, err := c.memory.FindRecord(ctx, c.agent.ID, id)
		if err != nil {
			return manager.Deletion{}, err
		}
		sessions, records = append(sessions, r.SessionID), append(records, r.ID)
	}
	for _, id := range sessions {
		s, err := c.memory.Session(ctx, c.agent.ID, id)
		if err == nil && c.mayAnswer(s) {
			return manager.Deletion{}, ErrBusy
		}
	}
	d, err := c.memory.DeleteRecords(ctx, c.agent.ID, withItems, records...)
	if err != nil {
		return manager.Deletion{}, err
	}
	ctx = context.WithoutCancel(ctx) // an error says below that a session is gone
	for _, id := range sessions {
		if _, err := c.memory.Session(ctx, c.agent.ID, id); err != nil {
			c.mu.Lock()
			c.leave(id, d)
			c.mu.Unlock()
		}
	}
	c.look(ctx)
	poke(c.learn) // what is left of an ended session is summed up anew
	return d, nil
}

// EraseSecret deletes a message that holds a secret, and what repeats it in its
// session (P5a); see [manager.Manager.SecretRecords] and [Chat.DeleteMessages]. What was
// learned from the message stays.
func (c *Chat) EraseSecret(ctx context.Context, id string) (manager.Deletion, error) {
	ids, err := c.memory.SecretRecords(ctx, c.agent.ID, id)
	if err != nil {
		return manager.Deletion{}, err
	}
	return c.DeleteMessages(ctx, false, ids...)
}

// look tells when the session of the conversation has other messages than it had.
func (c *Chat) look(ctx context.Context) {
	in := c.Session()
	if in.ID == "" {
		return
	}
	s, err := c.memory.Session(ctx, c.agent.ID, in.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	same := c.session.ID == in.ID && c.session.Messages == in.Messages // no turn went on meanwhile
	if err == nil && same && (s.Messages != in.Messages || s.Title != in.Title) {
		c.session = s
		c.announceSession(WhyEdited)
	}
}
