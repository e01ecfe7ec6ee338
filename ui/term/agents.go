package term

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/term/agents"
	"memoria/ui/term/palette"
	"memoria/ui/term/part"
	"memoria/ui/words"
)

// Each agent has a screen of its own: a new root takes the place of this one, so
// that nothing of the one can be seen at the other. What the old one's effects
// still come to is for nobody.

// choosingAgent is what the list of agents is known by.
const choosingAgent = "agent"

// switchAgent goes to the agent that is named, or lists them.
func (m *root) switchAgent(name string) tea.Cmd {
	if name != "" {
		return m.fx.findAgent(name)
	}
	m.choose(choosing{what: choosingAgent, do: m.goTo}, palette.List{Prompt: "type to find an agent", Empty: "looking …"})
	return m.fx.agents()
}

// addAgent lets the user describe a new agent.
func (m *root) addAgent() tea.Cmd {
	cmd := m.openPart(agentsPart)
	m.agents.OpenNew("")
	return cmd
}

func (m *root) loadAgents() tea.Cmd { return m.fx.agents() }

// goTo leaves for another agent; the draft is kept before.
func (m *root) goTo(id string) tea.Cmd {
	switch {
	case id == m.opts.agent.ID:
		m.say = "you are talking to " + m.opts.agent.Name
		return nil
	case m.mayNotGo():
		return nil
	}
	if m.draftBusy { // one write at a time, so that the last one stays
		return m.fx.after(goPause, agentFoundMsg{name: id, id: id})
	}
	return m.goBy(m.fx.goTo(m.draftNow(), id))
}

// goBy lets keys wait until it is here what cmd comes to, and that alone.
func (m *root) goBy(cmd tea.Cmd) tea.Cmd {
	m.going = true
	return m.fx.do(func() tea.Msg { return arrivedMsg{cmd()} })
}

// goPause is how long going waits for a draft that is being saved.
const goPause = 20 * time.Millisecond

// mayNotGo reports whether this conversation cannot be left now, and says why.
func (m *root) mayNotGo() bool {
	switch {
	case m.going:
	case m.busy():
		m.say = "an answer is arriving; esc cancels it, then you can go to another agent"
	case len(m.queue) > 0 || len(m.sending) > 0:
		m.say = "a message waits for its answer; then you can go to another agent"
	case m.storage != nil:
		m.say = "what was said last is not saved yet; then you can go to another agent"
	default:
		return false
	}
	return true
}

// agentsDo makes an effect of what the part about agents asks for.
func (m *root) agentsDo(a agents.Action) tea.Cmd {
	switch a.Do {
	case agents.Load:
		return m.fx.agents()
	case agents.Switch:
		return m.goTo(a.ID)
	case agents.Add:
		return m.fx.addAgent(a.Agent)
	case agents.Save:
		return m.anew(a, func(d *memory.Draft) tea.Cmd { return m.fx.editAgent(d, a.ID, a.Agent) })
	case agents.AddGroup:
		return m.fx.addGroup(a.Group)
	case agents.SaveGroup:
		return m.anew(a, func(d *memory.Draft) tea.Cmd { return m.fx.editGroup(d, a.ID, a.Group) })
	case agents.Editor:
		cmd := m.edit(a.Text, func(text string, err error) tea.Msg { return agentEditedMsg{text: text, err: err} })
		if cmd == nil {
			m.agents.Uneasy(m.say)
		}
		return cmd
	case agents.Delete:
		return m.anew(a, func(d *memory.Draft) tea.Cmd { return m.fx.deleteAgent(d, a.ID) })
	case agents.DeleteGroup:
		return m.anew(a, func(*memory.Draft) tea.Cmd { return m.fx.deleteGroup(a.ID, a.Memories) })
	case agents.TakeBack:
		return m.restoreAgent(a)
	case agents.Leave:
		m.setFocus(onInput)
	}
	return nil
}

