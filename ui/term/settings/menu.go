package settings

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the setting under the cursor, or to the one whose page is
// shown.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Settings
	i, ok := m.current()
	if m.detail {
		i, ok = m.about, true
		k.Detail.SetHelp(k.Detail.Help().Key, m.Words.Say("menu.back"))
	}
	if !ok {
		return "", nil
	}
	acts = []key.Binding{k.Detail, k.Edit}
	if i.Set() || i.Later != "" {
		acts = append(acts, k.Reset)
	}
	if acts = append(acts, k.Copy, k.Undo); !m.detail {
		acts = append(acts, k.Filter)
	}
	return i.Key, acts
}
