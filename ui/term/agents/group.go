package agents

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

// members is the field of a group's form for its members, in the order in which they
// answer.
type members struct {
	in     []string // their ids
	offers []lookup.AgentInfo
	list   *list.List[string] // of ids
}

// agents are the agents of the list, without groups.
func (m *Model) agents() []lookup.AgentInfo {
	return slices.DeleteFunc(slices.Clone(m.all), func(a lookup.AgentInfo) bool { return a.Group })
}

// OpenNewGroup lets the user describe a new group, as soon as the agents are known.
func (m *Model) OpenNewGroup() {
	if m.awaited = !m.loaded; m.awaited {
		return
	}
	m.Done()
	if n := len(m.agents()); n < memory.MinMembers {
		m.Notice = m.Words.Say("agents.group.too-few")
		return
	}
	m.openGroup(lookup.AgentInfo{})
}

// openGroup opens the form for a group; a new one has no id.
func (m *Model) openGroup(g lookup.AgentInfo) {
	m.closePage()
	f := &members{in: slices.Clone(g.Members), list: list.New[string](), offers: m.agents()}
	for _, id := range g.Members { // one that was never described or talked to
		if m.index(id) < 0 {
			f.offers = append(f.offers, lookup.AgentInfo{Agent: memory.Agent{ID: id}})
		}
	}
	name := list.Text(m.Words.Say("agent.name"), m.Words.Say("agents.name.hint"), g.Name, 1)
	chosen := &list.Input{Label: m.Words.Say("group.members"), Said: func() string { return m.Styles.Dim.Render(m.order()) }}
	m.members, m.persona = f, nil
	m.Open(&list.Form[Action]{
		ID: "group " + g.ID, Title: m.title("agents.new-group", g), Label: labelWidth, Inset: labelWidth + 3, Dense: true,
		Fields: []*list.Input{name, chosen}, Works: m.groupKeys, Key: m.memberKey,
		Save: func() Action {
			return m.saveGroup(memory.Group{ID: g.ID, Name: name.Value(), Members: slices.Clone(f.in)})
		},
		Extra: func(room int) []string {
			mark := ""
			if m.Form.At == 1 {
				mark = m.Mark()
			}
			return f.list.View(room, mark)
		},
	})
	m.listMembers()
}

// memberKey takes a key for the members.
func (m *Model) memberKey(msg tea.KeyPressMsg) (Action, bool) {
	f, k, l := m.members, m.Keys.Members, m.Keys.Agents
	switch {
	case m.Form.At == 0:
		if msg.Code != tea.KeyDown {
			return Action{}, false
		}
		m.Form.Focus(0, 1)
	case msg.Text != "" && !key.Matches(msg, k.Take): // text is for the name
		return Action{}, false
	case key.Matches(msg, l.Up):
		f.list.Move(-1)
	case key.Matches(msg, l.Down) && f.list.Below() == 0:
		return Action{}, false
	case key.Matches(msg, l.Down):
		f.list.Move(1)
	case key.Matches(msg, k.Take):
		f.take()
	case key.Matches(msg, k.Earlier):
		f.move(-1)
	case key.Matches(msg, k.Later):
		f.move(1)
	default:
		return Action{}, false
	}
	m.listMembers()
	return Action{}, true
}

// take takes the agent under the cursor in, as the last one, or out.
func (f *members) take() {
	r, ok := f.list.Selected()
	switch i := slices.Index(f.in, r.Of); {
	case !ok:
	case i >= 0:
		f.in = slices.Delete(f.in, i, i+1)
	default:
		f.in = append(f.in, r.Of)
	}
}

// move lets the member under the cursor answer earlier or later.
func (f *members) move(by int) {
	r, _ := f.list.Selected()
	if i := slices.Index(f.in, r.Of); i >= 0 && i+by >= 0 && i+by < len(f.in) {
		f.in[i], f.in[i+by] = f.in[i+by], f.in[i]
	}
}

