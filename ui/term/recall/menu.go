package recall

import (
	"charm.land/bubbles/v2/key"

	"memoria/memory"
)

// acts returns what can be done to a memory whose story is open. In the lists enter opens the
// story; the page of details has the room for itself.
func (m *Model) acts() (id string, acts []key.Binding) {
	if m.opened.page != detailPage {
		return "", nil
	}
	k := m.Keys.List
	if len(m.opened.Item.Evidence) > 0 {
		acts = append(acts, k.Source)
	}
	if acts = append(acts, k.Details, k.History); m.opened.Item.State == memory.StateInactive {
		acts = append(acts, k.Restore)
	}
	return m.opened.Item.ID, append(acts, k.Copy, k.Edit, k.Delete)
}
