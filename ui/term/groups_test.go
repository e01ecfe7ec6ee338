package term

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/ui/term/pane"
)

// S9: a group is made in the panel, talked to, changed while it is open, deleted and
// taken back; each member is answered by its own model, and what is typed stays.
func TestGroupInThePanel(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Text: "I say oak."}, modeltest.Step{Text: "I say rye."}, modeltest.Step{Text: "Rye first."}, modeltest.Step{Text: "Then oak."})
	w := newWorld(t, "", server)
	_, err := w.manager.Agents().EditAgent(t.Context(), "sol", func(a *memory.Agent) { a.Name, a.Model = "Sol", "sol-8b" })
	must(t, err)
	s := w.show(140, 40)
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("agents · 2", "Sol", "groups · 0", "g makes one")
	s.press('g')
	s.see("a new group")
	s.tm.Type("Duo")
	s.ctrl('s')
	s.see("A group needs two members or more")
	s.press(tea.KeyTab, ' ', tea.KeyDown, ' ')
	s.ctrl('s')
	s.see("groups · 1", "luna, Sol", "made; enter, then “talk to it”", "▸ ○ Duo")
	s.press(tea.KeyEnter, tea.KeyDown, tea.KeyEnter)
	s.see("memoria   Duo: luna, Sol · scripted, sol-8b", "you are talking to Duo")
	s.say("What comes to mind?")
	s.see("luna  12:00", "I say oak.", "Sol  12:00", "I say rye.")
	s.rests(w, 2)
	if one, two := server.Requests()[0].Model, server.Requests()[1].Model; one != "scripted" || two != "sol-8b" {
		t.Errorf("asked %q and %q", one, two)
	}

	// It is changed while it is open: Sol answers first from then on; the draft stays.
	s.tm.Type("half a thought")
	s.see("half a thought")
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("groups · 1")
	s.seek("▸ ○ Duo")
	s.press('e')
	s.see("edit Duo", "luna, then Sol")
	s.press(tea.KeyTab, tea.KeyRight)
	s.see("Sol, then luna")
	s.ctrl('s')
	s.see("memoria   Duo: Sol, luna", "half a thought", "I say oak.", "Sol, luna · 1 session", "it counts from the next message on")
	s.press(tea.KeyEscape)
	s.press(tea.KeyEnter)
	s.see("Rye first.", "Then oak.")
	s.rests(w, 4)
	if first := server.Requests()[2].Model; first != "sol-8b" {
		t.Errorf("first asked %q", first)
	}

	// So is an agent that is in it.
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.seek("▸ ○ Sol")
	s.press('e')
	s.see("edit Sol")
	s.tm.Type("a")
	s.ctrl('s')
	s.see("memoria   Duo: Sola, luna", "it counts from the next message on", "Sola, luna ·")

	s.seek("▸ ○ Duo")
	s.press('d')
	s.see("Delete the group Duo with 1 session, 6 messages?", "ctrl+x with what they learned")
	s.press(tea.KeyDelete)
	s.see("memoria   luna", "deleted “Duo” · F7 restores it (10 s)", "groups · 0")
	s.sure('u')
	s.see("memoria   Duo: Sola, luna", "Then oak.", "groups · 1", "restored")
	s.seek("▸ ○ Duo")
	s.press('d')
	s.ctrl('x')
	s.see("deleted Duo", "memoria   luna")
	w.clock.add(11 * time.Second)
	s.gone("restores it")
	if all, err := w.manager.Lookup().Groups(t.Context()); len(all) > 0 || err != nil {
		t.Errorf("there is still %+v, %v", all, err)
	}
}

// seek moves the cursor of a list up to its beginning and down until a text is seen.
func (s *screen) seek(text string) {
	s.t.Helper()
	s.press(tea.KeyHome)
	for range 8 {
		if strings.Contains(s.settled(), text) {
			return
		}
		s.press(tea.KeyDown)
	}
	s.see(text)
}

// S9: /group makes a group and goes there, goes to one that there is, or lists them; what
// is wrong is said in words. Who is deleted leaves the group that is open.
func TestGroupCommand(t *testing.T) {
	w := newWorld(t, "", modeltest.NewServer(t))
	for _, id := range []string{"sol", "nova", "luna"} {
		_, err := w.manager.Agents().EditAgent(t.Context(), id, func(a *memory.Agent) { a.Color = "orange" })
		must(t, err)
	}
	s := w.show(140, 40)
	for words, told := range map[string]string{
		"club":             "there is no such group; /group NAME @AGENT @AGENT makes one",
		"club @sol @nobdy": "no agent is called nobdy",
		"club @sol":        "a group needs two agents or more",
		"nova @sol @luna":  "there is an agent nova already",
		"@sol @luna":       "a group needs a name",
		"sol":              "sol is an agent, not a group",
	} {
		s.say("/group " + words)
		s.see(told)
		s.press(tea.KeyEscape)
		s.gone(told)
	}
	s.say("/group Book club @nova ＠sol")
	s.see("memoria   Book club: nova, sol", "They answer in this order")
	g, err := w.manager.Lookup().Group(t.Context(), "book-club")
	if must(t, err); g.Name != "Book club" || !slices.Equal(g.Members, []string{"nova", "sol"}) {
		t.Errorf("made %+v", g)
	}
	s.say("/agent luna")
	s.see("memoria   luna")
	s.say("/群组")
	s.see("type to find a group", "Book club", "nova, sol", "make a group")
	s.press(tea.KeyEnter)
	s.see("memoria   Book club: nova, sol")
	s.say("/group book-club")
	s.see("you are talking to Book club")
	s.press(tea.KeyTab)
	s.view(pane.Agents)
	s.see("groups · 1")
	s.seek("▸ ● nova")
	s.press('d', tea.KeyDelete)
	s.see("memoria   Book club: sol", "deleted nova", "agents · 2")
	s.seek("▸ ● sol")
	s.press('d', tea.KeyDelete)
	s.see("memoria   luna", "deleted sol", "groups · 1", "nobody is left")
	s.seek("▸ ○ Book club")
	s.press(tea.KeyEnter, tea.KeyDown, tea.KeyEnter)
	s.see("nobody is left in the group Book club; to take agents in: e in the list")
	s.press('e', tea.KeyTab)
	s.see("luna") // the only one there is
	s.press(' ')
	s.ctrl('s')
	s.see("A group needs two members or more")
}
