package term

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/health"
	"memoria/ui/term/palette"
	"memoria/ui/term/pane"
)

// command is something that can be asked for by its name: in the palette, and
// those of [actions.Screen] also after a slash.
type command struct {
	name string // of a slash command, or of the palette's own
	help string // for the palette's own
	key  key.Binding
	off  bool // means nothing now
	run  func(arg string) tea.Cmd
}

// commands runs what can be asked for by its name.
type commands struct {
	*root
	choosing choosing
}

// list returns all of them, in no order.
func (m *commands) list() []command {
	g := m.keys.Global
	always := func(f func() tea.Cmd) func(string) tea.Cmd { return func(string) tea.Cmd { return f() } }
	do := func(f func()) func(string) tea.Cmd { return func(string) tea.Cmd { f(); return nil } }
	mend := func(do health.Do) func(string) tea.Cmd {
		return func(string) tea.Cmd { return tea.Batch(m.showPane(pane.Health), m.health.Do(health.Action{Do: do})) }
	}
	open := func(p pane.ID) func(string) tea.Cmd { return func(string) tea.Cmd { return m.Open(p) } }
	show := func(p pane.ID) func(string) tea.Cmd { return func(string) tea.Cmd { return m.showPane(p) } }
	say := m.keys.Words.Say
	own := []command{
		{name: "new", key: g.NewSession, run: always(m.conv.begin)},
		{name: "sessions", key: g.Search, run: m.findSessions},
		{name: "resume", run: m.findSessions},
		{name: "rename", off: m.conv.session.ID == "", run: m.renameSession},
		{name: "recall", run: m.previewOf},
		{name: "memories", run: m.memories.Filter},
		{name: "calendar", help: say("palette.calendar"), run: m.memories.Calendar},
		{name: "inactive", help: say("palette.inactive"), run: m.memories.ListInactive},
		{name: "add", run: m.memories.Write},
		{name: "delete", run: m.memories.Remove},
		{name: "undo", run: always(m.undo)},
		{name: "context", run: m.showTurn(pane.Package)},
		{name: "working", run: show(pane.Working)},
		{name: "evidence", run: m.showTurn(pane.Evidence)},
		{name: "health", run: show(pane.Health)},
		{name: "profile", run: m.openProfile},
		{name: "inbox", run: show(pane.Inbox)},
		{name: "agent", run: m.switching.switchAgent},
		{name: "agents", run: show(pane.Agents)},
		{name: "group", run: m.switching.switchGroup},
		{name: "archive", run: m.searchArchive},
		{name: "journal", run: m.openJournal},
		{name: "model", run: m.chooseModel},
		{name: "search-tool", off: m.opts.chat.Forgetful(), run: m.searchTool},
		{name: "retry", key: g.Retry, run: always(m.conv.retry)},
		{name: "regenerate", off: m.talk.Len() == 0, run: always(m.branch.regenerate)},
		{name: "answers", off: len(m.branch.ways) == 0, run: m.branch.chooseAnswer},
		{name: "edit-message", off: m.talk.Len() == 0, run: always(m.branch.editMessage)},
		{name: "undo-turn", off: m.talk.Len() == 0, run: always(m.branch.undoThisTurn)},
		{name: "fork", off: m.talk.Len() == 0, run: always(m.branch.forkHere)},
		{name: "export", off: m.conv.session.ID == "", run: m.branch.exportThis},
		{name: "temp", run: always(m.switching.temporary)},
		{name: "overrule", key: g.Overrule, off: m.conv.judged == "", run: always(m.conv.overrule)},
		{name: "erase-secret", key: g.EraseSecret, off: m.conv.secret.record == "", run: always(m.conv.askErase)},
		{name: "stop", key: g.Cancel, off: !m.conv.busy(), run: always(m.fx.cancel)},
		{name: "find", run: m.reader.find},
		{name: "copy", run: always(m.reader.copyAnswer)},
		{name: "code", run: m.reader.copyCode},
		{name: "editor", key: g.Editor, run: always(m.editor)},
		{name: "settings", run: m.findSettings},
		{name: "set", run: m.setSetting},
		{name: "unset", run: m.unsetSetting},
		{name: "theme", run: m.chooseTheme},
		{name: "thoughts", key: g.Thoughts, run: do(m.reader.openThoughts)},
		{name: "mouse", run: do(m.switchMouse)},
		{name: "help", key: g.Help, run: m.explain},
		{name: "quit", key: m.keys.Input.Quit, run: always(m.quit)},

		{name: "add agent", help: say("palette.add-agent"), run: always(m.addAgent)},
		{name: "add group", help: say("palette.add-group"), run: always(m.addGroup)},
		{name: "delete session", help: say("palette.delete-session"), off: m.conv.session.ID == "",
			run: always(m.deleteThisSession)},
		{name: "edit working", help: say("palette.edit-working"), off: m.conv.session.ID == "", run: open(pane.Working)},
		{name: "rebuild", help: say("palette.rebuild"), run: mend(health.Rebuild)},
		{name: "compact", help: say("palette.compact"), run: mend(health.Compact)},
		{name: "backup", help: say("palette.backup"), run: mend(health.Backup)},
		{name: "found", help: say("palette.found"), key: g.UseModel, off: len(m.found) == 0, run: always(m.useFound)},
		{name: "top", help: say("palette.top"), key: g.Top, run: do(m.talk.ScrollTop)},
		{name: "end", help: say("palette.end"), key: g.Bottom, run: do(m.talk.ScrollEnd)},
		{name: "panel", help: say("palette.panel"), key: g.Panel, run: do(m.togglePanel)},
	}
	return append(own, m.shared(own)...)
}

