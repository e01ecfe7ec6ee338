package inbox

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the entry under the cursor.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Inbox
	e, ok := m.current()
	if !ok {
		return "", nil
	}
	acts = []key.Binding{k.Source, k.Accept, k.Edit, k.Reject, k.Group, k.All, k.Copy}
	if _, ok := m.last(); ok {
		acts = append(acts, k.Undo)
	}
	return e.Item.Content, acts
}
