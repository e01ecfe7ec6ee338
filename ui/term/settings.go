package term

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// findSettings shows the settings with these words.
func (m *root) findSettings(words string) tea.Cmd {
	m.settings.Filter(words)
	return m.showPane(pane.Settings)
}

// setSetting changes a setting as a command says; without a value it shows the setting.
func (m *root) setSetting(arg string) tea.Cmd {
	cmd, ok := m.settings.Set(arg)
	if !ok {
		return m.findSettings(strings.TrimSpace(arg))
	}
	return cmd
}

// unsetSetting gives a setting its default again; without a name it shows all.
func (m *root) unsetSetting(word string) tea.Cmd {
	if word == "" {
		return m.findSettings("")
	}
	return m.settings.Unset(word)
}
