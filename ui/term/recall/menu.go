package recall

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the open memory. In the lists enter opens a memory.
func (m *Model) acts() (id string, acts []key.Binding) {
	if m.opened.page != detailPage && m.opened.page != factsPage {
		return "", nil
	}
	k := m.Keys.List
	if len(m.opened.Item.Evidence) > 0 {
		acts = append(acts, k.Source)
	}
	return m.opened.Item.ID, append(acts, k.Details, k.History, k.Copy, k.Edit, k.Delete)
}
