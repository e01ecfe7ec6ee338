package agents

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for.
const (
	Nothing     Do = iota
	Load           // list the agents; answered by Show or LoadFailed
	Switch         // go to the agent ID
	Add            // make Agent, whose id may be empty; answered by Saved or Failed
	Save           // Agent is how ID is to be described; answered by Saved or Failed
	Editor         // let the user's editor change Text; answered by Edited
	Delete         // delete the agent ID; answered by Deleted or Failed
	AddGroup       // make Group; answered by Saved or Failed
	SaveGroup      // Group is what the group ID is to be; answered by Saved or Failed
	DeleteGroup    // delete the group ID, with Memories also what was learned from it alone; answered by Deleted or Failed
	Restore        // undo the deletion Deletion of the agent or group ID; answered by Restored or Failed
	Leave          // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do       Do
	ID       string
	Agent    memory.Agent
	Group    memory.Group
	Memories bool
	Text     string
	Deletion string
}

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[string, Action] // of ids

	all     []lookup.AgentInfo
	loaded  bool
	problem string // why the list could not be read
	current string // the agent whose conversation is open

	reading bool             // subject is shown with its persona
	subject lookup.AgentInfo // of the open page or deletion
	persona *list.Input      // of the open form
	members *members         // of the open form; nil for none
	awaited bool             // a new group's form, until the agents are known
	wanted  string           // the agent that the cursor goes to with the next list, unless it is moved before
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[string](list.Config[Action]{
		Keys: k, Moves: k.Agents.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Height: 2,
		Page: func() int {
			if m.reading {
				return max(1, m.Height-3)
			}
			return 0
		},
		Offers:  func() bool { return m.Form == nil && !m.reading },
		Waiting: k.Words.Say("agents.waiting"),
	})
	return m
}

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool { return m.Base.Modal() || m.reading }

// SetCurrent marks the agent whose conversation is open.
func (m *Model) SetCurrent(id string) {
	if id != m.current {
		m.current = id
		m.Build()
	}
}

// Show replaces the list. An open form stays.
func (m *Model) Show(all []lookup.AgentInfo) {
	m.all, m.loaded, m.problem = slices.Clone(all), true, ""
	for _, a := range all {
		if a.ID == m.subject.ID && m.reading {
			m.subject = a
		}
	}
	m.Build()
	m.List.Seek(m.wanted)
	m.wanted = ""
	if m.awaited {
		m.OpenNewGroup()
	}
}

// LoadFailed says that the list could not be read.
func (m *Model) LoadFailed(text string) {
	m.problem = text
	m.Build()
}

// Saved says that an agent is described as it was asked for. The next list has it.
func (m *Model) Saved(a lookup.AgentInfo) {
	m.Busy, m.Notice, m.Form = false, "", nil
	i := m.index(a.ID)
	if i >= 0 {
		m.all[i] = a
	}
	m.Build()
	if m.wanted = ""; i >= 0 {
		m.List.Seek(a.ID)
	} else {
		m.wanted = a.ID
	}
}

// Deleted removes an agent from the list and offers to undo that.
func (m *Model) Deleted(r list.Removed) {
	m.all = slices.DeleteFunc(m.all, func(a lookup.AgentInfo) bool { return a.ID == r.Of && r.Of != m.current })
	m.Removed.Add(r)
	m.Done()
	m.Build()
}

// Follow continues the pane of the screen before: it offers to undo the same deletions, and its
// cursor goes to the same agent.
func (m *Model) Follow(before *Model) {
	m.Removed, m.wanted = slices.Clone(before.Removed), before.wanted
	if a, ok := before.selected(); ok && m.wanted == "" {
		m.wanted = a.ID
	}
}

// Edited puts what the user's editor made of the persona into the form.
func (m *Model) Edited(text string) {
	m.Busy = false
	if m.Form != nil && m.persona != nil {
		m.persona.Field.Set(text)
	}
}

// OpenNew lets the user describe a new agent.
func (m *Model) OpenNew(name string) { m.openForm(lookup.AgentInfo{}, name) }

// OpenDelete asks whether an agent or a group shall be deleted (D2).
func (m *Model) OpenDelete(a lookup.AgentInfo) {
	m.closePage()
	m.subject = a
	k := m.Keys.Confirm
	if a.Group {
		m.Ask(func(busy bool) []string { return m.askGroup(a, busy) },
			list.Answer[Action]{Key: k.Yes, Do: Action{Do: DeleteGroup, ID: a.ID}},
			list.Answer[Action]{Key: m.Keys.Erase.Memories, Do: Action{Do: DeleteGroup, ID: a.ID, Memories: true}})
		return
	}
	m.Ask(func(busy bool) []string {
		name := clean.Line(a.Title())
		if busy {
			return m.Wrapped(m.Styles.Warn, m.Words.Say("agents.deleting", name), 1)
		}
		yes, no := m.answers("agents.delete.yes")
		question := m.Words.Say("agents.delete", name, m.Words.AgentHas(a))
		return append(m.Wrapped(m.Styles.Bad, question, 1), m.Hints("", yes, no)...)
	}, list.Answer[Action]{Key: k.Yes, Do: Action{Do: Delete, ID: a.ID}})
}

// answers are the keys that answer whether to delete something; what a yes does is a message.
func (m *Model) answers(does string) (yes, no key.Binding) {
	yes, no = m.Keys.Confirm.Yes, m.Keys.Confirm.Other
	yes.SetHelp(yes.Help().Key, m.Words.Say(does))
	no.SetHelp(m.Words.Say("agents.delete.other"), m.Words.Say("agents.delete.no"))
	return yes, no
}

// closePage goes from the agent that is read back to the list.
func (m *Model) closePage() {
	if m.reading {
		m.reading = false
		m.List.Reset()
		m.Build()
		m.List.Seek(m.subject.ID)
	}
}

func (m *Model) index(id string) int {
	return slices.IndexFunc(m.all, func(a lookup.AgentInfo) bool { return a.ID == id })
}

// selected is the agent under the cursor.
func (m *Model) selected() (lookup.AgentInfo, bool) {
	if m.reading {
		return m.subject, true
	}
	r, ok := m.List.Selected()
	if i := m.index(r.Of); ok && i >= 0 {
		return m.all[i], true
	}
	return lookup.AgentInfo{}, false
}