// anew does what is asked of an agent or a group. When the conversation is with it, or
// with a group that the agent is in, it is opened anew by that, and the draft is kept;
// while it cannot be left nothing is done, and why is said.
func (m *root) anew(a agents.Action, do func(*memory.Draft) tea.Cmd) tea.Cmd {
	with := func(o chat.Agent) bool { return o.ID == a.ID }
	if !with(m.opts.agent) && !slices.ContainsFunc(m.opts.chat.Members(), with) {
		return do(nil)
	}
	if m.mayNotGo() {
		m.agents.Failed(m.say)
		return nil
	}
	if m.draftBusy { // one write at a time, so that the last one stays
		return m.fx.after(goPause, agentsAgainMsg{a})
	}
	d := m.draftNow()
	return m.goBy(do(&d))
}

// restoreAgent takes a deletion back. Its conversation may be opened by that, unless an
// answer is arriving here: the draft is kept, and a message on its way is on disk before.
func (m *root) restoreAgent(a agents.Action) tea.Cmd {
	if m.draftBusy { // one write at a time, so that the last one stays
		return m.fx.after(goPause, agentsAgainMsg{a})
	}
	do := m.fx.restoreAgent(m.draftNow(), a.ID, a.Deletion)
	if m.going || m.busy() || len(m.queue) > 0 || len(m.sending) > 0 || m.storage != nil {
		return do
	}
	return m.goBy(do)
}

// agentResult takes what became of something done to an agent.
func (m *root) agentResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case agentsMsg:
		m.onAgents(msg)
	case agentFoundMsg:
		if msg.err != nil {
			m.say = msg.name + ": there is no such agent; /agents lists them"
			return nil
		}
		return m.goTo(msg.id)
	case agentSavedMsg:
		if msg.err != nil {
			m.agents.Failed(short(msg.err))
			return m.show(msg.chat, "not changed: "+short(msg.err)) // it was left for that
		}
		m.agents.Saved(msg.info)
		m.say = "from the next message on it is so"
		if msg.made {
			m.say = "made; enter talks to it"
		}
		return tea.Batch(m.show(msg.chat, m.say), m.fx.agents())
	case agentEditedMsg:
		if msg.err != nil {
			m.agents.Uneasy("the editor's text was not taken: " + msg.err.Error())
		} else {
			m.agents.Edited(msg.text)
		}
	case wentMsg:
		if msg.err == nil {
			return m.show(msg.chat, "")
		}
		var refused app.Refusal
		if errors.As(msg.err, &refused) {
			m.say = short(msg.err)
		} else {
			m.tell(msg.err)
		}
		return m.show(msg.chat, short(msg.err)) // it was left for that
	case agentsAgainMsg:
		return m.agentsDo(msg.action)
	case groupMsg:
		return m.onGroup(msg)
	case agentDeletedMsg:
		return m.onAgentDeleted(msg)
	case agentRestoredMsg:
		if !errors.Is(msg.err, chat.ErrBusy) { // later it may do
			m.agents.TakenBack(msg.deletion)
		}
		if msg.err != nil {
			m.agents.Failed(short(msg.err))
			return m.show(msg.chat, "not taken back: "+short(msg.err)) // it was left for that
		}
		m.say = "taken back"
		return tea.Batch(m.show(msg.chat, m.say), m.fx.agents())
	}
	return nil
}

func (m *root) onAgents(msg agentsMsg) {
	if msg.err != nil {
		m.agents.LoadFailed(short(msg.err))
		return
	}
	m.agents.Show(msg.list)
	if m.overlay == paletteOverlay && m.choosing.what == choosingGroup {
		m.palette.Set(m.groupChoices(msg.list))
		return
	}
	if m.overlay != paletteOverlay || m.choosing.what != choosingAgent {
		return
	}
	l := palette.List{Prompt: "type to find an agent"}
	for _, a := range msg.list {
		c := palette.Command{ID: a.ID, Name: clean.Line(a.Title()), Words: a.ID}
		if a.ID == m.opts.agent.ID {
			c.Key = "you talk to it"
		}
		l.Commands = append(l.Commands, c)
	}
	m.palette.Set(l)
}

