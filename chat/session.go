package chat

import (
	"context"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// recent is how many of the sessions last used may be the open one.
const recent = 20

// destination is what the user decided about the session of the next message.
type destination struct {
	sessionID string // resume this one (S9a)
	fresh     bool   // begin a new one (S10)
}

// place is where a message belongs.
type place struct {
	sessionID string // empty: a new session
	archive   string // the session that it ends; empty: none
	why       SessionWhy
	// judge says that a judge decides whether the message continues the session archive;
	// if it does not, the rest holds (S3).
	judge     bool
	judgement *memory.Judgement
}

// resolve decides which session an incoming message belongs to (S11). It reads nothing and
// writes nothing: last is the session last used, if any, and at the time of the message,
// which may be long past after a crash. A clock that was set back makes no pause.
func resolve(want destination, last memory.Session, has bool, cfg Config, at time.Time) place {
	open := ""
	if has && last.State == memory.SessionActive {
		open = last.ID
	}
	idle := at.Sub(last.LastMessageAt)
	switch {
	case want.sessionID != "":
		return place{sessionID: want.sessionID, archive: open, why: WhyResumed}
	case want.fresh:
		return place{archive: open, why: WhyRequested}
	case !has:
		return place{why: WhyFirst}
	case open == "":
		return place{why: WhyEnded}
	case idle < cfg.PassiveTimeout:
		return place{sessionID: open, why: WhyContinued}
	case idle > cfg.hard():
		return place{archive: open, why: WhyEnded}
	default:
		return place{archive: open, why: WhyTimeout, judge: cfg.SmartContext}
	}
}

// openLast shows the session that was used last; the next message decides whether the
// conversation continues there.
func (c *Chat) openLast(ctx context.Context) error {
	last, ok, err := c.lastSession(ctx, false)
	if err != nil {
		return fmt.Errorf("opening the last session: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == (destination{}) && ok && last.State == memory.SessionActive {
		c.session = last
		c.announceSession(WhyContinued)
	}
	return nil
}

// NewSession lets the next message begin a new session; the one before is archived (S10).
// The reader sees an empty conversation at once. In a conversation without a message
// nothing happens.
func (c *Chat) NewSession(ctx context.Context) error {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	if empty, err := c.isEmpty(); empty || err != nil {
		return err
	}
	old, err := c.leaveFor(destination{fresh: true}, memory.Session{}, WhyRequested)
	if err != nil || old.ID == "" {
		return err
	}
	defer c.learner.wake() // it is summed up in the background (S8)
	// The conversation has left it, so it ends even if ctx is done by now.
	return c.memory.ArchiveSession(context.WithoutCancel(ctx), c.agent.ID, old.ID)
}

// isEmpty reports whether the conversation is in no session, and then lets the next
// message begin one.
func (c *Chat) isEmpty() (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.temporary:
		return false, ErrTemporary
	case c.queue.busy():
		return false, ErrBusy
	case c.session.ID != "" || c.next.sessionID != "":
		return false, nil
	}
	c.next = destination{fresh: true}
	return true, nil
}

// Resume shows an old session; the next message goes there (S9a). The error is a
// *manager.GroupSessionError for a session that belongs to a group.
func (c *Chat) Resume(ctx context.Context, sessionID string) error {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := c.memory.Lookup().Session(ctx, c.agent.ID, sessionID)
	if err != nil {
		return err
	}
	if s.Group != "" {
		return &write.GroupSessionError{Group: s.Group, SessionID: s.ID}
	}
	_, err = c.leaveFor(destination{sessionID: s.ID}, s, WhyResumed)
	return err
}

// leaveFor shows another session, to which the next message goes, and returns the one
// before. The error is ErrBusy while a message is being answered or waits.
func (c *Chat) leaveFor(to destination, s memory.Session, why SessionWhy) (old memory.Session, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.temporary:
		return old, ErrTemporary
	case c.queue.busy():
		return old, ErrBusy
	}
	old, c.session, c.next = c.session, s, to
	c.announceSession(why)
	return old, nil
}

// Rename gives a session a title of the user's; see [manager.Manager.RenameSession].
// [SessionChanged] tells if the conversation is in that session.
func (c *Chat) Rename(ctx context.Context, sessionID, title string) error {
	done, err := c.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := c.memory.RenameSession(ctx, c.agent.ID, sessionID, title)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session.ID == s.ID {
		c.session.Title, c.session.Named = s.Title, s.Named
		c.announceSession(WhyRenamed)
	}
	return nil
}
