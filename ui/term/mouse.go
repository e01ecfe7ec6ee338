package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// wheelLines is how far one step of the wheel scrolls.
const wheelLines = 3

func (m *root) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	n := wheelLines
	switch msg.Button {
	case tea.MouseWheelUp:
		n = -n
	case tea.MouseWheelDown:
	default:
		return nil
	}
	switch {
	case m.overlay == helpOverlay:
		m.help.Scroll(n)
	case m.overlay != noOverlay:
	case m.screen.Panel.Contains(msg.X, msg.Y):
		return m.Send(m.panel.shown, pane.Wheel(n))
	default:
		m.talk.ScrollBy(n)
	}
	return nil
}

// click gives the keyboard to the pane under the mouse.
func (m *root) click(msg tea.MouseClickMsg) {
	if m.overlay != noOverlay || msg.Button != tea.MouseLeft {
		return
	}
	switch {
	case m.screen.Input.Contains(msg.X, msg.Y):
		m.setFocus(onInput)
	case m.screen.Panel.Contains(msg.X, msg.Y):
		m.setFocus(onPanel)
	case m.screen.Transcript.Contains(msg.X, msg.Y):
		m.setFocus(onTalk)
	}
}
