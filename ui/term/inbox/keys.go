package inbox

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/field"
)

// Key takes a key while the part has the keyboard. handled is false for keys
// that mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch m.mode {
	case editing:
		return m.formKey(msg), true
	case confirming:
		return m.confirmKey(msg), true
	}
	k := m.keys.Inbox
	m.notice = ""
	switch {
	case key.Matches(msg, k.Up):
		return m.move(-1), true
	case key.Matches(msg, k.Down):
		return m.move(1), true
	case key.Matches(msg, k.PageUp):
		return m.move(-pageRows), true
	case key.Matches(msg, k.PageDown):
		return m.move(pageRows), true
	case key.Matches(msg, k.Home):
		return m.move(-len(m.entries)), true
	case key.Matches(msg, k.End):
		return m.move(len(m.entries)), true
	case key.Matches(msg, k.TakeBack):
		return m.TakeBack(), true
	case key.Matches(msg, m.keys.Panel.Back):
		return Action{Do: Leave}, true
	}
	return m.entryKey(msg)
}

// pageRows is how many entries a page key passes.
const pageRows = 5

// entryKey handles what can be done to an entry.
func (m *Model) entryKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Inbox
	e, ok := m.current()
	if !ok || !key.Matches(msg, k.Accept, k.Edit, k.Reject, k.All, k.Source, k.Copy) {
		return Action{}, false
	}
	if m.busy && !key.Matches(msg, k.Source, k.Copy) {
		return Action{}, true // an answer is on its way; the list may be another then
	}
	switch {
	case key.Matches(msg, k.Accept):
		m.busy = true
		return Action{Do: Accept, Items: shown(e), Text: e.Item.Content}, true
	case key.Matches(msg, k.Reject):
		m.busy = true
		return Action{Do: Reject, Items: shown(e), Text: e.Item.Content}, true
	case key.Matches(msg, k.All):
		m.mode = confirming
	case key.Matches(msg, k.Edit):
		m.openForm(e)
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: e.Item.Content}, true
	case len(e.Item.Evidence) == 0:
		m.notice = "It comes from no message: it came with an import or from another program."
	case e.Gone:
		m.notice = "The message it came from was deleted."
	default:
		return Action{Do: Source, ID: e.Item.ID, Evidence: e.Item.Evidence[0]}, true
	}
	return Action{}, true
}

// TakeBack asks for the last rejection to be undone, or the last acceptance.
func (m *Model) TakeBack() Action {
	if d, ok := m.removed.Newest(); ok && !m.busy {
		m.busy = true
		return Action{Do: TakeBack, ID: d.ID, Text: d.Title}
	}
	if n := len(m.accepted); n > 0 && !m.busy {
		m.busy = true
		return Action{Do: Undo, ID: m.accepted[n-1]}
	}
	m.notice = "There is nothing to take back."
	return Action{}
}

// move moves the cursor by n entries.
func (m *Model) move(n int) Action {
	m.list.Move(n)
	if n > 0 && len(m.entries) < m.total && m.list.Below() < pageRows {
		return Action{Do: More}
	}
	return Action{}
}

func (m *Model) confirmKey(msg tea.KeyPressMsg) Action {
	switch {
	case key.Matches(msg, m.keys.Confirm.Do):
		m.mode, m.busy = listing, true
		return Action{Do: Accept, Items: shown(m.entries...)}
	default:
		m.mode = listing
	}
	return Action{}
}

func (m *Model) openForm(e Entry) {
	m.about, m.mode = e, editing
	m.form = field.New(8)
	m.form.SetPlaceholder("one sentence, as it should be recalled")
	m.form.SetStyles(m.styles)
	m.form.SetWidth(max(8, m.width-3))
	m.form.Set(e.Item.Content)
	m.form.Focus()
}

func (m *Model) formKey(msg tea.KeyPressMsg) Action {
	k := m.keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		m.Done()
	case m.busy:
	case key.Matches(msg, k.Save):
		text := strings.TrimSpace(m.form.Value())
		if text == "" {
			m.notice = "A memory needs some words."
			return Action{}
		}
		m.busy, m.notice = true, ""
		return Action{Do: Edit, Items: shown(m.about), Text: text}
	default:
		m.form.Update(msg)
	}
	return Action{}
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	if m.mode == editing && !m.busy {
		m.form.Update(msg)
	}
	return Action{}
}

// Wheel moves by n entries.
func (m *Model) Wheel(n int) Action {
	if m.mode == listing {
		return m.move(n)
	}
	return Action{}
}
