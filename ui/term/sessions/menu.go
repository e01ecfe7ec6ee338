package sessions

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the session under the cursor.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Sessions
	r, ok := m.List.Selected()
	if !ok {
		return "", nil
	}
	if r.Of.session.ID != m.current {
		k.Open.SetHelp(k.Open.Help().Key, m.Words.Say("session.read"))
	}
	acts = append(acts, k.Open)
	switch {
	case r.Of.hit.RecordID != "":
		acts[0] = k.Jump
	case r.Of.best != "":
		acts = append(acts, k.Jump)
	}
	acts = append(acts, k.Rename, k.Copy, k.Export, k.Delete, k.Search, k.New)
	if len(m.Removed) > 0 {
		acts = append(acts, k.Undo)
	}
	return m.Words.SessionTitle(r.Of.session), acts
}
