package term

import tea "charm.land/bubbletea/v2"

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
