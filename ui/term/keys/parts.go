package keys

import "charm.land/bubbles/v2/key"

// Sessions works in the list of sessions and in what a search found.
type Sessions struct {
	Moves
	Open, Jump, Rename, Delete, TakeBack, New, Copy, Export, Search key.Binding
}

// Archive works in the list of messages and in what a question found.
type Archive struct {
	Moves
	Open, Search, Bookmarks, Mark, Learned, Delete, TakeBack, Copy key.Binding
}

// Journal works in the tree of the journal's files, on one of them and in what was found.
type Journal struct {
	Moves
	Open, Edit, Write, Search, Copy key.Binding
}

// Erase answers how far a deletion of messages goes (D2), as [Confirm] does.
type Erase struct {
	Messages, Memories, Other key.Binding
}

// Working works in the part that shows working memory.
type Working struct {
	Moves
	Edit, Add, Delete, Copy key.Binding
}

// Health works in the part that tells how the memory is doing.
type Health struct {
	Moves
	Rebuild, Compact, Backup, Copy key.Binding
}

// Inbox works in the part that shows what waits for a yes.
type Inbox struct {
	Moves
	Accept, Edit, Reject, All, Source, TakeBack, Copy key.Binding
}

// Profile works in the part that shows the profile and its versions.
type Profile struct {
	Moves
	Open, Edit, Editor, History, Undo, Copy key.Binding
}

// Agents works in the list of agents and on one of them.
type Agents struct {
	Moves
	Switch, Open, Close, Add, AddGroup, Edit, Delete, TakeBack key.Binding
}

// Members works among the agents in a group's form.
type Members struct {
	Take, Earlier, Later key.Binding
}

func newAgents(l Moves) Agents {
	l.Home = bind("home", "first", "home")
	return Agents{
		Moves:    l,
		Switch:   bind("enter", "talk to it", "enter"),
		Open:     bind("o", "who it is", "o", "right"),
		Close:    bind("←", "back", "left"),
		Add:      bind("a", "add", "a"),
		AddGroup: bind("g", "group", "g"),
		Edit:     bind("e", "edit", "e"),
		Delete:   bind("d", "delete", "d", "delete"),
		TakeBack: bind("u", "take the deletion back", "u"),
	}
}

func newMembers() Members {
	return Members{
		Take:    bind("space", "in or out", "space"),
		Earlier: bind("←", "answers earlier", "left"),
		Later:   bind("→", "answers later", "right"),
	}
}

func newProfile(l Moves, editor key.Binding) Profile {
	editor.SetHelp("ctrl+g", "your editor")
	return Profile{
		Moves:   l,
		Open:    bind("enter", "the memory", "enter", "o"),
		Edit:    bind("e", "edit", "e"),
		Editor:  editor,
		History: bind("h", "versions", "h"),
		Undo:    bind("u", "undo the last change", "u"),
		Copy:    bind("y", "copy", "y"),
	}
}

func newInbox(l Moves) Inbox {
	return Inbox{
		Moves:    l,
		Accept:   bind("a", "accept", "a"),
		Edit:     bind("e", "edit", "e"),
		Reject:   bind("x", "reject", "x"),
		All:      bind("A", "accept all", "A"),
		Source:   bind("o", "where from", "o"),
		TakeBack: bind("u", "take the rejection back", "u"),
		Copy:     bind("y", "copy", "y"),
	}
}

func newSessions(l Moves) Sessions {
	return Sessions{
		Moves:    l,
		Open:     bind("enter", "read", "enter"),
		Jump:     bind("o", "to the message", "o"),
		Rename:   bind("r", "rename", "r", "e"),
		Delete:   bind("d", "delete", "d", "delete"),
		TakeBack: bind("u", "take the deletion back", "u"),
		New:      bind("n", "new", "n"),
		Export:   bind("x", "export", "x"),
		Copy:     bind("y", "copy", "y"),
		Search:   bind("/", "search", "/", "／"),
	}
}

func newArchive(l Moves) Archive {
	return Archive{
		Moves:     l,
		Open:      bind("enter", "read", "enter", "o"),
		Search:    bind("/", "search", "/", "／"),
		Bookmarks: bind("b", "bookmarks", "b"),
		Mark:      bind("m", "bookmark", "m"),
		Learned:   bind("l", "learned from it", "l"),
		Delete:    bind("d", "delete", "d", "delete"),
		TakeBack:  bind("u", "take the deletion back", "u"),
		Copy:      bind("y", "copy", "y"),
	}
}

func newJournal(l Moves) Journal {
	return Journal{
		Moves:  l,
		Open:   bind("enter", "read", "enter", "o"),
		Edit:   bind("e", "your editor", "e", "ctrl+g"),
		Write:  bind("r", "write now", "r"),
		Search: bind("/", "search", "/", "／"),
		Copy:   bind("y", "copy", "y"),
	}
}