// run obeys a command by its name.
func (m *commands) run(name, arg string) tea.Cmd {
	for _, c := range m.list() {
		if c.name == name {
			return c.run(arg)
		}
	}
	return nil
}

// openPalette lists what can be asked for now.
func (m *commands) openPalette() {
	names := map[string]actions.Action{}
	for _, c := range actions.Screen.All() {
		names[c.Name] = c
	}
	groups := palette.Groups(m.keys.Words.Words)
	rows := make([][]palette.Command, len(groups))
	for _, c := range m.list() {
		if c.off {
			continue
		}
		g := slices.IndexFunc(groups, func(g palette.Group) bool { return slices.Contains(g.Commands, c.name) })
		if g < 0 {
			g = len(groups) - 1
		}
		row := palette.Command{ID: c.name, Name: c.help, Words: c.name, Key: c.key.Help().Key}
		if s, ok := names[c.name]; ok {
			row.Name = s.Worded(m.keys.Words.Language).Help
			row.Words = s.Name + " " + strings.Join(s.Aliases, " ")
			row.Key += "  " + cells.Fit("/"+s.Name, nameWidth)
		}
		row.Words += " " + palette.Synonyms(c.name)
		row.Group = groups[g].Title
		rows[g] = append(rows[g], row)
	}
	do := func(id string) tea.Cmd {
		if key, ok := palette.Setting(id); ok {
			return m.openSetting(key)
		}
		return m.run(id, "")
	}
	m.choose(choosing{do: do, careful: palette.Changes}, palette.List{
		Prompt: m.keys.Words.Say("palette.command"), Commands: append(slices.Concat(rows...), palette.Settings(m.keys.Words.Words)...),
	})
}

// openSetting shows the settings with the cursor on one.
func (m *commands) openSetting(key string) tea.Cmd {
	m.settings.Open(key)
	return m.Open(pane.Settings)
}

// choosing is the purpose of the open palette.
type choosing struct {
	what string // tells late lists apart
	do   func(id string) tea.Cmd
	// careful reports what is asked about first, unless it was surely meant; nil for nothing.
	careful func(id string) bool
}

func (m *commands) choose(c choosing, l palette.List) {
	m.choosing = c
	m.palette.Open(l)
	m.overlay = paletteOverlay
}

// askedCells is the width of the longest title of a command in a question.
const askedCells = 44

func (m *commands) paletteKey(msg tea.KeyPressMsg) tea.Cmd {
	id, done := m.palette.Key(msg)
	if !done {
		return nil
	}
	m.overlay = noOverlay
	if id == "" {
		return nil
	}
	if careful := m.choosing.careful; careful != nil && careful(id) && !m.palette.Sure() {
		what := clean.Truncate(m.palette.Title(), askedCells, cells.Ellipsis)
		m.ask(what, func() tea.Cmd { return m.choosing.do(id) })
		return nil
	}
	return m.choosing.do(id)
}

