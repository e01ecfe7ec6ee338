package chat_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// I8: a message in a group that names no member is refused with the members' names,
// and nothing is sent; what only looks like a name is sent.
func TestNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, asGroup(t))
	h.server.Reply = func(*modeltest.Request) modeltest.Step { return modeltest.Step{Text: "Yes."} }
	ctx := t.Context()
	for text, name := range map[string]string{
		"@nobody are you there?": "nobody", "Ask ＠小明一下": "小明一下", "well, @ann2, and you?": "ann2",
	} {
		_, err := h.chat.Send(ctx, text, nil)
		var nobody *chat.NobodyError
		if !errors.As(err, &nobody) || nobody.Name != name || !slices.Contains(nobody.Known, "Ann") {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if p := chat.Explain(err); !strings.Contains(p.Text, "Nobody here is called @"+name) || !strings.Contains(p.Hint, "Nothing was sent") {
			t.Errorf("%+v", p)
		}
	}
	if left, err := h.manager.Lookup().Incoming(ctx, trio); err != nil || len(left) != 0 || len(h.server.Requests()) != 0 {
		t.Errorf("%v, %v, %d requests", left, err, len(h.server.Requests()))
	}
	for _, text := range []string{"a@nobody.example", "`@nobody`", `\@nobody`, "at 5 @ home", "@ann yes", "＠all yes"} {
		if _, err := h.chat.Send(ctx, text, nil); err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		h.answers()
	}
	pasted := "look: @nobody wrote this"
	if _, err := h.chat.Send(ctx, pasted, []memory.Span{{Offset: 6, Length: 18, Kind: memory.SpanPasted}}); err != nil {
		t.Fatalf("pasted: %v", err)
	}
	h.answers()
}
