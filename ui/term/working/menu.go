package working

import (
	"cmp"

	"charm.land/bubbles/v2/key"
)

// acts returns what can be done to the topic or variable under the cursor.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Working
	r, ok := m.List.Selected()
	if !ok || !m.there || m.state.Kept {
		return "", nil
	}
	acts = []key.Binding{k.Copy, k.Edit, k.Add}
	if !r.Of.topic || r.Of.value != "" {
		acts = append(acts, k.Delete)
	}
	return cmp.Or(r.Of.name, m.Words.Say("working.topic")), acts
}
