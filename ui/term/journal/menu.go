package journal

import "charm.land/bubbles/v2/key"

// acts returns what can be done to the file, the passage or the line under the cursor. A month
// has no menu: enter opens and closes it.
func (m *Model) acts() (title string, acts []key.Binding) {
	k := m.Keys.Journal
	r, ok := m.List.Selected()
	switch e := r.Of; {
	case !ok || e.month != "":
		return "", nil
	case m.reading:
		if e.record != "" {
			k.Open.SetHelp(k.Open.Help().Key, m.Words.Say("journal.keys.message"))
			acts = append(acts, k.Open)
		}
		return m.file.Path, append(acts, k.Copy, k.Edit, k.Search)
	case !e.absent:
		acts = append(acts, k.Open)
	}
	acts = append(acts, k.Copy, k.Edit)
	if m.state.Unavailable == "" {
		acts = append(acts, k.Write)
	}
	return r.Of.path, append(acts, k.Search)
}
