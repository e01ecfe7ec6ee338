package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/chat/tools"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/term/sent"
)

// searchedCall is what a search of turn t2 came to.
func searchedCall(m *root) memory.Record {
	return memory.Record{
		ID: "r5", SessionID: "s1", TurnID: "t2", Role: memory.RoleTool, Timestamp: m.now, Status: memory.StatusComplete,
		Content: `searched memories: "pnpm", last March · 3 found`,
		Call:    &memory.Call{ID: "call_1", Name: tools.Search, Arguments: `{"keyword":"pnpm","time_range":"last March"}`, Found: 3, Tokens: 120},
	}
}

var searchScenes = []struct {
	name string
	set  func(m *root)
}{
	{"searching", func(m *root) {
		s := converse(m)
		happen(m, s,
			chat.UserStored{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Content: "and in March?", Timestamp: m.now}},
			chat.Delta{Head: chat.Head{Seq: 8, SessionID: "s1", TurnID: "t2"}, Text: "Let me look."},
			chat.Searching{Head: chat.Head{Seq: 9, SessionID: "s1", TurnID: "t2"}, Words: `"pnpm", last March`})
	}},
	{"searched", func(m *root) { searched(m) }},
	{"rounds", func(m *root) { searched(m); press(m, "tab", "2", "a") }},
}

// searched is a turn with a search in the middle, seen to its end.
func searched(m *root) {
	s := converse(m)
	call := searchedCall(m)
	pkg := memory.Package{
		SessionID: "s1", TurnID: "t2", CreatedAt: m.now, Model: "gpt-4.1-mini", Endpoint: "api.openai.com", Tokens: 384, Limit: 8192,
		Hash: strings.Repeat("cd", 32), Blocks: []memory.Block{{Layer: memory.LayerMessage, Tokens: 17}},
		Tools:  []memory.Ref{{Kind: memory.KindText, ID: "x"}},
		Rounds: []memory.Round{{Said: "r4", Calls: []string{"r5"}, Hash: strings.Repeat("ef", 32), Tokens: 120}},
	}
	happen(m, s,
		chat.UserStored{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Content: "and in March?", Timestamp: m.now}},
		chat.Delta{Head: chat.Head{Seq: 8, SessionID: "s1", TurnID: "t2"}, Text: "Let me look."},
		chat.Searching{Head: chat.Head{Seq: 9, SessionID: "s1", TurnID: "t2"}, Words: `"pnpm", last March`},
		chat.Searched{Head: chat.Head{Seq: 10, SessionID: "s1", TurnID: "t2"}, Calls: []memory.Record{call},
			Said: &memory.Record{ID: "r4", SessionID: "s1", TurnID: "t2", Role: memory.RoleAssistant, Content: "Let me look.", Timestamp: m.now, Status: memory.StatusComplete, FinishReason: memory.FinishCalls}},
		chat.PackageStored{Head: chat.Head{Seq: 11, SessionID: "s1", TurnID: "t2"}, Package: pkg},
		chat.Delta{Head: chat.Head{Seq: 12, SessionID: "s1", TurnID: "t2"}, Text: "npm, until the 9th."},
		chat.Finished{Head: chat.Head{Seq: 13, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{
			ID: "r6", SessionID: "s1", TurnID: "t2", Role: memory.RoleAssistant, Status: memory.StatusComplete, Timestamp: m.now, Content: "npm, until the 9th."}})
	m.sent.Show("t2", sent.Detail{Rendered: memory.Rendered{
		Package: pkg, Exact: true, Offered: []string{`{"name":"search_memories"}`},
		Rendered: []memory.RenderedBlock{{Layer: memory.LayerMessage, Role: memory.RoleUser, Text: "and in March?", Tokens: 17}},
		Further: []memory.RenderedRound{{Round: pkg.Rounds[0], SaidText: "Let me look.", Exact: true, Called: []memory.RenderedCall{
			{RecordID: "r5", Call: *call.Call, Text: "## Memory\n[user 2026-03-02 AAAAAAAA] \"npm\x1b[2J for now\"", Forgotten: 1}}}},
	}})
}

