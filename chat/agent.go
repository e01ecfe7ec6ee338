package chat

import (
	"fmt"
	"sync/atomic"

	"memoria/memory"
)

// Agent is the persona the user talks to.
type Agent = memory.Agent

// persona is the agent of a conversation. Its id never changes; the rest may
// between two turns.
type persona struct {
	ID  string
	now atomic.Pointer[Agent]
}

func (p *persona) set(a Agent) {
	a.Name = a.Title()
	p.ID = a.ID
	p.now.Store(&a)
}

// as returns how the agent is described now.
func (p *persona) as() Agent { return *p.now.Load() }

// Agent is the persona of the conversation, with a name.
func (c *Chat) Agent() Agent { return c.agent.as() }

// SetAgent lets the agent be another one from the next turn on: its name, persona
// and colour. The id must be that of the conversation. Which model answers is
// [Chat.SetModel]'s business.
func (c *Chat) SetAgent(a Agent) error {
	if err := a.Validate(); err != nil {
		return err
	}
	if a.ID != c.agent.ID {
		return fmt.Errorf("this is the conversation with %s, not with %s", c.agent.ID, a.ID)
	}
	a.Name = a.Title()
	c.agent.now.Store(&a)
	c.emit("", func(h Head) Event { return AgentChanged{Head: h, Agent: a} })
	return nil
}

// AgentChanged says how the agent is described from now on.
type AgentChanged struct {
	Head
	Agent Agent
}

// Leave is Close for going to another agent. The error is ErrBusy while a message
// is being answered or waits, and while the disk owes what was said: then nothing
// happens.
func (c *Chat) Leave() error {
	if err := c.closeAtRest(); err != nil {
		return err
	}
	return c.Close()
}

// closeAtRest lets nothing begin any more, unless something is under way.
func (c *Chat) closeAtRest() error {
	defer c.tickets.next()()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.state.resting(); err != nil { // others may go on
		return err
	}
	c.closed = true
	return nil
}
