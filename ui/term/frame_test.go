package term

import (
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// P5b: the last line says at every size that learning is paused, until the frame ends or a pause of
// passive_timeout has.
func TestPausedLearningIsShown(t *testing.T) {
	const hint = "learning paused · “carry on remembering”"
	for _, size := range [][2]int{{60, 15}, {80, 24}, {140, 40}} {
		m := still(t, size[0], size[1])
		s := memory.Session{ID: "s", LastMessageAt: m.now}
		game := memory.Frame{Kind: memory.FramePlay, What: "game", Length: 5, Open: true}
		stored := func(id string, f memory.Frame) chat.Event {
			return chat.UserStored{Head: chat.Head{SessionID: "s", TurnID: id}, Record: memory.Record{ID: id, TurnID: id, Content: "Aye, x", Frame: f}}
		}
		happen(m, s, chat.SessionChanged{Session: s, Why: chat.WhyFirst}, stored("a", game))
		if !strings.Contains(m.say, "learning is paused (playing a game)") {
			t.Errorf("%v: says %q", size, m.say)
		}
		m.say = ""
		if got := frame(t, m); !strings.Contains(got, hint) {
			t.Errorf("%v: no hint in\n%s", size, got)
		}
		happen(m, s, chat.Finished{Head: chat.Head{SessionID: "s", TurnID: "a"}})
		if got := m.conv.frameHint(); got != hint {
			t.Errorf("after the answer: %q", got)
		}
		cfg, _ := m.opts.chat.Config()
		m.now = m.now.Add(cfg.PassiveTimeout)
		if got := m.conv.frameHint(); got != "" {
			t.Errorf("after a pause: %q", got)
		}
		m.say = ""
		happen(m, s, stored("b", memory.Frame{}))
		if m.say != "learning goes on" || m.conv.frameHint() != "" {
			t.Errorf("after the end: says %q, hint %q", m.say, m.conv.frameHint())
		}
	}
}

// P5b: after a restart the screen still says that learning is paused.
func TestPausedLearningAfterARestart(t *testing.T) {
	dir := t.TempDir()
	w := newWorld(t, dir, modeltest.NewServer(t))
	s := w.show(140, 40)
	s.answered(w, "Let's play a space game")
	s.see("learning paused")
	s.ctrl('d')
	w.close()
	w = newWorld(t, dir, modeltest.NewServer(t))
	s = w.show(140, 40)
	s.see("Let's play a space game", "learning paused")
}
