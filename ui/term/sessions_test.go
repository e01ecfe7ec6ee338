package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
	"memoria/ui/term/pane"
)

// twoSessions talks about tea, waits, and talks about pottery.
func twoSessions(t *testing.T) (*world, *screen) {
	t.Helper()
	server := modeltest.NewServer(t)
	w := newWorld(t, "", server)
	s := w.show(140, 40)
	s.answered(w, "我喜欢乌龙茶 in the evening")
	s.ctrl('n')
	s.see("A new session.")
	w.clock.add(time.Hour)
	s.answered(w, "the kiln is at 1050 degrees")
	return w, s
}

// answered says something and waits for the end of the answer, which repeats it.
func (s *screen) answered(w *world, text string) {
	s.t.Helper()
	ended := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.ends
	}
	before := ended()
	s.say(text)
	s.until("the answer to "+text, func(frame string) bool {
		return ended() > before && strings.Count(frame, "   "+text) >= 2 && !w.chat.Busy()
	})
}

// S9a, W4: opening an old session is browsing; sending in it resumes it, and its
// working memory goes on counting.
func TestResumeFromTheList(t *testing.T) {
	w, s := twoSessions(t)
	s.press(tea.KeyTab)
	s.view(pane.Sessions)
	s.see("sessions · 2", "● the kiln")
	s.press(tea.KeyDown, tea.KeyEnter, tea.KeyEnter)
	s.see("you  12:00", "我喜欢乌龙茶 in the evening")
	list, _, err := w.manager.Lookup().Sessions(t.Context(), "luna", 0, 0)
	must(t, err)
	if len(list) != 2 || !strings.Contains(list[0].Title, "kiln") {
		t.Errorf("browsing changed the sessions: %+v", list)
	}
	s.press(tea.KeyEscape)
	w.clock.add(time.Minute)
	s.answered(w, "and in the morning?")
	s.see("2 turns")
	list, _, err = w.manager.Lookup().Sessions(t.Context(), "luna", 0, 0)
	must(t, err)
	if len(list) != 2 || list[0].Turns != 2 || list[0].Epoch == 0 && list[0].State != "active" {
		t.Errorf("sessions %+v", list)
	}
	s.press(tea.KeyTab)
	s.view(pane.Working)
	s.see("session notes", "turns       2")
}

// A4: a new search does not continue the words of the one before.
func TestSearchBeginsEmpty(t *testing.T) {
	_, s := twoSessions(t)
	s.ctrl('r')
	s.see("words that were said")
	s.tm.Type("kiln")
	s.see("/ kiln")
	s.press(tea.KeyEnter, tea.KeyTab)
	s.ctrl('r')
	s.tm.Type("乌龙")
	s.see("/ 乌龙")
}

// A4: words of all sessions are found, and lead to the message that has them.
func TestSearchInAllSessions(t *testing.T) {
	_, s := twoSessions(t)
	s.ctrl('r')
	s.see("words that were said")
	s.tm.Type("乌龙茶")
	s.see("you “我喜欢[乌龙茶] in the evening”")
	s.press(tea.KeyEnter, tea.KeyDown)
	s.press('o')
	s.see("▌you  12:00")
	s.press(tea.KeyEscape, tea.KeyEscape, tea.KeyEscape) // the first goes back to the panel
	s.say("/sessions kiln")
	s.see("/ kiln", "the [kiln] is at 1050")
	s.press(tea.KeyEscape, tea.KeyEscape)
	s.see("sessions · 2")
}

func TestRenameAndDeleteSession(t *testing.T) {
	w, s := twoSessions(t)
	s.say("/rename 陶艺 evening")
	s.see("陶艺 evening", "renamed")
	s.say("/keep") // A1
	s.see("kept when it ends: ")
	s.press(tea.KeyTab)
	s.view(pane.Sessions)
	s.see("● 陶艺 evening")
	s.press('r')
	s.tm.Type("!")
	s.ctrl('s')
	s.see("● 陶艺 evening!")

	// D2: the messages alone, or also the memories made from them.
	s.press(tea.KeyDown, 'd')
	s.see("messages only", "memories made")
	s.ctrl('x')
	s.see("restores it", "sessions · 1")
	s.view(pane.Recall)
	s.see("all 0")
	s.view(pane.Sessions)
	s.sure('u')
	s.see("sessions · 2")
	s.view(pane.Recall)
	s.see("all 1", "乌龙茶")

	// The session that is open can be deleted, too.
	s.view(pane.Sessions)
	s.see("● 陶艺 evening!")
	s.press(tea.KeyHome, 'd', tea.KeyDelete)
	s.see("sessions · 1", "A new session.")
	w.clock.add(time.Minute)
	must(t, w.manager.Trash().Purge(t.Context()))
	if list, n, err := w.manager.Lookup().Sessions(t.Context(), "luna", 0, 0); err != nil || n != 1 {
		t.Errorf("%d sessions %+v, %v", n, list, err)
	}
}

// W1: the user corrects what the session is about.
func TestEditWorking(t *testing.T) {
	w, s := twoSessions(t)
	s.say("/working")
	s.press(tea.KeyTab)
	s.see("session notes", "turns       1")
	s.press('a')
	s.tm.Type("port")
	s.press(tea.KeyTab)
	s.tm.Type("8090")
	s.ctrl('s')
	s.see("port", "8090", "e edit")
	list, _, err := w.manager.Lookup().Sessions(t.Context(), "luna", 1, 0)
	must(t, err)
	work, err := w.manager.Lookup().Working(t.Context(), "luna", list[0].ID)
	must(t, err)
	if work.ContextVariables["port"] != "8090" || work.TurnCount != 1 {
		t.Errorf("working %+v", work)
	}
}

func TestHealthPanel(t *testing.T) {
	_, s := twoSessions(t)
	s.say("/health")
	s.press(tea.KeyTab)
	s.see("health of luna", "messages              4", "sessions              2")
	s.sure('r')
	s.see("rebuilt")
	s.sure('c')
	s.see("compacted")
	s.sure('b')
	s.see("backed up")
}
