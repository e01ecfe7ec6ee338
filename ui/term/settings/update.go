package settings

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/config"
)

// pageRows is how many settings a page key passes.
const pageRows = 8

// Key takes a key while the pane has the keyboard. handled is false for keys without a
// meaning here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	typing, words := m.Typing, m.Search.Value()
	if !typing && m.Form == nil {
		m.told = ""
	}
	a, handled = m.Base.Key(msg)
	if typing && m.Typing && msg.Text == "" && m.Search.Value() == words { // such as F1
		return a, false
	}
	return a, handled
}

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Settings
	switch {
	case m.detail && key.Matches(msg, k.Detail, m.Keys.Panel.Back):
		m.detail, m.Notice = false, ""
	case m.detail:
		return m.settingKey(msg, m.about)
	case key.Matches(msg, k.Filter):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.Undo):
		return m.undo(), true
	case !key.Matches(msg, m.Keys.Panel.Back):
		i, ok := m.current()
		if !ok {
			return Action{}, false
		}
		return m.settingKey(msg, i)
	case m.Search.Value() != "":
		m.Filter("")
	default:
		return Action{Do: Leave}, true
	}
	return Action{}, true
}

// settingKey handles what can be done to one setting.
func (m *Model) settingKey(msg tea.KeyPressMsg, i config.Setting) (Action, bool) {
	k := m.Keys.Settings
	if !key.Matches(msg, k.Edit, k.Detail, k.Reset, k.Copy, k.Undo) {
		return Action{}, false
	}
	m.Notice, m.told = "", ""
	switch {
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: i.Key + " = " + i.Value}, true
	case key.Matches(msg, k.Detail):
		m.about, m.detail, m.Scroll = i, true, 0
	case m.Busy: // an answer is on its way
	case key.Matches(msg, k.Undo):
		return m.undo(), true
	case key.Matches(msg, k.Reset):
		if !i.Set() && i.Later == "" {
			m.Notice = m.Words.Say("settings.is-default")
			return Action{}, true
		}
		return m.Once(Action{Do: Unset, Key: i.Key}), true
	default:
		m.open(i)
	}
	return Action{}, true
}

func (m *Model) undo() Action {
	m.Notice, m.told = "", ""
	return m.Once(Action{Do: Undo})
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Settings
	switch {
	case m.Typing:
		return m.Hints(m.Words.Say("settings.typing"))
	case m.detail:
		return m.Hints(m.Words.Say("hint.back"), k.Edit, k.Reset, k.Copy)
	}
	return m.Hints("", k.Edit, k.Detail, k.Reset, k.Undo, k.Filter, k.Copy)
}
