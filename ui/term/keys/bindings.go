package keys

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"memoria/ui/term/pane"
)

// group starts a new group in the help. Bindings that only move come first in it.
func (m *Map) group(title string, bindings ...key.Binding) *Group {
	m.groups = append(m.groups, Group{Title: title, Keys: bindings})
	return &m.groups[len(m.groups)-1]
}

// bind sets *to and adds the binding to the current group of the help. It returns the help's
// copy; SetHelp on that gives the help a longer text than the bottom line.
func (m *Map) bind(to *key.Binding, name, desc string, keys ...string) *key.Binding {
	*to = key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, desc))
	g := &m.groups[len(m.groups)-1]
	g.Keys = append(g.Keys, *to)
	return &g.Keys[len(g.Keys)-1]
}

// bindEverywhere declares the keys of the input, the whole screen and the conversation.
func (m *Map) bindEverywhere() {
	m.group("Writing").Places = []Place{Writing}
	m.bind(&m.Input.Send, "enter", "send", "enter")
	m.bind(&m.Input.NewLine, "ctrl+j", "new line", "ctrl+j", "shift+enter", "alt+enter").
		SetHelp("ctrl+j", "new line; shift+enter and alt+enter too, where the terminal tells them apart")
	m.bind(&m.Input.Slash, "/", "a command; / alone lists them, // sends the text", "/", "／")
	m.bind(&m.Input.Up, "↑", "edit a queued message, then earlier messages", "up")
	m.bind(&m.Input.Down, "↓", "later messages, then your draft", "down")
	m.bind(&m.Input.PutBack, "ctrl+y", "put back what ctrl+u or ctrl+k deleted: the line before or after the cursor", "ctrl+y")
	m.bind(&m.Global.Editor, "ctrl+g", "write in your editor ($VISUAL or $EDITOR)", "ctrl+g")
	m.bind(&m.Global.Cancel, "esc", "cancel, the partial answer is kept", "esc")
	m.bind(&m.Global.Interrupt, "ctrl+c", "cancel, then clear, then quit", "ctrl+c")
	m.bind(&m.Input.Quit, "ctrl+d", "quit when the input is empty", "ctrl+d")

	m.group("Everywhere")
	m.bind(&m.Global.NextPane, "tab", "next pane", "tab").
		SetHelp("tab", "from the input to the panel, then to the conversation, and around")
	m.bind(&m.Global.PrevPane, "shift+tab", "previous pane", "shift+tab").
		SetHelp("shift+tab", "the other way around")
	m.bind(&m.Global.Panel, "ctrl+t", "panel or conversation", "ctrl+t")
	m.bind(&m.Global.PageUp, "pgup", "scroll the conversation up", "pgup")
	m.bind(&m.Global.PageDown, "pgdn", "scroll the conversation down", "pgdown")
	m.bind(&m.Global.Top, "ctrl+home", "start of the conversation", "ctrl+home")
	m.bind(&m.Global.Bottom, "ctrl+end", "end of the conversation", "ctrl+end")
	m.bind(&m.Global.NewSession, "ctrl+n", "new session", "ctrl+n")
	m.bind(&m.Global.Search, "ctrl+r", "search in all sessions", "ctrl+r")
	m.bind(&m.Global.Thoughts, "F4", "what the model thought before its answers, whole or folded", "f4")
	m.bind(&m.Global.Retry, "F5", "ask again for an answer that is missing or broken off", "f5")
	m.bind(&m.Global.Overrule, "F6", "the other conversation after all", "f6")
	m.bind(&m.Global.Unlearn, "F7", "undo what was learned last", "f7")
	m.bind(&m.Global.Held, "F8", "the inbox, at what came there last", "f8")
	m.bind(&m.Global.EraseSecret, "F9", "erase the last message with a secret", "f9")
	m.bind(&m.Global.UseModel, "F2", "use the model found on this machine", "f2")
	m.bind(&m.Global.Commands, "ctrl+p", "commands", "ctrl+p")
	m.bind(&m.Global.Suspend, "ctrl+z", "suspend: back to the shell; fg continues", "ctrl+z")
	m.bind(&m.Global.Help, "F1", "help", "f1")

	m.group("In the conversation").Places = []Place{Talking}
	m.bind(&m.Talk.Up, "↑", "message before", "up", "k")
	m.bind(&m.Talk.Down, "↓", "message after", "down", "j")
	m.bind(&m.Talk.Open, "enter", "what was sent", "enter")
	m.bind(&m.Talk.Sources, "1–9", "its source", "1", "2", "3", "4", "5", "6", "7", "8", "9", "o").
		SetHelp("1–9 / o", "open a source of the answer; o is the first")
	m.bind(&m.Talk.Learned, "l", "learned from it", "l").SetHelp("l", "what was learned from the message")
	m.bind(&m.Talk.Copy, "y", "copy", "y").SetHelp("y", "copy the message")
	m.bind(&m.Talk.Code, "c", "copy code", "c").SetHelp("c", "copy its code; again for the next block")
	m.bind(&m.Talk.Next, "n", "find earlier", "n").SetHelp("n", "the words of /find, earlier in the conversation")
	m.bind(&m.Talk.Prev, "N", "find later", "N").SetHelp("N", "the words of /find, later in the conversation")
	m.bind(&m.Talk.Retry, "r", "ask again", "r").SetHelp("r", "ask again for an answer that is missing or broken off")
	m.bind(&m.Talk.Regenerate, "R", "another answer", "R").SetHelp("R", "another answer to the message; those before are kept")
	m.bind(&m.Talk.Before, "←", "answer before", "left").SetHelp("←", "the answer, or the edited message, before this one")
	m.bind(&m.Talk.After, "→", "answer after", "right").SetHelp("→", "the one after it; at the end what was undone")
	m.bind(&m.Talk.Edit, "e", "edit", "e").SetHelp("e", "edit a message of yours and go on from there")
	m.bind(&m.Talk.Fork, "f", "fork", "f").SetHelp("f", "a new session that begins behind the message")
	m.bind(&m.Talk.UndoTurn, "U", "undo the last turn", "U").SetHelp("U", "undo the last turn and what it taught")
	m.bind(&m.Talk.Undo, "u", "undo", "u").SetHelp("u", "undo that, or the last change of the memory")
	m.bind(&m.Talk.Back, "esc", "back to the input", "esc")
}

