package health

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// key takes a key that does not scroll.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Health
	switch {
	case key.Matches(msg, m.Keys.Panel.Back):
		return Action{Do: Leave}, true
	case key.Matches(msg, k.Copy):
		if m.there {
			return Action{Do: Copy, Text: m.Text()}, true
		}
		return Action{}, true
	case key.Matches(msg, k.Rebuild):
		return m.start(Rebuild), true
	case key.Matches(msg, k.Compact):
		return m.start(Compact), true
	case key.Matches(msg, k.Backup):
		return m.start(Backup), true
	}
	return Action{}, false
}

// start asks for one thing at a time.
func (m *Model) start(do Do) Action {
	if m.doing != Nothing {
		return Action{}
	}
	m.doing = do
	return Action{Do: do}
}

// hints returns the keys, and those that scroll where the report does not fit.
func (m *Model) hints() []string {
	k := m.Keys.Health
	works := []key.Binding{k.Rebuild, k.Compact, k.Backup, k.Copy}
	hints, room := m.Hints("", works...), m.Height
	if style, text := m.status(); text != "" {
		room -= len(m.Wrapped(style, text, 1))
	}
	if len(m.lines) > room-len(hints) {
		hints = m.Hints(m.Words.Say("hint.scroll"), works...)
	}
	return hints
}
