package term

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/ui/term/pane"
)

// twoAgents has luna know of tea and sol of kilns; luna's conversation is open.
func twoAgents(t *testing.T, steps ...modeltest.Step) (*world, *screen) {
	t.Helper()
	w := newWorld(t, "", modeltest.NewServer(t, steps...))
	ctx := t.Context()
	for id, said := range map[string]string{"luna": "Likes oolong tea", "sol": "Fires the kiln at 1050"} {
		_, err := w.manager.Learning().AddItem(ctx, id, memory.Item{Content: said, Type: memory.TypeFact})
		must(t, err)
		must(t, w.manager.Recall().Settle(ctx, id))
	}
	_, err := w.manager.Agents().EditAgent(ctx, "sol", func(a *memory.Agent) { a.Name, a.Persona, a.Color = "Sol", "You are bright.", "orange" })
	must(t, err)
	return w, w.show(140, 40)
}

// rests waits until n turns have ended and nothing is being answered.
func (s *screen) rests(w *world, n int) {
	s.t.Helper()
	s.until("rest", func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.ends == n && !w.conversations.Chat().Busy()
	})
}

// D2's walls, I5: another agent's conversation takes the screen whole: its draft, its
// memories, its preview; nothing of the one before is left on it, and that one is
// as it was when it comes back.
func TestSwitchAgent(t *testing.T) {
	w, s := twoAgents(t)
	s.answered(w, "more about oolong please")
	s.tm.Type("is oolong green?")
	s.see("is oolong green?", "Likes oolong tea")
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("agents · 2", "Sol", "you talk to it", "enter actions")
	s.press(tea.KeyDown, tea.KeyEnter, tea.KeyDown)
	s.see("▸   talk to it")
	s.press(tea.KeyEnter)
	frame := s.see("memoria   Sol", "you are talking to Sol")
	if strings.Contains(frame, "oolong") || strings.Contains(frame, "luna") {
		t.Errorf("something of luna is on the screen:\n%s", frame)
	}
	s.tm.Type("what of the kiln and oolong?")
	frame = s.see("Fires the kiln at 1050", "would recall · 1 of 1")
	if strings.Contains(frame, "Likes oolong") {
		t.Errorf("luna's memory comes up at sol:\n%s", frame)
	}
	s.press(tea.KeyEnter)
	s.see("   what of the kiln and oolong?", "Sol  12:0")
	s.rests(w, 2)
	s.tm.Type("/agent luna")
	s.press(tea.KeyEnter)
	frame = s.see("memoria   luna", "more about oolong please", "is oolong green?", "Likes oolong tea")
	if strings.Contains(frame, "kiln") {
		t.Errorf("something of sol is on the screen:\n%s", frame)
	}
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("agents · 2")
	for _, id := range []string{"luna", "sol"} {
		if _, n, err := w.manager.Lookup().Sessions(t.Context(), id, 0, 0); n != 1 || err != nil {
			t.Errorf("%s has %d sessions, %v", id, n, err)
		}
	}
}

// I5: while an answer is arriving nobody leaves; the palette leads to another agent.
func TestSwitchWaitsForTheAnswer(t *testing.T) {
	hold, none := make(chan struct{}), 0
	w, s := twoAgents(t, modeltest.Step{Text: "At last.", HoldAfter: &none, Hold: hold})
	s.say("hello")
	s.see("luna waits for the model")
	s.tm.Type("/角色 sol")
	s.press(tea.KeyEnter)
	s.see("an answer is arriving; esc cancels it, then you can go to another agent")
	close(hold)
	s.see("At last.")
	s.rests(w, 1)
	s.tm.Type("/agent")
	s.press(tea.KeyEnter)
	s.see("type to find an agent", "Sol")
	s.tm.Type("sol")
	s.press(tea.KeyEnter)
	frame := s.see("memoria   Sol")
	if strings.Contains(frame, "At last.") {
		t.Errorf("luna's answer is at sol:\n%s", frame)
	}
}

// An agent is made and edited in the panel; what is changed counts at once.
func TestEditAgentInThePanel(t *testing.T) {
	w, s := twoAgents(t)
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("agents · 2")
	s.press('a')
	s.see("a new agent")
	s.tm.Type("露娜")
	s.ctrl('s')
	s.see("agents · 3", "露娜", "agent-1", "made; enter, then “talk to it”")
	a, err := w.manager.Lookup().Agent(t.Context(), "agent-1")
	must(t, err)
	if a.Name != "露娜" {
		t.Errorf("made %+v", a)
	}
	s.see("▸ ○ 露娜")
	s.press(tea.KeyDown, 'e')
	s.see("edit luna", "persona")
	s.tm.Type("Nova")
	s.ctrl('s')
	s.see("memoria   Nova", "it counts from the next message on")
	if got := w.chat.Agent(); got.Name != "Nova" {
		t.Errorf("it talks as %+v", got)
	}
}

// D2: an agent is deleted after a question that says what goes, and comes back for
// ten seconds; of the one talked to the default one's place is taken, empty.
func TestDeleteAgentInThePanel(t *testing.T) {
	w, s := twoAgents(t)
	s.answered(w, "more about oolong please")
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("agents · 2", "Sol")
	s.press(tea.KeyHome, 'd')
	s.see("Delete luna with 1 memory, 1 session, 2 messages?", "del/ctrl+y deletes all of it")
	s.press(tea.KeyDelete)
	frame := s.see("deleted “luna” · F7 restores it (10 s)", "memoria   luna")
	if strings.Contains(frame, "oolong") {
		t.Errorf("it is still on the screen:\n%s", frame)
	}
	info, err := w.manager.Lookup().Agent(t.Context(), "luna")
	must(t, err)
	if !info.Empty() {
		t.Errorf("there is still %+v", info)
	}
	s.sure('u')
	s.see("more about oolong please", "restored", "agents · 2")
	s.press('d', 'n')
	s.press(tea.KeyHome, 'd', tea.KeyDelete)
	s.see("deleted luna")
	w.clock.add(11 * time.Second)
	s.gone("restores it")
}

// Keys wait while another conversation is opened, whatever else becomes known
// meanwhile: what would be typed or sent then would be lost with this screen.
func TestGoingIsNotEndedByOthers(t *testing.T) {
	m := still(t, 140, 40)
	m.commands.addAgent()
	press(m, "B", "o")
	make := press(m, "ctrl+s")
	m.switching.GoTo("sol")
	if !m.switching.going {
		t.Fatal("nobody goes anywhere")
	}
	for _, msg := range outcomes(make) {
		m.handle(m.fx.Result(msg))
	}
	if !m.switching.going {
		t.Error("another agent that was made ends the going")
	}
}
