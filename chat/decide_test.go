package chat_test

import (
	"slices"
	"strings"
	"testing"

	"memoria/chat/model"
)

// waiting are the contents that wait for approval, newest first.
func (h *house) waiting() (out []string) {
	h.t.Helper()
	page, err := h.manager.Lookup().Inbox(h.t.Context(), luna, 0, 0)
	h.must(err)
	for _, it := range page.Items {
		out = append(out, it.Content)
	}
	return out
}

const (
	pauline = "I owe Pauline 300 quid."
	barry   = "I owe Barry 20 quid."
)

// P5: what waits for approval is accepted and rejected in words: by the numbers of the list shown last, by a yes to the one
// that was just held, or by name.
func TestDecideInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said   []string // after the two were held, Pauline's first
		answer string   // the last
		waits  []string
	}{
		{[]string{"whats in the inbox", "accept 1"}, "Accepted, and used from now on: " + barry, []string{pauline}},
		{[]string{"收件箱里有啥", "第二条不要"}, "已拒绝，不会记住：" + pauline, []string{barry}},
		{[]string{"whats in the inbox", "accept 1", "what do you know about me?", "accept 2"}, pauline, nil},
		{[]string{"whats in the inbox", "accept 1", "accept 1"}, "1. " + pauline, []string{pauline}},
		{[]string{"whats in the inbox", "accept 7"}, "Waiting for your approval (2)", []string{barry, pauline}},
		{[]string{"whats in the inbox", "2"}, "Waiting for your approval (2)", []string{barry, pauline}},
		{[]string{"whats in the inbox", "yes"}, "Waiting for your approval (2)", []string{barry, pauline}},
		{[]string{"reject the owe one", "2"}, "Rejected, and not remembered: " + pauline, []string{barry}},
		{[]string{"accept everything in the inbox"}, "Accepted 2 memories", nil},
		{[]string{"accept both"}, "- " + pauline, nil},
		{[]string{"hello", "reject everything"}, "Waiting for your approval (2)", []string{barry, pauline}}, // not unseen
		{[]string{"hello", "reject everything", "all of them"}, "Rejected 2 memories", nil},
		{[]string{"不要"}, "已拒绝，不会记住：" + barry, []string{pauline}},
		{[]string{"都接受"}, "已接受 2 条", nil},
		{[]string{"reject the pauline one"}, "Rejected, and not remembered: " + pauline, []string{barry}},
		{[]string{"yes keep that about pauline"}, "Accepted, and used from now on: " + pauline, []string{barry}},
		{[]string{"yes"}, "Accepted, and used from now on: " + barry, []string{pauline}}, // the turn before held it
		{[]string{"好的记下吧"}, "已接受，以后会用到：" + barry, []string{pauline}},
		{[]string{"ok"}, "OK.", []string{barry, pauline}},
		{[]string{"thanks", "yes"}, "No question of mine is open", []string{barry, pauline}},
		{[]string{"hello", "accept 1"}, "Waiting for your approval (2)", []string{barry, pauline}}, // no numbers were shown
		{[]string{"accept the offer"}, "", []string{barry, pauline}},
		{[]string{"accept 1?"}, "", []string{barry, pauline}},
	} {
		h := offline(t, nil)
		h.tell(strings.TrimSuffix(pauline, "."))
		h.settle()
		h.tell(strings.TrimSuffix(barry, "."))
		h.settle()
		answer := ""
		for _, s := range c.said {
			answer = h.tell(s).Record.Content
			h.settle()
		}
		wantHas(t, answer, c.answer)
		if got := h.waiting(); !slices.Equal(got, c.waits) {
			t.Errorf("after %q there waits %q, want %q", c.said, got, c.waits)
		}
		if !strings.Contains(answer, "ccepted") && !strings.Contains(answer, "ejected") {
			continue
		}
		h.tell("undo that")
		if got := h.waiting(); len(got) <= len(c.waits) {
			t.Errorf("after %q and undo there waits %q", c.said, got)
		}
	}
	h := offline(t, nil)
	for _, said := range []string{"accept 1", "whats in the inbox", "第二条不要记", "dont delete that"} { // none is a title (S13)
		answer := h.tell(said).Record.Content
		if title := h.chat.Session().Title; title != "" {
			t.Errorf("%q, answered %q, is a title: %q", said, answer, title)
		}
	}
	wantHas(t, h.tell("accept 1").Record.Content, "Nothing waits for your approval.")
}

// P5: with a model, which may have asked something, a yes is for it unless the program has just shown the list.
func TestYesIsForTheModel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Shall I draft a letter to her?"), text("Dear Pauline"), text("Well."), text("Fine, no letter."))
	for _, said := range []string{"yes", "不要"} {
		h.say("I owe Pauline 300 quid")
		h.settle()
		if end, _ := h.say(said); end.Record.Model == model.NewOffline(h.clock.Now).Info().Model {
			t.Errorf("%q is not left to the model: %q", said, end.Record.Content)
		}
	}
	if got := h.waiting(); !slices.Equal(got, []string{pauline}) {
		t.Errorf("there waits %q", got)
	}
	h.tell("what's in the inbox")
	if end := h.tell("yes"); end.Record.Model != model.NewOffline(h.clock.Now).Info().Model {
		t.Errorf("a model answers: %q", end.Record.Content)
	}
	if got := h.waiting(); len(got) != 0 {
		t.Errorf("there waits %q", got)
	}
}
