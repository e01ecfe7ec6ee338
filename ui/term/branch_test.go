package term

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/term/transcript"
)

// A1, P9: another answer, the one before, an edited message, the last turn undone and
// taken back, a fork and an export, from the keyboard.
func TestBranches(t *testing.T) {
	server := modeltest.NewServer(t,
		modeltest.Step{Text: "First answer."}, modeltest.Step{Text: "Second answer."}, modeltest.Step{Text: "About coffee."},
		modeltest.Step{Text: "In the fork."})
	w := newWorld(t, "", server)
	s := w.show(140, 40)
	s.say("I like oolong tea")
	s.ended(1)
	s.see("First answer.", "Remembered: Likes oolong tea")
	s.press(tea.KeyTab, tea.KeyTab)
	s.sure('R')
	s.see("Second answer.", "‹2/2› < >")
	s.gone("First answer.")
	s.press(tea.KeyLeft)
	s.see("First answer.", "‹1/2› < >")
	s.gone("Second answer.")

	// What is edited stands in the input until esc; sent, it goes on from there.
	s.press('k')
	s.sure('e')
	s.see("editing the message of 12:00", " > I like oolong tea")
	s.press(tea.KeyEscape)
	s.see("not edited")
	s.gone("editing the message")
	s.press(tea.KeyTab, tea.KeyTab, 'k')
	s.sure('e')
	s.see("editing the message of 12:00")
	s.tm.Type(", and coffee")
	s.press(tea.KeyEnter)
	s.see("About coffee.", "‹2/2› < >", "what followed stays in a branch of its own")
	s.gone("First answer.")

	// The last turn is undone, its words come back into the input, and it is taken back.
	s.say("/undo-turn")
	s.see("the last turn is undone", " > I like oolong tea, and coffee", "‹0/2› undone")
	s.gone("About coffee.")
	s.press(tea.KeyTab, tea.KeyTab)
	s.sure('u')
	s.see("About coffee.", "the turn is back")
	s.gone(" > I like oolong tea")

	s.sure('f')
	s.see("── forked here from: I like oolong tea", "a new session that begins behind this message")
	s.say("and now?")
	s.see("In the fork.", "── forked here from: I like oolong tea")

	file := filepath.Join(t.TempDir(), "out.md")
	s.say("/export " + file)
	s.see("written: " + file)
	info, err := os.Stat(file)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("D4: it has mode %v", info.Mode().Perm())
	}
	s.say("/export " + file)
	s.see("not exported") // the rest may be broken anywhere: the path is long
}

// The marks of branches in the transcript, at every size.
func TestBranchFrames(t *testing.T) {
	record := func(id, session string, role memory.Role, text string) memory.Record {
		return memory.Record{ID: id, TurnID: "t" + id, SessionID: session, Role: role, Content: text, Timestamp: noon, Status: memory.StatusComplete}
	}
	msg := sessionMsg{id: "s1", from: "部署 to Fly", branch: lookup.Branch{
		Session: memory.Session{ID: "s1", ForkedFrom: &memory.Fork{SessionID: "s0", RecordID: "r2"}},
		Records: []memory.Record{
			record("r1", "s0", memory.RoleUser, "部署脚本还用 pnpm 吗？"), record("r2", "s0", memory.RoleAssistant, "Yes."),
			record("r3", "s1", memory.RoleUser, "and yarn?"), record("r4", "s1", memory.RoleAssistant, "No."),
		},
		Before: 2, Gone: 3, Ahead: 1,
		Alternatives: map[string]lookup.Alternative{"r3": {At: 1, Of: 2}, "r4": {At: 2, Of: 3}},
	}}
	for _, size := range [][2]int{{60, 15}, {80, 24}, {140, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m := still(t, size[0], size[1])
			m.conv.session, m.conv.loaded = msg.branch.Session, "s1"
			m.Update(msg)
			m.branch.edit(msg.branch.Records[2], nil)
			m.settle()
			golden.RequireEqual(t, frame(t, m))
		})
	}
}

// A step means the message that is selected; where there is one of it alone, the
// answer to it, or the message that it answers.
func TestWhatAStepIsMeantFor(t *testing.T) {
	m := still(t, 80, 24)
	entry := func(id string, role memory.Role) transcript.Entry {
		return transcript.Entry{ID: id, Role: role, Text: id}
	}
	u1, a1, u2, a2 := entry("u1", memory.RoleUser), entry("a1", memory.RoleAssistant), entry("u2", memory.RoleUser), entry("a2", memory.RoleAssistant)
	m.talk.Reset([]transcript.Entry{u1, a1, u2, a2})
	two := lookup.Alternative{At: 1, Of: 2}
	m.branch.ways = map[string]lookup.Alternative{"a1": two, "u2": two}
	for _, c := range []struct{ selected, meant transcript.Entry }{{u1, a1}, {a1, a1}, {u2, u2}, {a2, u2}} {
		if got := m.branch.withWays(c.selected); got.ID != c.meant.ID {
			t.Errorf("%s: a step is meant for %s, want %s", c.selected.ID, got.ID, c.meant.ID)
		}
	}
	m.branch.ways = map[string]lookup.Alternative{"a2": two}
	for _, alone := range []transcript.Entry{u1, a1} {
		if got := m.branch.withWays(alone); got.ID != alone.ID {
			t.Errorf("%s: a step is meant for %s", alone.ID, got.ID)
		}
	}
}
