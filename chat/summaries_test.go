package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
)

// summedUp waits for what the end of a session came to.
func summedUp(h *house) chat.Learned {
	h.t.Helper()
	return until(h, func(l chat.Learned) bool { return l.Generation != "" && l.Summary != nil })
}

// C1, S8, S12: the summaries of the latest sessions that ended go with a message, the
// latest first, after the persona and never that of the running session; their
// bytes stay from turn to turn, and the package shows them by reference (C5). A
// deleted one shows as forgotten.
func TestSummariesLayer(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	var ids []string
	for _, word := range []string{"kiln", "loom", "anvil", "lathe"} {
		end, _ := h.say(fmt.Sprintf("We bought a %s for the workshop.", word))
		ids = append(ids, end.Record.SessionID)
		if err := h.chat.NewSession(t.Context()); err != nil {
			t.Fatal(err)
		}
		if l := summedUp(h); !strings.Contains(l.Summary.Line(), word) || l.SessionID != end.Record.SessionID {
			t.Errorf("%+v", l.Summary)
		}
		h.clock.Add(time.Minute)
	}
	first, _ := h.say("hello")
	block := func(turn string) memory.RenderedBlock {
		p, err := h.manager.Lookup().Package(t.Context(), luna, turn)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(p.Rendered, func(b memory.RenderedBlock) bool { return b.Layer == memory.LayerSummaries })
		if i != 1 {
			t.Fatalf("the layer is block %d of %+v", i, p.Rendered)
		}
		return p.Rendered[i]
	}
	said := block(first.Record.TurnID).Text
	a, b, c := strings.Index(said, "lathe"), strings.Index(said, "anvil"), strings.Index(said, "loom")
	if !strings.Contains(said, "## Memory\n3 of 4 conversations\n") || a < 0 || b < a || c < b || strings.Contains(said, "kiln") {
		t.Errorf("sent:\n%s", said)
	}
	second, _ := h.say("hello again")
	if again := block(second.Record.TurnID).Text; again != said {
		t.Errorf("the bytes changed:\n%s", again)
	}
	if _, err := h.manager.DeleteSession(t.Context(), luna, ids[3], false); err != nil {
		t.Fatal(err)
	}
	if now := block(first.Record.TurnID); now.Forgotten != 1 || strings.Contains(now.Text, "lathe") {
		t.Errorf("after the deletion:\n%s", now.Text)
	}
}

// C1: the layer can be switched off by its order, and is off without memory.
func TestSummariesGiveWay(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*chat.Options){
		"not in the order": func(o *chat.Options) {
			o.Context.Order = slices.DeleteFunc(slices.Clone(o.Context.Order), func(l string) bool { return l == "summaries" })
		},
		"forgetful": func(o *chat.Options) { o.NoMemory = true },
	} {
		h := newHouse(t, nil)
		h.say("We bought a kiln for the workshop.")
		if err := h.chat.NewSession(t.Context()); err != nil {
			t.Fatal(err)
		}
		summedUp(h)
		h.change = change
		h.reopen()
		if _, err := h.chat.Send(t.Context(), "hello", nil); err != nil {
			t.Fatal(err)
		}
		end := until[chat.Finished](h, nil)
		p, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
		if err != nil || strings.Contains(fmt.Sprint(p.Rendered), "kiln") {
			t.Errorf("%s: %v\n%+v", name, err, p.Rendered)
		}
	}
}

// P7, S8: the model reads a session that has ended in the background; a message ends
// that at once, and it is read again when the conversation rests.
func TestSessionIsReadInTheBackground(t *testing.T) {
	t.Parallel()
	noRace(t) // it waits for seven requests in real time
	condensed := func(s modeltest.Step) modeltest.Step { s.When.Tool = learn.CondenseToolName; return s }
	stalled := condensed(modeltest.Step{Text: "Let me think", StallAfter: modeltest.After(1)})
	good := condensed(modeltest.Step{ToolCalls: []modeltest.ToolCall{{
		Name:      learn.CondenseToolName,
		Arguments: `{"title": "A kiln for the workshop", "snippet": "Bought a kiln; it stands by the door.", "items": []}`,
	}}})
	nothing := called(`{"items": []}`)
	nothing.Repeat = true
	h := newLearner(t, reply("a"), reply("b"), reply("c"), nothing, stalled, reply("d"), good)
	// Each turn is read before the next message, which would end its reading and ask once more.
	told := func(text string) chat.Finished {
		end, _ := h.say(text)
		h.asked(func(a lookup.AnalysisStats) bool { return a.Waiting == 0 })
		return end
	}
	first := told("We bought a kiln for the workshop.")
	told("It stands by the door of the workshop.")
	told("What does a kiln cost to run?")
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if on := until[chat.Consolidating](h, nil); !on.On || on.SessionID != first.Record.SessionID {
		t.Errorf("%+v", on)
	}
	h.server.Wait(t.Context(), 7) // three answers, three turns read, and this
	if end, _ := h.say("Tell me about tides."); end.Record.Status != memory.StatusComplete {
		t.Errorf("%+v", end)
	}
	l := until(h, func(l chat.Learned) bool {
		return l.Generation != "" && l.Summary != nil && l.Summary.By == memory.ByModel
	})
	if l.Summary.Title != "A kiln for the workshop" || l.SessionID != first.Record.SessionID {
		t.Errorf("%+v", l.Summary)
	}
}

// D2, S12: an ended session that loses a message is summarised again at once, and
// once more when it is restored; no message is needed first.
func TestSummaryFollowsADeletion(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	first, _ := h.say("We bought a kiln for the workshop.")
	h.say("We bought a loom for the attic.")
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	summedUp(h)
	records, err := h.manager.Lookup().Records(t.Context(), luna, first.Record.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	d, err := h.chat.DeleteMessages(t.Context(), true, records[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if l := summedUp(h); strings.Contains(l.Summary.Line(), "kiln") || !strings.Contains(l.Summary.Line(), "loom") {
		t.Errorf("without it: %+v", l.Summary)
	}
	if _, err := h.chat.UndoDeletion(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	if l := summedUp(h); !strings.Contains(l.Summary.Line(), "kiln") {
		t.Errorf("with it again: %+v", l.Summary)
	}
}
