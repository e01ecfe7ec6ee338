package term

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/term/pane"
	"memoria/ui/term/sent"
	"memoria/ui/term/transcript"
)

// A2, A3, A4, D3: a week later the question why it was known is answered with the
// sentence; under the answer stands its source, a key leads to the words in the
// conversation or in the panel, another to what was learned from them; the context
// part shows the layer, and what is deleted is gone from all of it.
func TestSourcesOfAnAnswer(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("Good morning! I prefer pnpm over npm.")
	s.see("all 1")
	s.ended(1)
	w.clock.add(7 * 24 * time.Hour)
	s.say("Which of pnpm and npm do I prefer?")
	s.see("• Prefers pnpm over npm.")
	s.gone("memory [1]") // the answer is the quote
	s.say("Why did you know that?")
	s.see("│ I prefer pnpm over npm.", "[1] you · 2026-01-28 12:00", "sources [1] 2026-01-28 you “I prefer pnpm over npm.”")
	s.press(tea.KeyTab, tea.KeyTab)
	s.see("1–9 its source")
	s.press('2')
	s.see("there is no source with this number")
	s.press('1') // its message lies in an earlier session
	s.see("[all 1]", "said 2026-01-28 12:00", "Good morning! I prefer pnpm over npm.")
	s.view(pane.Package)
	s.see("[sent]", "quotations · 1 quotation", "sources · 1", "about the answer before", "“I prefer pnpm over npm.”")
	s.view(pane.Evidence)
	s.see("[sources]", "turn 2 of 2", "about the answer before", "[1] you · ", "“I prefer pnpm over npm.”", "remembered as: Prefers pnpm")
	s.press(tea.KeyTab, 'k', 'l')
	s.see("[archive]", "learned from it · 0") // a question teaches nothing
	s.view(pane.Package)

	page, err := w.manager.Recall().SearchArchive(t.Context(), "luna", recall.ArchiveQuery{Text: "good morning"})
	must(t, err)
	_, err = w.manager.DeleteRecords(t.Context(), "luna", false, page.Hits[0].Record.ID)
	must(t, err)
	s.see("1 part forgotten since", "sources [1] 2026-01-28 you “[forgotten 2026-02-04]”", "“[forgotten")
	s.view(pane.Evidence)
	s.see("[sources]", "[1] you", "[forgotten 2026-02-04]")
	s.press(tea.KeyTab, 'j', 'o')
	s.see("it was deleted since")
}

// D3: what was read before a deletion never takes the place of what was read after it.
func TestLateSources(t *testing.T) {
	w := newWorld(t, "", nil)
	m := newModel(t.Context(), w.opts)
	m.sent.SetTurns([]memory.Package{{TurnID: "t"}}) // its text is on its way
	if a := m.sent.Stale(); a.Do != sent.Load {
		t.Errorf("a deletion while the text is loaded asks for %v, not to load it again", a.Do)
	}

	read := func(said string) map[string][]recall.Source {
		return map[string][]recall.Source{"t": {{Text: said}}}
	}
	m.sources.arrived(sourcesMsg{n: 2, turns: []string{"t"}, sources: read("[forgotten]")})
	m.sources.arrived(sourcesMsg{n: 1, turns: []string{"t"}, sources: read("what was deleted")})
	if got := m.sources.shownOf("t"); len(got) != 1 || got[0].Text != "[forgotten]" {
		t.Errorf("sources after a late read: %v", got)
	}
}

// A change of the memory reads the sources of the newest turns again and of those in view,
// not of a whole long conversation; older ones are read when they are scrolled to.
func TestSourcesOfLongConversations(t *testing.T) {
	w := newWorld(t, "", nil)
	m := newModel(t.Context(), w.opts)
	m.talk.SetSize(60, 10)
	var packs []memory.Package
	for i := range 100 {
		turn := fmt.Sprintf("t%02d", i)
		m.talk.Put(transcript.Entry{ID: "a" + turn, TurnID: turn, Role: memory.RoleAssistant, Text: "Tea."})
		packs = append(packs, memory.Package{TurnID: turn, Used: []memory.Used{{ItemID: "I", Version: 1, Chosen: true}, {ItemID: "J"}}})
	}
	m.sources.load(packs...)
	first := m.sources.asked
	m.sources.refresh()
	again := 0
	for _, at := range m.sources.at {
		if at > first {
			again++
		}
	}
	if again != freshSources {
		t.Errorf("%d turns are read again, want %d", again, freshSources)
	}
	m.sources.arrived(sourcesMsg{n: m.sources.asked})
	m.talk.ScrollTop()
	if m.sources.readShown() == nil || m.sources.at["t00"] <= first {
		t.Error("what is scrolled to is not read again")
	}
	if m.sources.at["t50"] > first {
		t.Error("what is not in view is read again")
	}
	if n := len(m.sources.packs[0].Used); n != 1 {
		t.Errorf("%d items are kept of a turn that one was chosen for", n)
	}
}

// A memory that an answer listed is not said to be in no answer.
func TestStoryOfAListedMemory(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I like green tea.")
	s.ended(1)
	s.say("What do you know about me?")
	s.ended(2)
	s.press(tea.KeyTab)
	s.view(pane.All)
	s.see("[all 1]")
	s.press(tea.KeyEnter)
	s.see("your words", "listed in an answer of this conversation")
}
