package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// ConversationOptions configures [NewConversations].
type ConversationOptions struct {
	Memory *manager.Manager
	// Chat is the conversation that is open first.
	Chat *chat.Chat
	// New makes the conversation of another agent without starting it. When it is nil,
	// there are no other conversations.
	New func(memory.Agent) (*chat.Chat, error)
	// Temporary is New for a temporary conversation; nil means there are none.
	Temporary func(memory.Agent) (*chat.Chat, error)
	// Model returns the client for an agent from now on; nil keeps the one it has.
	Model func(memory.Agent) (model.Client, error)
	// Default is the agent to switch to when the open one is deleted.
	Default string
}

// Conversations holds the open conversation and switches between those of agents and
// groups. It also creates, changes and deletes agents and groups: a change that
// concerns the open conversation reopens it, so that it always has the current members.
//
// Exactly one conversation is open at a time, and two share no state. It is safe for
// concurrent use; its operations run one after the other.
type Conversations struct {
	o ConversationOptions

	mu            sync.Mutex
	chat          *chat.Chat
	temporary     bool     // the next conversation opened is temporary
	leftBy        string   // the deletion that removed the open conversation's agent
	groupsDeleted []string // deletions of groups
}

// ErrSingleAgent means that there are no other conversations.
var ErrSingleAgent = errors.New("there is no way to another agent here")

// NewConversations returns Conversations with o.Chat open.
func NewConversations(o ConversationOptions) *Conversations {
	return &Conversations{o: o, chat: o.Chat, temporary: o.Chat.Temporary()}
}

// Chat returns the open conversation.
func (c *Conversations) Chat() *chat.Chat {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.chat
}

// Hold returns the open conversation and blocks switching until release is called.
func (c *Conversations) Hold() (open *chat.Chat, release func()) {
	c.mu.Lock()
	return c.chat, c.mu.Unlock
}

// Close closes the open conversation.
func (c *Conversations) Close() error { return c.Chat().Close() }

// Agents lists the agents and groups, the last used first. It includes the open one.
func (c *Conversations) Agents(ctx context.Context) ([]lookup.AgentInfo, error) {
	return c.o.Memory.Lookup().Agents(ctx, c.Chat().Agent().ID)
}

// FindAgent returns the agent or group with this id or name.
func (c *Conversations) FindAgent(ctx context.Context, name string) (lookup.AgentInfo, error) {
	if open := c.Chat().Agent().ID; name == open {
		return c.o.Memory.Lookup().Agent(ctx, open)
	}
	return c.o.Memory.Lookup().FindAgent(ctx, name)
}

// Switch closes the open conversation and opens that of another agent, which it
// returns without starting it. The error is [chat.ErrBusy] while an answer is arriving
// or messages wait, and a [Refusal] for a group without members. On an error the
// conversation that was open stays open.
func (c *Conversations) Switch(ctx context.Context, id string) (*chat.Chat, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chat.Agent().ID == id {
		return c.chat, nil
	}
	if err := c.checkMembers(ctx, id); err != nil {
		return c.chat, err
	}
	return c.reopen(ctx, id, func() error { return nil })
}

// SetTemporary switches to a temporary conversation with the same agent, or back to
// the agent's own. It fails as [Conversations.Switch] does.
func (c *Conversations) SetTemporary(ctx context.Context, on bool) (*chat.Chat, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chat.Temporary() == on {
		return c.chat, nil
	}
	if c.o.Temporary == nil {
		return c.chat, ErrSingleAgent
	}
	c.temporary = on
	open, err := c.reopen(ctx, c.chat.Agent().ID, func() error { return nil })
	c.temporary = open.Temporary()
	return open, err
}

// reopen closes the open conversation, calls change while none is open, and opens that
// of an agent. When change fails, it reopens the conversation that was open; when
// opening fails, that one or else the default agent's. c.mu is held.
func (c *Conversations) reopen(ctx context.Context, id string, change func() error) (*chat.Chat, error) {
	if c.o.New == nil {
		return c.chat, ErrSingleAgent
	}
	if c.chat.Busy() { // before change does anything
		return c.chat, chat.ErrBusy
	}
	was := c.chat.Agent().ID
	if err := c.chat.Leave(); err != nil {
		return c.chat, err
	}
	err := change()
	if err != nil {
		id = was
	}
	ctx = context.WithoutCancel(ctx) // the old one is closed: another must be opened
	next, openErr := c.open(ctx, id)
	for _, other := range []string{was, c.o.Default} {
		if next == nil && other != id {
			next, _ = c.open(ctx, other)
		}
	}
	if next != nil {
		c.chat = next
	}
	return c.chat, errors.Join(err, openErr)
}

