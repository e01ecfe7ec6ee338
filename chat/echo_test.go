package chat_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// echo is a model that repeats and paraphrases all that it is shown, in its
// replies and in its analyses, and lends its paraphrases whatever quotation it
// finds.
func echo(req *modeltest.Request) modeltest.Step {
	if req.Offers(learn.CondenseToolName) {
		return modeltest.Step{ToolCalls: []modeltest.ToolCall{{Name: learn.CondenseToolName, Arguments: condensedEcho(req.LastUser())}}}
	}
	if !req.Offers(learn.ToolName) {
		return modeltest.Step{Text: echoReply(req), Deltas: 1}
	}
	var items []any
	propose := func(kind memory.Type, about, content, quote string) {
		items = append(items, map[string]any{
			"type": kind, "about": about, "content": content, "quote": quote, "confidence": 0.95, "importance": 0.9,
		})
	}
	fields := analysisFields(req.LastUser())
	said, reply := fields["The message: "], fields["The assistant's reply: "]
	for _, m := range said {
		propose(memory.TypeFact, "what was said", m, m)
		propose(memory.TypeGoal, "", "Said: "+m, m)
	}
	for _, known := range fields["Known already: "] {
		propose(memory.TypePreference, "", known, known)
		propose(memory.TypeFact, "user", "The user: "+known, said[0])
	}
	for _, r := range reply {
		sentence, _, _ := strings.Cut(r, "\n")
		propose(memory.TypePattern, "", sentence, sentence)
		propose(memory.TypeFact, "memory", sentence, said[0])
	}
	out, err := json.Marshal(map[string]any{"topic": said[0], "items": items})
	if err != nil {
		panic(err)
	}
	return modeltest.Step{ToolCalls: []modeltest.ToolCall{{Name: learn.ToolName, Arguments: string(out)}}}
}

// condensedEcho proposes every message of a session, and every known item, as
// something new.
func condensedEcho(prompt string) string {
	fields := analysisFields(prompt)
	said := fields["Message of the user, new: "]
	if len(said) == 0 { // nothing but what was read before
		return `{"items": []}`
	}
	var items []any
	propose := func(kind memory.Type, content string, quotes ...string) {
		items = append(items, map[string]any{
			"type": kind, "about": "", "content": content, "quotes": quotes, "confidence": 0.95, "importance": 0.9,
		})
	}
	for _, known := range fields["Known already: "] {
		propose(memory.TypeFact, "The user: "+known, known)
		propose(memory.TypePattern, known, said[0])
	}
	for _, m := range said {
		propose(memory.TypeFact, m, m)
		propose(memory.TypeEpisode, m+" "+m+" "+m, m, m)
	}
	// Only eight are read of one answer; another eight each time.
	at := len(prompt) % max(1, len(items)-8)
	out, err := json.Marshal(map[string]any{"items": items[at:min(at+8, len(items))]})
	if err != nil {
		panic(err)
	}
	return string(out)
}

// echoReply repeats every line of memory and the message, as statements of the
// user's.
func echoReply(req *modeltest.Request) string {
	out := ""
	for line := range strings.SplitSeq(req.LastUser(), "\n") {
		if _, quoted, ok := strings.Cut(line, `] "`); ok && strings.HasPrefix(line, "[") {
			var s string
			if json.Unmarshal([]byte(`"`+quoted), &s) == nil {
				out += "You told me: I " + s + " 你说过：我" + s + "\n"
			}
		}
	}
	lines := strings.Split(req.LastUser(), "\n")
	return out + "So you mean that you " + lines[len(lines)-1]
}

// analysisFields reads the data of an analysis' prompt.
func analysisFields(prompt string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.SplitSeq(prompt, "\n") {
		for _, name := range []string{"The message: ", "Known already: ", "The assistant's reply: ", "Message of the user, new: "} {
			var s string
			if rest, ok := strings.CutPrefix(line, name); ok && json.Unmarshal([]byte(rest), &s) == nil {
				out[name] = append(out[name], s)
			}
		}
	}
	return out
}

// echoTurns reads the conversation: in each line the mark of a fact that is
// stated for the first time (=), of talk that states nothing new (-), and a
// message.
func echoTurns(t *testing.T) (said []string, facts int) {
	t.Helper()
	f, err := os.Open("testdata/echo.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		mark, text, ok := strings.Cut(lines.Text(), " ")
		if !ok || mark == "#" {
			continue
		}
		if mark == "=" {
			facts++
		}
		said = append(said, text)
	}
	return said, facts
}

// No echo: Chinese and English, with a model that repeats and paraphrases what it was
// shown; the user states 20 facts, and 20 items are there at the end. All facts are in the
// first 80 turns, which the test plays; with MEMORIA_SETS=all it plays the whole conversation of 200.
func TestNoEcho(t *testing.T) {
	t.Parallel()
	noRace(t)
	said, facts := echoTurns(t)
	if len(said) != 200 || facts != 20 {
		t.Fatalf("the conversation has %d turns and %d facts", len(said), facts)
	}
	if os.Getenv("MEMORIA_SETS") != "all" {
		said = said[:80]
	}
	server := modeltest.NewServer(t)
	server.Reply = echo
	h := &house{t: t, dir: t.TempDir(), clock: &clock{now: start}, server: server, analysis: write.AnalysisAuto}
	h.change = func(o *chat.Options) { o.Brief = true } // it is analysed below, turn by turn
	h.open()
	t.Cleanup(h.close)
	set, err := chat.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	by := learning.Analyst{Model: model.NewCompleter(h.client()), Prompts: set}
	echoed, sessions := 0, 0
	analyse := func(text string) {
		err := h.manager.Learning().Analyse(t.Context(), luna, by, func(l learning.Learned) {
			if l.Generation != "" {
				sessions++
			}
			for _, c := range l.Changes {
				if c.Item != nil && c.Action != memory.ActionConfirmed {
					t.Logf("%-60q %s %s by the model: %q (%s)", text, c.Action, c.Item.Type, c.Item.Content, c.Reason)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range said {
		end, _ := h.say(text)
		echoed += strings.Count(end.Record.Content, "You told me")
		if err := h.manager.Recall().Settle(t.Context(), luna); err != nil { // so that what was learned is recalled next
			t.Fatal(err)
		}
		analyse(text)
	}
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.manager.Learning().Learn(t.Context(), luna, nil); err != nil {
		t.Fatal(err)
	}
	analyse("its end")
	page, err := h.manager.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if page.Total != facts+1 { // the one about the sister teaches her name too
		for _, it := range page.Items {
			t.Logf("%s %s %s: %s", it.State, it.Source, it.Key, it.Content)
		}
		t.Errorf("%d items, want %d", page.Total, facts+1)
	}
	byModel := 0
	for _, it := range page.Items {
		if it.Trust == memory.TrustModel {
			byModel++
		}
	}
	st, err := h.manager.Lookup().Status(t.Context(), luna)
	if err != nil || st.Jobs != 0 || st.Asked.Unusable != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	if sessions == 0 { // how often depends on when the background gets to it
		t.Error("the session was never read")
	}
	if byModel == 0 || echoed < len(said)/2 || st.Asked.Refused < len(said)*5/2 {
		t.Errorf("nothing was proven: %d items by the model, %d memories echoed, %d proposals refused", byModel, echoed, st.Asked.Refused)
	}
	t.Logf("%d items, %d of them by the model; %d memories echoed in replies; %+v", page.Total, byModel, echoed, st.Asked)
}
