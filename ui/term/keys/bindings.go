package keys

import (
	"strconv"

	"charm.land/bubbles/v2/key"

	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// group starts a new group in the help; title is the id of a message. Bindings that only move
// come first in it.
func (m *Map) group(title string, bindings ...key.Binding) *Group {
	m.groups = append(m.groups, Group{Title: m.Words.Say(title), Keys: bindings})
	return &m.groups[len(m.groups)-1]
}

// bind sets *to and adds the binding to the current group of the help. id is the message that
// describes it; the help has the message with ".long" after the id instead, if there is one. bind
// returns the help's copy.
func (m *Map) bind(to *key.Binding, id, name string, keys ...string) *key.Binding {
	*to = described(m.Words.Say(id), name, keys...)
	g := &m.groups[len(m.groups)-1]
	g.Keys = append(g.Keys, *to)
	help := &g.Keys[len(g.Keys)-1]
	if long := id + ".long"; words.Has(long) {
		help.SetHelp(name, m.Words.Say(long))
	}
	return help
}

func described(text, name string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, text))
}

// named gives the help's copy of a binding another name for its keys.
func named(help *key.Binding, name string) { help.SetHelp(name, help.Help().Desc) }

// bindEverywhere declares the keys of the input, the whole screen and the conversation.
func (m *Map) bindEverywhere() {
	m.group("keys.writing").Places = []Place{Writing}
	m.bind(&m.Input.Send, "key.input.send", "enter", "enter")
	m.bind(&m.Input.NewLine, "key.input.new-line", "ctrl+j", "ctrl+j", "shift+enter", "alt+enter")
	m.bind(&m.Input.Slash, "key.input.slash", "/", "/", "／")
	m.bind(&m.Input.Up, "key.input.up", "↑", "up")
	m.bind(&m.Input.Down, "key.input.down", "↓", "down")
	m.bind(&m.Input.PutBack, "key.input.put-back", "ctrl+y", "ctrl+y")
	m.bind(&m.Global.Editor, "key.global.editor", "ctrl+g", "ctrl+g")
	m.bind(&m.Global.Cancel, "key.global.cancel", "esc", "esc")
	m.bind(&m.Global.Interrupt, "key.global.interrupt", "ctrl+c", "ctrl+c")
	m.bind(&m.Input.Quit, "key.input.quit", "ctrl+d", "ctrl+d")

	m.group("keys.everywhere")
	m.bind(&m.Global.NextPane, "key.global.next-pane", "tab", "tab")
	m.bind(&m.Global.PrevPane, "key.global.prev-pane", "shift+tab", "shift+tab")
	m.bind(&m.Global.Panel, "key.global.panel", "ctrl+t", "ctrl+t")
	m.bind(&m.Global.PageUp, "key.global.page-up", "pgup", "pgup")
	m.bind(&m.Global.PageDown, "key.global.page-down", "pgdn", "pgdown")
	m.bind(&m.Global.Top, "key.global.top", "ctrl+home", "ctrl+home")
	m.bind(&m.Global.Bottom, "key.global.bottom", "ctrl+end", "ctrl+end")
	m.bind(&m.Global.NewSession, "key.global.new-session", "ctrl+n", "ctrl+n")
	m.bind(&m.Global.Search, "key.global.search", "ctrl+r", "ctrl+r")
	m.bind(&m.Global.Thoughts, "key.global.thoughts", "F4", "f4")
	m.bind(&m.Global.Retry, "key.global.retry", "F5", "f5")
	m.bind(&m.Global.Overrule, "key.global.overrule", "F6", "f6")
	m.bind(&m.Global.Unlearn, "key.global.unlearn", "F7", "f7")
	m.bind(&m.Global.Held, "key.global.held", "F8", "f8")
	m.bind(&m.Global.EraseSecret, "key.global.erase-secret", "F9", "f9")
	m.bind(&m.Global.UseModel, "key.global.use-model", "F2", "f2")
	m.bind(&m.Global.Commands, "key.global.commands", "ctrl+p", "ctrl+p")
	m.bind(&m.Global.Suspend, "key.global.suspend", "ctrl+z", "ctrl+z")
	m.bind(&m.Global.Help, "key.help", "F1", "f1")

	m.group("keys.conversation").Places = []Place{Talking}
	m.bind(&m.Talk.Up, "key.talk.up", "↑", "up", "k")
	m.bind(&m.Talk.Down, "key.talk.down", "↓", "down", "j")
	m.bind(&m.Talk.Open, "key.talk.open", "enter", "enter")
	named(m.bind(&m.Talk.Sources, "key.talk.sources", "1–9", "1", "2", "3", "4", "5", "6", "7", "8", "9", "o"), "1–9 / o")
	m.bind(&m.Talk.Learned, "key.talk.learned", "l", "l")
	m.bind(&m.Talk.Copy, "key.talk.copy", "y", "y")
	m.bind(&m.Talk.Code, "key.talk.code", "c", "c")
	m.bind(&m.Talk.Next, "key.talk.next", "n", "n")
	m.bind(&m.Talk.Prev, "key.talk.prev", "N", "N")
	m.bind(&m.Talk.Retry, "key.talk.retry", "r", "r")
	m.bind(&m.Talk.Regenerate, "key.talk.regenerate", "R", "R")
	m.bind(&m.Talk.Before, "key.talk.before", "←", "left")
	m.bind(&m.Talk.After, "key.talk.after", "→", "right")
	m.bind(&m.Talk.Edit, "key.talk.edit", "e", "e")
	m.bind(&m.Talk.Fork, "key.talk.fork", "f", "f")
	m.bind(&m.Talk.UndoTurn, "key.talk.undo-turn", "U", "U")
	m.bind(&m.Talk.Undo, "key.talk.undo", "u", "u")
	m.bind(&m.Talk.Back, "key.back-to-input", "esc", "esc")
}

