package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A2, A3, A4, D3: a week later the question why it was known is answered with the
// sentence; under the answer stands its source, a key leads to the words in the
// conversation or in the panel, another to what was learned from them; the context
// part shows the layer, and what is deleted is gone from all of it.
func TestSourcesOfAnAnswer(t *testing.T) {
	w := newWorld(t, nil)
	s := w.run(120, 40)
	s.say("I prefer oolong tea in the evening.")
	s.see("remembered: ")
	w.clock.add(7 * 24 * time.Hour)
	s.say("Which tea do I prefer?")
	s.see("memory [1] Prefers oolong tea in the evening")
	s.say("Why did you know that?")
	s.see("[1] you · 2026-01-28 12:00", "sources [1] 2026-01-28 you “I prefer oolong tea in the evening.”")
	s.press(tea.KeyTab, tea.KeyTab)
	s.see("1–9 its source")
	s.press('2')
	s.see("there is no source with this number")
	s.press('1') // the message lies in an earlier session
	s.see("[1 Recall]", "I prefer oolong tea in the evening.")
	s.press(tea.KeyTab)
	s.press('l')
	s.see("[7 Archive]", "learned from it · 0")
	s.press('2')
	s.see("evidence · 1 quotation", "sources · 1", "the message asks for proof, about the answer before", "“I prefer oolong tea in the evening.”")
	page, err := w.manager.Sessions(t.Context(), "luna", 5, 0)
	_ = page
	if err != nil {
		t.Fatal(err)
	}
	if frame := s.frame(); !strings.Contains(frame, "sources [1]") {
		t.Errorf("no source under the answer:\n%s", frame)
	}
}
