package term

import tea "charm.land/bubbletea/v2"

// find goes to the next place in the conversation that has these words.
func (m *root) find(words string) tea.Cmd {
	if words == "" {
		m.input.Set("/find ", nil)
		m.edited = true
		m.setFocus(onInput)
		return nil
	}
	if !m.talk.Find(words, true) {
		m.say = "not in this conversation; ctrl+r searches in all sessions"
		return nil
	}
	m.sought = words
	m.say = "found; " + m.keys.Global.PrevPane.Help().Key + " goes there, then n finds it earlier, N later"
	return nil
}

// findNext goes on to the next place with the words last looked for.
func (m *root) findNext(back bool) {
	switch {
	case m.sought == "":
		m.say = "/find WORDS looks for words in this conversation"
	case !m.talk.Find(m.sought, back):
		m.say = "not in this conversation any more"
	}
}
