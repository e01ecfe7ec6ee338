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
	"memoria/ui/term/field"
	"memoria/ui/term/part"
	"memoria/ui/term/theme"
)

// The fields of a group's form, in the order of tab.
const (
	atGroupName = iota
	atMembers
	groupFields
)

// groupForm describes a group: its name, and its members in the order in which they
// answer.
type groupForm struct {
	id     string // "" for a new one
	name   *field.Model
	shown  string // the name as the field first held it
	was    string
	in     []string // the ids of its members
	offers []lookup.AgentInfo
	list   *part.List[string] // of ids
	at     int
}

// agents are the agents of the list, without groups.
func (m *Model) agents() []lookup.AgentInfo {
	return slices.DeleteFunc(slices.Clone(m.list), func(a lookup.AgentInfo) bool { return a.Group })
}

// OpenNewGroup lets the user describe a new group, as soon as the agents are known.
func (m *Model) OpenNewGroup() {
	if m.awaited = !m.loaded; m.awaited {
		return
	}
	m.mode, m.notice, m.busy, m.form = listing, "", false, nil
	if n := len(m.agents()); n < memory.MinMembers {
		m.notice = "A group needs two agents; make one with a."
		return
	}
	m.openGroup(lookup.AgentInfo{})
}

// openGroup opens the form for a group; a new one has no id.
func (m *Model) openGroup(g lookup.AgentInfo) {
	f := &groupForm{
		id: g.ID, was: g.Name, in: slices.Clone(g.Members), name: field.New(1), list: part.New[string](), offers: m.agents(),
	}
	for _, id := range g.Members { // one that nobody has described or talked to
		if m.index(id) < 0 {
			f.offers = append(f.offers, lookup.AgentInfo{Agent: memory.Agent{ID: id}})
		}
	}
	f.name.SetPlaceholder("what to call it")
	f.name.SetStyles(m.styles)
	f.setWidth(m.width)
	f.name.Set(g.Name)
	f.shown = f.name.Value()
	f.name.Focus()
	m.subject, m.group, m.mode, m.notice, m.busy = g, f, grouping, "", false
	m.buildGroup()
}

func (f *groupForm) setStyles(s theme.Styles) { f.name.SetStyles(s) }

func (f *groupForm) setWidth(w int) { f.name.SetWidth(max(8, w-labelWidth-3)) }

// step goes to the next field.
func (f *groupForm) step(by int) {
	if f.at = (f.at + by + groupFields) % groupFields; f.at == atGroupName {
		f.name.Focus()
	} else {
		f.name.Blur()
	}
}

