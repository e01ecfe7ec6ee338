package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
)

// recent is how many of the sessions last used may be the open one.
const recent = 20

// next is what the user decided about the session of the next message.
type next struct {
	sessionID string // resume this one (S9a)
	fresh     bool   // begin a new one (S10)
}

// place is where a message belongs.
type place struct {
	sessionID string // empty: a new session
	archive   string // the session that ends by it; empty: none
	why       SessionWhy
	// judge says that it is to be judged whether the message goes on with the session
	// archive; unless it does, the rest holds (S3).
	judge     bool
	judgement *memory.Judgement
}

// resolve decides which session an incoming message belongs to (S11). It reads
// nothing and writes nothing: last is the session last used, if any, and at the time
// of the message, which may be long past after a crash. A clock that was set back
// makes no pause.
func resolve(want next, last memory.Session, has bool, cfg Config, at time.Time) place {
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

// openLast puts the conversation into the session last used, for the reader to
// show; the next message decides whether it goes on there.
func (c *Chat) openLast(ctx context.Context) error {
	last, ok, err := c.lastSession(ctx, false)
	if err != nil {
		return fmt.Errorf("opening the last session: %w", err)
	}
	c.mu.Lock()
	decided := c.goingTo != next{}
	c.mu.Unlock()
	if decided || !ok || last.State != memory.SessionActive {
		return nil
	}
	c.enter(last, WhyContinued)
	return nil
}

// lastSession returns the session that the conversation is in, or else the one
// last used. The times of sessions do not decide while there is an open one: a
// clock that was set back leaves older sessions with later times. With unwritten
// turns the conversation knows it better than the store.
func (c *Chat) lastSession(ctx context.Context, unwritten bool) (memory.Session, bool, error) {
	if in := c.Session(); in.State == memory.SessionActive {
		if unwritten {
			return in, true, nil
		}
		s, err := c.memory.Session(ctx, c.agent.ID, in.ID)
		if !errors.Is(err, manager.ErrNotFound) {
			return s, err == nil, err
		}
	}
	latest, err := c.memory.OwnSessions(ctx, c.agent.ID, recent)
	if err != nil || len(latest) == 0 {
		return memory.Session{}, false, err
	}
	for _, s := range latest {
		if s.State == memory.SessionActive {
			return s, true, nil
		}
	}
	return latest[0], true, nil
}

// enter makes s the session of the conversation and says so.
func (c *Chat) enter(s memory.Session, why SessionWhy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = s
	c.announceSession(why)
}

// NewSession lets the next message begin a new session; the one before is
// archived (S10). The reader sees an empty conversation at once. In a conversation
// without a message nothing happens.
func (c *Chat) NewSession(ctx context.Context) error {
	if empty, err := c.isEmpty(); empty || err != nil {
		return err
	}
	old, err := c.leaveFor(next{fresh: true}, memory.Session{}, WhyRequested)
	if err != nil || old.ID == "" {
		return err
	}
	defer poke(c.learn) // what it comes to is found out in the background (S8)
	// The conversation has left it: it ends though ctx is done by now.
	return c.memory.ArchiveSession(context.WithoutCancel(ctx), c.agent.ID, old.ID)
}

// isEmpty reports whether the conversation is in no session, and sees to it that
// the next message begins one.
func (c *Chat) isEmpty() (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.temporary:
		return false, ErrTemporary
	case c.running || len(c.queue) > 0:
		return false, ErrBusy
	case c.session.ID != "" || c.goingTo.sessionID != "":
		return false, nil
	}
	c.goingTo = next{fresh: true}
	return true, nil
}

// Resume shows an old session; the next message goes there (S9a). The error is a
// *manager.GroupSessionError for what the agent heard in a group: that goes on there.
func (c *Chat) Resume(ctx context.Context, sessionID string) error {
	s, err := c.memory.Session(ctx, c.agent.ID, sessionID)
	if err != nil {
		return err
	}
	if s.Group != "" {
		return &manager.GroupSessionError{Group: s.Group, SessionID: s.ID}
	}
	_, err = c.leaveFor(next{sessionID: s.ID}, s, WhyResumed)
	return err
}