func (m *root) onAgentDeleted(msg agentDeletedMsg) tea.Cmd {
	if msg.err != nil {
		m.agents.Failed(short(msg.err))
		return m.show(msg.chat, "not deleted: "+short(msg.err)) // it was left for that
	}
	m.setNow(msg.now)
	m.agents.Deleted(msg.removed)
	return tea.Batch(m.show(msg.chat, "deleted "+msg.removed.Title), m.fx.agents())
}

// show lets the screen of another conversation take the place of this one; the same
// conversation stays.
func (m *root) show(c *chat.Chat, say string) tea.Cmd {
	if c == nil || c == m.opts.chat {
		return nil
	}
	o := m.opts
	o.chat, o.agent = c, c.Agent()
	o.Config.Theme, o.Config.Mouse = m.theme, m.mouse
	next := newModel(m.base, o)
	next.abort, next.dark, next.found = m.abort, m.dark, m.found
	next.width, next.height = m.width, m.height
	next.say = say
	if m.opts.chat.Temporary() && c.Agent().ID == m.opts.agent.ID {
		next.say = words.TemporaryEnds
	} else if c.Temporary() {
		next.say = words.Temporary
	} else if say == "" {
		next.say = "you are talking to " + next.opts.agent.Name
	}
	next.restyle()
	next.setNow(m.now)
	next.agents.Follow(m.agents)
	if m.part == agentsPart && m.focus == onPanel && say != "" { // who deleted may want to take it back
		next.part = agentsPart
		next.arrange()
		next.setFocus(onPanel)
	}
	m.leave()
	m.next = next
	return nil
}

// setAgent shows the agent as it is described from now on.
func (m *root) setAgent(a memory.Agent) {
	was := m.opts.agent.Name
	m.opts.agent = a
	m.talk.Rename(was, a.Name, a.Color)
}

type (
	agentsMsg struct {
		list []lookup.AgentInfo
		err  error
	}
	agentFoundMsg struct {
		name, id string
		err      error
	}
	agentSavedMsg struct {
		info lookup.AgentInfo
		made bool
		chat *chat.Chat // nil when nothing was opened anew
		err  error
	}
	// arrivedMsg ends the going, by what the way came to.
	arrivedMsg struct{ msg tea.Msg }
	// agentsAgainMsg asks again for what had to wait.
	agentsAgainMsg struct{ action agents.Action }
	agentEditedMsg struct {
		text string
		err  error
	}
	// wentMsg carries the conversation that is open now.
	wentMsg struct {
		chat *chat.Chat
		err  error
	}
	agentDeletedMsg struct {
		removed part.Removed
		chat    *chat.Chat
		now     time.Time
		err     error
	}
	agentRestoredMsg struct {
		deletion string
		chat     *chat.Chat
		err      error
	}
)

func (e effects) agents() tea.Cmd {
	return e.look("agents", func() tea.Msg {
		list, err := e.conversations.Agents(e.ctx)
		return agentsMsg{list: slices.Clip(list), err: err}
	})
}

func (e effects) findAgent(name string) tea.Cmd {
	return e.do(func() tea.Msg {
		a, err := e.conversations.FindAgent(e.ctx, name)
		return agentFoundMsg{name: name, id: a.ID, err: err}
	})
}

func (e effects) addAgent(a memory.Agent) tea.Cmd {
	return e.do(func() tea.Msg {
		info, err := e.conversations.AddAgent(e.ctx, a)
		return agentSavedMsg{info: info, made: true, err: err}
	})
}

