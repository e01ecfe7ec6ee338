package profile

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	rules "memoria/memory/profile"
)

// Key takes a key while the part has the keyboard. handled is false for keys that
// mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	if m.mode == editing {
		return m.formKey(msg), true
	}
	k := m.keys.Profile
	m.notice = ""
	page := max(1, m.height/2-2)
	switch {
	case key.Matches(msg, k.Up):
		return m.move(-1), true
	case key.Matches(msg, k.Down):
		return m.move(1), true
	case key.Matches(msg, k.PageUp):
		return m.move(-page), true
	case key.Matches(msg, k.PageDown):
		return m.move(page), true
	case key.Matches(msg, k.Home):
		return m.move(-m.list.Len()), true
	case key.Matches(msg, k.End):
		return m.move(m.list.Len()), true
	case key.Matches(msg, m.keys.Panel.Back) && m.mode == choosing:
		m.show(listing)
	case key.Matches(msg, m.keys.Panel.Back):
		return Action{Do: Leave}, true
	default:
		return m.pageKey(msg)
	}
	return Action{}, true
}

// pageKey handles what can be done to the page.
func (m *Model) pageKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Profile
	if !m.loaded || m.busy && !key.Matches(msg, k.Open, k.Copy, k.History) {
		return Action{}, key.Matches(msg, k.Edit, k.Editor, k.Undo)
	}
	switch {
	case key.Matches(msg, k.Edit):
		m.openForm(m.page.Markdown, m.page.Version)
	case key.Matches(msg, k.Editor):
		m.busy = true
		return Action{Do: Editor, Version: m.page.Version, Text: m.page.Markdown}, true
	case key.Matches(msg, k.History) && m.mode == choosing:
		m.show(listing)
	case key.Matches(msg, k.History):
		m.show(choosing)
	case key.Matches(msg, k.Undo):
		m.busy = true
		r, _ := m.list.Selected()
		return Action{Do: Undo, Version: r.Of.version}, true
	case key.Matches(msg, k.Open):
		return m.open()
	case key.Matches(msg, k.Copy):
		if l, ok := m.line(); ok {
			return Action{Do: Copy, Text: rules.Said(l.Text)}, true
		}
		return Action{Do: Copy, Text: m.page.Markdown}, true
	default:
		return Action{}, false
	}
	return Action{}, true
}

// open leads to the memory that a line follows.
func (m *Model) open() (Action, bool) {
	if r, ok := m.list.Selected(); ok && m.mode == choosing {
		if len(r.Of.items) > 0 {
			return Action{Do: Open, ID: r.Of.items[0]}, true
		}
		m.notice = "No memory made this version."
		return Action{}, true
	}
	switch l, ok := m.line(); {
	case !ok:
		return Action{}, false
	case l.Derived():
		return Action{Do: Open, ID: l.ItemID}, true
	}
	m.notice = "You wrote this line; no memory stands behind it."
	return Action{}, true
}

func (m *Model) show(to mode) {
	m.mode = to
	m.list.Reset()
	m.build()
}

func (m *Model) formKey(msg tea.KeyPressMsg) Action {
	k := m.keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		m.Saved()
	case m.busy:
	case key.Matches(msg, k.Save):
		m.busy, m.notice = true, ""
		return Action{Do: Save, Version: m.shown, Text: m.written()}
	case key.Matches(msg, m.keys.Profile.Editor):
		m.busy, m.notice = true, ""
		return Action{Do: Editor, Version: m.shown, Text: m.written()}
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

// Wheel moves the cursor by n entries.
func (m *Model) Wheel(n int) Action {
	if m.mode == editing {
		return Action{}
	}
	return m.move(n)
}
