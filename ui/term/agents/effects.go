package agents

import (
	"errors"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
)

// Host is the root, which has the conversation with one of the agents.
type Host interface {
	pane.Host
	// GoTo opens the conversation with an agent or a group.
	GoTo(id string) tea.Cmd
	// Reopen runs a change of an agent or a group. A conversation with it, or with a group
	// that it is in, is opened again by that: do receives the draft to store, and keys wait
	// for the result. While the conversation cannot be left, Reopen returns no command, and why.
	Reopen(id string, do func(*memory.Draft) tea.Cmd) (cmd tea.Cmd, refused string)
	// Restore runs the undo of a deletion, which may open its conversation.
	Restore(do func(*memory.Draft) tea.Cmd) tea.Cmd
	// Show shows another conversation, and a text in its last line. The same one stays.
	Show(c *chat.Chat, said string) tea.Cmd
	// Listed receives the list whenever it is read.
	Listed([]lookup.AgentInfo)
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
	p.AskFirst(func() []key.Binding { return p.Careful(p.Keys.Agents.Careful(), p.Keys.Agents.Undo) })
	p.KeepUndoable(p.Keys.Agents.Undo, func(d list.Removed) tea.Cmd { return fx.Prolong(d.Of, d.ID, d.Title, list.AnswerTime) })
	p.SetCurrent(fx.Agent)
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load reads the list.
func (p *Pane) Load() tea.Cmd {
	list := func() ([]lookup.AgentInfo, error) { return p.fx.Conversations.Agents(p.fx.Ctx) }
	return pane.Then(p.fx.Look("agents"), list, func(list []lookup.AgentInfo, err error) tea.Cmd {
		if err != nil {
			p.LoadFailed(p.fx.Short(err))
			return nil
		}
		p.Show(slices.Clip(list))
		p.host.Listed(list)
		return nil
	})
}

// Undo undoes the last deletion.
func (p *Pane) Undo() tea.Cmd { return p.do(p.UndoDeletion()) }

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

// result is what became of a change of an agent or a group.
type result struct {
	info lookup.AgentInfo
	gone write.Deletion
	chat *chat.Chat // the conversation that is open now; nil when that did not change
}

// done tells a success, and shows the conversation that is open now.
func (p *Pane) done(r result, said string) tea.Cmd {
	return tea.Batch(p.host.Show(r.chat, said), p.Load())
}

// failed tells a failure, also on the screen that took the place of this one. id is the message
// for what did not happen.
func (p *Pane) failed(c *chat.Chat, id string, err error) tea.Cmd {
	p.Failed(p.fx.Short(err))
	return p.host.Show(c, p.Words.Say(id, p.fx.Short(err)))
}

func (p *Pane) do(a Action) tea.Cmd {
	all := p.fx.Conversations
	switch a.Do {
	case Load:
		return p.Load()
	case Switch:
		return p.host.GoTo(a.ID)
	case Add:
		return p.add(func() (lookup.AgentInfo, error) { return all.AddAgent(p.fx.Ctx, a.Agent) })
	case AddGroup:
		return p.add(func() (lookup.AgentInfo, error) { return all.AddGroup(p.fx.Ctx, a.Group) })
	case Save:
		return p.save(a.ID, func() (lookup.AgentInfo, *chat.Chat, error) {
			return all.EditAgent(p.fx.Ctx, a.ID, func(to *memory.Agent) {
				to.Name, to.Persona, to.Model, to.Color = a.Agent.Name, a.Agent.Persona, a.Agent.Model, a.Agent.Color
			})
		})
	case SaveGroup:
		return p.save(a.ID, func() (lookup.AgentInfo, *chat.Chat, error) {
			return all.EditGroup(p.fx.Ctx, a.ID, func(g *memory.Group) { g.Name, g.Members = a.Group.Name, a.Group.Members })
		})
	case Editor:
		command := p.host.Editor()
		if command == "" {
			p.Failed(p.fx.Words.Say(pane.NoEditor))
			break
		}
		return p.fx.Edit(command, a.Text, func(text string, err error) tea.Cmd {
			if err != nil {
				p.Failed(p.Words.Say("agents.no-text", p.Words.Error(err)))
			} else {
				p.Edited(text)
			}
			return nil
		})
	case Delete:
		return p.remove(a, func() (write.Deletion, *chat.Chat, error) { return all.DeleteAgent(p.fx.Ctx, a.ID) })
	case DeleteGroup:
		return p.remove(a, func() (write.Deletion, *chat.Chat, error) { return all.DeleteGroup(p.fx.Ctx, a.ID, a.Memories) })
	case Restore:
		return p.host.Restore(func(d *memory.Draft) tea.Cmd {
			return pane.Then(p.fx.InOrder, func() (r result, err error) {
				if err = p.fx.SaveDraft(d); err == nil {
					r.chat, err = all.Restore(p.fx.Ctx, a.ID, a.Deletion)
				}
				return r, err
			}, func(r result, err error) tea.Cmd { return p.restored(a.Deletion, r, err) })
		})
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) restored(deletion string, r result, err error) tea.Cmd {
	if !errors.Is(err, chat.ErrBusy) { // later it may be restored
		p.Restored(deletion)
	}
	if err != nil {
		return p.failed(r.chat, "agents.not-restored", err)
	}
	said := p.Words.Say("restored")
	p.host.Say(said)
	return p.done(r, said)
}

func (p *Pane) saved(r result, err error, said string) tea.Cmd {
	if err != nil {
		return p.failed(r.chat, "agents.not-changed", err)
	}
	p.Saved(r.info)
	p.host.Say(said)
	return p.done(r, said)
}

func (p *Pane) deleted(a Action, r result, err error) tea.Cmd {
	if err != nil {
		return p.failed(r.chat, "agents.not-deleted", err)
	}
	p.Deleted(list.Removed{ID: r.gone.ID, Of: a.ID, Title: r.info.Title(), Until: r.gone.Until})
	return p.done(r, p.Words.Say("agents.deleted", r.info.Title()))
}

func (p *Pane) add(f func() (lookup.AgentInfo, error)) tea.Cmd {
	return pane.Then(p.fx.Do, f, func(info lookup.AgentInfo, err error) tea.Cmd {
		return p.saved(result{info: info}, err, p.Words.Say("agents.made"))
	})
}

// reopen runs a change after which the conversation may be opened again.
func (p *Pane) reopen(id string, f func(*memory.Draft) (result, error), done func(result, error) tea.Cmd) tea.Cmd {
	cmd, refused := p.host.Reopen(id, func(d *memory.Draft) tea.Cmd {
		return pane.Then(p.fx.Do, func() (result, error) { return f(d) }, done)
	})
	if cmd == nil {
		p.Failed(refused)
	}
	return cmd
}

func (p *Pane) save(id string, f func() (lookup.AgentInfo, *chat.Chat, error)) tea.Cmd {
	return p.reopen(id, func(d *memory.Draft) (r result, err error) {
		if err = p.fx.SaveDraft(d); err == nil {
			r.info, r.chat, err = f()
		}
		return r, err
	}, func(r result, err error) tea.Cmd { return p.saved(r, err, p.Words.Say("agent.edited")) })
}

// remove deletes an agent or a group. The draft is stored for a group that goes on without
// the agent.
func (p *Pane) remove(a Action, f func() (write.Deletion, *chat.Chat, error)) tea.Cmd {
	return p.reopen(a.ID, func(d *memory.Draft) (r result, err error) {
		r.info, err = p.fx.Conversations.FindAgent(p.fx.Ctx, a.ID)
		if err == nil && a.Do == Delete && a.ID != p.fx.Agent {
			err = p.fx.SaveDraft(d)
		}
		if err == nil {
			r.gone, r.chat, err = f()
		}
		return r, err
	}, func(r result, err error) tea.Cmd { return p.deleted(a, r, err) })
}
