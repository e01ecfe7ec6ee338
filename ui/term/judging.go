package term

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// waitingHint is said during a judgement.
const waitingHint = "esc begins a new conversation"

// judgingWords says that a judgement runs, and how to go on without it.
func (m *conversation) judgingWords() string {
	gone := max(0, m.now.Sub(m.judging.since))
	sign := spinner[int(gone/spinPause)%len(spinner)]
	who := m.judging.Model
	if who == "" {
		who = "the model"
	}
	if gone > m.judging.Within {
		return fmt.Sprintf("%s does this go on? esc begins a new conversation · %d s · the server loads %s", sign, int(gone.Seconds()), who)
	}
	return fmt.Sprintf("%s does this go on? esc begins a new conversation · %d of %d s · %s judges",
		sign, int(gone.Seconds()), wholeSeconds(m.judging.Within), who)
}

// overrule reverses the judgement of the selected message, or the last one. The message and
// those after it move.
func (m *conversation) overrule() tea.Cmd {
	id := m.judged
	if e, ok := m.talk.Selected(); ok && m.focus == onTalk && e.Remark != "" {
		id = e.ID
	}
	switch {
	case m.judging != nil:
		m.say = waitingHint
		return nil
	case id == "":
		m.say = "nothing was judged in this conversation"
		return nil
	}
	m.say = "moving …"
	return m.fx.change(m.fx.Chat.Overrule, id)
}