func (e effects) editAgent(d *memory.Draft, id string, to memory.Agent) tea.Cmd {
	return e.do(func() tea.Msg {
		if err := e.keep(d); err != nil {
			return agentSavedMsg{err: err}
		}
		info, c, err := e.conversations.EditAgent(e.ctx, id, func(a *memory.Agent) {
			a.Name, a.Persona, a.Model, a.Color = to.Name, to.Persona, to.Model, to.Color
		})
		return agentSavedMsg{info: info, chat: c, err: err}
	})
}

func (e effects) addGroup(g memory.Group) tea.Cmd {
	return e.do(func() tea.Msg {
		info, err := e.conversations.AddGroup(e.ctx, g)
		return agentSavedMsg{info: info, made: true, err: err}
	})
}

func (e effects) editGroup(d *memory.Draft, id string, to memory.Group) tea.Cmd {
	return e.do(func() tea.Msg {
		if err := e.keep(d); err != nil {
			return agentSavedMsg{err: err}
		}
		info, c, err := e.conversations.EditGroup(e.ctx, id, func(g *memory.Group) { g.Name, g.Members = to.Name, to.Members })
		return agentSavedMsg{info: info, chat: c, err: err}
	})
}

// keep writes a draft, if there is one to keep.
func (e effects) keep(d *memory.Draft) error {
	if d == nil || e.draftless() {
		return nil
	}
	return e.memory.SaveDraft(e.ctx, e.agent, *d)
}

// temporary begins or ends a temporary chat (U5).
func (m *root) temporary() tea.Cmd {
	if m.mayNotGo() {
		return nil
	}
	return m.goBy(m.fx.temporary(m.draftNow(), !m.opts.chat.Temporary()))
}

// temporary is goTo for a conversation with the same agent.
func (e effects) temporary(d memory.Draft, on bool) tea.Cmd {
	return e.do(func() tea.Msg {
		if err := e.keep(&d); err != nil {
			return wentMsg{err: err}
		}
		c, err := e.conversations.SetTemporary(e.ctx, on)
		return wentMsg{chat: c, err: err}
	})
}

// goTo keeps the draft and opens another agent's conversation.
func (e effects) goTo(d memory.Draft, id string) tea.Cmd {
	return e.do(func() tea.Msg {
		if err := e.keep(&d); err != nil {
			return wentMsg{err: err}
		}
		c, err := e.conversations.Switch(e.ctx, id)
		return wentMsg{chat: c, err: err}
	})
}

// deleteAgent deletes an agent. The draft is kept of a group that goes on without it.
func (e effects) deleteAgent(draft *memory.Draft, id string) tea.Cmd {
	if id == e.agent {
		draft = nil
	}
	return e.deleted(draft, id, func() (write.Deletion, *chat.Chat, error) { return e.conversations.DeleteAgent(e.ctx, id) })
}

func (e effects) deleteGroup(id string, withItems bool) tea.Cmd {
	return e.deleted(nil, id, func() (write.Deletion, *chat.Chat, error) { return e.conversations.DeleteGroup(e.ctx, id, withItems) })
}

func (e effects) deleted(draft *memory.Draft, id string, do func() (write.Deletion, *chat.Chat, error)) tea.Cmd {
	return e.do(func() tea.Msg {
		info, err := e.conversations.FindAgent(e.ctx, id)
		if err == nil {
			err = e.keep(draft)
		}
		if err != nil {
			return agentDeletedMsg{err: err}
		}
		d, c, err := do()
		return agentDeletedMsg{
			removed: part.Removed{ID: d.ID, Of: id, Title: info.Title(), Until: d.Until}, chat: c, now: e.now(), err: err,
		}
	})
}

func (e effects) restoreAgent(d memory.Draft, id, deletion string) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		if err := e.keep(&d); err != nil {
			return agentRestoredMsg{deletion: deletion, err: err}
		}
		c, err := e.conversations.Restore(e.ctx, id, deletion)
		return agentRestoredMsg{deletion: deletion, chat: c, err: err}
	})
}
