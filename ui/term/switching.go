package term

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/term/palette"
	"memoria/ui/term/pane"
)

// switching goes to the conversation with another agent.
type switching struct {
	*root
	base  context.Context // of all screens
	going bool            // to another agent: keys wait
	next  *root           // the screen that takes this one's place
	leave func()          // ends the effects of this screen
}

// switchAgent goes to the agent that is named, or lists them.
func (m *switching) switchAgent(name string) tea.Cmd {
	if name != "" {
		return pane.Then(m.fx.Do, func() (lookup.AgentInfo, error) {
			return m.fx.Conversations.FindAgent(m.fx.Ctx, name)
		}, func(a lookup.AgentInfo, err error) tea.Cmd {
			if err != nil {
				m.say = m.keys.Words.SayTo(slash, "agent.unknown", name)
				return nil
			}
			return m.GoTo(a.ID)
		})
	}
	m.commands.choose(choosing{what: choosingAgent, do: m.GoTo}, m.looking("palette.agent"))
	return m.agents.Load()
}

// looking is a list that is still being read.
func (m *switching) looking(prompt string) palette.List {
	return palette.List{Prompt: m.keys.Words.Say(prompt), Empty: m.keys.Words.Say("palette.looking")}
}

// GoTo implements [agents.Host]. The draft is stored before.
func (m *switching) GoTo(id string) tea.Cmd {
	switch {
	case id == m.opts.agent.ID:
		m.say = m.keys.Words.Say("agent.with-you", m.opts.agent.Name)
		return nil
	case m.mayNotGo():
		return nil
	}
	if cmd, waits := m.writing(func() tea.Cmd { return m.GoTo(id) }); waits {
		return cmd
	}
	return m.open(func() (*chat.Chat, error) { return m.fx.Conversations.Switch(m.fx.Ctx, id) })
}

// goBy lets keys wait for the result of cmd.
func (m *switching) goBy(cmd tea.Cmd) tea.Cmd {
	m.going = true
	return m.fx.Do(func() tea.Msg { return arrivedMsg{cmd()} })
}

// goPause is how long switching waits for a running write of the draft.
const goPause = 20 * time.Millisecond

// mayNotGo reports whether this conversation cannot be left now, and says why.
func (m *switching) mayNotGo() bool {
	switch {
	case m.going:
	case m.conv.busy():
		m.say = m.keys.Words.Say("switch.arriving")
	case len(m.conv.queue) > 0 || len(m.conv.sending) > 0:
		m.say = m.keys.Words.Say("switch.waiting")
	case m.problems.storage != nil:
		m.say = m.keys.Words.Say("switch.unsaved")
	default:
		return false
	}
	return true
}

// Reopen implements [agents.Host].
func (m *switching) Reopen(id string, do func(*memory.Draft) tea.Cmd) (cmd tea.Cmd, refused string) {
	with := func(o chat.Agent) bool { return o.ID == id }
	if !with(m.opts.agent) && !slices.ContainsFunc(m.opts.chat.Members(), with) {
		return do(nil), ""
	}
	if m.mayNotGo() {
		return nil, m.say
	}
	again := func() tea.Cmd {
		cmd, refused := m.Reopen(id, do)
		if cmd == nil {
			m.agents.Failed(refused)
		}
		return cmd
	}
	if cmd, waits := m.writing(again); waits {
		return cmd, ""
	}
	d := m.drafts.draftNow()
	return m.goBy(do(&d)), ""
}

// Restore implements [agents.Host]. While an answer arrives the conversation is not left; a
// message on its way is stored before.
func (m *switching) Restore(do func(*memory.Draft) tea.Cmd) tea.Cmd {
	if cmd, waits := m.writing(func() tea.Cmd { return m.Restore(do) }); waits {
		return cmd
	}
	d := m.drafts.draftNow()
	cmd := do(&d)
	if m.going || m.conv.busy() || len(m.conv.queue) > 0 || len(m.conv.sending) > 0 || m.problems.storage != nil {
		return cmd
	}
	return m.goBy(cmd)
}

// writing reports whether the draft is being written, and tries again later: the last write
// must stay.
func (m *switching) writing(again func() tea.Cmd) (tea.Cmd, bool) {
	if !m.drafts.busy {
		return nil, false
	}
	return m.fx.After(goPause, again), true
}

// went shows the conversation that is open now.
func (m *switching) went(c *chat.Chat, err error) tea.Cmd {
	if err == nil {
		return m.Show(c, "")
	}
	var refused app.Refusal
	if errors.As(err, &refused) {
		m.say = m.fx.Short(err)
	} else {
		m.Tell(err)
	}
	return m.Show(c, m.fx.Short(err)) // the old one was left
}

