package agents

import (
	"errors"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
)

// Host is the root, which has the conversation with one of the agents.
type Host interface {
	pane.Host
	// GoTo opens the conversation with an agent or a group.
	GoTo(id string) tea.Cmd
	// Reopen runs a change of an agent or a group. A conversation with it, or with a group
	// that it is in, is opened again by that: do receives the draft to store, and keys wait
	// for the result. While the conversation cannot be left, Reopen returns why.
	Reopen(id string, do func(*memory.Draft) tea.Cmd) (cmd tea.Cmd, refused string)
	// Restore runs the undo of a deletion, which may open its conversation.
	Restore(do func(*memory.Draft) tea.Cmd) tea.Cmd
	// Show shows another conversation, and a text in its last line. The same one stays.
	Show(c *chat.Chat, said string) tea.Cmd
	// Listed receives the list whenever it is read.
	Listed([]manager.AgentInfo)
}

// Pane is the agents and groups with their effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host Host
}

// NewPane returns the agents of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h Host) *Pane {
	p := &Pane{Model: New(k, loc), fx: fx, host: h}
	p.SetCurrent(fx.Agent)
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.keys.Agents
	return pane.About{
		Title: "Agents", Careful: k.Careful(), Hints: []key.Binding{k.Switch, k.Add, k.AddGroup, k.Edit, k.Delete},
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load reads the list.
func (p *Pane) Load() tea.Cmd {
	return p.fx.Look("agents", func() tea.Msg {
		list, err := p.fx.Conversations.Agents(p.fx.Ctx)
		return listedMsg{list: slices.Clip(list), err: err}
	})
}

// Undo undoes the last deletion.
func (p *Pane) Undo() tea.Cmd { return p.do(p.TakeBack()) }

type (
	listedMsg struct {
		list []manager.AgentInfo
		err  error
	}
	// savedMsg is a new or a changed agent; chat is nil when no conversation was opened again.
	savedMsg struct {
		info manager.AgentInfo
		made bool
		chat *chat.Chat
		err  error
	}
	editedMsg struct {
		text string
		err  error
	}
	deletedMsg struct {
		removed part.Removed
		chat    *chat.Chat
		now     time.Time
		err     error
	}
	restoredMsg struct {
		deletion string
		chat     *chat.Chat
		err      error
	}
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case listedMsg:
		if msg.err != nil {
			p.LoadFailed(pane.Short(msg.err))
			break
		}
		p.Model.Show(msg.list)
		p.host.Listed(msg.list)
	case savedMsg:
		if msg.err != nil {
			return p.failed(msg.chat, "not changed: ", msg.err), true
		}
		p.Saved(msg.info)
		said := "from the next message on it is so"
		if msg.made {
			said = "made; enter talks to it"
		}
		p.host.Say(said)
		return tea.Batch(p.host.Show(msg.chat, said), p.Load()), true
	case editedMsg:
		if msg.err != nil {
			p.Uneasy("the editor's text was not taken: " + msg.err.Error())
		} else {
			p.Edited(msg.text)
		}
	case deletedMsg:
		if msg.err != nil {
			return p.failed(msg.chat, "not deleted: ", msg.err), true
		}
		p.host.SetNow(msg.now)
		p.Deleted(msg.removed)
		return tea.Batch(p.host.Show(msg.chat, "deleted "+msg.removed.Title), p.Load()), true
	case restoredMsg:
		if !errors.Is(msg.err, chat.ErrBusy) { // later it may be restored
			p.TakenBack(msg.deletion)
		}
		if msg.err != nil {
			return p.failed(msg.chat, "not taken back: ", msg.err), true
		}
		p.host.Say("taken back")
		return tea.Batch(p.host.Show(msg.chat, "taken back"), p.Load()), true
	default:
		return pane.Input(p, p.do, msg)
	}
	return nil, true
}

// failed tells a failure, also on the screen that took the place of this one.
func (p *Pane) failed(c *chat.Chat, what string, err error) tea.Cmd {
	p.Failed(pane.Short(err))
	return p.host.Show(c, what+pane.Short(err))
}

