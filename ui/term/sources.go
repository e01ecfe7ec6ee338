package term

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	memrecall "memoria/memory/recall"
	"memoria/ui/term/archive"
	"memoria/ui/term/pane"
	"memoria/ui/term/transcript"
)

// sources are what the answers shown may rest on.
type sources struct {
	of    map[string][]memrecall.Source // by turn
	packs []memory.Package              // those that have some, without what is sent beside them
	place map[string]int                // by turn, in packs
	busy  bool                          // they are being read
	again bool                          // the memory changed meanwhile
	at    map[string]int                // by turn, the newest read, begun or arrived
	asked int                           // reads begun
	since int                           // the last read before the memory changed
}

// freshSources is for how many of the newest turns the sources are read again with every
// change of the memory. Those of older turns are when they are shown: a long conversation
// must not cost more with every turn.
const freshSources = 20

// loadSources reads the sources of turns that have some.
func (m *root) loadSources(packs ...memory.Package) tea.Cmd {
	var with []memory.Package
	for _, p := range packs {
		if hasSources(p) {
			with = append(with, p)
		}
	}
	if len(with) == 0 {
		return nil
	}
	s := &m.sources
	s.begin()
	for i, p := range with {
		with[i] = leading(p)
		if at, there := s.place[p.TurnID]; there {
			s.packs[at] = with[i]
			continue
		}
		s.place[p.TurnID] = len(s.packs)
		s.packs = append(s.packs, with[i])
	}
	return m.readSources(with)
}

func (s *sources) begin() {
	if s.place == nil {
		s.place = map[string]int{}
	}
	if s.at == nil {
		s.at = map[string]int{}
	}
}

// leading is what of a package leads to its sources.
func leading(p memory.Package) memory.Package {
	out := memory.Package{AgentID: p.AgentID, SessionID: p.SessionID, TurnID: p.TurnID, Look: p.Look, Citations: p.Citations}
	for _, u := range p.Used {
		if u.Chosen {
			out.Used = append(out.Used, memory.Used{ItemID: u.ItemID, Version: u.Version, Chosen: true})
		}
	}
	return out
}

func hasSources(p memory.Package) bool {
	if len(p.Citations) > 0 {
		return true
	}
	for _, u := range p.Used {
		if u.Chosen {
			return true
		}
	}
	return false
}

// sourcesAgain reads the sources of the newest turns and of those that are shown again,
// because some may be deleted by now.
func (m *root) sourcesAgain() tea.Cmd {
	s := &m.sources
	if len(s.packs) == 0 {
		return nil
	}
	s.since = s.asked
	if s.busy {
		s.again = true
		return nil
	}
	fresh := s.packs[max(0, len(s.packs)-freshSources):]
	s.busy = true
	return m.readSources(append(slices.Clone(fresh), m.staleSources(len(s.packs)-len(fresh))...))
}

// shownSources reads the sources of turns that were scrolled to and were not read since the
// memory changed.
func (m *root) shownSources() tea.Cmd {
	if m.talk.AtEnd() || m.sources.busy {
		return nil
	}
	if packs := m.staleSources(len(m.sources.packs)); len(packs) > 0 {
		return m.readSources(packs)
	}
	return nil
}

// staleSources are the packages before a place whose turns are shown with sources that were
// read before the memory changed.
func (m *root) staleSources(before int) (out []memory.Package) {
	s := &m.sources
	for _, turn := range m.talk.ShownTurns() {
		if at, ok := s.place[turn]; ok && at < before && s.at[turn] <= s.since {
			out = append(out, s.packs[at])
		}
	}
	return out
}

func (m *root) readSources(packs []memory.Package) tea.Cmd {
	m.sources.asked++
	for _, p := range packs {
		m.sources.at[p.TurnID] = m.sources.asked
	}
	return m.fx.sources(m.sources.asked, slices.Clone(packs), m.sent.Sources)
}

func (e effects) sources(n int, packs []memory.Package, read func([]memory.Package) (map[string][]memrecall.Source, error)) tea.Cmd {
	return e.Do(func() tea.Msg {
		msg := sourcesMsg{n: n}
		for _, p := range packs {
			msg.turns = append(msg.turns, p.TurnID)
		}
		msg.sources, msg.err = read(packs)
		return msg
	})
}

func (m *root) onSources(msg sourcesMsg) tea.Cmd {
	s := &m.sources
	s.busy = false
	if msg.err == nil {
		if s.of == nil {
			s.of = map[string][]memrecall.Source{}
		}
		s.begin()
		for _, turn := range msg.turns {
			if msg.n < s.at[turn] {
				continue // it is read again
			}
			s.of[turn], s.at[turn] = msg.sources[turn], msg.n
			m.talk.SetSources(turn, m.talkSources(turn))
		}
	}
	if s.again {
		s.again = false
		return m.sourcesAgain()
	}
	return nil
}

// talkSources are the sources of a turn as the conversation shows them.
func (m *root) talkSources(turn string) (out []transcript.Source) {
	for _, s := range m.sources.of[turn] {
		t := transcript.Source{N: s.N, Time: s.Time, Text: s.Text, Recalled: s.Recalled}
		switch s.Role {
		case memory.RoleUser:
			t.Who = "you"
		case memory.RoleAssistant:
			t.Who = m.opts.agent.Name
		}
		out = append(out, t)
	}
	return out
}

// openSource opens the source of the selected answer that a key names, in place:
// in the conversation where its message is there, else in the panel.
func (m *root) openSource(key string) tea.Cmd {
	e, ok := m.talk.Selected()
	if !ok {
		return nil
	}
	n := 1
	if key != "o" {
		n = int(key[0] - '0')
	}
	all := m.sources.of[e.TurnID]
	if e.Role == memory.RoleUser || len(all) == 0 {
		m.say = "nothing that was remembered went with this answer"
		return nil
	}
	for _, s := range all {
		if s.N != n {
			continue
		}
		switch {
		case s.Forgotten:
			m.say = "it was deleted since"
			return nil
		case s.RecordID != "":
			return m.Send(pane.Recall, s.Evidence)
		}
		return m.Open(pane.Recall, memory.Item{ID: s.ItemID, Content: s.Text})
	}
	m.say = "there is no source with this number"
	return nil
}

// showLearned shows in the panel what was learned from a message (D3).
func (m *root) showLearned(e transcript.Entry) tea.Cmd {
	if words := m.ownMemories(); words != "" {
		m.say = words
		return nil
	}
	return tea.Batch(m.Open(pane.Archive), m.archive.Lessons(archive.Hit{
		RecordID: e.ID, SessionID: m.session.ID, Title: m.session.Title, Who: e.Author, Time: e.Time, Text: e.Text,
	}))
}