// bindPanel declares the keys of the panel, and of the views of memories and packages.
func (m *Map) bindPanel(moves Moves) {
	m.group("In the panel")
	for i, t := range pane.Tabs() {
		n := strconv.Itoa(i + 1)
		m.Panel.Tabs = append(m.Panel.Tabs, key.Binding{})
		name := t.Name(m.Words.Words)
		m.bind(&m.Panel.Tabs[i], n, name, n).SetHelp(n, name+": "+strings.Join(t.Names(m.Words.Words), ", "))
	}
	m.bind(&m.Panel.PrevView, "←", "view before", "left").
		SetHelp("←", "view before; an open page or form that uses the arrows keeps them")
	m.bind(&m.Panel.NextView, "→", "next view", "right")
	m.bind(&m.Panel.PrevPane, "[", "view before, in any tab", "[", "【")
	m.bind(&m.Panel.NextPane, "]", "next view, in any tab", "]", "】")
	m.bind(&m.Menu.Open, "enter", m.Words.Say("menu.actions"), "enter").
		SetHelp("enter", "what can be done to the chosen row, as a menu; its first entry only shows")
	m.bind(&m.Panel.Help, "?", "help", "?", "？")
	m.bind(&m.Panel.Back, "esc", "back to the input", "esc")

	m.group("Memory: memories", moves.Up, moves.Down).Places = []Place{Place(pane.Recall), Place(pane.All)}
	m.List.Moves = moves
	m.bind(&m.List.Open, "enter", "open", "enter")
	m.bind(&m.List.Edit, "e", "edit", "e")
	m.bind(&m.List.Add, "a", "add", "a")
	m.bind(&m.List.Delete, "d", "delete", "d", "delete")
	m.bind(&m.List.DeleteAll, "D", "delete all shown", "D").SetHelp("D", "delete all memories that the filter shows")
	m.bind(&m.List.Undo, "u", "undo", "u").SetHelp("u", "undo a deletion, or the chosen change")
	m.bind(&m.List.UndoTurn, "U", "undo the turn", "U").
		SetHelp("U", "undo all that the turn or the background run of the chosen change did")
	m.bind(&m.List.History, "h", "history", "h").SetHelp("h", "choose among the changes of the opened memory")
	m.bind(&m.List.Source, "o", "where from", "o")
	m.bind(&m.List.Copy, "y", "copy", "y")
	m.bind(&m.List.Filter, "/", "filter", "/", "／")
	m.bind(&m.List.Unused, "x", "show what was not used", "x")
	m.bind(&m.List.Numbers, "#", "numbers", "#", "＃").SetHelp("#", "the exact numbers of the bars")
	m.bind(&m.List.Details, "i", "details", "i").SetHelp("i", "everything about the opened memory: ids, values, history")
	m.bind(&m.List.Life, "c", "calendar", "c").SetHelp("c", "calendar of what was learned, replaced and forgotten")

	m.group("Recall: the calendar")
	m.bind(&m.Life.Back, "←/→", "week", "left").SetHelp("←", "the week before")
	m.bind(&m.Life.Forward, "→", "week after", "right")
	m.bind(&m.Life.Open, "enter", "the memories of the day", "enter")

	m.group("Memory: editing").Places = []Place{Editing}
	m.bind(&m.Form.Save, "ctrl+s", "save", "ctrl+s")
	m.bind(&m.Form.NewLine, "ctrl+j", "new line", "ctrl+j", "shift+enter", "alt+enter")
	m.bind(&m.Form.NextField, "tab", "next field", "tab", "enter")
	m.bind(&m.Form.PrevField, "shift+tab", "field before", "shift+tab")
	m.bind(&m.Form.Right, "→", "next type", "right")
	m.bind(&m.Form.Left, "←", "type before", "left")
	m.bind(&m.Form.Leave, "esc", "do not save", "esc")

	m.group("Turn: package").Places = []Place{Place(pane.Package)}
	m.Sent.Moves = moves
	m.bind(&m.Sent.PrevTurn, "p", "turn before", "p")
	m.bind(&m.Sent.NextTurn, "n", "turn after", "n")
	m.bind(&m.Sent.Latest, "l", "the last turn", "l")
	m.bind(&m.Sent.Open, "enter", "open or close", "enter")
	m.bind(&m.Sent.All, "a", "all", "a").SetHelp("a", "open or close all layers")
	m.bind(&m.Sent.Copy, "y", "copy", "y").SetHelp("y", "copy the layer or memory")
	m.bind(&m.Sent.Back, "esc", "back to the input", "esc")
	m.bind(&m.Sent.Numbers, "#", "numbers", "#", "＃").SetHelp("#", "the exact numbers of the bars")
}

