package profile

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	rules "memoria/memory/profile"
)

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	switch {
	case key.Matches(msg, m.Keys.Panel.Back) && m.versions:
		m.show(false)
		return Action{}, true
	case key.Matches(msg, m.Keys.Panel.Back):
		return Action{Do: Leave}, true
	}
	return m.pageKey(msg)
}

// pageKey handles what can be done to the page.
func (m *Model) pageKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Profile
	if !m.loaded || m.Busy && !key.Matches(msg, k.Open, k.Copy, k.History) {
		return Action{}, key.Matches(msg, k.Edit, k.Editor, k.Undo)
	}
	switch {
	case key.Matches(msg, k.Edit):
		m.Retry(m.text(), m.page.Version)
	case key.Matches(msg, k.Editor):
		return m.Once(Action{Do: Editor, Version: m.page.Version, Text: m.text()}), true
	case key.Matches(msg, k.History):
		m.show(!m.versions)
	case key.Matches(msg, k.Undo):
		r, _ := m.List.Selected()
		return m.Once(Action{Do: Undo, Version: r.Of.version}), true
	case key.Matches(msg, k.Open):
		return m.open()
	case key.Matches(msg, k.Copy):
		if l, ok := m.line(); ok {
			return Action{Do: Copy, Text: rules.Said(l.Text)}, true
		}
		return Action{Do: Copy, Text: m.text()}, true
	default:
		return Action{}, false
	}
	return Action{}, true
}

// open leads to the memory that a line follows.
func (m *Model) open() (Action, bool) {
	if r, ok := m.List.Selected(); ok && m.versions {
		if len(r.Of.items) > 0 {
			return Action{Do: Open, ID: r.Of.items[0]}, true
		}
		m.Notice = m.Words.Say("profile.version.no-memory")
		return Action{}, true
	}
	switch l, ok := m.line(); {
	case !ok:
		return Action{}, false
	case l.Derived():
		return Action{Do: Open, ID: l.ItemID}, true
	}
	m.Notice = m.Words.Say("profile.line.no-memory")
	return Action{}, true
}

// show shows the versions or the page.
func (m *Model) show(versions bool) {
	m.versions = versions
	m.List.Reset()
	m.Build()
}

// more asks for older versions.
func (m *Model) more() Action {
	if m.versions && len(m.history.Versions) < m.history.Total {
		return Action{Do: More}
	}
	return Action{}
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Profile
	switch {
	case m.versions:
		k.Undo.SetHelp("u", m.Words.Say("profile.version.undo"))
		k.History.SetHelp("h", m.Words.Say("profile.version.back"))
		return m.Hints("", k.Undo, k.Open, k.History)
	case !m.loaded:
		return nil
	}
	return m.Hints("", k.Open, k.Edit, k.Editor, k.History, k.Undo, k.Copy)
}
