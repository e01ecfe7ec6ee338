package term

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
)

// reader finds and copies passages of the conversation.
type reader struct {
	*root
	sought string // by /find last
	codeOf string // the message whose code was copied
	codeAt int    // its next block
}

// find goes to the next place in the conversation that has these words.
func (m *reader) find(words string) tea.Cmd {
	if words == "" {
		m.input.Set("/find ", nil)
		m.edited = true
		m.setFocus(onInput)
		return nil
	}
	if !m.talk.Find(words, true) {
		m.say = m.keys.Words.Say("find.none", m.keys.Global.Search.Help().Key)
		return nil
	}
	m.sought = words
	k := m.keys.Talk
	m.say = m.keys.Words.Say("find.found", m.keys.Global.PrevPane.Help().Key, k.Next.Help().Key, k.Prev.Help().Key)
	return nil
}

// findNext goes on to the next place with the words last looked for.
func (m *reader) findNext(back bool) {
	switch {
	case m.sought == "":
		m.say = m.keys.Words.SayTo(slash, "find.how")
	case !m.talk.Find(m.sought, back):
		m.say = m.keys.Words.Say("find.gone")
	}
}

func (m *reader) copyAnswer() tea.Cmd {
	entries := m.talk.Entries()
	for i := len(entries) - 1; i >= 0; i-- {
		if e := entries[i]; e.Role == memory.RoleAssistant && e.Text != "" {
			return m.Copy(e.Text)
		}
	}
	m.say = m.keys.Words.Say("copy.no-answer")
	return nil
}

// copyCode copies a block of code of the last answer that has one; arg is its
// number, the first when empty.
func (m *reader) copyCode(arg string) tea.Cmd {
	entries := m.talk.Entries()
	for i := len(entries) - 1; i >= 0; i-- {
		if blocks := m.talk.Codes(entries[i].ID); len(blocks) > 0 {
			n := 1
			if arg != "" {
				var err error
				if n, err = strconv.Atoi(arg); err != nil || n < 1 || n > len(blocks) {
					m.say = m.keys.Words.Say("copy.blocks", len(blocks))
					return nil
				}
			}
			return m.copyBlock(blocks, n-1)
		}
	}
	m.say = m.keys.Words.Say("copy.no-code")
	return nil
}

// copyBlock copies one of several blocks of code.
func (m *reader) copyBlock(blocks []string, i int) tea.Cmd {
	cmd := m.Copy(blocks[i])
	if len(blocks) > 1 {
		m.say = m.keys.Words.Say("copied.block", i+1, len(blocks))
	}
	return cmd
}

// nextCode copies the selected message's code; again the next block of it.
func (m *reader) nextCode() tea.Cmd {
	e, ok := m.talk.Selected()
	if !ok {
		return nil
	}
	blocks := m.talk.Codes(e.ID)
	if len(blocks) == 0 {
		m.say = m.keys.Words.Say("copy.no-code-here")
		return nil
	}
	if m.codeOf != e.ID {
		m.codeOf, m.codeAt = e.ID, 0
	}
	i := m.codeAt % len(blocks)
	m.codeAt++
	return m.copyBlock(blocks, i)
}

// openThoughts shows what models thought before their answers, or folds it (C9).
func (m *reader) openThoughts() {
	switch open, some := m.talk.OpenThoughts(); {
	case !some:
		m.say = m.keys.Words.Say("thoughts.none-here")
	case open:
		m.say = m.keys.Words.Say("thoughts.shown")
	default:
		m.say = m.keys.Words.Say("thoughts.folded")
	}
}
