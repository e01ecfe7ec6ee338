package chat_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// idle waits until the turn whose end was told is over.
func (h *house) idle() {
	for h.chat.Busy() {
		runtime.Gosched()
	}
}

// A model that is set while another answers takes over with the next turn: the
// words of the first stay its own and stay in the window.
func TestModelSetDuringAnAnswer(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold})
	if _, err := h.chat.Send(t.Context(), "count", nil); err != nil {
		t.Fatal(err)
	}
	until[chat.Delta](h, nil)
	h.chat.SetModel(model.NewOffline(h.clock.Now))
	close(hold)
	end := until[chat.Finished](h, nil)
	if end.Record.Own() || end.Record.Model != "test-model" || end.Record.Content != "one two three" {
		t.Errorf("the answer: %+v", end.Record)
	}
	if next, _ := h.say("and you?"); !next.Record.Own() {
		t.Errorf("the next answer: %+v", next.Record)
	}
}

// C7: estimates come to what the server counts and stay there.
func TestEstimatesFollowTheServer(t *testing.T) {
	t.Parallel()
	const said = "The same question, again and again, to see what it costs"
	plain := func(o *chat.Options) { o.NoMemory = true }
	turns := func(h *house, n int) int {
		tokens := 0
		for range n {
			if err := h.chat.NewSession(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := h.chat.Send(t.Context(), said, nil); err != nil {
				t.Fatal(err)
			}
			tokens = until[chat.PackageStored](h, nil).Package.Tokens
			until[chat.Finished](h, nil)
			h.idle()
		}
		return tokens
	}
	raw := turns(newHouse(t, plain), 1)
	counted := raw * 3 / 2
	var steps []modeltest.Step
	for range 9 {
		steps = append(steps, modeltest.Step{Text: "yes", Usage: &modeltest.Usage{PromptTokens: counted, TotalTokens: counted + 1}})
	}
	got := turns(newHouse(t, plain, steps...), len(steps))
	if off := float64(got)/float64(counted) - 1; off < -0.02 || off > 0.02 {
		t.Errorf("the estimate is %d where the server counts %d", got, counted)
	}
}

// A message whose asker has gone before its turn is cancelled when that begins.
func TestAskGivenUpEarly(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, modeltest.Step{Text: "one two three", StallAfter: modeltest.After(1)})
	gone, stop := context.WithCancel(t.Context())
	stop()
	end, err := h.chat.Ask(gone, "count", nil, nil)
	if err != nil || end.Record.Status != memory.StatusCancelled {
		t.Errorf("%+v, %v", end, err)
	}
}

// A1: an answer that the disk does not take is told, and stored as soon as that
// works, before what comes after it.
func TestAnswerIsStoredLater(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long answer ", memory.MaxContent/14+1)
	h := newHouse(t, nil, modeltest.Step{Text: long, Deltas: 20}, text("short"))
	inTheWay := filepath.Join(h.dir, "content")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.chat.Send(t.Context(), "tell me", nil); err != nil {
		t.Fatal(err)
	}
	end := until[chat.Finished](h, nil)
	if end.Problem == nil || end.Record.Content != long {
		t.Errorf("problem %+v, %d bytes", end.Problem, len(end.Record.Content))
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	next, _ := h.say("go on")
	records, err := h.manager.Lookup().Records(t.Context(), luna, next.Record.SessionID)
	if err != nil || len(records) != 4 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if r := records[1]; r.Role != memory.RoleAssistant || r.Status != memory.StatusComplete || r.Content != long {
		t.Errorf("the long answer: %s %s, %d bytes", r.Role, r.Status, len(r.Content))
	}
}

// S1: after a clock that was ahead, a new session stays one session, in this
// process and in the next.
func TestClockWasAhead(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	h.clock.Add(24 * time.Hour)
	h.say("tomorrow")
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.clock.Add(-24 * time.Hour)
	first, _ := h.say("today")
	for range 2 {
		if next, _ := h.say("and on"); next.Record.SessionID != first.Record.SessionID {
			t.Errorf("another session: %s", next.Record.SessionID)
		}
		h.reopen()
	}
}

// broken is a model whose client has a fault of its own.
type broken struct{ model.Client }

func (broken) Stream(_ context.Context, _ model.Request, on func(model.Event)) (model.Reply, error) {
	on(model.Delta{Text: "half a "})
	panic("with the user's words in it")
}

// A fault of the program ends the turn and nothing else; what had arrived is
// kept.
func TestFaultEndsTheTurnOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("well again"))
	good := h.client()
	h.chat.SetModel(broken{good})
	end, _ := h.say("hello")
	if end.Problem == nil || end.Record.Status != memory.StatusInterrupted || end.Record.Content != "half a " {
		t.Errorf("%+v, problem %+v", end.Record, end.Problem)
	}
	h.chat.SetModel(good)
	if next, _ := h.say("and now?"); next.Problem != nil || next.Record.Content != "well again" {
		t.Errorf("%+v, problem %+v", next.Record, next.Problem)
	}
}

// C4: the heading and the marks of recalled memory are part of its budget.
func TestMemoryBudgetHoldsTheFrame(t *testing.T) {
	t.Parallel()
	const budget = 100
	h := newHouse(t, func(o *chat.Options) { o.Context.MemoryTokens = budget })
	for _, s := range []string{"cello lessons on Monday", "a cello by Guadagnini", "cello strings from Vienna", "the cello concerto by Elgar"} {
		if _, err := h.manager.Learning().AddItem(t.Context(), luna, memory.Item{Content: s + strings.Repeat(" and so on", 4)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.manager.Recall().Settle(t.Context(), luna); err != nil { // on a busy machine the index may be late
		t.Fatal(err)
	}
	end, _ := h.say("what about the cello?")
	pkg, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	tokens, over := 0, 0
	for _, b := range pkg.Rendered {
		if b.Layer == memory.LayerRecall {
			tokens = b.Tokens
		}
	}
	for _, u := range pkg.Used {
		if u.Why == "over the memory budget" {
			over++
		}
	}
	if tokens == 0 || tokens > budget || over == 0 {
		t.Errorf("%d tokens in a budget of %d, %d over it", tokens, budget, over)
	}
}

// A message whose turn cannot begin is reported, and blocks no other.
func TestTurnThatCannotBegin(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, modeltest.Step{Text: "one two", HoldAfter: modeltest.After(1), Hold: hold}, text("fine"), text("again"))
	if _, err := h.chat.Send(t.Context(), "first", nil); err != nil {
		t.Fatal(err)
	}
	until[chat.Delta](h, nil)
	lost, err := h.chat.Send(t.Context(), "lost", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.manager.DropIncoming(t.Context(), luna, lost); err != nil {
		t.Fatal(err)
	}
	close(hold)
	until[chat.Finished](h, nil)
	if end := until[chat.Finished](h, nil); end.Problem == nil || end.Record.Status != memory.StatusError {
		t.Errorf("the lost one: %+v", end)
	}
	for tries := 2; tries <= 3; tries++ {
		if err := h.chat.Retry(t.Context()); err != nil {
			t.Fatal(err)
		}
		if end := until[chat.Finished](h, nil); end.Problem == nil {
			t.Errorf("try %d: %+v", tries, end)
		}
	}
	h.idle()
	if err := h.chat.Retry(t.Context()); !errors.Is(err, chat.ErrNothing) {
		t.Errorf("after three tries: %v", err)
	}
	if end, _ := h.say("second"); end.Record.Content != "fine" {
		t.Errorf("the next message: %+v", end)
	}
}