// bindSessions declares the keys of working memory, sessions, inbox, archive and journal.
func (m *Map) bindSessions(moves Moves) {
	m.group("Turn: working memory", moves.Up, moves.Down).Places = []Place{Place(pane.Working)}
	m.Working.Moves = moves
	m.bind(&m.Working.Edit, "e", "edit", "e", "enter")
	m.bind(&m.Working.Add, "a", "add a variable", "a")
	m.bind(&m.Working.Delete, "d", "delete", "d", "delete")
	m.bind(&m.Working.Copy, "y", "copy", "y")

	m.group("History: sessions", moves.Up, moves.Down).Places = []Place{Place(pane.Sessions)}
	m.Sessions.Moves = moves
	m.bind(&m.Sessions.Open, "enter", "read", "enter").SetHelp("enter", "in its menu: read a session; sending in it resumes it")
	m.bind(&m.Sessions.Jump, "o", "to the message", "o").SetHelp("o", "read it where a found message stands")
	m.bind(&m.Sessions.Search, "/", "search", "/", "／").SetHelp("/", "search in every word of all sessions")
	m.bind(&m.Sessions.Rename, "r", "rename", "r", "e").SetHelp("r / e", "rename")
	m.bind(&m.Sessions.Delete, "d", "delete", "d", "delete")
	m.bind(&m.Sessions.Undo, "u", "undo the deletion", "u")
	m.bind(&m.Sessions.New, "n", "new", "n").SetHelp("n", "new session")
	m.bind(&m.Sessions.Export, "x", "export", "x").SetHelp("x", "write the session to a file, as Markdown")
	m.bind(&m.Sessions.Copy, "y", "copy", "y").SetHelp("y", "copy the title, or the message that was found")

	m.group("Memory: inbox", moves.Up, moves.Down).Places = []Place{Place(pane.Inbox)}
	m.Inbox.Moves = moves
	m.bind(&m.Inbox.Accept, "a", "accept", "a").SetHelp("a", "accept: it can be recalled now")
	m.bind(&m.Inbox.Edit, "e", "edit", "e").SetHelp("e", "edit it; what is saved is accepted")
	m.bind(&m.Inbox.Reject, "x", "reject", "x").SetHelp("x", "reject: it goes, and is not proposed again")
	m.bind(&m.Inbox.All, "A", "accept all", "A").SetHelp("A", "accept all that is listed, after a question")
	m.bind(&m.Inbox.Group, "T", "all of its type", "T").SetHelp("T", "accept or reject all of the type under the cursor")
	m.bind(&m.Inbox.Source, "o", "where from", "o")
	m.bind(&m.Inbox.Undo, "u", "undo the rejection", "u")
	m.bind(&m.Inbox.Copy, "y", "copy", "y")

	m.group("History: archive", moves.Up, moves.Down).Places = []Place{Place(pane.Archive)}
	m.Archive.Moves = moves
	m.bind(&m.Archive.Open, "enter", "read", "enter", "o").SetHelp("o", "read a message in its session")
	m.bind(&m.Archive.Search, "/", "search", "/", "／").SetHelp("/", "search by words and time: pottery last week")
	m.bind(&m.Archive.Bookmarks, "b", "bookmarks", "b").SetHelp("b", "bookmarks only, or all again")
	m.bind(&m.Archive.Mark, "m", "bookmark", "m").SetHelp("m", "bookmark the message, or take that away")
	m.bind(&m.Archive.Learned, "l", "learned from it", "l").SetHelp("l", "what was learned from the message")
	m.bind(&m.Archive.Delete, "d", "delete", "d", "delete")
	m.bind(&m.Archive.Undo, "u", "undo the deletion", "u")
	m.bind(&m.Archive.Copy, "y", "copy", "y")

	m.group("History: what to delete")
	m.bind(&m.Erase.Messages, "del", "the messages only", "delete")
	m.bind(&m.Erase.Memories, "ctrl+x", "the messages and the memories made from them", "ctrl+x")
	m.bind(&m.Erase.Other, "esc", "nothing, as any other key", "esc")

	m.group("History: journal", moves.Up, moves.Down).Places = []Place{Place(pane.Journal)}
	m.Journal.Moves = moves
	m.bind(&m.Journal.Open, "enter", "read", "enter", "o").
		SetHelp("o", "open a month or a file; in a file, the message that a line is of")
	m.bind(&m.Journal.Edit, "e", "your editor", "e", "ctrl+g").SetHelp("e", "the file in your editor ($VISUAL or $EDITOR)")
	m.bind(&m.Journal.Write, "r", "write now", "r").SetHelp("r", "write now what waits, and try again what failed")
	m.bind(&m.Journal.Search, "/", "search", "/", "／").SetHelp("/", "passages, as a message with these words would find them")
	m.bind(&m.Journal.Copy, "y", "copy", "y").SetHelp("y", "copy the path, the passage, or the file")
}

