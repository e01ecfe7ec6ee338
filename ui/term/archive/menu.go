package archive

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the message or the lesson under the cursor.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Archive
	r, ok := m.List.Selected()
	switch {
	case !ok:
		return "", nil
	case m.learning:
		return r.Of.item.Content, []key.Binding{k.Open, k.Copy}
	}
	acts = []key.Binding{k.Open, k.Learned, k.Mark, k.Copy, k.Delete, k.Search, k.Bookmarks}
	if len(m.Removed) > 0 {
		acts = append(acts, k.Undo)
	}
	return r.Of.hit.Text, acts
}
