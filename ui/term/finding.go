package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

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

func (m *root) filterMemories(words string) tea.Cmd {
	cmd := m.openPart(pane.Recall)
	m.recall.OpenFilter()
	if words == "" {
		return cmd
	}
	return tea.Batch(cmd, m.recallDo(m.recall.Paste(tea.PasteMsg{Content: words})))
}

// deleteMemory asks whether to delete the one memory that has these words, or
// lists those that have them.
func (m *root) deleteMemory(words string) tea.Cmd {
	if words == "" {
		return m.filterMemories("")
	}
	return tea.Batch(m.openPart(pane.Recall), m.fx.matching(words))
}

func (m *root) onMatching(msg matchingMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.recall.Failed(pane.Short(msg.err))
	case msg.page.Total == 1:
		m.recall.AskDelete(msg.page.Items[0])
	case msg.page.Total == 0:
		m.say = "no memory has these words"
	default:
		cmd := m.filterMemories(msg.words)
		m.recall.LeaveFilter()
		m.say = "several memories have these words; choose one, d deletes it"
		return cmd
	}
	return nil
}
