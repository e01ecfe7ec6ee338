package agents

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the agent under the cursor, or to the one that is read.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Agents
	a, ok := m.selected()
	if m.reading {
		a, ok = m.subject, true
		k.Close.SetHelp(k.Close.Help().Key, m.Words.Say("menu.back"))
		acts = append(acts, k.Close)
	} else {
		acts = append(acts, k.Open)
	}
	if !ok {
		return "", nil
	}
	if a.ID != m.current {
		acts = append(acts, k.Switch)
	}
	acts = append(acts, k.Edit, k.Delete)
	if m.reading {
		return a.Title(), acts
	}
	acts = append(acts, k.Add, k.AddGroup)
	if len(m.Removed) > 0 {
		acts = append(acts, k.Undo)
	}
	return a.Title(), acts
}
