package term

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
)

// C9: what a model thinks is shown live in three lines, becomes one line with its length when the answer begins, and a
// key opens and folds it, also of an answer that was read from disk.
func TestThoughtsOnScreen(t *testing.T) {
	hold := make(chan struct{})
	half := 10
	thought := "First of all.\n" + strings.Repeat("Then this.\n", 5) + "It is green.\nIt is tea.\nSo it is green tea."
	w := newWorld(t, "", modeltest.NewServer(t,
		modeltest.Step{Raw: "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":" + quoted(thought) + "}}]}\n\n" +
			"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Green tea.\"},\"finish_reason\":\"stop\"}]}\n\n"},
		modeltest.Step{Text: "They say it is tea.\n</think>\n\nIt is coffee.", Deltas: 9},
		modeltest.Step{Text: "<think>" + thought + "</think>Late.", HoldAfter: &half, Hold: hold}))
	s := w.show(100, 40)
	s.say("Which tea?")
	s.see("Green tea.", "▸ thought 112 characters · F4 shows it")
	s.ended(1)
	s.gone("It is tea.")
	s.press(tea.KeyF4)
	s.see("▾ thought 112 characters · F4 folds it", "First of all.", "So it is green tea.")
	s.press(tea.KeyF4)
	s.gone("First of all.")
	s.say("And now?")
	s.see("It is coffee.")
	s.ended(2)
	s.gone("They say")
	s.press(tea.KeyF4)
	s.see("They say it is tea.")
	s.press(tea.KeyF4)
	s.say("And late?")
	s.see("Then this.", "It is green.")
	s.gone("First of all.")
	s.gone("It is tea.")
	if n := strings.Count(s.text(), "Then this."); n > 2 {
		t.Errorf("%d lines of the thought, want 3 in all", n+1)
	}
	close(hold)
	s.see("Late.", "▸ thought 112")
	s.ended(3)
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }
