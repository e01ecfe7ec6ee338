package keys

import "charm.land/bubbles/v2/key"

// Sessions works in the list of sessions and in the results of a search.
type Sessions struct {
	Moves
	Open, Jump, Rename, Delete, TakeBack, New, Copy, Export, Search key.Binding
}

// Archive works in the list of messages and in the results of a question.
type Archive struct {
	Moves
	Open, Search, Bookmarks, Mark, Learned, Delete, TakeBack, Copy key.Binding
}

// Journal works in the tree of the journal's files, in one of them and in results.
type Journal struct {
	Moves
	Open, Edit, Write, Search, Copy key.Binding
}

// Erase answers how far a deletion of messages goes (D2), as [Confirm] does.
type Erase struct {
	Messages, Memories, Other key.Binding
}

// Working works in the pane of working memory.
type Working struct {
	Moves
	Edit, Add, Delete, Copy key.Binding
}

// Health works in the pane of the state of the memory.
type Health struct {
	Moves
	Rebuild, Compact, Backup, Copy key.Binding
}

// Inbox works in the pane of memories that wait for an approval.
type Inbox struct {
	Moves
	Accept, Edit, Reject, All, Source, TakeBack, Copy key.Binding
}

// Profile works in the pane of the profile and its versions.
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

// Settings works in the pane of the settings.
type Settings struct {
	Moves
	Edit, Detail, Reset, Undo, Filter, Copy key.Binding
}
