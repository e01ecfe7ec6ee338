package profile

import (
	"charm.land/bubbles/v2/key"

	rules "memoria/memory/profile"
)

// acts returns what can be done to the line or the version under the cursor.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Profile
	r, ok := m.List.Selected()
	if !ok {
		return "", nil
	}
	if l, page := m.line(); page {
		if l.Derived() {
			acts = append(acts, k.Open)
		}
		return rules.Said(l.Text), append(acts, k.History, k.Copy, k.Edit, k.Editor, k.Undo)
	}
	k.Undo.SetHelp(k.Undo.Help().Key, m.Words.Say("profile.version.undo"))
	k.History.SetHelp(k.History.Help().Key, m.Words.Say("menu.back"))
	if len(r.Of.items) > 0 {
		acts = append(acts, k.Open)
	}
	for _, v := range m.history.Versions {
		if v.Version == r.Of.version {
			title = m.versionWords(v)
		}
	}
	return title, append(acts, k.History, k.Undo)
}
