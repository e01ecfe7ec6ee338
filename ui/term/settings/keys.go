package settings

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/config"
)

// pageRows is how many settings a page key passes.
const pageRows = 8

// Key takes a key while the part has the keyboard. handled is false for keys that
// mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch m.mode {
	case editing:
		return m.formKey(msg), true
	case choosing:
		return m.choiceKey(msg), true
	case filtering:
		return m.filterKey(msg)
	case detailing:
		if key.Matches(msg, m.keys.Settings.Detail, m.keys.Panel.Back) {
			m.mode, m.notice = listing, ""
			return Action{}, true
		}
		if n, ok := m.moves(msg); ok {
			m.scroll += n
			return Action{}, true
		}
		return m.settingKey(msg, m.about)
	}
	if n, ok := m.moves(msg); ok {
		m.list.Move(n)
		m.notice, m.told = "", ""
		return Action{}, true
	}
	k := m.keys.Settings
	switch {
	case key.Matches(msg, k.Filter):
		m.mode, m.notice, m.told = filtering, "", ""
		m.filter.Focus()
	case key.Matches(msg, k.Undo):
		return m.undo(), true
	case !key.Matches(msg, m.keys.Panel.Back):
		i, ok := m.current()
		if !ok {
			return Action{}, false
		}
		return m.settingKey(msg, i)
	case m.filter.Value() != "":
		m.Filter("")
	default:
		return Action{Do: Leave}, true
	}
	return Action{}, true
}

// moves is how far a key moves.
func (m *Model) moves(msg tea.KeyPressMsg) (n int, ok bool) {
	k := m.keys.Settings
	for _, b := range []struct {
		key key.Binding
		n   int
	}{{k.Up, -1}, {k.Down, 1}, {k.PageUp, -pageRows}, {k.PageDown, pageRows}, {k.Home, -1 << 20}, {k.End, 1 << 20}} {
		if key.Matches(msg, b.key) {
			return b.n, true
		}
	}
	return 0, false
}

// settingKey handles what can be done to one setting.
func (m *Model) settingKey(msg tea.KeyPressMsg, i config.Setting) (Action, bool) {
	k := m.keys.Settings
	if !key.Matches(msg, k.Edit, k.Detail, k.Reset, k.Copy, k.Undo) {
		return Action{}, false
	}
	m.notice, m.told = "", ""
	switch {
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: i.Key + " = " + i.Value}, true
	case key.Matches(msg, k.Detail):
		m.about, m.mode, m.scroll = i, detailing, 0
	case m.busy: // an answer is on its way
	case key.Matches(msg, k.Undo):
		return m.undo(), true
	case key.Matches(msg, k.Reset):
		if !i.Set() && i.Later == "" {
			m.notice = "It has its default."
			return Action{}, true
		}
		m.busy = true
		return Action{Do: Unset, Key: i.Key}, true
	default:
		return m.edit(i), true
	}
	return Action{}, true
}

func (m *Model) undo() Action {
	if m.busy {
		return Action{}
	}
	m.busy, m.notice, m.told = true, "", ""
	return Action{Do: Undo}
}

// edit begins to change a setting; a switch is switched.
func (m *Model) edit(i config.Setting) Action {
	value := i.Value
	if i.Later != "" {
		value = i.Later
	}
	m.about = i
	switch i.Kind {
	case config.Switch, config.Choice:
		m.mode, m.choice = choosing, max(0, slices.Index(i.Choices, value))
		if i.Kind == config.Switch { // it is opened to be switched
			m.about.Choices, m.choice = []string{"true", "false"}, 0
			if value == "true" {
				m.choice = 1
			}
		}
	default:
		m.mode = editing
		m.form.Set(value)
		m.form.Focus()
	}
	return Action{}
}

func (m *Model) formKey(msg tea.KeyPressMsg) Action {
	k := m.keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		m.leave()
	case m.busy:
	case key.Matches(msg, k.Save):
		m.busy, m.notice = true, ""
		return Action{Do: Set, Key: m.about.Key, Text: m.form.Value()}
	default:
		if m.form.Update(msg) {
			m.notice = ""
		}
	}
	return Action{}
}

func (m *Model) leave() {
	m.mode, m.busy, m.notice = listing, false, ""
	m.form.Blur()
}

func (m *Model) choiceKey(msg tea.KeyPressMsg) Action {
	n, moved := m.moves(msg)
	switch {
	case key.Matches(msg, m.keys.Form.Leave):
		m.leave()
	case moved:
		m.choice = min(max(0, m.choice+n), len(m.about.Choices)-1)
	case key.Matches(msg, m.keys.Form.Save) && !m.busy:
		m.busy, m.notice = true, ""
		return Action{Do: Set, Key: m.about.Key, Text: m.about.Choices[m.choice]}
	case msg.Code == tea.KeyEnter && !m.busy:
		m.notice = m.keys.Form.Save.Help().Key + " saves it."
	}
	return Action{}
}

func (m *Model) filterKey(msg tea.KeyPressMsg) (Action, bool) {
	switch msg.String() {
	case "esc":
		m.Filter("")
	case "enter", "down", "up":
		m.mode = listing
		m.filter.Blur()
	default:
		if m.filter.Update(msg) {
			m.list.Reset()
			m.build()
			return Action{}, true
		}
		return Action{}, msg.Text != ""
	}
	return Action{}, true
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	switch {
	case m.mode == editing && !m.busy:
		m.form.Update(msg)
	case m.mode == filtering && m.filter.Update(msg):
		m.list.Reset()
		m.build()
	}
	return Action{}
}

// Wheel moves by n settings, or lines.
func (m *Model) Wheel(n int) Action {
	switch m.mode {
	case listing:
		m.list.Move(n)
	case detailing:
		m.scroll += n
	}
	return Action{}
}