// bindSetup declares the keys of profile, agents, settings and health.
func (m *Map) bindSetup(moves Moves) {
	m.group("Memory: profile", moves.Up, moves.Down).Places = []Place{Place(pane.Profile)}
	m.Profile.Moves = moves
	m.bind(&m.Profile.Open, "enter", "the memory", "enter", "o").
		SetHelp("o", "the memory that a line follows, or that made a version")
	m.bind(&m.Profile.Edit, "e", "edit", "e").SetHelp("e", "edit the page; what you write is yours")
	m.bind(&m.Profile.Editor, "ctrl+g", "your editor", "ctrl+g").SetHelp("ctrl+g", "edit it in your editor")
	m.bind(&m.Profile.History, "h", "versions", "h").SetHelp("h", "its versions with what each changed, and back")
	m.bind(&m.Profile.Undo, "u", "undo the last change", "u").SetHelp("u", "undo the last change, or the chosen version")
	m.bind(&m.Profile.Copy, "y", "copy", "y").SetHelp("y", "copy the line, or the page")

	m.group("Setup: agents and groups", moves.Up, moves.Down).Places = []Place{Place(pane.Agents)}
	m.Agents.Moves = moves
	m.Agents.Home = key.NewBinding(key.WithKeys("home"), key.WithHelp("home", "first")) // not g, which adds a group
	m.Agents.Close = key.NewBinding(key.WithKeys("left"), key.WithHelp("←", "back"))
	m.bind(&m.Agents.Switch, "enter", "talk to it", "enter").
		SetHelp("enter", "in its menu: talk to the agent; the other one's conversation is kept")
	m.bind(&m.Agents.Open, "o", "who it is", "o").SetHelp("o", "who it is: its persona, and what it has")
	m.bind(&m.Agents.Add, "a", "add", "a")
	m.bind(&m.Agents.AddGroup, "g", "group", "g").SetHelp("g", "make a group of agents, who answer in turn")
	m.bind(&m.Agents.Edit, "e", "edit", "e")
	m.bind(&m.Agents.Delete, "d", "delete", "d", "delete").
		SetHelp("d", "delete the agent with everything it has, or the group, after a question")
	m.bind(&m.Agents.Undo, "u", "undo the deletion", "u")

	m.group("Setup: members of a group")
	m.bind(&m.Members.Take, "space", "in or out", "space")
	m.bind(&m.Members.Earlier, "←", "answers earlier", "left")
	m.bind(&m.Members.Later, "→", "answers later", "right")

	m.group("Setup: settings", moves.Up, moves.Down).Places = []Place{Place(pane.Settings)}
	m.Settings.Moves = moves
	m.bind(&m.Settings.Edit, "enter", "change", "enter", "e").
		SetHelp("e", "change a setting, now and in the file, when ctrl+s saves it")
	m.bind(&m.Settings.Detail, "o", "all about it", "o").SetHelp("o", "all about it: help, what is allowed, where it comes from")
	m.bind(&m.Settings.Reset, "d", "default", "d", "backspace", "delete").SetHelp("d", "back to the default: it is taken out of the file")
	m.bind(&m.Settings.Undo, "u", "undo", "u").SetHelp("u", "undo the last change")
	m.bind(&m.Settings.Filter, "/", "filter", "/", "／").SetHelp("/", "only settings with these words")
	m.bind(&m.Settings.Copy, "y", "copy", "y")

	m.group("Setup: health", moves.Up, moves.Down).Places = []Place{Place(pane.Health)}
	m.Health.Moves = moves
	m.bind(&m.Health.Rebuild, "r", "rebuild index", "r")
	m.bind(&m.Health.Compact, "c", "compact index", "c")
	m.bind(&m.Health.Backup, "b", "back up now", "b")
	m.bind(&m.Health.Copy, "y", "copy as text", "y")
}