// slashed reads the input as a command. ok is false when it is a message.
func (m *commands) slashed() (cmd tea.Cmd, ok bool) {
	text, _ := m.input.Text()
	if !m.commanding() {
		return nil, false
	}
	if isSlash(text) {
		m.input.Clear()
		m.edited = true
		m.openPalette()
		return nil, true
	}
	call, err := actions.Screen.Parse(text)
	if err != nil {
		m.say = m.keys.Words.Error(err)
		return nil, true
	}
	m.input.Remember(text, nil)
	m.input.Clear()
	m.edited = true
	return m.run(call.Name, call.Arg), true
}

// bareCommand returns a command by its name as it is typed, "" where there is none that can be
// run without anything behind it.
func bareCommand(name string) string {
	line := slash(strings.TrimLeft(name, "/／"))
	call, err := actions.Screen.Parse(line)
	if err != nil || call.Arg != "" {
		return ""
	}
	return line
}

// runSearched runs a command that was typed into the search field of a pane, as if it had been
// typed into the input. The search ends.
func (m *commands) runSearched(line string) tea.Cmd {
	call, err := actions.Screen.Parse(line)
	if err != nil {
		return nil
	}
	ended, _ := m.current().Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	m.input.Remember(line, nil)
	m.setFocus(onInput)
	return tea.Batch(ended, m.run(call.Name, call.Arg))
}

// commanding reports whether the input is a command or its beginning. A paste
// commands nothing.
func (m *commands) commanding() bool {
	text, spans := m.input.Text()
	return (len(spans) == 0 || spans[0].Offset > 0) && (isSlash(text) || actions.IsCommand(text))
}

// slash is a command as the user types it, for messages that name commands.
func slash(name string) string { return "/" + name }

func isSlash(text string) bool { return text == "/" || text == "／" }

// completions are the commands that the input may be the beginning of.
func (m *commands) completions() []actions.Action {
	if !m.commanding() {
		return nil
	}
	text, _ := m.input.Text()
	word, arg, _ := strings.Cut(text, " ")
	if arg != "" || strings.HasSuffix(text, " ") {
		if call, ok := actions.Screen.Find(word); ok {
			return []actions.Action{call}
		}
		return nil
	}
	return actions.Screen.Complete(word)
}

// complete makes the whole command of its beginning.
func (m *commands) complete() bool {
	near := m.completions()
	text, _ := m.input.Text()
	if len(near) == 0 || strings.Contains(text, " ") {
		return false
	}
	done := "/" + near[0].Name
	if near[0].Arg != "" {
		done += " "
	}
	m.input.Set(done, nil)
	m.edited = true
	return true
}

// nameWidth is the room for a command's name in the palette.
const nameWidth = 13

// slashLines is how many commands are listed above the input.
const slashLines = 6

// previewOf shows what a text would recall.
func (m *commands) previewOf(text string) tea.Cmd {
	if text != "" { // it is in the input, as if it had been typed
		m.setFocus(onInput)
		m.input.Set(text, nil)
		m.edited = true
	}
	return m.showPane(pane.Recall)
}

// showTurn returns a command that shows a view of a turn: the one shown last, or the one of that
// number.
func (m *commands) showTurn(view pane.ID) func(number string) tea.Cmd {
	return func(number string) tea.Cmd { return tea.Batch(m.showPane(view), m.sent.Number(number)) }
}

// explain shows the help, or what one command is for.
func (m *commands) explain(name string) tea.Cmd {
	if name == "" {
		m.openHelp()
		return nil
	}
	c, ok := actions.Screen.Find(name)
	if !ok {
		m.say = m.keys.Words.Say("slash.unknown", strings.TrimLeft(name, "/／"))
		return nil
	}
	c = c.Worded(m.keys.Words.Language)
	m.say = c.Usage() + m.keys.Words.Say("sep.colon") + c.Help
	if len(c.Aliases) > 0 {
		m.say = m.keys.Words.Say("slash.also", m.say, "/"+strings.Join(c.Aliases, " /"))
	}
	return nil
}

