package term

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/ui/clean"
	"memoria/ui/term/palette"
)

// In a group a turn has several answers, each with its own package and sources. On the
// screen every answer is a turn of its own, whose id has the member behind it; effects
// take the two apart again.

const memberMark = "@"

// answerOf is the id on the screen of a member's answer in a turn; without a group that
// of the turn.
func answerOf(turn, sender string) string {
	if sender == "" {
		return turn
	}
	return turn + memberMark + sender
}

// asAnswer is a package under the id that its answer has on the screen.
func (m *root) asAnswer(p memory.Package) memory.Package {
	if len(m.opts.chat.Members()) > 0 {
		p.TurnID = answerOf(p.TurnID, p.AgentID)
	}
	return p
}

// whose is the agent under whose id an answer's package lies, and its turn.
func (e effects) whose(answer string) (agent, turn string) {
	if turn, member, ok := strings.Cut(answer, memberMark); ok {
		return member, turn
	}
	return e.agent, answer
}

// packages are what the turns of a session sent; of a group what went to its members.
func (e effects) packages(session string) ([]memory.Package, error) {
	if len(e.chat.Members()) == 0 {
		return e.memory.Lookup().Packages(e.ctx, e.agent, session)
	}
	all, err := e.memory.Lookup().GroupPackages(e.ctx, e.agent, session)
	for i, p := range all {
		all[i].TurnID = answerOf(p.TurnID, p.AgentID)
	}
	return all, err
}

// sourcesOf reads the sources of answers, each with what its agent remembers.
func (e effects) sourcesOf(packs []memory.Package) (map[string][]recall.Source, error) {
	out := map[string][]recall.Source{}
	for _, p := range packs {
		answer := p.TurnID
		var agent string
		agent, p.TurnID = e.whose(answer)
		found, err := e.memory.Recall().Sources(e.ctx, agent, p)
		if err != nil {
			return nil, err
		}
		out[answer] = found[p.TurnID]
	}
	return out, nil
}

// speaker names who gives the answer under way.
func (m *root) speaker(sender string) string {
	if sender == "" {
		return m.opts.agent.Name
	}
	return m.opts.chat.NameOf(sender)
}

// colorOf is the colour of who speaks in a group.
func (m *root) colorOf(sender string) string {
	for _, who := range m.opts.chat.Members() {
		if who.ID == sender {
			return who.Color
		}
	}
	return ""
}

// models are the names of the models that answer: of a group those of its members,
// each once.
func (m *root) models() (names []string) {
	if members := m.opts.chat.Members(); len(members) > 0 {
		for _, who := range members {
			if name := m.opts.chat.InfoOf(who.ID).Model; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names
	}
	return []string{m.info.Model}
}

// company is whom the conversation is with: of a group also its members.
func (m *root) company() string {
	members := m.opts.chat.Members()
	if len(members) == 0 {
		return m.opts.agent.Name
	}
	var names []string
	for _, who := range members {
		names = append(names, m.speaker(who.ID))
	}
	return m.opts.agent.Name + ": " + strings.Join(names, ", ")
}

// ownMemories says in a group where memories are; empty elsewhere.
func (m *root) ownMemories() string {
	members := m.opts.chat.Members()
	if len(members) == 0 {
		return ""
	}
	return "A group remembers nothing itself: each member remembers what it heard, and shows it alone, as with memoria --agent " + members[0].ID + "."
}

// completeName makes the whole name of the beginning of one behind an @.
func (m *root) completeName() bool {
	text, spans := m.input.Text()
	names, begun := chat.NamesAt(text, m.opts.chat.Members())
	if len(names) == 0 {
		return false
	}
	m.input.Set(strings.TrimSuffix(text, begun)+names[0]+" ", spans)
	m.edited = true
	return true
}

// choosingGroup is what the list of groups is known by.
const choosingGroup = "group"

// newGroup stands in that list for a group that is to be made; no id is so.
const newGroup = "+"

// switchGroup goes to the group that is named, makes the one that is described, or lists
// them.
func (m *root) switchGroup(words string) tea.Cmd {
	if words != "" {
		return m.fx.group(words)
	}
	do := func(id string) tea.Cmd {
		if id == newGroup {
			return m.addGroup()
		}
		return m.goTo(id)
	}
	m.choose(choosing{what: choosingGroup, do: do}, palette.List{Prompt: "type to find a group", Empty: "looking …"})
	return m.fx.agents()
}

// addGroup lets the user describe a new group.
func (m *root) addGroup() tea.Cmd {
	cmd := m.openPart(agentsPart)
	m.agents.OpenNewGroup()
	return cmd
}

// groupChoices are the groups, and a new one.
func (m *root) groupChoices(list []lookup.AgentInfo) palette.List {
	l := palette.List{Prompt: "type to find a group"}
	for _, g := range list {
		if !g.Group {
			continue
		}
		c := palette.Command{ID: g.ID, Name: clean.Line(g.Title()), Words: g.ID + " " + strings.Join(g.Members, " "), Key: strings.Join(g.Members, ", ")}
		if g.ID == m.opts.agent.ID {
			c.Key = "you talk to it"
		}
		l.Commands = append(l.Commands, c)
	}
	l.Commands = append(l.Commands, palette.Command{ID: newGroup, Name: "make a group", Words: "new add 新建", Key: "/group NAME @AGENT @AGENT"})
	return l
}

// groupMsg carries the group that words name, or that was made of them.
type groupMsg struct {
	info lookup.AgentInfo
	made bool
	err  error
}

func (e effects) group(words string) tea.Cmd {
	return e.do(func() tea.Msg {
		info, made, err := e.conversations.FindOrAddGroup(e.ctx, words)
		return groupMsg{info: info, made: made, err: err}
	})
}

// onGroup goes to it.
func (m *root) onGroup(msg groupMsg) tea.Cmd {
	switch {
	case errors.Is(msg.err, lookup.ErrNotFound):
		m.say = "there is no such group; /group NAME @AGENT @AGENT makes one"
		return nil
	case msg.err != nil:
		m.say = short(msg.err)
		return nil
	case msg.made && m.mayNotGo():
		m.say = "made " + msg.info.Title() + ", but " + m.say
		return m.fx.agents()
	}
	return m.goTo(msg.info.ID)
}
