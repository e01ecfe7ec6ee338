package chat_test

import (
	"slices"
	"strings"
	"testing"

	"memoria/memory"
)

// D2: what was deleted in a list is quoted by no answer, neither from the memory nor from the messages that said it, until
// that is undone. A message that says more is still quoted.
func TestDeletedIsNotQuoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, other, asked, word string }{
		{"My gran has a cat called Pickles", "My dog is called Rex", "what is my gran's cat called", "Pickles"},
		{"记住我弟欠我2000", "我家狗叫豆豆", "我弟欠我多少钱", "2000"},
	} {
		h := offline(t, nil)
		h.tell(c.said)
		h.tell(c.other)
		h.settle()
		items, err := h.manager.Lookup().Remembered(t.Context(), luna)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(items, func(it memory.Item) bool { return strings.Contains(it.Content, c.word) })
		if at < 0 {
			t.Fatalf("%q taught %+v", c.said, items)
		}
		d, err := h.manager.DeleteItems(t.Context(), luna, items[at].ID)
		if err != nil {
			t.Fatal(err)
		}
		if answer := h.tell(c.asked).Record.Content; strings.Contains(answer, c.word) {
			t.Errorf("%q is answered %q", c.asked, answer)
		}
		if _, err := h.manager.UndoDeletion(t.Context(), luna, d.ID); err != nil {
			t.Fatal(err)
		}
		h.settle()
		if answer := h.tell(c.asked).Record.Content; !strings.Contains(answer, c.word) {
			t.Errorf("restored, %q is answered %q", c.asked, answer)
		}
	}
}
