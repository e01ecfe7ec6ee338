package keys

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/words"
)

// Global has the bindings that work everywhere unless a dialog is open.
type Global struct {
	Help, NextPane, PrevPane, Panel, NewSession, Commands, Cancel, Interrupt, UseModel, Thoughts key.Binding
	Retry, Overrule, Unlearn, Held, EraseSecret, Search, Editor, PageUp, PageDown, Top, Bottom   key.Binding
	Suspend                                                                                      key.Binding
}

// Input has the bindings of the focused input.
type Input struct {
	Send, NewLine, Slash, Up, Down, PutBack, Quit key.Binding
}

// Talk has the bindings of the focused conversation.
type Talk struct {
	Up, Down, Open, Sources, Learned, Copy, Code, Next, Prev, Retry, Back key.Binding
	// Branches: Regenerate asks for another answer; Before and After go through the answers and
	// edits of a message.
	Regenerate, Before, After, Edit, Fork, UndoTurn, Undo key.Binding
}

// Panel has the bindings that work in every pane of the side panel.
type Panel struct {
	// PrevView and NextView go through the views of the open tab; PrevPane and NextPane go
	// through the views of all tabs.
	PrevView, NextView, PrevPane, NextPane, Help, Back key.Binding
	// Tabs has the key that opens each tab.
	Tabs []key.Binding
}

// Menu has the binding that opens the menu of what can be done to a row of a list.
type Menu struct {
	Open key.Binding
}

// Moves has the bindings that move a cursor or scroll a view.
type Moves struct {
	Up, Down, PageUp, PageDown, Home, End key.Binding
}

// far is more rows than any list has.
const far = 1 << 20

// By returns the number of rows that a key moves by, given the number of rows in a page. ok is
// false for keys that do not move.
func (m Moves) By(msg tea.KeyPressMsg, page int) (n int, ok bool) {
	for i, b := range []key.Binding{m.Up, m.Down, m.PageUp, m.PageDown, m.Home, m.End} {
		if key.Matches(msg, b) {
			return [...]int{-1, 1, -page, page, -far, far}[i], true
		}
	}
	return 0, false
}

// List has the bindings of a list of memories.
type List struct {
	Moves
	Open, Edit, Add, Delete, DeleteAll, Restore, Undo, UndoTurn, History, Source, Copy, Filter, Unused, Numbers, Details, Life key.Binding
}

// Life has the bindings of the calendar of memories.
type Life struct {
	Back, Forward, Open key.Binding
}

// Form has the bindings of a form.
type Form struct {
	Save, NextField, PrevField, Leave, NewLine, Left, Right key.Binding
}

// Sent has the bindings of the view of a turn's package.
type Sent struct {
	Moves
	PrevTurn, NextTurn, Latest, Open, All, Copy, Numbers, Back key.Binding
}

// Confirm has the bindings that answer a question. Ctrl+y is yes to each: Yes confirms a deletion,
// which the key that asked confirms too, and Do any other action. Every other key means no, including
// enter, so text typed in the wrong place changes nothing. A letter other than a lone n or y is the
// beginning of a text and goes to the input. Where nothing is asked, ctrl+y changes nothing.
type Confirm struct {
	Yes, Do, Other key.Binding
}

// Map has all bindings, and the wording of the screen, in which they are described.
type Map struct {
	Words words.Pictures
	// Command returns the command with this name as it is typed, "" where there is none that
	// can be run without anything behind it; nil where none can be run.
	Command func(name string) string

	Global  Global
	Input   Input
	Talk    Talk
	Panel   Panel
	Menu    Menu
	List    List
	Life    Life
	Form    Form
	Sent    Sent
	Confirm Confirm

	Working  Working
	Evidence Evidence
	Sessions Sessions
	Erase    Erase
	Health   Health
	Inbox    Inbox
	Archive  Archive
	Journal  Journal
	Profile  Profile
	Agents   Agents
	Members  Members
	Settings Settings

	groups []Group // of the help
}

// Place is where the keyboard is: a pane of the panel by its [pane.ID], or one of the other
// places.
type Place int

// The places outside the panes.
const (
	Writing Place = -1 - iota
	Talking
	Editing // in a form
)

// Group is a titled section of the help.
type Group struct {
	Title string
	Keys  []key.Binding
	// Places are those whose keys the group has.
	Places []Place

	at int // the pane that it is sorted by
}

// Groups returns all bindings in the order in which help shows them.
func (m Map) Groups() []Group { return m.groups }

// Default returns the bindings of the program, described in a language.
func Default(w words.Words) Map {
	bind := func(id, name string, keys ...string) key.Binding { return described(w.Say(id), name, keys...) }
	moves := Moves{
		Up: bind("key.up", "↑", "up", "k"), Down: bind("key.down", "↓", "down", "j"),
		PageUp: bind("key.page-up", "pgup", "pgup", "ctrl+b"), PageDown: bind("key.page-down", "pgdn", "pgdown", "ctrl+f", "space"),
		Home: bind("key.first", "home", "home", "g"), End: bind("key.last", "end", "end", "G"),
	}
	m := Map{Words: words.Pictures{Words: w}}
	m.bindEverywhere()
	m.bindQuestions()
	m.bindPanel(moves)
	m.bindSessions(moves)
	m.bindSetup(moves)
	m.sortGroups()
	return m
}

// sortGroups puts the groups of panes into the order of the panes. A group without a place
// stays behind the one before it.
func (m *Map) sortGroups() {
	at := -1
	for i := range m.groups {
		for _, p := range m.groups[i].Places {
			if p >= 0 {
				at = int(p)
				break
			}
		}
		m.groups[i].at = at
	}
	slices.SortStableFunc(m.groups, func(a, b Group) int { return a.at - b.at })
}
