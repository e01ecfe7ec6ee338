package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/keys"
)

// openHelp shows the help at the keys of the current place.
func (m *root) openHelp() {
	m.overlay = helpOverlay
	place := keys.Writing
	switch {
	case m.focus == onTalk:
		place = keys.Talking
	case m.focus == onPanel && m.current().About().Capturing:
		place = keys.Editing
	case m.focus == onPanel:
		place = keys.Place(m.panel.shown)
	}
	m.help.Open(place)
}

func (m *root) helpKey(msg tea.KeyPressMsg) {
	if m.help.Key(msg) {
		m.overlay = noOverlay
	}
}
