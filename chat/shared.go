package chat

import (
	"context"
	"slices"
	"sync"

	"memoria/memory"
)

// Shared is what the conversations of one process have in common that use the same memory.
// Those with the same agent answer one turn at a time, whichever of them it was sent in (S7),
// and hear of each other's turns. The zero value is ready.
type Shared struct {
	mu     sync.Mutex
	agents map[string]*beside
}

// beside is what the conversations with one agent share.
type beside struct {
	turns   tickets    // orders their turns
	reading sync.Mutex // held by the learner that asks a model
	// keeping is held to store a message and hold its turn, and, for writing, to take up what
	// no conversation holds.
	keeping sync.RWMutex

	mu      sync.Mutex
	open    []*conversation
	running *conversation     // its turn runs; nil: none
	asked   map[string]string // the model server of each turn
}

// join adds a conversation.
func (s *Shared) join(c *conversation) *beside {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.agents[c.agent.ID]
	if b == nil {
		if s.agents == nil {
			s.agents = map[string]*beside{}
		}
		b = &beside{}
		s.agents[c.agent.ID] = b
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = append(b.open, c)
	return b
}

// leave removes a conversation.
func (b *beside) leave(c *conversation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = slices.DeleteFunc(b.open, func(o *conversation) bool { return o == c })
}

// enter waits until no other conversation runs a turn, and lets none begin until left is
// called. The error is the cause of ctx.
func (b *beside) enter(ctx context.Context, c *conversation) (left func(), err error) {
	done, err := b.turns.take(ctx)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.running = c
	b.mu.Unlock()
	return func() {
		b.mu.Lock()
		b.running = nil
		b.mu.Unlock()
		done()
	}, nil
}

// note keeps in mind which server answered a turn.
func (b *beside) note(turnID, server string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked == nil {
		b.asked = map[string]string{}
	}
	b.asked[turnID] = server
}

// askedElsewhere reports whether another server answered a turn: what one conversation says
// to its model is not sent to another's to learn from.
func (b *beside) askedElsewhere(turnID, server string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	by, known := b.asked[turnID]
	return known && by != server
}

// busy reports whether another conversation than c runs a turn.
func (b *beside) busy(c *conversation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.running != nil && b.running != c
}

// alone reports whether no other conversation is open.
func (b *beside) alone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.open) <= 1
}

// tell lets the other conversations with the agent follow a turn of c, which went to s.
func (b *beside) tell(ctx context.Context, c *conversation, s memory.Session) {
	b.mu.Lock()
	others := slices.DeleteFunc(slices.Clone(b.open), func(o *conversation) bool { return o == c })
	b.mu.Unlock()
	for _, o := range others {
		o.follow(ctx, s)
	}
}

// resting returns ErrBusy while a message is being answered, waits, or is not written, in
// this conversation or in another one with the same agent; c.mu is held.
func (c *conversation) resting() error {
	if c.beside.busy(c) {
		return ErrBusy
	}
	return c.state.resting()
}

// follow reads the session again to which another conversation has added a turn. A
// conversation whose session that turn has ended goes on where the next message goes (S7).
func (c *conversation) follow(ctx context.Context, s memory.Session) {
	in := c.currentSession()
	if c.temporary {
		return
	}
	if in.ID != "" && in.ID != s.ID {
		now, err := c.memory.Lookup().Session(ctx, c.agent.ID, in.ID)
		if err != nil || now.State == memory.SessionActive {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.session.ID != in.ID || in.ID != s.ID && (c.queue.busy() || c.next != destination{}) {
		return
	}
	c.session = s
	c.announceSession(WhyElsewhere)
}
