package evidence

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the source under the cursor.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Evidence
	r, ok := m.List.Selected()
	if !ok || r.Of.Forgotten {
		return "", nil
	}
	acts = []key.Binding{k.Open, k.Copy}
	if _, remembered := m.item(r.Of); remembered && r.Of.RecordID != "" {
		acts = []key.Binding{k.Open, k.Memory, k.Copy}
	}
	return r.Of.Text, acts
}
