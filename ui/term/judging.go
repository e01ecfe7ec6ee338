package term

import (
	tea "charm.land/bubbletea/v2"
)

// judgingWords says that a judgement runs, and how to go on without it.
func (m *conversation) judgingWords() string {
	gone := max(0, m.now.Sub(m.judging.since))
	sign := spinner[int(gone/spinPause)%len(spinner)]
	who := m.judging.Model
	if who == "" {
		who = m.keys.Words.Say("talk.a-model")
	}
	if gone > m.judging.Within {
		return m.keys.Words.Say("judging.loads", sign, int(gone.Seconds()), who)
	}
	return m.keys.Words.Say("judging.runs", sign, int(gone.Seconds()), wholeSeconds(m.judging.Within), who)
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
		m.say = m.keys.Words.Say("judging.esc")
		m.judging.said = m.say
		return nil
	case id == "":
		m.say = m.keys.Words.Say("judgement.none")
		return nil
	}
	m.say = m.keys.Words.Say("judging.moving")
	return m.fx.change(m.fx.Chat.Overrule, id)
}