// leaveFor shows another session, to which the next message goes, and returns the
// one before. The error is ErrBusy while a message is being answered or waits.
func (c *Chat) leaveFor(to next, s memory.Session, why SessionWhy) (old memory.Session, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.temporary:
		return old, ErrTemporary
	case c.running || len(c.queue) > 0:
		return old, ErrBusy
	}
	old, c.session, c.goingTo = c.session, s, to
	c.announceSession(why)
	return old, nil
}

// Rename gives a session a title of the user's; see [manager.Manager.RenameSession].
// When the conversation is in it, [SessionChanged] tells.
func (c *Chat) Rename(ctx context.Context, sessionID, title string) error {
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

// DeleteSession deletes a session and all that belongs to it; withItems also
// what was learned only there (D2). The conversation becomes an empty new one
// when it was in that session, and [Chat.TakeBackSession] brings both back. The
// error is ErrBusy when a message of that session is being answered or waits.
func (c *Chat) DeleteSession(ctx context.Context, sessionID string, withItems bool) (manager.Deletion, error) {
	s, err := c.memory.Session(ctx, c.agent.ID, sessionID)
	if err != nil {
		return manager.Deletion{}, err
	}
	// The lock keeps every turn from beginning meanwhile.
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mayAnswer(s) {
		return manager.Deletion{}, ErrBusy
	}
	d, err := c.memory.DeleteSession(ctx, c.agent.ID, s.ID, withItems)
	if err != nil {
		return manager.Deletion{}, err
	}
	c.leave(s.ID, d)
	return d, nil
}

// leave gets the conversation out of a session that is gone; c.mu is held.
func (c *Chat) leave(sessionID string, d manager.Deletion) {
	if c.goingTo.sessionID == sessionID {
		c.goingTo = next{fresh: true}
	}
	if c.session.ID == sessionID {
		c.left = leaving{deletion: d.ID, session: sessionID, goingTo: c.goingTo}
		c.session, c.goingTo = memory.Session{}, next{fresh: true}
		c.announceSession(WhyDeleted)
	}
}

// leaving is how the conversation was left by a deletion, so that it can be
// taken up again.
type leaving struct {
	deletion string
	session  string
	goingTo  next
}

// mayAnswer reports whether a message of the session is being answered, or one
// that waits may go there; c.mu is held.
func (c *Chat) mayAnswer(s memory.Session) bool {
	if !c.running && len(c.queue) == 0 && c.owing == 0 {
		return false
	}
	// What has no session of its own yet goes to the open one.
	if s.ID == c.session.ID || s.ID == c.heading || s.State == memory.SessionActive {
		return true
	}
	return slices.ContainsFunc(c.queue, func(q queued) bool { return q.heading() == s.ID })
}

// heading is the session that a message is known to go to; empty when none is.
func (q queued) heading() string {
	if q.again {
		return q.record.SessionID
	}
	return q.want.sessionID
}

// TakeBackSession undoes a deletion, also of single messages. When it took the session that the
// conversation was in, and nothing was sent since, the conversation is in it
// again. The error is manager.ErrGone when it is too late.
func (c *Chat) TakeBackSession(ctx context.Context, deletionID string) (manager.Deletion, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, err := c.memory.UndoDeletion(ctx, c.agent.ID, deletionID)
	if err != nil {
		return manager.Deletion{}, err
	}
	ctx = context.WithoutCancel(ctx) // it is back, and the conversation goes with it
	c.look(ctx)
	poke(c.learn) // there may be more to read again
	left := c.left
	if left.deletion != deletionID || c.session.ID != "" || c.running || len(c.queue) > 0 {
		return d, nil
	}
	s, err := c.memory.Session(ctx, c.agent.ID, left.session)
	if err != nil {
		return d, err
	}
	c.session, c.goingTo, c.left = s, left.goingTo, leaving{}
	if s.State != memory.SessionActive { // another is open by now; the next message still goes here
		c.goingTo = next{sessionID: s.ID}
	}
	c.announceSession(WhyTakenBack)
	return d, nil
}

// announceSession says which session the conversation is in; c.mu is held.
func (c *Chat) announceSession(why SessionWhy) {
	s := c.session
	c.events.send(func(seq uint64) Event {
		return SessionChanged{Head: Head{Seq: seq, SessionID: s.ID}, Session: s, Why: why}
	})
}
