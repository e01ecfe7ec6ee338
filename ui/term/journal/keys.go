package journal

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Key takes a key while the part has the keyboard. handled is false for keys that mean
// nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	if m.mode == searching {
		return m.searchKey(msg)
	}
	k := m.keys.Journal
	m.notice = ""
	page := max(1, m.height-4)
	if m.mode == listing {
		page = max(1, page/2)
	}
	switch {
	case key.Matches(msg, k.Up):
		m.list.Move(-1)
	case key.Matches(msg, k.Down):
		m.list.Move(1)
	case key.Matches(msg, k.PageUp):
		m.list.Move(-page)
	case key.Matches(msg, k.PageDown):
		m.list.Move(page)
	case key.Matches(msg, k.Home):
		m.list.Move(-m.list.Len())
	case key.Matches(msg, k.End):
		m.list.Move(m.list.Len())
	case key.Matches(msg, m.keys.Panel.Back):
		return m.leave(), true
	case key.Matches(msg, k.Search):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.Write) && m.state.Nobody == "":
		return m.Write(), true
	case m.mode == reading:
		return m.fileKey(msg)
	default:
		return m.rowKey(msg)
	}
	return Action{}, true
}

// fileKey handles what can be done to the file that is shown.
func (m *Model) fileKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Journal
	switch r, _ := m.list.Selected(); {
	case key.Matches(msg, k.Open):
		if r.Of.record == "" {
			m.notice = "This line is not of one message alone."
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
	k := m.keys.Journal
	r, ok := m.list.Selected()
	if !ok {
		return Action{}, false
	}
	e := r.Of
	switch {
	case key.Matches(msg, k.Open) && e.month != "":
		m.folded[e.month] = !m.closed(e.month)
		m.build()
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

// leave leaves what is innermost.
func (m *Model) leave() Action {
	switch {
	case m.mode == reading:
		m.leaveFile()
	case m.asked != "":
		m.ask("")
		m.search.Set("")
	default:
		return Action{Do: Leave}
	}
	return Action{}
}

func (m *Model) leaveFile() {
	m.mode = listing
	m.list.Reset()
	m.build()
	m.list.Seek(m.back)
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	if m.mode == searching && m.search.Update(msg) {
		return m.typed()
	}
	return Action{}
}

// OpenSearch lets the user type what to look for, and begins with words.
func (m *Model) OpenSearch(words string) Action {
	m.mode, m.notice = searching, ""
	m.search.Focus()
	if words != "" {
		m.search.Set(words)
		return m.ask(words)
	}
	m.build()
	return Action{}
}

func (m *Model) typed() Action {
	a := m.ask(strings.TrimSpace(m.search.Value()))
	a.Typed = true
	return a
}

// ask looks for something else; nothing shows the tree again.
func (m *Model) ask(words string) Action {
	if words == m.asked {
		m.build()
		return Action{}
	}
	m.asked, m.answered, m.hits = words, false, nil
	m.list.Reset()
	m.build()
	if words == "" {
		return Action{}
	}
	return Action{Do: Search, Text: words}
}

func (m *Model) searchKey(msg tea.KeyPressMsg) (Action, bool) {
	switch {
	case key.Matches(msg, m.keys.Panel.Back):
		m.stopTyping()
		m.search.Set("")
		return m.ask(""), true
	case msg.String() == "enter", msg.String() == "down", msg.String() == "up":
		m.stopTyping()
		m.build()
		return Action{}, true
	case msg.String() == "tab", msg.String() == "shift+tab":
		return Action{}, false
	}
	if m.search.Update(msg) {
		return m.typed(), true
	}
	return Action{}, true
}

func (m *Model) stopTyping() {
	m.search.Blur()
	if m.mode == searching {
		m.mode = listing
	}
}

// Wheel scrolls by n rows.
func (m *Model) Wheel(n int) Action {
	m.list.Move(n)
	return Action{}
}