func (c *Conversations) open(ctx context.Context, id string) (*chat.Chat, error) {
	info, err := c.o.Memory.Lookup().Agent(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := c.o.Memory.Recall().Load(id); err != nil {
		return nil, err
	}
	if c.temporary {
		return c.o.Temporary(info.Agent)
	}
	return c.o.New(info.Agent)
}

// AddAgent adds an agent. One without an id gets an id made from its name.
func (c *Conversations) AddAgent(ctx context.Context, a memory.Agent) (lookup.AgentInfo, error) {
	if a.ID == "" {
		if a.Name == "" {
			return lookup.AgentInfo{}, fmt.Errorf("%w: an agent needs a name", memory.ErrInvalid)
		}
		id, err := c.o.Memory.NewAgentID(ctx, a.Name)
		if err != nil {
			return lookup.AgentInfo{}, err
		}
		a.ID = id
	}
	return c.o.Memory.CreateAgent(ctx, a)
}

// EditAgent changes how an agent is described. The change takes effect with the next
// turn of its open conversation. An open conversation with a group that the agent is in
// is reopened. It returns the conversation that is open afterwards, and [chat.ErrBusy]
// while an answer is arriving there.
func (c *Conversations) EditAgent(
	ctx context.Context, id string, edit func(*memory.Agent),
) (info lookup.AgentInfo, open *chat.Chat, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, err := c.o.Memory.Lookup().Agent(ctx, id)
	if err != nil {
		return before, c.chat, err
	}
	change := func() (err error) {
		info, err = c.o.Memory.EditAgent(ctx, id, edit)
		return err
	}
	if c.hasMember(id) {
		_, err = c.reopen(ctx, c.chat.Agent().ID, change)
		return info, c.chat, err
	}
	if err := change(); err != nil || c.chat.Agent().ID != id {
		return info, c.chat, err
	}
	return info, c.chat, c.updateOpen(before, info)
}

// updateOpen passes the open conversation the new description of its agent.
func (c *Conversations) updateOpen(before, now lookup.AgentInfo) error {
	if err := c.chat.SetAgent(now.Agent); err != nil {
		return err
	}
	if now.Model == before.Model || c.o.Model == nil {
		return nil
	}
	client, err := c.o.Model(now.Agent)
	if err == nil && client != nil {
		c.chat.SetModel(client)
	}
	return err
}

// DeleteAgent deletes an agent with all its data. When its conversation is open, the
// default agent's is opened, which may be the same agent, empty. An open conversation
// with a group that it was in is reopened, unless it was the last member. It returns
// the conversation that is open afterwards.
func (c *Conversations) DeleteAgent(ctx context.Context, id string) (gone write.Deletion, open *chat.Chat, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	remove := func() (err error) {
		gone, err = c.o.Memory.DeleteAgent(ctx, id)
		return err
	}
	if c.hasMember(id) {
		to := c.chat.Agent().ID
		if len(c.chat.Members()) == 1 {
			to = c.o.Default
		}
		_, err = c.reopen(ctx, to, remove)
		return gone, c.chat, err
	}
	if c.chat.Agent().ID != id {
		return gone, c.chat, remove()
	}
	if _, err := c.reopen(ctx, c.o.Default, remove); err != nil {
		return gone, c.chat, err
	}
	c.leftBy = gone.ID
	return gone, c.chat, nil
}

// Restore undoes the deletion of an agent or a group. It reopens the conversation that
// the deletion closed, and one with a group that the agent returns to, so that the
// agent answers the next message (I8). It returns the conversation that is open
// afterwards.
func (c *Conversations) Restore(ctx context.Context, id, deletionID string) (open *chat.Chat, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	restore := func() error {
		if slices.Contains(c.groupsDeleted, deletionID) {
			_, err := c.o.Memory.UndoDeletion(ctx, id, deletionID)
			return err
		}
		_, err := c.o.Memory.UndoAgentDeletion(ctx, id, deletionID)
		return err
	}
	switch open := c.chat.Agent().ID; {
	case open == id, c.leftBy == deletionID && !c.chat.Busy():
		return c.reopen(ctx, id, restore)
	case !c.chat.Busy() && c.hadMember(ctx, id):
		return c.reopen(ctx, open, restore)
	}
	return c.chat, restore()
}
