package term

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
)

func (m *root) copyAnswer() tea.Cmd {
	entries := m.talk.Entries()
	for i := len(entries) - 1; i >= 0; i-- {
		if e := entries[i]; e.Role == memory.RoleAssistant && e.Text != "" {
			return m.Copy(e.Text)
		}
	}
	m.say = "there is no answer to copy"
	return nil
}

// copyCode copies a block of code of the last answer that has one; arg is its
// number, the first when empty.
func (m *root) copyCode(arg string) tea.Cmd {
	entries := m.talk.Entries()
	for i := len(entries) - 1; i >= 0; i-- {
		if blocks := m.talk.Codes(entries[i].ID); len(blocks) > 0 {
			n := 1
			if arg != "" {
				var err error
				if n, err = strconv.Atoi(arg); err != nil || n < 1 || n > len(blocks) {
					m.say = "the answer has the blocks 1 to " + strconv.Itoa(len(blocks))
					return nil
				}
			}
			return m.copyBlock(blocks, n-1)
		}
	}
	m.say = "no message has code"
	return nil
}

// copyBlock copies one of several blocks of code.
func (m *root) copyBlock(blocks []string, i int) tea.Cmd {
	cmd := m.Copy(blocks[i])
	if len(blocks) > 1 {
		m.say = "copied block " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(blocks))
	}
	return cmd
}

// nextCode copies the selected message's code; again the next block of it.
func (m *root) nextCode() tea.Cmd {
	e, ok := m.talk.Selected()
	if !ok {
		return nil
	}
	blocks := m.talk.Codes(e.ID)
	if len(blocks) == 0 {
		m.say = "this message has no code"
		return nil
	}
	if m.codeOf != e.ID {
		m.codeOf, m.codeAt = e.ID, 0
	}
	i := m.codeAt % len(blocks)
	m.codeAt++
	return m.copyBlock(blocks, i)
}
