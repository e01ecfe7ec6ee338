package keys

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Global works everywhere unless a dialog is open.
type Global struct {
	Help, NextPane, PrevPane, Panel, NewSession, Commands, Cancel, Interrupt, UseModel, Thoughts key.Binding
	Retry, Overrule, Unlearn, Held, EraseSecret, Search, Editor, PageUp, PageDown, Top, Bottom   key.Binding
}

// Input works while the input has the focus.
type Input struct {
	Send, NewLine, Slash, Up, Down, Quit key.Binding
}

// Talk works while the conversation has the focus.
type Talk struct {
	Up, Down, Open, Sources, Learned, Copy, Code, Next, Prev, Retry, Back key.Binding
	// Of branches: another answer, those before and after, edit and go on, fork, undo.
	Anew, Before, After, Edit, Fork, UndoTurn, TakeBack key.Binding
}

// Panel works in every pane of the side panel.
type Panel struct {
	NextPart, PrevPart, Help, Back key.Binding
	// Parts lead to the panes, in their order.
	Parts []key.Binding
}

// Moves moves a cursor or a view.
type Moves struct {
	Up, Down, PageUp, PageDown, Home, End key.Binding
}

// far is further than any list is long.
const far = 1 << 20

// By returns how many rows a key moves, where a page key passes page rows. ok is false for
// keys that do not move.
func (m Moves) By(msg tea.KeyPressMsg, page int) (n int, ok bool) {
	for i, b := range []key.Binding{m.Up, m.Down, m.PageUp, m.PageDown, m.Home, m.End} {
		if key.Matches(msg, b) {
			return [...]int{-1, 1, -page, page, -far, far}[i], true
		}
	}
	return 0, false
}

// List works in a list of memories.
type List struct {
	Moves
	Open, Edit, Add, Delete, TakeBack, UndoTurn, History, Source, Copy, Filter, Unused key.Binding
}

// Form works while an item is edited.
type Form struct {
	Save, NextField, PrevField, Leave, NewLine, Left, Right key.Binding
}

// Sent works in the pane of packages.
type Sent struct {
	Moves
	PrevTurn, NextTurn, Latest, Open, All, Copy, Back key.Binding
}

// Confirm answers a question: Yes whether something goes, Do whether something else is to
// be done. No key that types a character does, nor enter, and every other key says no: a
// sentence typed in the wrong place changes nothing.
type Confirm struct {
	Yes, Do, Other key.Binding
}

// Map is all bindings.
type Map struct {
	Global  Global
	Input   Input
	Talk    Talk
	Panel   Panel
	List    List
	Form    Form
	Sent    Sent
	Confirm Confirm

	Working  Working
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

// Group is a titled section of the help.
type Group struct {
	Title string
	Keys  []key.Binding
}

// Groups returns all bindings in the order in which help shows them.
func (m Map) Groups() []Group { return m.groups }

// Default returns the bindings of the program.
func Default() Map {
	bind := func(name, desc string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, desc))
	}
	moves := Moves{
		Up: bind("↑", "up", "up", "k"), Down: bind("↓", "down", "down", "j"),
		PageUp: bind("pgup", "page up", "pgup", "ctrl+b"), PageDown: bind("pgdn", "page down", "pgdown", "ctrl+f", "space"),
		Home: bind("home", "first", "home", "g"), End: bind("end", "last", "end", "G"),
	}
	m := Map{Confirm: Confirm{
		Yes:   bind("del", "yes", "delete", "ctrl+y"),
		Do:    bind("ctrl+y", "yes", "ctrl+y", "delete"),
		Other: bind("esc", "no, as any other key", "esc"),
	}}
	m.bindEverywhere()
	m.bindPanel(moves)
	m.bindSessions(moves)
	m.bindSetup(moves)
	return m
}
