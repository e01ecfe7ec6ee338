package composer

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// cut is what the keys deleted that delete up to an end of the line.
type cut struct {
	before entry  // the input before the first of them in a row
	after  string // the shown text after the last of them
	text   string // what the last of them deleted
	pasted bool   // some of it was pasted
}

// Cuts reports whether a message is a key that deletes up to an end of the line.
func (m *Model) Cuts(msg tea.Msg) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && key.Matches(k, m.ta.KeyMap.DeleteBeforeCursor, m.ta.KeyMap.DeleteAfterCursor)
}

// keepCut notes what such a key deleted from an input, its pasted parts and its shown text.
func (m *Model) keepCut(was entry, pastes []paste, before string) {
	after := m.ta.Value()
	lo, hi, _ := changed(before, after, len(after)-m.offset(after))
	c := cut{before: was, after: after}
	var whole []paste
	for _, p := range pastes {
		c.pasted = c.pasted || p.off < hi && p.off+p.n > lo
		if p.off >= lo && p.off+p.n <= hi {
			p.off -= lo
			whole = append(whole, p)
		}
	}
	if c.text, _ = expand(before[lo:hi], whole); m.cut.text != "" && m.cut.after == before { // in a row
		c.before = m.cut.before
	}
	m.cut = c
}

// Keep lets [Model.PutBack] insert a text that was typed or pasted elsewhere.
func (m *Model) Keep(text string, pasted bool) {
	m.cut = cut{before: m.cut.before, after: "\x00", text: text, pasted: pasted} // no input is like that
}

// PutBack undoes the deletion up to an end of the line, or inserts what the last one deleted
// when the text has changed since. What was pasted stays known as such. It reports whether
// there was something.
func (m *Model) PutBack() bool {
	c := m.cut
	if c.text == "" {
		return false
	}
	m.cut = cut{}
	switch {
	case m.ta.Value() == c.after:
		m.Set(c.before.text, c.before.spans)
	case c.pasted:
		m.Paste(c.text)
	default:
		before := m.ta.Value()
		m.ta, _ = m.ta.Update(tea.PasteMsg{Content: c.text})
		m.track(before, m.ta.Value())
	}
	return true
}