func newErase() Erase {
	return Erase{
		Messages: bind("del", "the messages only", "delete"),
		Memories: bind("ctrl+x", "the messages and the memories made from them", "ctrl+x"),
		Other:    bind("esc", "nothing, as any other key", "esc"),
	}
}

func newWorking(l Moves) Working {
	return Working{
		Moves:  l,
		Edit:   bind("e", "edit", "e", "enter"),
		Add:    bind("a", "add a variable", "a"),
		Delete: bind("d", "delete", "d", "delete"),
		Copy:   bind("y", "copy", "y"),
	}
}

func newHealth(l Moves) Health {
	return Health{
		Moves:   l,
		Rebuild: bind("r", "rebuild index", "r"),
		Compact: bind("c", "compact index", "c"),
		Backup:  bind("b", "back up now", "b"),
		Copy:    bind("y", "copy as text", "y"),
	}
}

// partGroups is the help of these parts.
func (m Map) partGroups() []Group {
	w, s, e, h, i, a, p := m.Working, m.Sessions, m.Erase, m.Health, m.Inbox, m.Archive, m.Profile
	g := m.Agents
	g.Switch.SetHelp("enter", "talk to the agent; the other one's conversation is kept")
	g.Open.SetHelp("o / →", "who it is: its persona, and what it has")
	g.AddGroup.SetHelp("g", "make a group of agents, who answer in turn")
	g.Delete.SetHelp("d", "delete the agent with everything it has, or the group, after a question")
	p.Open.SetHelp("enter / o", "the memory that a line follows, or that made a version")
	p.Edit.SetHelp("e", "edit the page; what you write is yours")
	p.Editor.SetHelp("ctrl+g", "edit it in your editor")
	p.History.SetHelp("h", "its versions with what each changed, and back")
	p.Undo.SetHelp("u", "undo the last change, or the chosen version")
	p.Copy.SetHelp("y", "copy the line, or the page")
	i.Accept.SetHelp("a", "accept: it can be recalled now")
	i.Edit.SetHelp("e", "edit it; what is saved is accepted")
	i.Reject.SetHelp("x", "reject: it goes, and is not proposed again")
	i.All.SetHelp("A", "accept all that is listed, after a question")
	a.Open.SetHelp("enter / o", "read a message in its session")
	a.Search.SetHelp("/", "search by words and time: pottery last week")
	a.Bookmarks.SetHelp("b", "bookmarks only, or all again")
	a.Mark.SetHelp("m", "bookmark the message, or take that away")
	a.Learned.SetHelp("l", "what was learned from the message")
	j := m.Journal
	j.Open.SetHelp("enter / o", "open a month or a file; in a file, the message that a line is of")
	j.Edit.SetHelp("e", "the file in your editor ($VISUAL or $EDITOR)")
	j.Write.SetHelp("r", "write now what waits, and try again what failed")
	j.Search.SetHelp("/", "passages, as a message with these words would find them")
	j.Copy.SetHelp("y", "copy the path, the passage, or the file")
	s.Open.SetHelp("enter", "read a session; sending in it resumes it")
	s.Jump.SetHelp("o", "read it where a found message stands")
	s.Rename.SetHelp("r / e", "rename")
	s.Export.SetHelp("x", "write the session to a file, as Markdown")
	s.New.SetHelp("n", "new session")
	s.Copy.SetHelp("y", "copy the title, or the message that was found")
	s.Search.SetHelp("/", "search in every word of all sessions")
	return []Group{
		{"Working: what the session is about", []key.Binding{w.Up, w.Down, w.Edit, w.Add, w.Delete, w.Copy}},
		{"Sessions", []key.Binding{s.Up, s.Down, s.Open, s.Jump, s.Search, s.Rename, s.Delete, s.TakeBack, s.New, s.Export, s.Copy}},
		{"Inbox: waiting for your approval", []key.Binding{i.Up, i.Down, i.Accept, i.Edit, i.Reject, i.All, i.Source, i.TakeBack, i.Copy}},
		{"Archive: every message", []key.Binding{a.Up, a.Down, a.Open, a.Search, a.Bookmarks, a.Mark, a.Learned, a.Delete, a.TakeBack, a.Copy}},
		{"Journal: memory as files", []key.Binding{j.Up, j.Down, j.Open, j.Edit, j.Write, j.Search, j.Copy}},
		{"Profile: what goes with every message", []key.Binding{p.Up, p.Down, p.Open, p.Edit, p.Editor, p.History, p.Undo, p.Copy}},
		{"Agents: whom you talk to", []key.Binding{g.Up, g.Down, g.Switch, g.Open, g.Add, g.AddGroup, g.Edit, g.Delete, g.TakeBack}},
		{"Agents: who is in a group", []key.Binding{m.Members.Take, m.Members.Earlier, m.Members.Later}},
		{"Sessions, Archive: what to delete", []key.Binding{e.Messages, e.Memories, e.Other}},
		m.settingsGroup(),
		{"Health", []key.Binding{h.Up, h.Down, h.Rebuild, h.Compact, h.Backup, h.Copy}},
	}
}
