package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
)

// Options is what a Desk is made of.
type Options struct {
	Manager *manager.Manager
	// Chat is the conversation that is open first.
	Chat *chat.Chat
	// New makes the conversation of another agent; nobody has started it. nil: there
	// is no way to another agent.
	New func(memory.Agent) (*chat.Chat, error)
	// Temporary is New for a conversation of which nothing is kept; nil: there is none.
	Temporary func(memory.Agent) (*chat.Chat, error)
	// Model returns who answers as an agent from now on; nil leaves it as it is.
	Model func(memory.Agent) (model.Client, error)
	// Default is the agent that is gone to when the open one is deleted.
	Default string
}

// Desk holds the open conversation.
type Desk struct {
	o Options

	mu   sync.Mutex
	chat *chat.Chat
	temp bool   // the next conversation to be opened is temporary
	left string // the deletion that took the agent whose conversation was open
	// groups are the deletions that took a group.
	groups []string
}

// ErrNoOther says that this program talks to one agent alone.
var ErrNoOther = errors.New("there is no way to another agent here")

// New returns a Desk with o.Chat open.
func New(o Options) *Desk { return &Desk{o: o, chat: o.Chat, temp: o.Chat.Temporary()} }

// Chat is the open conversation.
func (d *Desk) Chat() *chat.Chat {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.chat
}

// Hold returns the open conversation and keeps it open until release is called:
// whoever goes to another agent waits.
func (d *Desk) Hold() (open *chat.Chat, release func()) {
	d.mu.Lock()
	return d.chat, d.mu.Unlock
}

// Default is the agent that is talked to when none is named.
func (d *Desk) Default() string { return d.o.Default }

// Close closes the open conversation.
func (d *Desk) Close() error { return d.Chat().Close() }

// List lists the agents, the open one among them, the last used first.
func (d *Desk) List(ctx context.Context) ([]manager.AgentInfo, error) {
	return d.o.Manager.Agents(ctx, d.Chat().Agent().ID)
}

// Find returns the agent with this id or name.
func (d *Desk) Find(ctx context.Context, name string) (manager.AgentInfo, error) {
	if open := d.Chat().Agent().ID; name == open {
		return d.o.Manager.Agent(ctx, open)
	}
	return d.o.Manager.FindAgent(ctx, name)
}

// Switch leaves the open conversation for that of another agent and returns the
// one that is open then; nobody has started it. The error is chat.ErrBusy while an
// answer is arriving or messages wait, and a [Refusal] for a group that nobody is in. When it is not nil, what was open is open.
func (d *Desk) Switch(ctx context.Context, id string) (*chat.Chat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.chat.Agent().ID == id {
		return d.chat, nil
	}
	if err := d.mayTalk(ctx, id); err != nil {
		return d.chat, err
	}
	return d.goTo(ctx, id, func() error { return nil })
}

// SetTemporary leaves the open conversation for a temporary one with the same agent, or
// a temporary one for the agent's own. It fails as Switch does.
func (d *Desk) SetTemporary(ctx context.Context, on bool) (*chat.Chat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.chat.Temporary() == on {
		return d.chat, nil
	}
	if d.o.Temporary == nil {
		return d.chat, ErrNoOther
	}
	d.temp = on
	c, err := d.goTo(ctx, d.chat.Agent().ID, func() error { return nil })
	d.temp = c.Temporary()
	return c, err
}

// goTo leaves the open conversation, does something while nobody talks, and opens
// that of an agent. When the first fails nothing was done; when the second fails
// the agent's conversation is opened that was open, anew, or else the default one's.
// d.mu is held.
func (d *Desk) goTo(ctx context.Context, id string, between func() error) (*chat.Chat, error) {
	if d.o.New == nil {
		return d.chat, ErrNoOther
	}
	if d.chat.Busy() { // before anything is made
		return d.chat, chat.ErrBusy
	}
	was := d.chat.Agent().ID
	if err := d.chat.Leave(); err != nil {
		return d.chat, err
	}
	err := between()
	if err != nil {
		id = was
	}
	ctx = context.WithoutCancel(ctx) // the one before is closed: another has to be open
	next, oerr := d.open(ctx, id)
	for _, other := range []string{was, d.o.Default} {
		if next == nil && other != id {
			next, _ = d.open(ctx, other)
		}
	}
	if next != nil {
		d.chat = next
	}
	return d.chat, errors.Join(err, oerr)
}