// take takes the agent under the cursor in, as the last one, or out.
func (f *groupForm) take() {
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
func (f *groupForm) move(by int) {
	r, _ := f.list.Selected()
	if i := slices.Index(f.in, r.Of); i >= 0 && i+by >= 0 && i+by < len(f.in) {
		f.in[i], f.in[i+by] = f.in[i+by], f.in[i]
	}
}

// called is the name that was written; one that was not touched is what it was.
func (f *groupForm) called() string {
	if v := f.name.Value(); v != f.shown {
		return strings.TrimSpace(v)
	}
	return f.was
}

func (m *Model) groupKey(msg tea.KeyPressMsg) Action {
	f, k, l := m.group, m.keys.Form, m.keys.Agents
	switch {
	case key.Matches(msg, k.Leave):
		m.group, m.notice, m.busy, m.mode = nil, "", false, listing
		m.build()
	case m.busy:
	case key.Matches(msg, k.NextField):
		f.step(1)
	case key.Matches(msg, k.PrevField):
		f.step(-1)
	case key.Matches(msg, k.Save):
		return m.saveGroup()
	case f.at == atGroupName && msg.Code == tea.KeyDown:
		f.step(1)
	case f.at == atGroupName:
		f.name.Update(msg)
	case key.Matches(msg, l.Up):
		f.list.Move(-1)
	case key.Matches(msg, l.Down):
		f.list.Move(1)
	case key.Matches(msg, m.keys.Members.Take):
		f.take()
	case key.Matches(msg, m.keys.Members.Earlier):
		f.move(-1)
	case key.Matches(msg, m.keys.Members.Later):
		f.move(1)
	}
	if m.group != nil {
		m.buildGroup()
	}
	return Action{}
}

// saveGroup asks for what was written, when it may be so.
func (m *Model) saveGroup() Action {
	f := m.group
	g := memory.Group{ID: f.id, Name: f.called(), Members: slices.Clone(f.in)}
	m.notice = ""
	switch n := len(g.Members); {
	case g.Name == "":
		m.notice = "A group needs a name."
	case utf8.RuneCountInString(g.Name) > memory.MaxGroupName:
		m.notice = fmt.Sprintf("A group's name has at most %d characters.", memory.MaxGroupName)
	case n < memory.MinMembers:
		m.notice = "A group needs two members or more: tab goes to them, space takes one in."
	case n > memory.MaxMembers:
		m.notice = fmt.Sprintf("A group has at most %d members, not %d.", memory.MaxMembers, n)
	default:
		m.busy = true
		if f.id == "" {
			return Action{Do: AddGroup, Group: g}
		}
		return Action{Do: SaveGroup, ID: f.id, Group: g}
	}
	return Action{}
}

// buildGroup makes the form's list of agents anew.
func (m *Model) buildGroup() {
	f := m.group
	var rows []row
	for _, a := range f.offers {
		n := "  "
		if i := slices.Index(f.in, a.ID); i >= 0 {
			n = fmt.Sprintf("%d ", i+1)
		}
		line := "   " + m.styles.Accent.Render(n) + m.styles.Dot(a.Color) + " " + m.styles.Shade(a.Color).Render(clean.Line(a.Title()))
		if a.Name != "" && a.Name != a.ID {
			line += m.styles.Dim.Render("  " + a.ID)
		}
		rows = append(rows, row{Key: a.ID, Of: a.ID, Lines: []string{line}})
	}
	f.list.Set(rows)
}

// groupView returns the form's lines and the cursor in them.
func (m *Model) groupView(h int) (lines []string, cursor *tea.Cursor) {
	f := m.group
	title := " a new group"
	if f.id != "" {
		title = " edit " + clean.Truncate(clean.Line(m.subject.Title()), max(4, m.width-8), cells.Ellipsis)
	}
	lines = []string{m.styles.Accent.Render(title), ""}
	label := func(at int, text string) string {
		if f.at == at {
			return m.styles.Accent.Render("▸ " + cells.Fit(text, labelWidth))
		}
		return "  " + m.styles.Dim.Render(cells.Fit(text, labelWidth))
	}
	if f.at == atGroupName {
		if cursor = f.name.Cursor(); cursor != nil {
			cursor.X += 2 + labelWidth
			cursor.Y += len(lines)
		}
	}
	lines = append(lines, label(atGroupName, "name")+f.name.View()[0], label(atMembers, "members")+m.styles.Dim.Render(m.order()))
	mark := ""
	if f.at == atMembers && m.focused {
		mark = m.styles.Accent.Render(" ▸ ")
	}
	if h < len(lines)+3 && f.at == atMembers { // the list needs the room
		lines = lines[min(2, len(lines)):]
	}
	return append(lines, f.list.View(max(1, h-len(lines)), mark)...), cursor
}

// order says who answers after whom.
func (m *Model) order() string {
	var names []string
	for _, id := range m.group.in {
		names = append(names, clean.Line(m.titleOf(id)))
	}
	room := max(8, m.width-labelWidth-3)
	switch len(names) {
	case 0:
		return clean.Truncate("none yet; space takes one in", room, cells.Ellipsis)
	case 1:
		return clean.Truncate(names[0]+", and who else?", room, cells.Ellipsis)
	}
	return clean.Truncate(strings.Join(names, ", then "), room, cells.Ellipsis)
}

// titleOf is what to call the agent with an id.
func (m *Model) titleOf(id string) string {
	if i := m.index(id); i >= 0 {
		return m.list[i].Title()
	}
	return id
}

// groupHints are the keys of the form.
func (m *Model) groupHints() []string {
	k, l := m.keys.Form, m.keys.Members
	if m.group.at == atGroupName {
		next := k.NextField
		next.SetHelp("tab", "to the members")
		return part.Hints(m.styles.Dim, m.width, "", k.Save, next, k.Leave)
	}
	order := l.Earlier
	order.SetHelp("←→", "answers earlier, later")
	next := k.NextField
	next.SetHelp("tab", "to the name")
	return part.Hints(m.styles.Dim, m.width, "", k.Save, l.Take, order, next, k.Leave)
}

// askGroup asks before a group goes, with what goes with it (D2).
func (m *Model) askGroup() []string {
	g := m.subject
	name := clean.Line(g.Title())
	if m.busy {
		return m.wrapped(m.styles.Warn, "deleting "+name+" …", 1)
	}
	ask := "? Nothing was said in it; its members stay."
	if !g.Empty() {
		ask = " with " + g.Says() + "? Its members stay, but not what they heard there."
	}
	out := m.wrapped(m.styles.Bad, "Delete the group "+name+ask, 1)
	k := m.keys.Confirm
	yes, also, no := k.Yes, m.keys.Erase.Memories, k.Other
	yes.SetHelp("del", "deletes it")
	also.SetHelp("ctrl+x", "with what they learned")
	no.SetHelp("any other key", "nothing")
	if g.Empty() {
		return append(out, part.Hints(m.styles.Dim, m.width, "", yes, no)...)
	}
	return append(out, part.Hints(m.styles.Dim, m.width, "", yes, also, no)...)
}
