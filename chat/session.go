package chat

import (
	"context"
	"errors"
	"fmt"
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
}

// resolve decides which session an incoming message belongs to (S11). It reads
// nothing and writes nothing: last is the session last used, if any.
func resolve(want next, last memory.Session, has bool, passive time.Duration, now time.Time) place {
	open := ""
	if has && last.State == memory.SessionActive {
		open = last.ID
	}
	switch {
	case want.sessionID != "":
		return place{sessionID: want.sessionID, archive: open, why: WhyResumed}
	case want.fresh:
		return place{archive: open, why: WhyRequested}
	case open == "":
		return place{why: WhyFirst}
	case now.Sub(last.LastMessageAt) < passive:
		return place{sessionID: open, why: WhyContinued}
	default:
		return place{archive: open, why: WhyTimeout}
	}
}

// openLast puts the conversation into the session last used, for the reader to
// show; the next message decides whether it goes on there.
func (c *Chat) openLast(ctx context.Context) error {
	last, ok, err := c.lastSession(ctx)
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
// clock that was set back leaves older sessions with later times.
func (c *Chat) lastSession(ctx context.Context) (memory.Session, bool, error) {
	if in := c.Session(); in.State == memory.SessionActive {
		s, err := c.memory.Session(ctx, c.agent.ID, in.ID)
		if !errors.Is(err, manager.ErrNotFound) {
			return s, err == nil, err
		}
	}
	latest, _, err := c.memory.Sessions(ctx, c.agent.ID, recent, 0)
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
	c.session = s
	c.mu.Unlock()
	c.emit("", func(h Head) Event { return SessionChanged{Head: h, Session: s, Why: why} })
}

// NewSession lets the next message begin a new session; the one before is
// archived (S10). The reader sees an empty conversation at once.
func (c *Chat) NewSession(ctx context.Context) error {
	if c.Busy() {
		return ErrBusy
	}
	old := c.Session()
	c.mu.Lock()
	c.goingTo = next{fresh: true}
	c.mu.Unlock()
	c.enter(memory.Session{}, WhyRequested)
	if old.ID == "" {
		return nil
	}
	return c.memory.ArchiveSession(ctx, c.agent.ID, old.ID)
}

// Resume shows an old session; the next message goes there (S9a).
func (c *Chat) Resume(ctx context.Context, sessionID string) error {
	if c.Busy() {
		return ErrBusy
	}
	s, err := c.memory.Session(ctx, c.agent.ID, sessionID)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.goingTo = next{sessionID: s.ID}
	c.mu.Unlock()
	c.enter(s, WhyResumed)
	return nil
}
