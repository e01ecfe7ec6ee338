package sessions

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// OpenSearch lets the user type what to look for, and begins with query.
func (m *Model) OpenSearch(query string) Action {
	m.leaveField()
	m.mode, m.notice = searching, ""
	m.search.Focus()
	if query != "" {
		m.search.Set(query)
		return m.ask(m.search.Value())
	}
	m.build()
	return Action{}
}

// Query is what is being looked for, "" for nothing.
func (m *Model) Query() string { return m.query }

// Progress says how far the search for query is, in messages; upTo 0 is unknown.
func (m *Model) Progress(query string, done, upTo int) {
	if query == m.query && !m.answered {
		m.done, m.upTo = done, upTo
		m.build()
	}
}

// Found shows what the search for query found. An answer to an older question is
// dropped.
func (m *Model) Found(query string, r Results) {
	if query != m.query || query == "" {
		return
	}
	m.results, m.answered, m.failed = r, true, ""
	m.results.Sessions = slices.Clone(r.Sessions)
	m.build()
}

// SearchFailed says that the search for query did not work.
func (m *Model) SearchFailed(query, text string) {
	if query == m.query && query != "" {
		m.results, m.answered, m.failed = Results{}, true, text
		m.build()
	}
}

func (m *Model) searchKey(msg tea.KeyPressMsg) (Action, bool) {
	switch {
	case key.Matches(msg, m.keys.Panel.Back):
		return m.endSearch(), true
	case key.Matches(msg, m.keys.Sessions.Open) && m.failed != "":
		return m.ask(m.query), true
	case key.Matches(msg, m.keys.Sessions.Open), msg.String() == "down", msg.String() == "up":
		m.stopTyping()
		m.build()
		return Action{}, true
	case msg.String() == "tab", msg.String() == "shift+tab":
		return Action{}, false
	}
	if m.search.Update(msg) {
		return m.ask(m.search.Value()), true
	}
	return Action{}, true
}

// endSearch shows the list again.
func (m *Model) endSearch() Action {
	m.stopTyping()
	m.search.Set("")
	m.failed = ""
	return m.ask("")
}

func (m *Model) stopTyping() {
	m.search.Blur()
	if m.mode == searching {
		m.mode = listing
	}
}

// ask looks for something else; the old answer stays until the new one is there.
func (m *Model) ask(query string) Action {
	query = strings.TrimSpace(query)
	if query == m.query && m.failed == "" {
		m.build()
		return Action{}
	}
	m.query, m.answered, m.failed, m.done, m.upTo = query, false, "", 0, 0
	if query == "" {
		m.results = Results{}
	}
	m.view.Reset()
	m.build()
	return Action{Do: Search, Query: query}
}
