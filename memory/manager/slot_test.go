package manager_test

import (
	"testing"

	"memoria/memory"
)

// R13, P4: a repetition in the other language confirms, a contradiction in it supersedes,
// and anything else becomes a new item.
func TestSaidInTheOtherLanguage(t *testing.T) {
	for _, c := range []struct {
		before, now string
		want        memory.Action
		active      int
	}{
		{"I have a cat.", "我养了一只猫", memory.ActionConfirmed, 1},
		{"我养了一只猫", "I have a cat.", memory.ActionConfirmed, 1},
		{"I have a cat.", "我养了一只狗", memory.ActionAdded, 2},
		{"I live in Bonn", "我住在波恩", memory.ActionConfirmed, 1},
		{"我住在波恩", "I live in Berlin", memory.ActionSuperseded, 1},
		{"I like tea", "我讨厌喝茶", memory.ActionSuperseded, 1},
		{"我喜欢喝茶", "I like coffee", memory.ActionAdded, 2},
	} {
		m, _ := open(t)
		say(t, m, luna, "", c.before)
		_, changes := say(t, m, luna, "", c.now)
		if len(changes) != 1 || changes[0].Action != c.want {
			t.Errorf("%q, then %q: %+v, want %s", c.before, c.now, changes, c.want)
		}
		if got := active(t, m); len(got) != c.active {
			t.Errorf("%q, then %q: %q", c.before, c.now, got)
		}
	}
}

// R13, P9: two languages do not fill a slot twice when something is undone or written by hand.
func TestSlotIsFilledOnceInTwoLanguages(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	_, liked := say(t, m, luna, "", "I like tea")
	say(t, m, luna, "", "我讨厌喝茶")
	wantActive(t, m, "讨厌喝茶")
	must(m.Learning().UndoLast(ctx, luna))(t)
	wantActive(t, m, "Likes tea.")

	first := must(m.Lookup().Item(ctx, luna, liked[0].ItemID))(t)
	must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "不再喝茶", Key: "preference/茶"}))(t)
	wantActive(t, m, "不再喝茶")
	if it := must(m.Lookup().Item(ctx, luna, first.ID))(t); it.State == memory.StateActive {
		t.Errorf("%+v", it)
	}
}

// R13, P10: a memory that was deleted does not come back through a model's words in the other language.
func TestDeletedStaysAwayInTheOtherLanguage(t *testing.T) {
	m, _ := open(t)
	_, changes := say(t, m, luna, "", "I like tea")
	must(m.DeleteItems(t.Context(), luna, changes[0].ItemID))(t)
	if got := active(t, m); len(got) > 0 {
		t.Fatal(got)
	}
	paste(t, m, memory.SpanPasted, "记住我喜欢喝茶")
	paste(t, m, memory.SpanPasted, "记住我喜欢喝咖啡")
	if held := inbox(t, m); len(held) != 1 || held[0].Key != "preference/咖啡" {
		t.Errorf("what waits: %+v", held)
	}
}