// I2, C5: a search stands as one line between the words of an answer, is seen while
// it runs, and its call and result are in the context part.
func TestSearchFrames(t *testing.T) {
	for _, sc := range searchScenes {
		for _, size := range [][2]int{{60, 15}, {80, 24}, {140, 40}} {
			t.Run(fmt.Sprintf("%s/%dx%d", sc.name, size[0], size[1]), func(t *testing.T) {
				m := still(t, size[0], size[1])
				sc.set(m)
				golden.RequireEqual(t, frame(t, m))
			})
		}
	}
}

// I2: what arrives when the session is read in the middle of a turn is the same as
// what was seen, each part once and in its order.
func TestSessionIsReadAmongSearches(t *testing.T) {
	m := still(t, 140, 40)
	searched(m)
	happen(m, m.conv.session, chat.UserStored{Head: chat.Head{Seq: 14, SessionID: "s1", TurnID: "t3"}, Record: memory.Record{ID: "r7", SessionID: "s1", TurnID: "t3", Role: memory.RoleUser, Content: "again", Timestamp: m.now}},
		chat.Delta{Head: chat.Head{Seq: 15, SessionID: "s1", TurnID: "t3"}, Text: " "})
	call := searchedCall(m)
	call.ID, call.TurnID = "r8", "t3"
	happen(m, m.conv.session, chat.Searched{Head: chat.Head{Seq: 16, SessionID: "s1", TurnID: "t3"}, Calls: []memory.Record{call}},
		chat.Delta{Head: chat.Head{Seq: 17, SessionID: "s1", TurnID: "t3"}, Text: "No"})
	var records []memory.Record
	for _, e := range m.talk.Entries() {
		if e.ID != answerID("t3") {
			records = append(records, memory.Record{ID: e.ID, TurnID: e.TurnID, Role: e.Role, Content: e.Text, Timestamp: e.Time, Status: memory.StatusComplete})
		}
	}
	ids := func() (out []string) {
		for _, e := range m.talk.Entries() {
			out = append(out, e.ID)
		}
		return out
	}
	want := "r1 r2 r3 r4 r5 r6 r7 r8 turn:t3"
	if got := strings.Join(ids(), " "); got != want {
		t.Fatalf("entries are %s", got)
	}
	m.Update(sessionMsg{id: "s1", branch: lookup.Branch{Records: records}})
	if got := strings.Join(ids(), " "); got != want {
		t.Errorf("after reading, entries are %s", got)
	}
}

// I2, I5: switched on from the keyboard, the model searches; the archive keeps it.
func TestSearchOnScreen(t *testing.T) {
	server := modeltest.NewServer(t,
		modeltest.Step{When: modeltest.When{Tool: tools.Search}, Text: "Let me look.", ToolCalls: []modeltest.ToolCall{{Name: tools.Search, Arguments: `{"keyword": "kiln"}`}}},
		modeltest.Step{When: modeltest.When{Result: "kiln"}, Text: "Mara did."})
	w := newWorld(t, "", server)
	_, err := w.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Mara fixed the kiln"})
	must(t, err)
	must(t, w.manager.Recall().Settle(t.Context(), "luna"))
	s := w.show(140, 40)
	s.see("You talk to scripted")
	s.say("/search-tool on")
	s.see("the model may search")
	s.say("Who repaired it?")
	s.see(`⌕ searched memories: "kiln" · 1 found`, "Mara did.")
	s.gone("luna answers")
	var got []string
	for _, r := range w.records(t) {
		got = append(got, string(r.Role)+" "+r.Content)
	}
	if want := `user Who repaired it?|assistant Let me look.|tool searched memories: "kiln" · 1 found|assistant Mara did.`; strings.Join(got, "|") != want {
		t.Errorf("records %v", got)
	}
}
