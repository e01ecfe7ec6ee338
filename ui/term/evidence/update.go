package evidence

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory/recall"
	"memoria/ui/term/sent"
)

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Evidence
	switch {
	case key.Matches(msg, m.Keys.Panel.Back):
		return Action{Do: Leave}, true
	case key.Matches(msg, k.PrevTurn):
		return Action{Do: Turn, Step: -1}, true
	case key.Matches(msg, k.NextTurn):
		return Action{Do: Turn, Step: 1}, true
	case key.Matches(msg, k.Latest):
		return Action{Do: Turn, Step: sent.Latest}, true
	}
	r, ok := m.List.Selected()
	if !ok || !key.Matches(msg, k.Open, k.Memory, k.Copy) {
		return Action{}, false
	}
	return m.rowKey(msg, r.Of), true
}

// rowKey takes a key for a source.
func (m *Model) rowKey(msg tea.KeyPressMsg, s recall.Source) Action {
	k := m.Keys.Evidence
	it, remembered := m.item(s)
	switch {
	case s.Forgotten:
		m.Notice = m.Words.Say("sources.deleted")
		return Action{}
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: s.Text}
	case key.Matches(msg, k.Open) && s.RecordID != "":
		return Action{Do: Open, Evidence: s.Evidence}
	case remembered:
		return Action{Do: Item, Memory: it}
	}
	m.Notice = m.Words.Say("evidence.no-memory")
	return Action{}
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Evidence
	if m.shown.Answer == "" {
		return nil
	}
	r, ok := m.List.Selected()
	_, remembered := m.item(r.Of)
	switch {
	case !ok || r.Of.Forgotten:
		return m.Hints("", k.PrevTurn, k.NextTurn, k.Latest)
	case remembered && r.Of.RecordID != "":
		return m.Hints("", k.Open, k.Memory, k.Copy, k.PrevTurn, k.NextTurn, k.Latest)
	}
	return m.Hints("", k.Open, k.Copy, k.PrevTurn, k.NextTurn, k.Latest)
}
