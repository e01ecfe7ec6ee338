package manager_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

func TestPackage(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "I like oolong tea")
	item := changes[0].Item
	in := must(m.KeepIncoming(ctx, luna, "what tea do I like?", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	head, tail := "## Memory\n", "-- end"
	ref := memory.Ref{Kind: memory.KindItem, ID: item.ID, Version: item.Version, Form: memory.FormFence, Source: "preference"}
	pkg := memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Model: "m",
		Blocks: []memory.Block{
			{Layer: memory.LayerPersona, Role: memory.RoleSystem, Parts: []memory.Ref{{Kind: memory.KindText, ID: lookup.TextID("Be kind.")}}},
			{Layer: memory.LayerRecall, Role: memory.RoleUser, Nonce: "n0nce", Parts: []memory.Ref{
				{Kind: memory.KindText, ID: lookup.TextID(head)}, ref, {Kind: memory.KindText, ID: lookup.TextID(tail)}}},
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
		},
		Used: []memory.Used{{ItemID: item.ID, Version: item.Version, Chosen: true}},
	}
	texts := map[string]string{}
	for _, s := range []string{"Be kind.", head, tail} {
		texts[lookup.TextID(s)] = s
	}
	sent := must(m.SavePackage(ctx, pkg, texts))(t)
	want := []memory.Message{
		{Role: memory.RoleSystem, Content: "Be kind."},
		{Role: memory.RoleUser, Content: head + `[preference] "` + item.Content + "\"\n" + tail + "\n\nwhat tea do I like?"},
	}
	if diff := cmp.Diff(want, sent.Messages()); diff != "" {
		t.Errorf("messages:\n%s", diff)
	}
	used := must(m.Lookup().Item(ctx, luna, item.ID))(t)
	if used.AccessCount != 1 || used.LastAccessed.IsZero() || used.Version != item.Version {
		t.Errorf("not counted as accessed: %+v", used)
	}
	must(m.Learning().EditItem(ctx, luna, item.ID, func(it *memory.Item) { it.Content = "Likes green tea" }))(t)
	again := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t)
	if !again.Exact || again.Hash != sent.Hash {
		t.Error("after an edit of the item the package is not the same")
	}
	if diff := cmp.Diff(want, again.Messages()); diff != "" {
		t.Errorf("shown again:\n%s", diff)
	}
	d := must(m.DeleteItems(ctx, luna, item.ID))(t)
	_ = d
	after := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t)
	if after.Exact || after.Rendered[1].Forgotten != 1 {
		t.Errorf("after the deletion: exact %v, %+v", after.Exact, after.Rendered[1])
	}
	if text := after.Messages()[1].Content; strings.Contains(text, "oolong") || !strings.Contains(text, "[forgotten "+c.Now().Format(time.DateOnly)+"]") {
		t.Errorf("after the deletion: %s", text)
	}
	_ = must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if back := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t); !back.Exact {
		t.Error("after taking back it is not exact again")
	}
}

// C3: a part of a text, with marks where something is missing and none where nothing is.
func TestExtract(t *testing.T) {
	const s = "0123456789"
	for _, c := range []struct {
		part memory.Ref
		want string
	}{
		{memory.Ref{}, s},
		{memory.Ref{Cut: 3}, "012…[truncated]"},
		{memory.Ref{From: 4, Cut: 3}, "…456…[truncated]"},
		{memory.Ref{From: 4}, "…456789"},
		{memory.Ref{Cut: 3, Tail: 2}, "012…[truncated]89"},
		{memory.Ref{Cut: 6, Tail: 4}, s},
		{memory.Ref{Cut: 6, Tail: 9}, s},
		{memory.Ref{Cut: 20}, s},
		{memory.Ref{From: 20}, s},
		{memory.Ref{Tail: 2}, s},
	} {
		if got := lookup.Extract(s, c.part); got != c.want {
			t.Errorf("%+v: %q, want %q", c.part, got, c.want)
		}
	}
}
