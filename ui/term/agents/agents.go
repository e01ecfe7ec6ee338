package agents

import (
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/term/keys"
	"memoria/ui/term/part"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the part can ask for.
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
	TakeBack       // take the deletion Deletion of the agent or group ID back; answered by TakenBack or Failed
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

type mode int

const (
	listing mode = iota
	reading      // one agent with its persona
	editing
	grouping // a group's form
	confirming
)

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	width, height int
	focused       bool
	now           time.Time
	loc           *time.Location

	mode    mode
	list    []lookup.AgentInfo
	loaded  bool
	problem string // why the list could not be read
	current string // the agent whose conversation is open

	view    *part.List[string] // of ids
	page    *part.List[string] // the lines of the agent that is read
	subject lookup.AgentInfo   // what is read, edited or deleted
	form    *form
	group   *groupForm
	awaited bool // a new group's form, until the agents are known
	busy    bool // something was asked for and not answered
	notice  string
	removed part.Removals
	wanted  string // the agent that the cursor goes to with the next list, unless it is moved before
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	return &Model{keys: k, loc: loc, view: part.New[string](), page: part.New[string]()}
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	if m.form != nil {
		m.form.setStyles(s)
	}
	if m.group != nil {
		m.group.setStyles(s)
	}
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.width && h == m.height {
		return
	}
	m.width, m.height = w, h
	if m.form != nil {
		m.form.setWidth(w)
	}
	if m.group != nil {
		m.group.setWidth(w)
	}
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// SetNow tells the time, for ages and the take-back line.
func (m *Model) SetNow(now time.Time) {
	old := m.now
	m.now = now
	m.removed.Expire(now)
	if !old.Truncate(time.Minute).Equal(now.Truncate(time.Minute)) {
		m.build()
	}
}

// Counting reports whether something on the part changes with time alone.
func (m *Model) Counting() bool { return len(m.removed) > 0 }

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == editing || m.mode == grouping }

// Asking reports whether a question stands in the part, which takes every key.
func (m *Model) Asking() bool { return m.mode == confirming }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing }

// SetCurrent marks the agent whose conversation is open.
func (m *Model) SetCurrent(id string) {
	if id != m.current {
		m.current = id
		m.build()
	}
}

// Show replaces the list. What is being written stays.
func (m *Model) Show(list []lookup.AgentInfo) {
	m.list, m.loaded, m.problem = slices.Clone(list), true, ""
	for _, a := range list {
		if a.ID == m.subject.ID && m.mode == reading {
			m.subject = a
		}
	}
	m.build()
	m.view.Seek(m.wanted)
	m.wanted = ""
	if m.awaited {
		m.OpenNewGroup()
	}
}

// LoadFailed says that the list could not be read.
func (m *Model) LoadFailed(text string) {
	m.problem = text
	m.build()
}

// Saved says that an agent is described as it was asked for. The next list has it.
func (m *Model) Saved(a lookup.AgentInfo) {
	m.busy, m.notice, m.form, m.group = false, "", nil, nil
	if m.Capturing() {
		m.mode = listing
	}
	i := m.index(a.ID)
	if i >= 0 {
		m.list[i] = a
	}
	m.build()
	if m.wanted = ""; i >= 0 {
		m.view.Seek(a.ID)
	} else {
		m.wanted = a.ID
	}
}

// Deleted takes an agent out of the list and offers to take that back.
func (m *Model) Deleted(r part.Removed) {
	m.list = slices.DeleteFunc(m.list, func(a lookup.AgentInfo) bool { return a.ID == r.Of && r.Of != m.current })
	m.removed.Add(r)
	m.busy, m.notice, m.mode = false, "", listing
	m.build()
}

// TakenBack removes a deletion from the offer. The agent comes back with the next
// list.
func (m *Model) TakenBack(id string) {
	m.removed.Drop(id)
	m.busy = false
	m.build()
}

// Follow makes the part of another screen what it was on the one before: it offers to
// take the same deletions back, and its cursor goes where that was.
func (m *Model) Follow(before *Model) {
	m.removed, m.wanted = slices.Clone(before.removed), before.wanted
	if a, ok := before.selected(); ok && m.wanted == "" {
		m.wanted = a.ID
	}
}

// Failed says that what was asked for did not work. What is being written stays.
func (m *Model) Failed(text string) { m.busy, m.notice = false, text }

// Edited puts what the user's editor made of the persona into the form.
func (m *Model) Edited(text string) {
	m.busy = false
	if m.form != nil {
		m.form.persona.Set(text)
	}
}

// Uneasy says that there was no editor, or that its text was not taken.
func (m *Model) Uneasy(text string) { m.busy, m.notice = false, text }

// OpenNew lets the user describe a new agent.
func (m *Model) OpenNew(name string) {
	m.subject = lookup.AgentInfo{}
	m.openForm()
	m.form.name.Set(name)
}

// OpenDelete asks whether an agent shall be deleted.
func (m *Model) OpenDelete(a lookup.AgentInfo) {
	m.subject, m.mode, m.notice, m.busy = a, confirming, "", false
}

func (m *Model) index(id string) int {
	return slices.IndexFunc(m.list, func(a lookup.AgentInfo) bool { return a.ID == id })
}

// selected is the agent under the cursor.
func (m *Model) selected() (lookup.AgentInfo, bool) {
	r, ok := m.view.Selected()
	if i := m.index(r.Of); ok && i >= 0 {
		return m.list[i], true
	}
	return lookup.AgentInfo{}, false
}