// saveGroup asks for what was written, when it may be so.
func (m *Model) saveGroup(g memory.Group) Action {
	switch n := len(g.Members); {
	case g.Name == "":
		m.Notice = m.Words.Say("agents.group.unnamed")
	case utf8.RuneCountInString(g.Name) > memory.MaxGroupName:
		m.Notice = m.Words.Say("agents.group.long-name", memory.MaxGroupName)
	case n < memory.MinMembers:
		m.Notice = m.Words.Say("agents.group.few")
	case n > memory.MaxMembers:
		m.Notice = m.Words.Say("agents.group.many", memory.MaxMembers, n)
	default:
		if g.ID == "" {
			return m.Once(Action{Do: AddGroup, Group: g})
		}
		return m.Once(Action{Do: SaveGroup, ID: g.ID, Group: g})
	}
	return Action{}
}

// listMembers makes the rows of the agents to choose from.
func (m *Model) listMembers() {
	f := m.members
	var rows []list.Row[string]
	for _, a := range f.offers {
		n := "  "
		if i := slices.Index(f.in, a.ID); i >= 0 {
			n = fmt.Sprintf("%d ", i+1)
		}
		line := "   " + m.Styles.Accent.Render(n) + m.Styles.Dot(a.Color) + " " + m.Styles.Shade(a.Color).Render(clean.Line(a.Title()))
		if a.Name != "" && a.Name != a.ID {
			line += m.Styles.Dim.Render("  " + a.ID)
		}
		rows = append(rows, list.Row[string]{Key: a.ID, Of: a.ID, Lines: []string{line}})
	}
	f.list.Set(rows)
}

// order says who answers after whom.
func (m *Model) order() string {
	var names []string
	for _, id := range m.members.in {
		names = append(names, clean.Line(m.titleOf(id)))
	}
	room := max(8, m.Width-labelWidth-3)
	switch len(names) {
	case 0:
		return clean.Truncate(m.Words.Say("agents.order.none"), room, cells.Ellipsis)
	case 1:
		return clean.Truncate(m.Words.Say("agents.order.one", names[0]), room, cells.Ellipsis)
	}
	return clean.Truncate(strings.Join(names, m.Words.Say("agents.order.then")), room, cells.Ellipsis)
}

// titleOf is what to call the agent with an id.
func (m *Model) titleOf(id string) string {
	if i := m.index(id); i >= 0 {
		return m.all[i].Title()
	}
	return id
}

// groupKeys returns the keys that work in a field of the form.
func (m *Model) groupKeys(at int) []key.Binding {
	k, l := m.Keys.Form, m.Keys.Members
	next, order := k.NextField, l.Earlier
	if at == 0 {
		next.SetHelp("tab", m.Words.Say("agents.to-members"))
		return []key.Binding{k.Save, next, k.Leave}
	}
	order.SetHelp("←→", m.Words.Say("agents.earlier-later"))
	next.SetHelp("tab", m.Words.Say("agents.to-name"))
	return []key.Binding{k.Save, l.Take, order, next, k.Leave}
}

// askGroup asks before a group goes, with what goes with it (D2).
func (m *Model) askGroup(g lookup.AgentInfo, busy bool) []string {
	name := clean.Line(g.Title())
	if busy {
		return m.Wrapped(m.Styles.Warn, m.Words.Say("agents.deleting", name), 1)
	}
	yes, no := m.answers("agents.group.delete.yes")
	if g.Empty() {
		return append(m.Wrapped(m.Styles.Bad, m.Words.Say("agents.group.delete.empty", name), 1), m.Hints("", yes, no)...)
	}
	also := m.Keys.Erase.Memories
	also.SetHelp("ctrl+x", m.Words.Say("agents.group.delete.memories"))
	question := m.Words.Say("agents.group.delete", name, m.Words.AgentHas(g))
	return append(m.Wrapped(m.Styles.Bad, question, 1), m.Hints("", yes, also, no)...)
}
