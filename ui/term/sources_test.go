package term

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/manager"
)

// A2, A3, A4, D3: a week later the question why it was known is answered with the
// sentence; under the answer stands its source, a key leads to the words in the
// conversation or in the panel, another to what was learned from them; the context
// part shows the layer, and what is deleted is gone from all of it.
func TestSourcesOfAnAnswer(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("Good morning! I prefer pnpm over npm.")
	s.see("all memories · 1")
	w.clock.add(7 * 24 * time.Hour)
	s.say("Which of pnpm and npm do I prefer?")
	s.see("memory [1] Prefers pnpm")
	s.say("Why did you know that?")
	s.see("│ I prefer pnpm over npm.", "[1] you · 2026-01-28 12:00", "sources [1] 2026-01-28 you “I prefer pnpm over npm.”")
	s.press(tea.KeyTab, tea.KeyTab)
	s.see("1–9 its source")
	s.press('2')
	s.see("there is no source with this number")
	s.press('1') // its message lies in an earlier session
	s.see("[1 Recall]", "said 2026-01-28 12:00", "Good morning! I prefer pnpm over npm.")
	s.press('2')
	s.see("[2 Context]", "evidence · 1 quotation", "sources · 1", "about the answer before", "“I prefer pnpm over npm.”")
	s.press(tea.KeyTab, 'k', 'l')
	s.see("[7 Archive]", "learned from it · 0") // a question teaches nothing
	s.press('2')

	page, err := w.manager.SearchArchive(t.Context(), "luna", manager.ArchiveQuery{Text: "good morning"})
	must(t, err)
	_, err = w.manager.DeleteRecords(t.Context(), "luna", false, page.Hits[0].Record.ID)
	must(t, err)
	s.see("1 part forgotten since", "sources [1] 2026-01-28 you “[forgotten 2026-02-04]”", "“[forgotten")
	s.press(tea.KeyTab, 'j', 'o')
	s.see("it was deleted since")
}
