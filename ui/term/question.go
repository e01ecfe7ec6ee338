package term

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Typing never destroys anything: a letter that changes something at once asks first, and
// letters that are no keys go to the input (typed.go).

// question is something that waits for a yes.
type question struct {
	text     string
	do       func() tea.Cmd
	restores bool // a yes restores what was deleted; so does the key that does that unasked
}

// ask waits for a yes before it does something.
func (m *root) ask(what string, do func() tea.Cmd) {
	m.typed.question = &question{text: m.keys.Words.Say("ask.key", what, m.keys.Confirm.Do.Help().Key), do: do}
	m.say = m.typed.question.text
}

// asksFirst asks before a letter changes the conversation, and reports whether it did. The panes
// ask by themselves.
func (m *root) asksFirst(msg tea.KeyPressMsg) (cmd tea.Cmd, asks bool) {
	if m.focus != onTalk || msg.Text == "" {
		return nil, false
	}
	for _, b := range m.keys.Talk.Careful() {
		if key.Matches(msg, b) {
			do := func() tea.Cmd {
				cmd, _ := m.paneKey(msg)
				return cmd
			}
			d, restores := m.lessons.deleted()
			if restores = restores && key.Matches(msg, m.keys.Talk.Undo); restores { // that one, also if another came
				cmd, do = m.lessons.keepDeletion(d.ID), func() tea.Cmd { return m.lessons.undoDeletion(d.ID) }
			}
			m.ask(b.Help().Desc, do)
			m.typed.question.restores = restores
			return cmd, true
		}
	}
	return nil, false
}

// answer takes a key that types no letter while a question is open.
func (m *typed) answer(msg tea.KeyPressMsg) tea.Cmd {
	q := m.question
	m.question, m.leaving = nil, false
	if !key.Matches(msg, m.keys.Confirm.Do) && !(q.restores && key.Matches(msg, m.keys.Global.Unlearn)) {
		m.say = m.keys.Words.Say("ask.left")
		return nil
	}
	return q.do()
}