// bindQuestions declares the keys that answer questions.
func (m *Map) bindQuestions() {
	m.group("keys.questions")
	m.bind(&m.Confirm.Do, "key.yes", "ctrl+y", "ctrl+y")
	m.bind(&m.Confirm.Yes, "key.yes-delete", "del/ctrl+y", "delete", "ctrl+y")
	m.bind(&m.Confirm.Other, "key.no", "esc", "esc")
}

// bindPanel declares the keys of the panel, and of the views of memories and packages.
func (m *Map) bindPanel(moves Moves) {
	panel := m.group("keys.panel")
	for i, t := range pane.Tabs() {
		n, name := strconv.Itoa(i+1), t.Name(m.Words.Words)
		m.Panel.Tabs = append(m.Panel.Tabs, described(name, n, n))
		views := m.Words.Say("key.tab", name, m.Words.List(t.Names(m.Words.Words)))
		panel.Keys = append(panel.Keys, described(views, n, n))
	}
	m.bind(&m.Panel.PrevView, "key.panel.prev-view", "←", "left")
	m.bind(&m.Panel.NextView, "key.panel.next-view", "→", "right")
	m.bind(&m.Panel.PrevPane, "key.panel.prev-pane", "[", "[", "【")
	m.bind(&m.Panel.NextPane, "key.panel.next-pane", "]", "]", "】")
	m.bind(&m.Menu.Open, "menu.actions", "enter", "enter")
	m.bind(&m.Panel.Help, "key.help", "?", "?", "？")
	m.bind(&m.Panel.Back, "key.back-to-input", "esc", "esc")
	panel.Keys = append(panel.Keys, described(m.Words.Say("key.panel.search"), "/", "/"))

	m.group("keys.memories", moves.Up, moves.Down).Places = []Place{Place(pane.Recall), Place(pane.All)}
	m.List.Moves = moves
	m.bind(&m.List.Open, "key.list.open", "enter", "enter")
	m.bind(&m.List.Edit, "key.edit", "e", "e")
	m.bind(&m.List.Add, "key.add", "a", "a")
	m.bind(&m.List.Delete, "key.delete", "d", "d", "delete")
	m.bind(&m.List.DeleteAll, "key.list.delete-all", "D", "D")
	m.bind(&m.List.Restore, "key.list.restore", "b", "b")
	m.bind(&m.List.Undo, "key.list.undo", "u", "u")
	m.bind(&m.List.UndoTurn, "key.list.undo-turn", "U", "U")
	m.bind(&m.List.History, "key.list.history", "h", "h")
	m.bind(&m.List.Source, "key.where-from", "o", "o")
	m.bind(&m.List.Copy, "key.copy", "y", "y")
	m.bind(&m.List.Filter, "key.list.filter", "/", "/", "／")
	m.bind(&m.List.Unused, "key.list.unused", "x", "x")
	m.bind(&m.List.Numbers, "key.list.numbers", "#", "#", "＃")
	m.bind(&m.List.Details, "key.list.details", "i", "i")
	m.bind(&m.List.Life, "key.list.life", "c", "c")

	m.group("keys.calendar")
	named(m.bind(&m.Life.Back, "key.life.back", "←/→", "left"), "←")
	m.bind(&m.Life.Forward, "key.life.forward", "→", "right")
	m.bind(&m.Life.Open, "key.life.open", "enter", "enter")

	m.group("keys.editing").Places = []Place{Editing}
	m.bind(&m.Form.Save, "key.form.save", "ctrl+s", "ctrl+s")
	m.bind(&m.Form.NewLine, "key.form.new-line", "ctrl+j", "ctrl+j", "shift+enter", "alt+enter")
	m.bind(&m.Form.NextField, "key.form.next-field", "tab", "tab", "enter")
	m.bind(&m.Form.PrevField, "key.form.prev-field", "shift+tab", "shift+tab")
	m.bind(&m.Form.Right, "key.form.right", "→", "right")
	m.bind(&m.Form.Left, "key.form.left", "←", "left")
	m.bind(&m.Form.Leave, "key.form.leave", "esc", "esc")

	m.group("keys.package").Places = []Place{Place(pane.Package)}
	m.Sent.Moves = moves
	m.bind(&m.Sent.PrevTurn, "key.sent.prev-turn", "p", "p")
	m.bind(&m.Sent.NextTurn, "key.sent.next-turn", "n", "n")
	m.bind(&m.Sent.Latest, "key.sent.latest", "l", "l")
	m.bind(&m.Sent.Open, "key.sent.open", "enter", "enter")
	m.bind(&m.Sent.All, "key.sent.all", "a", "a")
	m.bind(&m.Sent.Copy, "key.sent.copy", "y", "y")
	m.bind(&m.Sent.Back, "key.back-to-input", "esc", "esc")
	m.bind(&m.Sent.Numbers, "key.sent.numbers", "#", "#", "＃")
}