func (p *Pane) do(a Action) tea.Cmd {
	all := p.fx.Conversations
	switch a.Do {
	case Load:
		return p.Load()
	case Switch:
		return p.host.GoTo(a.ID)
	case Add:
		return p.add(func() (manager.AgentInfo, error) { return all.AddAgent(p.fx.Ctx, a.Agent) })
	case AddGroup:
		return p.add(func() (manager.AgentInfo, error) { return all.AddGroup(p.fx.Ctx, a.Group) })
	case Save:
		return p.save(a.ID, func() (manager.AgentInfo, *chat.Chat, error) {
			return all.EditAgent(p.fx.Ctx, a.ID, func(to *memory.Agent) {
				to.Name, to.Persona, to.Model, to.Color = a.Agent.Name, a.Agent.Persona, a.Agent.Model, a.Agent.Color
			})
		})
	case SaveGroup:
		return p.save(a.ID, func() (manager.AgentInfo, *chat.Chat, error) {
			return all.EditGroup(p.fx.Ctx, a.ID, func(g *memory.Group) { g.Name, g.Members = a.Group.Name, a.Group.Members })
		})
	case Editor:
		command := p.host.Editor()
		if command == "" {
			p.Uneasy(pane.NoEditor)
			break
		}
		return p.fx.Edit(command, a.Text, func(text string, err error) tea.Msg { return editedMsg{text: text, err: err} })
	case Delete:
		return p.remove(a, func() (manager.Deletion, *chat.Chat, error) { return all.DeleteAgent(p.fx.Ctx, a.ID) })
	case DeleteGroup:
		return p.remove(a, func() (manager.Deletion, *chat.Chat, error) { return all.DeleteGroup(p.fx.Ctx, a.ID, a.Memories) })
	case TakeBack:
		return p.host.Restore(func(d *memory.Draft) tea.Cmd {
			return p.fx.InOrder(func() tea.Msg {
				msg := restoredMsg{deletion: a.Deletion}
				if msg.err = p.fx.SaveDraft(d); msg.err == nil {
					msg.chat, msg.err = all.Restore(p.fx.Ctx, a.ID, a.Deletion)
				}
				return msg
			})
		})
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) add(f func() (manager.AgentInfo, error)) tea.Cmd {
	return p.fx.Do(func() tea.Msg {
		info, err := f()
		return savedMsg{info: info, made: true, err: err}
	})
}

// reopen runs a change after which the conversation may be opened again.
func (p *Pane) reopen(id string, f func(*memory.Draft) tea.Msg) tea.Cmd {
	cmd, refused := p.host.Reopen(id, func(d *memory.Draft) tea.Cmd { return p.fx.Do(func() tea.Msg { return f(d) }) })
	if refused != "" {
		p.Failed(refused)
	}
	return cmd
}

func (p *Pane) save(id string, f func() (manager.AgentInfo, *chat.Chat, error)) tea.Cmd {
	return p.reopen(id, func(d *memory.Draft) tea.Msg {
		var msg savedMsg
		if msg.err = p.fx.SaveDraft(d); msg.err == nil {
			msg.info, msg.chat, msg.err = f()
		}
		return msg
	})
}

// remove deletes an agent or a group. The draft is stored for a group that goes on without
// the agent.
func (p *Pane) remove(a Action, f func() (manager.Deletion, *chat.Chat, error)) tea.Cmd {
	return p.reopen(a.ID, func(d *memory.Draft) tea.Msg {
		info, err := p.fx.Conversations.FindAgent(p.fx.Ctx, a.ID)
		if err == nil && a.Do == Delete && a.ID != p.fx.Agent {
			err = p.fx.SaveDraft(d)
		}
		if err != nil {
			return deletedMsg{err: err}
		}
		gone, c, err := f()
		return deletedMsg{
			removed: part.Removed{ID: gone.ID, Of: a.ID, Title: info.Title(), Until: gone.Until}, chat: c, now: p.fx.Now(), err: err,
		}
	})
}