// undo takes back what was done last and still can be: a deletion, a message
// that waits, or else the last change of the memory (P9).
func (m *commands) undo() tea.Cmd {
	if _, ok := m.lessons.deleted(); ok {
		return m.lessons.undoDeletion("")
	}
	if cmd := m.branch.redoTurn(); cmd != nil {
		return cmd
	}
	if n := len(m.conv.queue); n > 0 {
		return m.conv.unsend(m.conv.queue[n-1].ID)
	}
	return m.lessons.undoChange()
}

func (m *commands) switchMouse() {
	m.mouse = !m.mouse
	m.say = m.keys.Words.SayTo(slash, "mouse.off")
	if m.mouse {
		m.say = m.keys.Words.Say("mouse.on")
	}
}

func (m *commands) togglePanel() {
	if m.focus == onPanel {
		m.setFocus(onInput)
	} else {
		m.setFocus(onPanel)
	}
}

// searchArchive shows every message, or looks for some.
func (m *commands) searchArchive(words string) tea.Cmd {
	if words == "" {
		return m.showPane(pane.Archive)
	}
	return tea.Batch(m.Open(pane.Archive), m.archive.Search(words))
}

// openProfile shows the profile, or does with it what follows the command.
func (m *commands) openProfile(what string) tea.Cmd {
	if what == "" {
		return m.showPane(pane.Profile)
	}
	return tea.Batch(m.Open(pane.Profile), m.profile.Command(what))
}

// openJournal shows the journal, and does with it what follows the command. The input keeps
// the keyboard, except for a search.
func (m *commands) openJournal(what string) tea.Cmd {
	return tea.Batch(m.showPane(pane.Journal), m.journal.Command(what))
}

// findSessions shows the earlier sessions, or looks for words in all of them.
func (m *commands) findSessions(words string) tea.Cmd {
	return tea.Batch(m.Open(pane.Sessions), m.sessions.Search(words))
}

// deleteThisSession asks how much to delete with the session of the conversation.
func (m *commands) deleteThisSession() tea.Cmd {
	cmd := m.Open(pane.Sessions)
	m.sessions.OpenDelete(m.conv.session)
	return cmd
}

// addAgent lets the user describe a new agent.
func (m *commands) addAgent() tea.Cmd {
	cmd := m.Open(pane.Agents)
	m.agents.OpenNew("")
	return cmd
}

// addGroup lets the user describe a new group.
func (m *commands) addGroup() tea.Cmd {
	cmd := m.Open(pane.Agents)
	m.agents.OpenNewGroup()
	return cmd
}

// findSettings shows the settings with these words.
func (m *commands) findSettings(words string) tea.Cmd {
	m.settings.Filter(words)
	return m.showPane(pane.Settings)
}

// setSetting changes a setting as a command says; without a value it shows the setting.
func (m *commands) setSetting(arg string) tea.Cmd {
	cmd, ok := m.settings.Set(arg)
	if !ok {
		return m.findSettings(strings.TrimSpace(arg))
	}
	return cmd
}

// unsetSetting gives a setting its default again; without a name it shows all.
func (m *commands) unsetSetting(word string) tea.Cmd {
	if word == "" {
		return m.findSettings("")
	}
	return m.settings.Unset(word)
}

// act runs an action of the table, and shows what it did in the last line.
func (m *commands) act(a actions.Action, arg string) tea.Cmd {
	console := actions.NewConsole(m.opts.Session, actions.Screen)
	return pane.Then(m.fx.InOrder, func() (actions.Result, error) {
		return a.Run(m.fx.Ctx, console, arg)
	}, func(r actions.Result, err error) tea.Cmd {
		did := chat.Instructed{Lines: append(r.Lines, r.Notes...)}
		if r.Deletion != nil {
			did.Deletion = *r.Deletion
		}
		show := m.lessons.onInstructed(did, m.now)
		m.Tell(err)
		return tea.Batch(show, m.fx.status())
	})
}

// shared are the actions of the table that the screen has no pane or key of its own for.
func (m *commands) shared(own []command) (out []command) {
	has := map[string]bool{}
	for _, c := range own {
		has[c.name] = true
	}
	for _, a := range actions.Screen.All() {
		if a.Run != nil && !has[a.Name] {
			needs := strings.HasPrefix(a.Command, "inbox ") // a number, which the palette has not
			out = append(out, command{name: a.Name, off: needs, run: func(arg string) tea.Cmd { return m.act(a, arg) }})
		}
	}
	return out
}
