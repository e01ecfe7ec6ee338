package keys

import "charm.land/bubbles/v2/key"

// Sessions has the bindings of the Sessions pane.
type Sessions struct {
	Moves
	Open, Jump, Rename, Delete, Undo, New, Copy, Export, Search key.Binding
}

// Archive has the bindings of the Archive pane.
type Archive struct {
	Moves
	Open, Search, Bookmarks, Mark, Learned, Delete, Undo, Copy key.Binding
}

// Journal has the bindings of the Journal pane.
type Journal struct {
	Moves
	Open, Edit, Write, Search, Copy key.Binding
}

// Erase has the bindings that answer whether to delete only messages or also the memories
// learned from them (D2). As for [Confirm], every other key means no.
type Erase struct {
	Messages, Memories, Other key.Binding
}

// Working has the bindings of the Working pane.
type Working struct {
	Moves
	Edit, Add, Delete, Copy key.Binding
}

// Evidence has the bindings of the Evidence pane.
type Evidence struct {
	Moves
	Open, Memory, Copy, PrevTurn, NextTurn, Latest key.Binding
}

// Health has the bindings of the Health pane.
type Health struct {
	Moves
	Rebuild, Compact, Backup, Copy key.Binding
}

// Inbox has the bindings of the Inbox pane.
type Inbox struct {
	Moves
	Accept, Edit, Reject, All, Group, Source, Undo, Copy key.Binding
}

// Profile has the bindings of the Profile pane.
type Profile struct {
	Moves
	Open, Edit, Editor, History, Undo, Copy key.Binding
}

// Agents has the bindings of the Agents pane.
type Agents struct {
	Moves
	Switch, Open, Close, Add, AddGroup, Edit, Delete, Undo key.Binding
}

// Members has the bindings of the member list in a group's form.
type Members struct {
	Take, Earlier, Later key.Binding
}

// Settings has the bindings of the Settings pane.
type Settings struct {
	Moves
	Edit, Detail, Reset, Undo, Filter, Copy key.Binding
}
