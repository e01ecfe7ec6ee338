package keys

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Global works everywhere unless a dialog is open.
type Global struct {
	Help, NextPane, PrevPane, Panel, NewSession, Commands, Cancel, Interrupt, UseModel, Thoughts, Retry, Overrule, Unlearn, Held, EraseSecret, Search, Editor, PageUp, PageDown, Top, Bottom key.Binding
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

// Panel works in every part of the side panel.
type Panel struct {
	NextPart, PrevPart, Help, Back key.Binding
	// Parts lead to the parts of the panel, in their order.
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

// Sent works in the part that shows packages.
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
}

func bind(help, desc string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, desc))
}

// Default returns the bindings of the program.
func Default() Map {
	moves := Moves{
		Up: bind("↑", "up", "up", "k"), Down: bind("↓", "down", "down", "j"),
		PageUp: bind("pgup", "page up", "pgup", "ctrl+b"), PageDown: bind("pgdn", "page down", "pgdown", "ctrl+f", "space"),
		Home: bind("home", "first", "home", "g"), End: bind("end", "last", "end", "G"),
	}
	m := Map{
		Global: Global{
			Help:        bind("F1", "help", "f1"),
			NextPane:    bind("tab", "next pane", "tab"),
			PrevPane:    bind("shift+tab", "previous pane", "shift+tab"),
			Panel:       bind("ctrl+t", "panel or conversation", "ctrl+t"),
			NewSession:  bind("ctrl+n", "new session", "ctrl+n"),
			Commands:    bind("ctrl+p", "commands", "ctrl+p"),
			Cancel:      bind("esc", "cancel, the partial answer is kept", "esc"),
			Interrupt:   bind("ctrl+c", "cancel, then clear, then quit", "ctrl+c"),
			UseModel:    bind("F2", "use the model found on this machine", "f2"),
			Thoughts:    bind("F4", "what the model thought before its answers, whole or folded", "f4"),
			Retry:       bind("F5", "ask again for an answer that is missing or broken off", "f5"),
			Overrule:    bind("F6", "the other conversation after all", "f6"),
			Unlearn:     bind("F7", "undo what was learned last", "f7"),
			Held:        bind("F8", "the inbox, at what came there last", "f8"),
			EraseSecret: bind("F9", "erase the last message with a secret", "f9"),
			Search:      bind("ctrl+r", "search in all sessions", "ctrl+r"),
			Editor:      bind("ctrl+g", "write in your editor ($VISUAL or $EDITOR)", "ctrl+g"),
			PageUp:      bind("pgup", "scroll the conversation up", "pgup"),
			PageDown:    bind("pgdn", "scroll the conversation down", "pgdown"),
			Top:         bind("ctrl+home", "start of the conversation", "ctrl+home"),
			Bottom:      bind("ctrl+end", "end of the conversation", "ctrl+end"),
		},
		Input: Input{
			Send:    bind("enter", "send", "enter"),
			NewLine: bind("ctrl+j", "new line", "ctrl+j", "shift+enter", "alt+enter"),
			Slash:   bind("/", "a command; / alone lists them, // sends the text", "/", "／"),
			Up:      bind("↑", "take back a queued message, then earlier messages", "up"),
			Down:    bind("↓", "later messages, then your draft", "down"),
			Quit:    bind("ctrl+d", "quit when the input is empty", "ctrl+d"),
		},
		Talk: Talk{
			Up:   bind("↑", "message before", "up", "k"),
			Down: bind("↓", "message after", "down", "j"),
			Open: bind("enter", "what was sent", "enter"),
			// The number is that of the source.
			Sources: bind("1–9", "its source", "1", "2", "3", "4", "5", "6", "7", "8", "9", "o"),
			Learned: bind("l", "learned from it", "l"),
			Copy:    bind("y", "copy", "y"),
			Code:    bind("c", "copy code", "c"),
			Next:    bind("n", "find earlier", "n"),
			Prev:    bind("N", "find later", "N"),
			Retry:   bind("r", "ask again", "r"),
			Back:    bind("esc", "back to the input", "esc"),

			Anew:     bind("R", "another answer", "R"),
			Before:   bind("←", "answer before", "left"),
			After:    bind("→", "answer after", "right"),
			Edit:     bind("e", "edit", "e"),
			Fork:     bind("f", "fork", "f"),
			UndoTurn: bind("U", "undo the last turn", "U"),
			TakeBack: bind("u", "undo", "u"),
		},
		Panel: Panel{
			NextPart: bind("]", "next part", "]"),
			PrevPart: bind("[", "previous part", "["),
			Help:     bind("?", "help", "?", "？"),
			Back:     bind("esc", "back to the input", "esc"),
			Parts: []key.Binding{
				bind("1", "Recall", "1"), bind("2", "Context", "2"), bind("3", "Working", "3"),
				bind("4", "Sessions", "4"), bind("5", "Health", "5"), bind("6", "Inbox", "6"),
				bind("7", "Archive", "7"), bind("8", "Profile", "8"), bind("9", "Agents", "9"),
				bind("0", "Settings", "0"), bind("-", "Journal", "-", "－"),
			},
		},
		List: List{
			Moves:    moves,
			Open:     bind("enter", "open", "enter"),
			Edit:     bind("e", "edit", "e"),
			Add:      bind("a", "add", "a"),
			Delete:   bind("d", "delete", "d", "delete"),
			TakeBack: bind("u", "undo", "u"),
			UndoTurn: bind("U", "undo the turn", "U"),
			History:  bind("h", "history", "h"),
			Source:   bind("o", "where from", "o"),
			Copy:     bind("y", "copy", "y"),
			Filter:   bind("/", "filter", "/", "／"),
			Unused:   bind("x", "show what was not used", "x"),
		},
		Form: Form{
			Save:      bind("ctrl+s", "save", "ctrl+s"),
			NextField: bind("tab", "next field", "tab", "enter"),
			PrevField: bind("shift+tab", "field before", "shift+tab"),
			Leave:     bind("esc", "do not save", "esc"),
			NewLine:   bind("ctrl+j", "new line", "ctrl+j", "shift+enter", "alt+enter"),
			Left:      bind("←", "type before", "left"),
			Right:     bind("→", "next type", "right"),
		},
		Sent: Sent{
			PrevTurn: bind("←/p", "turn before", "left", "p"),
			NextTurn: bind("→/n", "turn after", "right", "n"),
			Latest:   bind("l", "the last turn", "l"),
			Moves:    moves,
			Open:     bind("enter", "open or close", "enter"),
			All:      bind("a", "all", "a"),
			Copy:     bind("y", "copy", "y"),
			Back:     bind("esc", "back to the input", "esc"),
		},
		Confirm: Confirm{
			Yes:   bind("del", "yes", "delete", "ctrl+y"),
			Do:    bind("ctrl+y", "yes", "ctrl+y", "delete"),
			Other: bind("esc", "no, as any other key", "esc"),
		},
	}
	m.Working, m.Sessions, m.Erase, m.Health = newWorking(moves), newSessions(moves), newErase(), newHealth(moves)
	m.Inbox = newInbox(moves)
	m.Archive, m.Journal = newArchive(moves), newJournal(moves)
	m.Profile = newProfile(moves, m.Global.Editor)
	m.Agents, m.Members = newAgents(moves), newMembers()
	m.Settings = newSettings(moves, m.List.Filter)
	return m
}

