package chat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// embedder asks the house's server.
func (h *house) embedder() *model.Embedder {
	cfg := model.DefaultEmbedConfig()
	cfg.BaseURL, cfg.Name, cfg.Retries = h.server.URL, "test-embedding", 0
	e, err := model.NewEmbedder(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = e.Close() })
	return e
}

// newSage is a house whose server also makes vectors, of subjects it knows.
func newSage(t testing.TB, prepare func(*modeltest.Server), steps ...modeltest.Step) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), clock: &clock{now: start}, server: modeltest.NewServer(t, steps...), embed: true}
	h.server.Subject = func(text string) string {
		for i, p := range retrieve.Probes() {
			if text == p.Question || text == p.Memory {
				return fmt.Sprint("probe ", i)
			}
		}
		for _, w := range []string{"tea", "beverage", "thirsty"} {
			if strings.Contains(text, w) {
				return "drinks"
			}
		}
		return "that of " + text
	}
	if prepare != nil {
		prepare(h.server)
	}
	h.open()
	t.Cleanup(h.close)
	return h
}

func (h *house) settleVectors() {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 20*time.Second)
	defer cancel()
	if err := h.manager.Recall().SettleVectors(ctx, luna); err != nil {
		h.t.Fatal(err)
	}
}

// asksFor counts the requests for vectors that hold the text.
func asksFor(s *modeltest.Server, text string) (n int) {
	for _, r := range s.Embeddings() {
		if slices.ContainsFunc(r.Input, func(in string) bool { return strings.Contains(in, text) }) {
			n++
		}
	}
	return n
}

// R3, R8, R9: what was said in one turn is recalled in another by its meaning, and
// the package shows that it was.
func TestMeaningReachesTheModel(t *testing.T) {
	t.Parallel()
	h := newSage(t, nil, text("Noted."), text("Sencha."))
	h.say("I like green tea")
	h.settleVectors()
	end, _ := h.say("recommend something for thirsty visitors")
	pkg, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkg.Used) != 1 || !pkg.Used[0].Chosen || pkg.Used[0].Parts.VectorScore <= 0 || pkg.Used[0].Contribution.KeywordScore != 0 {
		t.Errorf("used: %+v; degraded: %q", pkg.Used, pkg.Degraded)
	}
	requests := h.server.Requests()
	if sent := requests[len(requests)-1].Text(); !strings.Contains(sent, "green tea") {
		t.Errorf("sent:\n%s", sent)
	}
	if n := asksFor(h.server, "thirsty visitors"); n != 1 {
		t.Errorf("the message's vector was asked for %d times", n)
	}
}

// R9: Enter ends a request for vectors in the background at once, and none is made
// on that server until the answer is there; the message's own is.
func TestEnterInterruptsTheVectors(t *testing.T) {
	t.Parallel()
	stuck, hold := make(chan struct{}), make(chan struct{})
	begun := false
	h := newSage(t, func(s *modeltest.Server) {
		s.Embed = func(r *modeltest.EmbedRequest) modeltest.EmbedStep {
			if !begun && slices.ContainsFunc(r.Input, func(in string) bool { return strings.Contains(in, "Likes green tea") }) {
				begun = true
				close(stuck)
				return modeltest.EmbedStep{Hold: make(chan struct{})} // until the client leaves
			}
			return modeltest.EmbedStep{}
		}
	}, text("Noted."), modeltest.Step{Text: "A long answer.", HoldAfter: modeltest.After(1), Hold: hold})
	h.say("I like green tea")
	<-stuck
	if _, err := h.chat.Send(t.Context(), "My name is Bo", nil); err != nil {
		t.Fatal(err)
	}
	h.server.Wait(t.Context(), 2)
	if n := asksFor(h.server, "My name is Bo"); n != 1 {
		t.Errorf("the message's own vector was asked for %d times", n)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_ = h.manager.Recall().SettleVectors(ctx, luna)
	if n := asksFor(h.server, "Likes green tea"); n != 1 {
		t.Errorf("while an answer was waited for, an item's vector was asked for %d times", n)
	}
	d, err := h.manager.Recall().IndexStatus(t.Context(), luna)
	if err != nil || d[2].Name != recall.DerivedVectors || d[2].State == "degraded" {
		t.Errorf("making way is told as a failure: %+v, %v", d, err)
	}
	close(hold)
	end := until[chat.Finished](h, nil)
	if end.Problem != nil {
		t.Errorf("the answer: %+v", end)
	}
	h.settleVectors()
	if n := asksFor(h.server, "Likes green tea"); n != 2 {
		t.Errorf("after the answer the item's vector was asked for %d times in all", n)
	}
}

// I3: an embedding server that fails never takes the conversation down.
func TestConversationWithoutEmbeddingServer(t *testing.T) {
	t.Parallel()
	h := newSage(t, func(s *modeltest.Server) {
		s.Embed = func(*modeltest.EmbedRequest) modeltest.EmbedStep { return modeltest.EmbedStep{Status: 500} }
	}, text("Noted."), text("You like tea."))
	h.say("I like green tea")
	if err := h.manager.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	end, _ := h.say("which tea do I like?")
	pkg, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkg.Used) != 1 || !pkg.Used[0].Chosen || !strings.Contains(pkg.Degraded, "only words were compared") {
		t.Errorf("used: %+v; degraded: %q", pkg.Used, pkg.Degraded)
	}
}
