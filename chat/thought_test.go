package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/chat/tools"
	"memoria/memory"
	"memoria/memory/recall"
)

// C9: what a model thinks, in whatever way a server tells it, is told while it comes and kept with the answer. It is
// never sent back, found in the archive or learned from.
func TestThoughtsAreKeptApart(t *testing.T) {
	t.Parallel()
	const thought = "The user mentions a xylophone. My name is Zorg."
	for name, step := range map[string]modeltest.Step{
		"a field":      {Reasoning: thought, Text: "Nice."},
		"two marks":    {Text: "<think>\n" + thought + "\n</think>\n\nNice."},
		"the last one": {Text: thought + "\n</think>\n\nNice."},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, nil, step)
			end, _ := h.say("I live in Porto")
			if end.Problem != nil || end.Record.Content != "Nice." {
				t.Fatalf("%+v", end)
			}
			var told, said strings.Builder
			for _, e := range h.seen {
				switch e := e.(type) {
				case chat.Thinking:
					told.WriteString(e.Text)
				case chat.Reconsidered:
					said.Reset()
				case chat.Delta:
					said.WriteString(e.Text)
				}
			}
			if strings.TrimSpace(told.String()) != thought || said.String() != "Nice." {
				t.Errorf("told as thought %q, as said %q", told.String(), said.String())
			}
			h.say("And you?")
			h.settle()
			for _, r := range h.server.Requests()[1:] {
				for _, m := range r.Messages {
					if strings.Contains(fmt.Sprint(m), "xylophone") {
						t.Errorf("sent back: %v", m)
					}
				}
			}
			h.close()
			h.open()
			records, err := h.manager.Lookup().Records(t.Context(), luna, end.Record.SessionID)
			if err != nil {
				t.Fatal(err)
			}
			if r := records[1]; r.Reasoning == nil || r.Reasoning.Text != thought || r.Content != "Nice." {
				t.Errorf("kept: %+v", r)
			}
			page, err := h.manager.Recall().SearchArchive(t.Context(), luna, recall.ArchiveQuery{Text: "xylophone"})
			if err != nil || len(page.Hits) != 0 {
				t.Errorf("found in the archive: %+v, %v", page.Hits, err)
			}
			if got := h.contents(); len(got) != 1 || got[0] != "Lives in Porto." {
				t.Errorf("learned %q", got)
			}
		})
	}
}

// K8: an answer that the server did not call finished is reported and kept with its reason; it can be asked for once
// more, and then nothing of the first is left over.
func TestUnfinishedAnswers(t *testing.T) {
	t.Parallel()
	for finish, want := range map[string]struct{ title, text string }{
		"length":         {"The answer was cut off", "Once upon a"},
		"content_filter": {"The answer was withheld", "Once upon a"},
		"error":          {"The answer broke off", "Once upon a"},
		"stop":           {"There is no answer", " "},
	} {
		t.Run(finish, func(t *testing.T) {
			h := newHouse(t, nil, modeltest.Step{Text: want.text, Finish: finish}, text("A whole answer."))
			end, _ := h.say("Tell me a story")
			if end.Problem == nil || end.Problem.Title != want.title || end.Problem.Hint == "" {
				t.Errorf("told: %+v", end.Problem)
			}
			if r := end.Record; r.Status == memory.StatusComplete || r.FinishReason != finish || r.Content != strings.TrimSpace(want.text) {
				t.Errorf("kept: %+v", r)
			}
			if err := h.chat.Retry(t.Context()); err != nil {
				t.Fatal(err)
			}
			if again := until[chat.Finished](h, nil); again.Problem != nil || again.Record.Content != "A whole answer." {
				t.Errorf("again: %+v", again)
			}
		})
	}
}

// C9: what a model thinks before it searches without a word is kept with the answer that follows.
func TestThoughtBeforeASearch(t *testing.T) {
	t.Parallel()
	h, _ := newSearcher(t, nil,
		modeltest.Step{Reasoning: "I look it up.", ToolCalls: []modeltest.ToolCall{{Name: tools.Search, Arguments: `{"keyword": "tea"}`}}},
		modeltest.Step{Reasoning: "Nothing there.", Text: "I do not know."})
	end, _ := h.say("Which tea do I like?")
	if r := end.Record; r.Reasoning == nil || r.Reasoning.Text != "I look it up.\n\nNothing there." || r.Content != "I do not know." {
		t.Errorf("%+v, %+v", r, r.Reasoning)
	}
	for _, r := range h.server.Requests() {
		if strings.Contains(fmt.Sprint(r.Messages), "look it up") {
			t.Errorf("sent back: %v", r.Messages)
		}
	}
}