func (d *Desk) open(ctx context.Context, id string) (*chat.Chat, error) {
	info, err := d.o.Manager.Agent(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := d.o.Manager.Recall().Load(id); err != nil {
		return nil, err
	}
	if d.temp {
		return d.o.Temporary(info.Agent)
	}
	return d.o.New(info.Agent)
}

// Add describes a new agent; without an id it gets one of its name.
func (d *Desk) Add(ctx context.Context, a memory.Agent) (manager.AgentInfo, error) {
	if a.ID == "" {
		if a.Name == "" {
			return manager.AgentInfo{}, fmt.Errorf("%w: an agent needs a name", manager.ErrInvalid)
		}
		id, err := d.o.Manager.NewAgentID(ctx, a.Name)
		if err != nil {
			return manager.AgentInfo{}, err
		}
		a.ID = id
	}
	return d.o.Manager.CreateAgent(ctx, a)
}

// Edit changes how an agent is described. For the one whose conversation is open
// that is in force from its next turn on. That with a group which it is in is opened
// anew; open is the one that is open then. The error is chat.ErrBusy while an answer is
// arriving there.
func (d *Desk) Edit(ctx context.Context, id string, edit func(*memory.Agent)) (info manager.AgentInfo, open *chat.Chat, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, err := d.o.Manager.Agent(ctx, id)
	if err != nil {
		return before, d.chat, err
	}
	change := func() (err error) {
		info, err = d.o.Manager.EditAgent(ctx, id, edit)
		return err
	}
	if d.with(id) {
		_, err = d.goTo(ctx, d.chat.Agent().ID, change)
		return info, d.chat, err
	}
	if err := change(); err != nil || d.chat.Agent().ID != id {
		return info, d.chat, err
	}
	return info, d.chat, d.renew(before, info)
}

// renew lets the open conversation be with its agent as that is described now.
func (d *Desk) renew(before, now manager.AgentInfo) error {
	if err := d.chat.SetAgent(now.Agent); err != nil {
		return err
	}
	if now.Model == before.Model || d.o.Model == nil {
		return nil
	}
	client, err := d.o.Model(now.Agent)
	if err == nil && client != nil {
		d.chat.SetModel(client)
	}
	return err
}

// Delete deletes an agent with everything it has. When its conversation is open,
// that of the default agent is opened, which may be the same, empty; that with a group
// which it was in is opened anew, unless it was the last one there. open is the one
// that is open then.
func (d *Desk) Delete(ctx context.Context, id string) (gone manager.Deletion, open *chat.Chat, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	remove := func() (err error) {
		gone, err = d.o.Manager.DeleteAgent(ctx, id)
		return err
	}
	if d.with(id) {
		to := d.chat.Agent().ID
		if len(d.chat.Members()) == 1 {
			to = d.o.Default
		}
		_, err = d.goTo(ctx, to, remove)
		return gone, d.chat, err
	}
	if d.chat.Agent().ID != id {
		return gone, d.chat, remove()
	}
	if _, err := d.goTo(ctx, d.o.Default, remove); err != nil {
		return gone, d.chat, err
	}
	d.left = gone.ID
	return gone, d.chat, nil
}

// TakeBack undoes the deletion of an agent or a group. Its conversation is opened again
// when it was open, and that with a group to which the agent comes back is opened anew, so
// that the agent answers the next message (I8); open is the one that is open then.
func (d *Desk) TakeBack(ctx context.Context, id, deletionID string) (open *chat.Chat, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	back := func() error {
		if slices.Contains(d.groups, deletionID) {
			_, err := d.o.Manager.TakeBack(ctx, id, deletionID)
			return err
		}
		_, err := d.o.Manager.TakeBackAgent(ctx, id, deletionID)
		return err
	}
	switch open := d.chat.Agent().ID; {
	case open == id, d.left == deletionID && !d.chat.Busy():
		return d.goTo(ctx, id, back)
	case !d.chat.Busy() && d.awaits(ctx, id):
		return d.goTo(ctx, open, back)
	}
	return d.chat, back()
}
