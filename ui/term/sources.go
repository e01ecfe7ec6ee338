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
	*root
	of    map[string][]memrecall.Source // by turn
	packs []memory.Package              // those that have some, cut to what leads to them
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

// load reads the sources of turns that have some.
func (m *sources) load(packs ...memory.Package) tea.Cmd {
	var with []memory.Package
	for _, p := range packs {
		if hasSources(p) {
			with = append(with, p)
		}
	}
	if len(with) == 0 {
		return nil
	}
	m.begin()
	for i, p := range with {
		with[i] = leading(p)
		if at, there := m.place[p.TurnID]; there {
			m.packs[at] = with[i]
			continue
		}
		m.place[p.TurnID] = len(m.packs)
		m.packs = append(m.packs, with[i])
	}
	return m.read(with)
}

// reset forgets the turns. The numbers of the reads go on, so that one of before is known.
func (m *sources) reset() { *m = sources{root: m.root, asked: m.asked, since: m.since} }

func (m *sources) begin() {
	if m.place == nil {
		m.place = map[string]int{}
	}
	if m.at == nil {
		m.at = map[string]int{}
	}
}

// leading is what of a package leads to its sources.
func leading(p memory.Package) memory.Package {
	out := memory.Package{AgentID: p.AgentID, SessionID: p.SessionID, TurnID: p.TurnID, Look: p.Look, Citations: p.Citations}
	out.Model = p.Model
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

// refresh reads the sources of the newest turns and of those that are shown again,
// because some may be deleted by now.
func (m *sources) refresh() tea.Cmd {
	if len(m.packs) == 0 {
		return nil
	}
	m.since = m.asked
	if m.busy {
		m.again = true
		return nil
	}
	fresh := m.packs[max(0, len(m.packs)-freshSources):]
	m.busy = true
	return m.read(append(slices.Clone(fresh), m.stale(len(m.packs)-len(fresh))...))
}

// readShown reads the sources of turns that were scrolled to and were not read since the
// memory changed.
func (m *sources) readShown() tea.Cmd {
	if m.talk.AtEnd() || m.busy {
		return nil
	}
	if packs := m.stale(len(m.packs)); len(packs) > 0 {
		return m.read(packs)
	}
	return nil
}

// stale are the packages before a place whose turns are shown with sources that were
// read before the memory changed.
func (m *sources) stale(before int) (out []memory.Package) {
	for _, turn := range m.talk.ShownTurns() {
		if at, ok := m.place[turn]; ok && at < before && m.at[turn] <= m.since {
			out = append(out, m.packs[at])
		}
	}
	return out
}

func (m *sources) read(packs []memory.Package) tea.Cmd {
	m.asked++
	for _, p := range packs {
		m.at[p.TurnID] = m.asked
	}
	return m.fx.sources(m.asked, slices.Clone(packs), m.sent.Sources)
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

func (m *sources) arrived(msg sourcesMsg) tea.Cmd {
	m.busy = false
	if msg.err == nil {
		if m.of == nil {
			m.of = map[string][]memrecall.Source{}
		}
		m.begin()
		for _, turn := range msg.turns {
			if msg.n < m.at[turn] {
				continue // it is read again
			}
			m.of[turn], m.at[turn] = msg.sources[turn], msg.n
			m.talk.SetSources(turn, m.shownOf(turn))
		}
	}
	if m.again {
		m.again = false
		return m.refresh()
	}
	return nil
}

// shownOf are the sources of a turn as the conversation shows them.
func (m *sources) shownOf(turn string) (out []transcript.Source) {
	at, known := m.place[turn]
	for _, s := range m.of[turn] {
		if known && s.Recalled && m.packs[at].Model == memory.ModelOffline {
			continue // the answer is quotes of them
		}
		t := transcript.Source{N: s.N, Time: s.Time, Text: s.Text, Recalled: s.Recalled}
		if s.Forgotten {
			t.Text = m.keys.Words.Translate(s.Text)
		}
		switch s.Role {
		case memory.RoleUser:
			t.Who = m.keys.Words.Say("you")
		case memory.RoleAssistant:
			t.Who = m.opts.agent.Name
		}
		out = append(out, t)
	}
	return out
}

// open opens the source of the selected answer that a key names, in place:
// in the conversation where its message is there, else in the panel.
func (m *sources) open(key string) tea.Cmd {
	e, ok := m.talk.Selected()
	if !ok {
		return nil
	}
	n := 1
	if key != "o" {
		n = int(key[0] - '0')
	}
	all := m.of[e.TurnID]
	if e.Role == memory.RoleUser || len(all) == 0 {
		m.say = m.keys.Words.Say("sources.none")
		return nil
	}
	for _, s := range all {
		if s.N != n {
			continue
		}
		switch {
		case s.Forgotten:
			m.say = m.keys.Words.Say("sources.deleted")
			return nil
		case s.RecordID != "":
			return m.Send(pane.All, s.Evidence)
		}
		return m.Open(pane.All, memory.Item{ID: s.ItemID, Content: s.Text})
	}
	m.say = m.keys.Words.Say("sources.no-number")
	return nil
}

// showLearned shows in the panel what was learned from a message (D3).
func (m *sources) showLearned(e transcript.Entry) tea.Cmd {
	if words := m.conv.ownMemories(); words != "" {
		m.say = words
		return nil
	}
	return tea.Batch(m.Open(pane.Archive), m.archive.Lessons(archive.Hit{
		RecordID: e.ID, SessionID: m.conv.session.ID, Title: m.conv.session.Title, Who: e.Author, Time: e.Time, Text: e.Text,
	}))
}