// bindSessions declares the keys of working memory, evidence, sessions, inbox, archive and journal.
func (m *Map) bindSessions(moves Moves) {
	m.group("keys.working", moves.Up, moves.Down).Places = []Place{Place(pane.Working)}
	m.Working.Moves = moves
	m.bind(&m.Working.Edit, "key.edit", "e", "e", "enter")
	m.bind(&m.Working.Add, "key.working.add", "a", "a")
	m.bind(&m.Working.Delete, "key.delete", "d", "d", "delete")
	m.bind(&m.Working.Copy, "key.copy", "y", "y")

	m.group("keys.evidence", moves.Up, moves.Down).Places = []Place{Place(pane.Evidence)}
	m.Evidence.Moves = moves
	named(m.bind(&m.Evidence.Open, "key.archive.open", "enter", "enter", "o"), "o")
	m.bind(&m.Evidence.Memory, "key.evidence.memory", "m", "m")
	m.bind(&m.Evidence.Copy, "key.copy", "y", "y")
	m.bind(&m.Evidence.PrevTurn, "key.sent.prev-turn", "p", "p")
	m.bind(&m.Evidence.NextTurn, "key.sent.next-turn", "n", "n")
	m.bind(&m.Evidence.Latest, "key.sent.latest", "l", "l")

	m.group("keys.sessions", moves.Up, moves.Down).Places = []Place{Place(pane.Sessions)}
	m.Sessions.Moves = moves
	m.bind(&m.Sessions.Open, "key.sessions.open", "enter", "enter")
	m.bind(&m.Sessions.Jump, "key.sessions.jump", "o", "o")
	m.bind(&m.Sessions.Search, "key.sessions.search", "/", "/", "／")
	named(m.bind(&m.Sessions.Rename, "key.sessions.rename", "r", "r", "e"), "r / e")
	m.bind(&m.Sessions.Delete, "key.delete", "d", "d", "delete")
	m.bind(&m.Sessions.Undo, "key.undo-deletion", "u", "u")
	m.bind(&m.Sessions.New, "key.sessions.new", "n", "n")
	m.bind(&m.Sessions.Export, "key.sessions.export", "x", "x")
	m.bind(&m.Sessions.Copy, "key.sessions.copy", "y", "y")

	m.group("keys.inbox", moves.Up, moves.Down).Places = []Place{Place(pane.Inbox)}
	m.Inbox.Moves = moves
	m.bind(&m.Inbox.Accept, "key.inbox.accept", "a", "a")
	m.bind(&m.Inbox.Edit, "key.inbox.edit", "e", "e")
	m.bind(&m.Inbox.Reject, "key.inbox.reject", "d", "d", "delete")
	m.bind(&m.Inbox.All, "key.inbox.all", "A", "A")
	m.bind(&m.Inbox.Group, "key.inbox.group", "T", "T")
	m.bind(&m.Inbox.Source, "key.where-from", "o", "o")
	m.bind(&m.Inbox.Undo, "key.inbox.undo", "u", "u")
	m.bind(&m.Inbox.Copy, "key.copy", "y", "y")

	m.group("keys.archive", moves.Up, moves.Down).Places = []Place{Place(pane.Archive)}
	m.Archive.Moves = moves
	named(m.bind(&m.Archive.Open, "key.archive.open", "enter", "enter", "o"), "o")
	m.bind(&m.Archive.Search, "key.archive.search", "/", "/", "／")
	m.bind(&m.Archive.Bookmarks, "key.archive.bookmarks", "b", "b")
	m.bind(&m.Archive.Mark, "key.archive.mark", "m", "m")
	m.bind(&m.Archive.Learned, "key.archive.learned", "l", "l")
	m.bind(&m.Archive.Delete, "key.delete", "d", "d", "delete")
	m.bind(&m.Archive.Undo, "key.undo-deletion", "u", "u")
	m.bind(&m.Archive.Copy, "key.copy", "y", "y")

	m.group("keys.erase")
	m.bind(&m.Erase.Messages, "key.erase.messages", "del/ctrl+y", "delete", "ctrl+y")
	m.bind(&m.Erase.Memories, "key.erase.memories", "ctrl+x", "ctrl+x")
	m.bind(&m.Erase.Other, "key.erase.other", "esc", "esc")

	m.group("keys.journal", moves.Up, moves.Down).Places = []Place{Place(pane.Journal)}
	m.Journal.Moves = moves
	named(m.bind(&m.Journal.Open, "key.journal.open", "enter", "enter", "o"), "o")
	m.bind(&m.Journal.Edit, "key.journal.edit", "e", "e", "ctrl+g")
	m.bind(&m.Journal.Write, "key.journal.write", "r", "r")
	m.bind(&m.Journal.Search, "key.journal.search", "/", "/", "／")
	m.bind(&m.Journal.Copy, "key.journal.copy", "y", "y")
}