// Group is a titled part of the help.
type Group struct {
	Title string
	Keys  []key.Binding
}

// Groups returns all bindings in the order in which help shows them.
func (m Map) Groups() []Group {
	g, in, t, p, l, f, s := m.Global, m.Input, m.Talk, m.Panel, m.List, m.Form, m.Sent
	t.Copy.SetHelp("y", "copy the message")
	t.Sources.SetHelp("1–9 / o", "open a source of the answer; o is the first")
	t.Learned.SetHelp("l", "what was learned from the message")
	t.Next.SetHelp("n", "the words of /find, earlier in the conversation")
	t.Prev.SetHelp("N", "the words of /find, later in the conversation")
	t.Retry.SetHelp("r", "ask again for an answer that is missing or broken off")
	t.Anew.SetHelp("R", "another answer to the message; those before are kept")
	t.Before.SetHelp("←", "the answer, or the edited message, before this one")
	t.After.SetHelp("→", "the one after it; at the end what was undone")
	t.Edit.SetHelp("e", "edit a message of yours and go on from there")
	t.Fork.SetHelp("f", "a new session that begins behind the message")
	t.UndoTurn.SetHelp("U", "undo the last turn and what it taught")
	t.TakeBack.SetHelp("u", "take that back, or the last change of the memory")
	t.Code.SetHelp("c", "copy its code; again for the next block")
	s.All.SetHelp("a", "open or close all layers")
	s.Copy.SetHelp("y", "copy the layer or memory")
	l.TakeBack.SetHelp("u", "take a deletion back, or undo the chosen change")
	l.UndoTurn.SetHelp("U", "undo all that the turn or the background run of the chosen change did")
	l.History.SetHelp("h", "choose among the changes of the opened memory")
	in.NewLine.SetHelp("ctrl+j", "new line; shift+enter and alt+enter too, where the terminal tells them apart")
	return append([]Group{
		{"Writing", []key.Binding{in.Send, in.NewLine, in.Slash, in.Up, in.Down, g.Editor, g.Cancel, g.Interrupt, in.Quit}},
		{"Everywhere", []key.Binding{g.NextPane, g.PrevPane, g.Panel, g.PageUp, g.PageDown, g.Top, g.Bottom, g.NewSession, g.Search, g.Thoughts, g.Retry, g.Overrule, g.Unlearn, g.Held, g.EraseSecret, g.UseModel, g.Commands, g.Help}},
		{"In the conversation", []key.Binding{t.Up, t.Down, t.Open, t.Sources, t.Learned, t.Copy, t.Code, t.Next, t.Prev, t.Retry, t.Anew, t.Before, t.After, t.Edit, t.Fork, t.UndoTurn, t.TakeBack, t.Back}},
		{"In the panel", append(slices.Clone(p.Parts), p.PrevPart, p.NextPart, p.Help, p.Back)},
		{"Recall: memories", []key.Binding{l.Up, l.Down, l.Open, l.Edit, l.Add, l.Delete, l.TakeBack, l.UndoTurn, l.History, l.Source, l.Copy, l.Filter, l.Unused}},
		{"Recall: editing", []key.Binding{f.Save, f.NewLine, f.NextField, f.PrevField, f.Right, f.Left, f.Leave}},
		{"Context: what was sent", []key.Binding{s.PrevTurn, s.NextTurn, s.Latest, s.Open, s.All, s.Copy, s.Back}},
	}, m.partGroups()...)
}
