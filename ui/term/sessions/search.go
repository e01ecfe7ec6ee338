package sessions

import (
	"slices"
	"time"

	"memoria/memory"
)

// Results is what a search found, the best session first.
type Results struct {
	Sessions []Group
	// Messages is how many messages have the words, in all sessions. It may be
	// more than the groups hold; less counts as what they hold.
	Messages int
	// Degraded says why the answer may be slow or not whole; empty when it is.
	Degraded string
}

// Group is a session with what was found in it.
type Group struct {
	Session memory.Session
	Hits    []Hit // best first; the first three are shown
	// Messages is how many of its messages have the words.
	Messages int
}

// Hit is a message that was found.
type Hit struct {
	RecordID string
	Who      string // who said it, in a word
	Time     time.Time
	// Text is the message, or for a long one the passage with the words: only its first
	// 4 KB are searched.
	Text string
}

// search is a search in the words of all sessions.
type search struct {
	query    string // empty shows the list
	results  Results
	answered bool // results belong to query
	failed   string
}

// update brings a session up to date among the results.
func (s *search) update(of memory.Session) {
	for i := range s.results.Sessions {
		if s.results.Sessions[i].Session.ID == of.ID {
			s.results.Sessions[i].Session = of
		}
	}
}

// drop removes a session from the results.
func (s *search) drop(id string) {
	s.results.Sessions = slices.DeleteFunc(s.results.Sessions, func(g Group) bool {
		if g.Session.ID != id {
			return false
		}
		s.results.Messages -= max(g.Messages, len(g.Hits))
		return true
	})
}

// Query returns the words of the search, "" for none.
func (m *Model) Query() string { return m.search.query }

// Found shows what the search for query found. An answer to an older question is
// dropped.
func (m *Model) Found(query string, r Results) {
	if query != m.search.query || query == "" {
		return
	}
	m.search.results, m.search.answered, m.search.failed = r, true, ""
	m.search.results.Sessions = slices.Clone(r.Sessions)
	m.Build()
}

// SearchFailed says that the search for query did not work.
func (m *Model) SearchFailed(query, text string) {
	if query == m.search.query && query != "" {
		m.search.results, m.search.answered, m.search.failed = Results{}, true, text
		m.Build()
	}
}

// ask looks for something else; the old answer stays until the new one is there.
func (m *Model) ask(query string, _ bool) Action {
	if query == m.search.query && m.search.failed == "" {
		m.Build()
		return Action{}
	}
	old := m.search.results
	if query == "" {
		old = Results{}
	}
	m.search = search{query: query, results: old}
	m.List.Reset()
	m.Build()
	return Action{Do: Search, Query: query}
}