// Listed implements [agents.Host]. It fills the open list of agents or of groups.
func (m *switching) Listed(list []lookup.AgentInfo) {
	switch {
	case m.overlay != paletteOverlay:
	case m.commands.choosing.what == choosingGroup:
		m.palette.Set(m.groupChoices(list))
	case m.commands.choosing.what == choosingAgent:
		l := palette.List{Prompt: m.keys.Words.Say("palette.agent")}
		for _, a := range list {
			c := palette.Command{ID: a.ID, Name: clean.Line(a.Title()), Words: a.ID}
			if a.ID == m.opts.agent.ID {
				c.Key = m.keys.Words.Say("agent.current")
			}
			l.Commands = append(l.Commands, c)
		}
		m.palette.Set(l)
	}
}

// Show implements [agents.Host]. The screen of another conversation takes the place of this
// one.
func (m *switching) Show(c *chat.Chat, say string) tea.Cmd {
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
		next.say = m.keys.Words.Say("temporary.over")
	} else if c.Temporary() {
		next.say = m.keys.Words.Say("temporary")
	} else if say == "" {
		next.say = m.keys.Words.Say("agent.with-you", next.opts.agent.Name)
	}
	next.restyle()
	next.setNow(m.now)
	next.agents.Follow(m.agents.Model)
	copy(next.panel.last, m.panel.last)
	if m.panel.shown == pane.Agents && m.focus == onPanel && say != "" { // to undo a deletion
		next.panel.choose(pane.Agents)
		next.arrange()
		next.setFocus(onPanel)
	}
	m.leave()
	m.next = next
	return nil
}

// setAgent shows the agent as it is described from now on.
func (m *switching) setAgent(a memory.Agent) {
	was := m.opts.agent.Name
	m.opts.agent = a
	m.talk.Rename(was, a.Name, a.Color)
}

// arrivedMsg ends the going, with its result.
type arrivedMsg struct{ msg tea.Msg }

// temporary begins or ends a temporary chat (U5).
func (m *switching) temporary() tea.Cmd {
	if m.mayNotGo() {
		return nil
	}
	on := !m.opts.chat.Temporary()
	return m.open(func() (*chat.Chat, error) { return m.fx.Conversations.SetTemporary(m.fx.Ctx, on) })
}

// open stores the draft and opens another conversation.
func (m *switching) open(f func() (*chat.Chat, error)) tea.Cmd {
	d := m.drafts.draftNow()
	return m.goBy(pane.Then(m.fx.Do, func() (*chat.Chat, error) {
		if err := m.fx.SaveDraft(&d); err != nil {
			return nil, err
		}
		return f()
	}, m.went))
}

// newGroup is the id of the entry of that list that makes a group.
const newGroup = "+"

// switchGroup goes to the group that is named, makes the one that is described, or lists
// them.
func (m *switching) switchGroup(words string) tea.Cmd {
	if words != "" {
		made := false
		return pane.Then(m.fx.Do, func() (info lookup.AgentInfo, err error) {
			info, made, err = m.fx.Conversations.FindOrAddGroup(m.fx.Ctx, words)
			return info, err
		}, func(info lookup.AgentInfo, err error) tea.Cmd { return m.groupFound(info, made, err) })
	}
	do := func(id string) tea.Cmd {
		if id == newGroup {
			return m.commands.addGroup()
		}
		return m.GoTo(id)
	}
	m.commands.choose(choosing{what: choosingGroup, do: do}, m.looking("palette.group"))
	return m.agents.Load()
}

// groupChoices are the groups, and a new one.
func (m *switching) groupChoices(list []lookup.AgentInfo) palette.List {
	l := palette.List{Prompt: m.keys.Words.Say("palette.group")}
	for _, g := range list {
		if !g.Group {
			continue
		}
		c := palette.Command{
			ID: g.ID, Name: clean.Line(g.Title()), Words: g.ID + " " + strings.Join(g.Members, " "), Key: m.keys.Words.List(g.Members),
		}
		if g.ID == m.opts.agent.ID {
			c.Key = m.keys.Words.Say("agent.current")
		}
		l.Commands = append(l.Commands, c)
	}
	l.Commands = append(l.Commands, palette.Command{
		ID: newGroup, Name: m.keys.Words.Say("palette.new-group"), Words: "new add 新建",
		Key: m.keys.Words.SayTo(slash, "palette.new-group.how"),
	})
	return l
}

// groupFound goes to a group that was found or made.
func (m *switching) groupFound(info lookup.AgentInfo, made bool, err error) tea.Cmd {
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		m.say = m.keys.Words.SayTo(slash, "group.unknown")
		return nil
	case err != nil:
		m.say = m.fx.Short(err)
		return nil
	case made && m.mayNotGo():
		m.say = m.keys.Words.Say("switch.made", info.Title(), m.say)
		return m.agents.Load()
	}
	return m.GoTo(info.ID)
}
