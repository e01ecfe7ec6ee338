package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// conversation is what a [Chat] shares with its workers: what it is made of, which never
// changes, and its state.
type conversation struct {
	agent     persona
	group     compose.Group
	memory    *manager.Manager
	ownMemory *write.Config // instead of the manager's; nil: none
	prompts   *Prompts
	composer  *compose.Composer
	now       func() time.Time
	log       *slog.Logger
	nonce     func() string
	noMemory  bool
	temporary bool
	brief     bool
	chinese   bool        // the interface
	searches  atomic.Bool // the model may search by itself
	events    *stream
	wake      chan struct{} // wakes the worker
	beside    *beside       // the conversations with the same agent

	workers sync.WaitGroup
	ctx     context.Context
	stop    context.CancelCauseFunc

	// tickets order the operations. An operation takes a ticket before it takes mu.
	tickets tickets
	// mu guards the state. It is held for moments, and never while the memory reads or
	// writes: a screen asks for the state while it is drawn.
	mu sync.Mutex
	state
}

// state is what changes in a conversation. Its methods are called with conversation.mu
// held.
type state struct {
	cfg          Config // read both with settings
	context      compose.Config
	model        model.Client
	oneModel     bool         // it answers as every member of a group
	noTools      model.Client // its server refused tools; nil: none did
	session      memory.Session
	next         destination // of the next message
	left         departure
	queue        queue
	unsavedTurns int // turns of which something is not written
	started      bool
	closed       bool
}

// resting returns ErrBusy while a message is being answered, waits, or is not written.
func (s *state) resting() error {
	if s.queue.busy() || s.unsavedTurns > 0 {
		return ErrBusy
	}
	return nil
}

// uses reports whether a message is being answered in a session, or one that waits may go
// there.
func (s *state) uses(session memory.Session) bool {
	if s.resting() == nil {
		return false
	}
	// A message without a session of its own goes to the open one.
	return session.ID == s.session.ID || session.State == memory.SessionActive || s.queue.headsFor(session.ID)
}

// inGroup reports whether the conversation is with a group.
func (c *conversation) inGroup() bool { return c.group.Exists() }

func (c *conversation) client() model.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

// clientOf returns the client that answers as a member of the group: the member's own
// model on the client's server, or the client.
func (c *conversation) clientOf(member string, client model.Client) model.Client {
	c.mu.Lock()
	one := c.oneModel
	c.mu.Unlock()
	i := slices.IndexFunc(c.group.Members, func(m Agent) bool { return m.ID == member })
	if i < 0 || one {
		return client
	}
	return model.Named(client, c.group.Members[i].Model)
}

// learners are the agents that learn from the conversation: the agent, or the group,
// whose sessions are summed up, and its members.
func (c *conversation) learners() []string {
	ids := []string{c.agent.ID}
	for _, m := range c.group.Members {
		ids = append(ids, m.ID)
	}
	return ids
}

// currentSession returns the session that the conversation is in.
func (c *conversation) currentSession() memory.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// lastSession returns the session that the conversation is in, or else the one that was
// used last. The times of sessions do not decide while one is open: after the clock was
// set back, older sessions have later times. With unsaved turns the conversation knows
// its session better than the store.
func (c *conversation) lastSession(ctx context.Context, unsaved bool) (memory.Session, bool, error) {
	if in := c.currentSession(); in.State == memory.SessionActive {
		if unsaved {
			return in, true, nil
		}
		s, err := c.memory.Lookup().Session(ctx, c.agent.ID, in.ID)
		if err == nil && s.State == memory.SessionActive || err != nil && !errors.Is(err, lookup.ErrNotFound) {
			return s, err == nil, err
		}
	}
	latest, err := c.memory.Lookup().OwnSessions(ctx, c.agent.ID, recent)
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

// enter makes s the session of the conversation and announces it.
func (c *conversation) enter(s memory.Session, why SessionWhy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = s
	c.announceSession(why)
}

// announceSession sends [SessionChanged]; c.mu is held.
func (c *conversation) announceSession(why SessionWhy) {
	s := c.session
	c.events.send(func(seq uint64) Event {
		return SessionChanged{Head: Head{Seq: seq, SessionID: s.ID}, Session: s, Why: why}
	})
}

// announceQueue sends [QueueChanged]; c.mu is held.
func (c *conversation) announceQueue() {
	session, waiting := c.session.ID, c.queue.messages()
	c.events.send(func(seq uint64) Event {
		return QueueChanged{Head: Head{Seq: seq, SessionID: session}, Waiting: waiting}
	})
}

// emit sends an event with its head.
func (c *conversation) emit(turn string, make func(Head) Event) {
	session := c.currentSession().ID
	c.events.send(func(seq uint64) Event {
		return make(Head{Seq: seq, SessionID: session, TurnID: turn})
	})
}

// pending returns the last message of the user in a session, with the turn of its answer,
// if it has no complete answer: in a group, if a member's is missing. records are the last
// ones of the conversation.
func (c *conversation) pending(ctx context.Context, session string, records []memory.Record) (message memory.Record, ok bool) {
	turn := ""
	for _, r := range slices.Backward(records) {
		if r.SessionID != session {
			break
		}
		if turn == "" && r.Role == memory.RoleAssistant {
			turn = r.TurnID // of a regenerated answer, not that of the message
		}
		switch {
		case r.Answers() && r.Status == memory.StatusComplete && !c.inGroup():
			return message, false
		case r.Role == memory.RoleUser && c.inGroup():
			return r, len(c.withoutAnswer(ctx, r)) > 0
		case r.Role == memory.RoleUser:
			r.TurnID = cmp.Or(turn, r.TurnID)
			return r, true
		}
	}
	return message, false
}

// withoutAnswer are the members that a stored message is for and that gave no complete
// answer.
func (c *conversation) withoutAnswer(ctx context.Context, message memory.Record) []Agent {
	to := Addressed(askedWithNames(message), c.group.Members)
	records, err := c.memory.Lookup().LastRecords(ctx, c.agent.ID, message.SessionID, lookBack)
	if err != nil {
		return to // the next read reports it
	}
	return slices.DeleteFunc(to, func(who Agent) bool {
		return slices.ContainsFunc(records, func(r memory.Record) bool {
			return r.TurnID == message.TurnID && r.Sender == who.ID && r.Answers() && r.Status == memory.StatusComplete
		})
	})
}

// guard turns a panic into an error, so that the conversation goes on and the terminal
// stays intact. The value of a panic may hold the user's words, so only its kind and place
// are logged.
func (c *conversation) guard(doing string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			kind := fmt.Sprintf("%T", v)
			if e, ok := v.(runtime.Error); ok {
				kind = e.Error()
			}
			c.log.Error("fault while "+doing, "fault", kind, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: %w", doing, errFault)
		}
	}()
	return f()
}

// poke wakes a worker that may be waiting.
func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