// bindSetup declares the keys of profile, agents, settings and health.
func (m *Map) bindSetup(moves Moves) {
	m.group("keys.profile", moves.Up, moves.Down).Places = []Place{Place(pane.Profile)}
	m.Profile.Moves = moves
	named(m.bind(&m.Profile.Open, "key.profile.open", "enter", "enter", "o"), "o")
	m.bind(&m.Profile.Edit, "key.profile.edit", "e", "e")
	m.bind(&m.Profile.Editor, "key.profile.editor", "ctrl+g", "ctrl+g")
	m.bind(&m.Profile.History, "key.profile.history", "h", "h")
	m.bind(&m.Profile.Undo, "key.profile.undo", "u", "u")
	m.bind(&m.Profile.Copy, "key.profile.copy", "y", "y")

	m.group("keys.agents", moves.Up, moves.Down).Places = []Place{Place(pane.Agents)}
	m.Agents.Moves = moves
	m.Agents.Home = described(m.Words.Say("key.first"), "home", "home") // not g, which adds a group
	m.Agents.Close = described(m.Words.Say("key.close"), "←", "left")
	m.bind(&m.Agents.Switch, "key.agents.switch", "enter", "enter")
	m.bind(&m.Agents.Open, "key.agents.open", "o", "o")
	m.bind(&m.Agents.Add, "key.add", "a", "a")
	m.bind(&m.Agents.AddGroup, "key.agents.add-group", "g", "g")
	m.bind(&m.Agents.Edit, "key.edit", "e", "e")
	m.bind(&m.Agents.Delete, "key.agents.delete", "d", "d", "delete")
	m.bind(&m.Agents.Undo, "key.undo-deletion", "u", "u")

	m.group("keys.members")
	m.bind(&m.Members.Take, "key.members.take", "space", "space")
	m.bind(&m.Members.Earlier, "key.members.earlier", "←", "left")
	m.bind(&m.Members.Later, "key.members.later", "→", "right")

	m.group("keys.settings", moves.Up, moves.Down).Places = []Place{Place(pane.Settings)}
	m.Settings.Moves = moves
	named(m.bind(&m.Settings.Edit, "key.settings.edit", "enter", "enter", "e"), "e")
	m.bind(&m.Settings.Detail, "key.settings.detail", "o", "o")
	m.bind(&m.Settings.Reset, "key.settings.reset", "d", "d", "backspace", "delete")
	m.bind(&m.Settings.Undo, "key.settings.undo", "u", "u")
	m.bind(&m.Settings.Filter, "key.settings.filter", "/", "/", "／")
	m.bind(&m.Settings.Copy, "key.copy", "y", "y")

	m.group("keys.health", moves.Up, moves.Down).Places = []Place{Place(pane.Health)}
	m.Health.Moves = moves
	m.bind(&m.Health.Rebuild, "key.health.rebuild", "r", "r")
	m.bind(&m.Health.Compact, "key.health.compact", "c", "c")
	m.bind(&m.Health.Backup, "key.health.backup", "b", "b")
	m.bind(&m.Health.Copy, "key.health.copy", "y", "y")
}
