package journal

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Journal
	switch {
	case key.Matches(msg, m.Keys.Panel.Back):
		return m.leave(), true
	case key.Matches(msg, k.Search):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.Write) && m.state.Unavailable == "":
		return m.Write(), true
	case m.reading:
		return m.fileKey(msg)
	}
	return m.rowKey(msg)
}

// fileKey handles what can be done to the file that is shown.
func (m *Model) fileKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Journal
	switch r, _ := m.List.Selected(); {
	case key.Matches(msg, k.Open):
		if r.Of.record == "" {
			m.Notice = m.Words.Say("journal.message.none")
			return Action{}, true
		}
		return Action{Do: Open, Record: r.Of.record}, true
	case key.Matches(msg, k.Edit):
		return Action{Do: Edit, Path: m.file.Path}, true
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: m.plain()}, true
	}
	return Action{}, false
}

// rowKey handles what can be done to the row under the cursor.
func (m *Model) rowKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Journal
	r, ok := m.List.Selected()
	if !ok {
		return Action{}, false
	}
	e := r.Of
	switch {
	case key.Matches(msg, k.Open) && e.month != "":
		m.folded[e.month] = !e.closed
		m.Build()
		return Action{}, true
	case e.month != "":
		return Action{}, false
	case key.Matches(msg, k.Edit), key.Matches(msg, k.Open) && e.absent:
		return Action{Do: Edit, Path: e.path}, true
	case key.Matches(msg, k.Open):
		return Action{Do: Read, Path: e.path}, true
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: e.copied()}, true
	}
	return Action{}, false
}

// leave closes the innermost view.
func (m *Model) leave() Action {
	switch {
	case m.reading:
		m.leaveFile()
	case m.asked != "":
		return m.EndSearch()
	default:
		return Action{Do: Leave}
	}
	return Action{}
}

func (m *Model) leaveFile() {
	m.reading = false
	m.List.Reset()
	m.Build()
	m.List.Seek(m.back)
}

// OpenSearch lets the user type what to look for, and begins with words.
func (m *Model) OpenSearch(words string) Action {
	m.reading = false
	a := m.Base.OpenSearch(words)
	a.Typed = false
	return a
}

// ask looks for something else; nothing shows the tree again.
func (m *Model) ask(words string, typed bool) Action {
	if words == m.asked {
		m.Build()
		return Action{}
	}
	m.asked, m.answered, m.hits = words, false, nil
	m.List.Reset()
	m.Build()
	if words == "" {
		return Action{}
	}
	return Action{Do: Search, Text: words, Typed: typed}
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Journal
	if m.Typing {
		return m.Wrapped(m.Styles.Dim, m.Words.Say("journal.keys.found"), 1)
	}
	last := ""
	var works []key.Binding
	r, ok := m.List.Selected()
	switch {
	case m.reading:
		last = m.Words.Say("history.back")
		if r.Of.record != "" {
			k.Open.SetHelp("enter", m.Words.Say("journal.keys.message"))
			works = append(works, k.Open)
		}
		works = append(works, k.Edit, k.Copy)
	case ok && r.Of.month != "":
		k.Open.SetHelp("enter", m.Words.Say("journal.keys.month"))
		works = append(works, k.Open)
	case ok:
		works = append(works, k.Open, k.Edit)
	}
	if m.asked != "" && !m.reading {
		last = m.Words.Say("journal.keys.all")
	}
	if m.state.Unavailable == "" && !m.reading {
		works = append(works, k.Write, k.Search)
	}
	return m.Hints(last, works...)
}
