package term

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/palette"
)

func (m *root) openHelp() {
	m.overlay = helpOverlay
	m.help.Open()
}

func (m *root) helpKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "up", "k":
		m.help.Scroll(-1)
	case "down", "j":
		m.help.Scroll(1)
	case "pgup":
		m.help.Page(-1)
	case "pgdown", "space":
		m.help.Page(1)
	case "esc", "q", "f1", "?", "ctrl+c", "enter":
		m.overlay = noOverlay
	}
}

// openPalette lists the commands that mean something now.
func (m *root) openPalette() {
	g, p, l := m.keys.Global, m.keys.Panel, m.keys.List
	var commands []palette.Command
	add := func(id, name string, b key.Binding) {
		commands = append(commands, palette.Command{ID: id, Name: name, Key: b.Help().Key})
	}
	add("new", "start a new session", g.NewSession)
	add("recall", "show memories", p.First)
	add("sent", "show what was sent to the model", p.Second)
	add("filter", "find a memory", l.Filter)
	add("add", "add a memory", l.Add)
	add("retry", "ask for the answer again", g.Retry)
	if len(m.found) > 0 {
		add("model", "use the model found on this machine", g.UseModel)
	}
	add("top", "go to the start of the conversation", g.Top)
	add("end", "go to the end of the conversation", g.Bottom)
	add("help", "show all keys", g.Help)
	add("quit", "quit", m.keys.Input.Quit)
	m.palette.Open(commands)
	m.overlay = paletteOverlay
}

func (m *root) paletteKey(msg tea.KeyPressMsg) tea.Cmd {
	id, done := m.palette.Key(msg)
	if !done {
		return nil
	}
	m.overlay = noOverlay
	switch id {
	case "new":
		return m.fx.newSession()
	case "recall":
		m.setPart(recallPart)
		m.setFocus(onPanel)
	case "sent":
		m.setPart(sentPart)
		m.setFocus(onPanel)
	case "filter":
		m.setPart(recallPart)
		m.setFocus(onPanel)
		m.recall.OpenFilter()
	case "add":
		m.setPart(recallPart)
		m.setFocus(onPanel)
		m.recall.New()
	case "retry":
		return m.retry()
	case "model":
		return m.useFound()
	case "top":
		m.talk.ScrollTop()
	case "end":
		m.talk.ScrollEnd()
	case "help":
		m.openHelp()
	case "quit":
		return m.quit()
	}
	return nil
}
