package term

import (
	"slices"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/term/sent"
)

// In a group a turn has several answers, each with its own package and sources. On the
// screen every answer is a turn of its own; see [sent.AnswerID].

// asAnswer is a package under the id that its answer has on the screen.
func (m *conversation) asAnswer(p memory.Package) memory.Package {
	if len(m.opts.chat.Members()) > 0 {
		p.TurnID = sent.AnswerID(p.TurnID, p.AgentID)
	}
	return p
}

// speaker names who gives the answer under way.
func (m *conversation) speaker(sender string) string {
	if sender == "" {
		return m.opts.agent.Name
	}
	return m.opts.chat.NameOf(sender)
}

// colorOf is the colour of who speaks in a group.
func (m *conversation) colorOf(sender string) string {
	for _, who := range m.opts.chat.Members() {
		if who.ID == sender {
			return who.Color
		}
	}
	return ""
}

// models are the names of the models that answer, each once; for a group those of its members.
func (m *conversation) models() (names []string) {
	if members := m.opts.chat.Members(); len(members) > 0 {
		for _, who := range members {
			if name := m.opts.chat.InfoOf(who.ID).Model; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names
	}
	return []string{m.info.Model}
}

// company names whom the conversation is with; for a group also its members.
func (m *conversation) company() string {
	members := m.opts.chat.Members()
	if len(members) == 0 {
		return m.opts.agent.Name
	}
	var names []string
	for _, who := range members {
		names = append(names, m.speaker(who.ID))
	}
	return m.opts.agent.Name + m.keys.Words.Say("sep.colon") + m.keys.Words.List(names)
}

// ownMemories says in a group where memories are; empty elsewhere.
func (m *conversation) ownMemories() string {
	if len(m.opts.chat.Members()) == 0 {
		return ""
	}
	return m.keys.Words.SayTo(slash, "group.remembers")
}

// completeName completes a name after an @.
func (m *conversation) completeName() bool {
	text, spans := m.input.Text()
	names, begun := chat.NamesAt(text, m.opts.chat.Members())
	if len(names) == 0 {
		return false
	}
	m.input.Set(strings.TrimSuffix(text, begun)+names[0]+" ", spans)
	m.edited = true
	return true
}
