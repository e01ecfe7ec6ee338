package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/recall"
	"memoria/ui/term/pane"
)

// A4, A1, D3: a message is found by words and time, its time is shown as it was
// understood, it is bookmarked, leads to what was learned from it and back to its
// session.
func TestArchive(t *testing.T) {
	w, s := twoSessions(t)
	s.press(tea.KeyTab)
	s.view(pane.Archive)
	s.see("4 messages, newest first", "you · the kiln is at 1050 degrees", "you · 我喜欢乌龙茶 in the evening")
	s.press('/')
	s.tm.Type("乌龙茶 today")
	s.see("time: 2026-01-28", "[乌龙茶]")
	s.press(tea.KeyEnter)
	s.see("▸ ")
	s.press(tea.KeyEscape)
	s.see("4 messages, newest first")
	s.press(tea.KeyDown)
	s.see("▸   you")
	s.sure('m')
	s.see("▸ ★ you")
	s.press('b')
	s.see("1 bookmark", "我喜欢乌龙茶")
	s.press('l')
	s.see("learned from it · 1", "preference")
	s.press(tea.KeyEnter, tea.KeyEnter)
	s.see("[all 1]", "乌龙茶", "history")
	s.view(pane.Archive)
	s.see("learned from it · 1")
	s.press(tea.KeyEscape, tea.KeyEnter, tea.KeyEnter)
	s.see("▌you  12:00")
	if page, err := w.manager.Recall().SearchArchive(t.Context(), "luna", recall.ArchiveQuery{Collected: true}); err != nil || page.Total != 1 {
		t.Errorf("bookmarks: %+v, %v", page, err)
	}
	s.press(tea.KeyEscape, tea.KeyEscape, tea.KeyEscape) // the first goes back to the panel
	s.say("/归档kiln")
	s.see("/ kiln", "[kiln]")
}

// A5, D2: a message that is deleted is gone from the archive and from the
// conversation, and for ten seconds u takes it back.
func TestDeleteMessage(t *testing.T) {
	w, s := twoSessions(t)
	s.press(tea.KeyTab)
	s.view(pane.Archive)
	s.see("4 messages")
	s.press(tea.KeyDown) // the message of the user
	s.see("▸   you · the kiln")
	s.press('d')
	s.see("Delete “the kiln is at 1050 degrees”?", "the message and the memories made from it alone")
	s.press(tea.KeyDelete)
	s.until("one message less", func(frame string) bool {
		return strings.Contains(frame, "3 messages") && strings.Contains(frame, "F7 restores it (10 s)") && strings.Count(frame, "   the kiln is at") == 1
	})
	s.sure('u')
	s.until("it to be back", func(frame string) bool {
		return strings.Contains(frame, "4 messages") && strings.Count(frame, "   the kiln is at") == 2
	})
	w.clock.add(time.Minute)
}
