package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

func (m *root) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	n := 3 // lines of one step
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

// click gives the keyboard to the pane under the mouse, and opens a tab or a view.
func (m *root) click(msg tea.MouseClickMsg) tea.Cmd {
	if m.overlay != noOverlay || msg.Button != tea.MouseLeft {
		return nil
	}
	return tea.Batch(m.typed.leave(), m.clickAt(msg))
}

func (m *root) clickAt(msg tea.MouseClickMsg) tea.Cmd {
	switch {
	case m.screen.Input.Contains(msg.X, msg.Y):
		m.setFocus(onInput)
	case m.screen.Panel.Contains(msg.X, msg.Y):
		defer m.setFocus(onPanel)
		return m.clickTab(msg.X-m.screen.Panel.X, msg.Y-m.screen.Panel.Y)
	case m.screen.Transcript.Contains(msg.X, msg.Y):
		m.setFocus(onTalk)
	}
	return nil
}

// clickTab opens the tab, the view or the row at a place of the panel, unless a form or question is open.
func (m *root) clickTab(x, y int) tea.Cmd {
	if s := m.current().About(); s.Capturing || s.Asking {
		return nil
	}
	v, w := view{m}, m.screen.Panel.W
	switch y {
	case 0:
		if i := v.tabs().Name(x, w); i >= 0 {
			return m.switchPane(m.panel.last[i])
		}
	case 1:
		if i := v.views().Name(x, w); i >= 0 {
			return m.switchPane(pane.Tabs()[m.panel.shown.Tab()].Views[i])
		}
	default:
		if m.focus == onPanel { // the first click gives it the keyboard
			return m.Send(m.panel.shown, pane.Click(y-tabLines))
		}
	}
	return nil
}
