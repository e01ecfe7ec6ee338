package manager_test

import (
	"slices"
	"strings"
	"testing"

	"memoria/memory"
)

// U3, P9a, P9b: what a message contrasts with a wrong value, and another date for a plan, take
// the place of what was remembered. A review does not call the result in question, and one undo
// restores what was there.
func TestContrast(t *testing.T) {
	for _, c := range []struct{ told, right, now string }{
		{"I'm a paralegal.", "Not a paralegal, a legal secretary, they're picky about that.", "Is a legal secretary."},
		{"我住在上海徐汇区", "不是徐汇，是静安区", "住在上海静安区"},
		{"My brother visits me on November 28.", "my brother's visit moved to November 29", "My brother visits me on November 29 (29 November 2026)."},
	} {
		m, _ := open(t)
		first, _ := say(t, m, luna, "", c.told)
		was := activeContents(t, m)
		_, changes := say(t, m, luna, first.Session.ID, c.right)
		if got := activeContents(t, m); !slices.Equal(got, []string{c.now}) {
			t.Errorf("%s %s: %q, want %q", c.told, c.right, got, c.now)
		}
		if len(changes) != 1 || changes[0].Action != memory.ActionSuperseded {
			t.Errorf("%s: %+v", c.right, changes)
		}
		if got := must(m.Learning().Review(t.Context(), luna))(t); len(got) != 0 {
			t.Errorf("%s: the review has %+v", c.right, got)
		}
		must(m.Learning().UndoLast(t.Context(), luna))(t)
		if got := activeContents(t, m); !slices.Equal(got, was) {
			t.Errorf("%s: undone %q, want %q", c.right, got, was)
		}
	}
}

// U3, U6, P9: what a message names is put right also when many turns lie between. It is one change that says what it
// replaced, and one undo restores what was there.
func TestContrastLongAfter(t *testing.T) {
	for _, c := range []struct{ told, right, now string }{
		{"I drive a blue Skoda.", "Actually the Skoda is red", "Drives a red Skoda."},
		{"My brother visits me on November 28.", "my brother visits on November 29, not November 28",
			"My brother visits me on November 29 (29 November 2026)."},
		{"我女儿糖糖五岁。", "糖糖六岁了", "女儿糖糖六岁"},
		{"我们五月去三亚。", "三亚不去了，改去厦门", "去厦门"},
	} {
		m, _ := open(t)
		first, _ := say(t, m, luna, "", c.told)
		for _, other := range []string{"hi", "how are you?", "今天好热", "what is a good snack?", "thanks", "ok", "推荐一首歌"} {
			say(t, m, luna, first.Session.ID, other)
		}
		was := activeContents(t, m)
		_, changes := say(t, m, luna, first.Session.ID, c.right)
		if got := activeContents(t, m); len(got) != 1 || !strings.Contains(got[0], c.now) {
			t.Errorf("%s %s: %q, want %q", c.told, c.right, got, c.now)
		}
		if len(changes) != 1 || changes[0].Action != memory.ActionSuperseded || changes[0].Replaced == nil {
			t.Errorf("%s: %+v", c.right, changes)
		}
		must(m.Learning().UndoLast(t.Context(), luna))(t)
		if got := activeContents(t, m); !slices.Equal(got, was) {
			t.Errorf("%s: undone %q, want %q", c.right, got, was)
		}
	}
}
