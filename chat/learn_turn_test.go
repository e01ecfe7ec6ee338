package chat_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// ruled waits for what the rules make of a message.
func ruled(h *house) chat.Learned {
	h.t.Helper()
	return until(h, func(l chat.Learned) bool { return len(l.Changes) > 0 })
}

func (h *house) contents() (out []string) {
	h.t.Helper()
	for _, it := range items(h) {
		if it.State == memory.StateActive {
			out = append(out, it.Content)
		}
	}
	return out
}

// L2: the items that the rules extract from a message are reported after it, before a model has said a
// word; the answer brings no second one.
func TestRulesBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, modeltest.Step{Text: "Nice to meet you, Bo.", HoldAfter: modeltest.After(0), Hold: hold})
	if _, err := h.chat.Send(t.Context(), "My name is Bo", nil); err != nil {
		t.Fatal(err)
	}
	l := ruled(h)
	for _, e := range h.seen {
		switch e.(type) {
		case chat.Delta, chat.Finished:
			t.Errorf("%T came first", e)
		}
	}
	if i := slices.IndexFunc(h.seen, func(e chat.Event) bool { _, is := e.(chat.UserStored); return is }); i < 0 {
		t.Error("learned from a message that was not stored")
	}
	if len(l.Changes) != 1 || l.Changes[0].Action != memory.ActionAdded || l.TurnID == "" || l.Sender != "" {
		t.Errorf("%+v", l)
	}
	if got := h.contents(); !slices.Equal(got, []string{"Name is Bo."}) {
		t.Errorf("stored %q", got)
	}
	close(hold)
	end := until[chat.Finished](h, nil)
	if l := until(h, func(l chat.Learned) bool { return l.TurnID == end.TurnID }); len(l.Changes) != 0 {
		t.Errorf("learned again: %+v", l.Changes)
	}
}

// L2, P9: undoing the turn takes back what the rules made of its message, whatever
// became of the answer.
func TestUndoTakesBackWhatRulesLearned(t *testing.T) {
	t.Parallel()
	steps := map[string]modeltest.Step{
		"streaming": {Text: "Nice to meet you", StallAfter: modeltest.After(1)},
		"cancelled": {Text: "Nice to meet you", StallAfter: modeltest.After(1)},
		"failed":    {Status: 500},
		"answered":  {Text: "Nice to meet you"},
	}
	for name, step := range steps {
		h := newHouse(t, nil, step)
		if _, err := h.chat.Send(t.Context(), "My name is Bo", nil); err != nil {
			t.Fatal(err)
		}
		ruled(h)
		switch name {
		case "streaming":
			until[chat.Delta](h, nil)
		case "cancelled":
			until[chat.Delta](h, nil)
			h.chat.Cancel()
			until[chat.Finished](h, nil)
		default: // it may have ended before the rules had read the message
			if !slices.ContainsFunc(h.seen, func(e chat.Event) bool { _, ended := e.(chat.Finished); return ended }) {
				until[chat.Finished](h, nil)
			}
		}
		if _, err := h.chat.UndoTurn(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "streaming" {
			until[chat.Finished](h, nil)
		}
		if got := h.contents(); len(got) != 0 {
			t.Errorf("%s: still %q", name, got)
		}
		h.say("Tell me about tides.") // what was queued of the turn does not come back
		if got := h.contents(); len(got) != 0 {
			t.Errorf("%s: again %q", name, got)
		}
	}
}

// L2: what a message has just taught is not recalled for it and does not stand in its
// profile, and what it replaced is not sent any more; the next message recalls it. The
// package is exact (C5), and no access is counted (L4).
func TestMessageDoesNotRecallItself(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Shanghai!"), text("Bonn!"), text("In Bonn."))
	h.say("I live in Shanghai")
	h.settle()
	end, l := h.say("I live in Bonn now")
	it := l.Changes[0].Item
	p := h.pkg(end.Record.TurnID)
	if !p.Exact {
		t.Error("the package is not what was sent")
	}
	for _, m := range p.Messages()[:len(p.Messages())-1] {
		if m.Role == memory.RoleSystem && (strings.Contains(m.Content, "Bonn") || strings.Contains(m.Content, "Shanghai")) {
			t.Errorf("sent before the message:\n%s", m.Content)
		}
	}
	for _, u := range p.Used {
		if u.ItemID == it.ID {
			t.Errorf("the message recalled what it taught: %+v", u)
		}
	}
	if last := p.Messages()[len(p.Messages())-1].Content; strings.Contains(last, "## Memory") {
		t.Errorf("memories beside the message:\n%s", last)
	}
	if now, err := h.manager.Lookup().Item(t.Context(), luna, it.ID); err != nil || now.AccessCount != 0 {
		t.Errorf("used %d times, %v", now.AccessCount, err)
	}
	h.settle()
	end, _ = h.say("Where do I live?")
	if p := h.pkg(end.Record.TurnID); !slices.ContainsFunc(p.Used, func(u memory.Used) bool { return u.Chosen && u.ItemID == it.ID }) {
		t.Errorf("the next message does not recall it: %+v", p.Used)
	}
}

// L2, U6: the client is given what the rules made of the message, so that one without a
// model can answer with it; also when the message is answered again.
func TestRequestCarriesWhatWasLearned(t *testing.T) {
	t.Parallel()
	var asked []model.Request
	h := newHouse(t, func(o *chat.Options) { o.Model = &noting{model.NewOffline(o.Now), &asked} })
	h.say("I live in Shanghai")
	end, _ := h.say("I live in Bonn now")
	if err := h.chat.Regenerate(t.Context(), end.Record.ID); err != nil {
		t.Fatal(err)
	}
	h.learned(until[chat.Finished](h, nil).TurnID)
	h.say("Hello")
	if len(asked) != 4 {
		t.Fatalf("%d requests", len(asked))
	}
	for i, want := range []string{"Shanghai", "Bonn", "Bonn"} {
		l := asked[i].Learned
		if len(l) != 1 || !strings.Contains(l[0].Item.Content, want) {
			t.Errorf("request %d: %+v", i, l)
			continue
		}
		if old := l[0].Replaced; i > 0 && (old == nil || !strings.Contains(old.Content, "Shanghai")) {
			t.Errorf("request %d replaced %+v", i, old)
		}
	}
	if l := asked[3].Learned; len(l) != 0 {
		t.Errorf("a greeting taught %+v", l)
	}
}

// noting keeps the requests of a client.
type noting struct {
	model.Client
	asked *[]model.Request
}

func (n *noting) Stream(ctx context.Context, req model.Request, on func(model.Event)) (model.Reply, error) {
	*n.asked = append(*n.asked, req)
	return n.Client.Stream(ctx, req, on)
}
