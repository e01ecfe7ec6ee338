package transcript

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/ui/term/theme"
	"memoria/ui/words"
)

func TestCodesOfAMessage(t *testing.T) {
	m, _ := newTalk(20, 10)
	long := "func f() { return \"一行很长很长很长很长的代码\" } // and more of it"
	m.Put(reply("a", "Do:\n\n```go\n"+long+"\n```\n\n- then\n  ```\n  x\n  ```\n"))
	m.Put(say("b", "no code"))
	view(m)
	// What is copied has no breaks of the screen's.
	if diff := cmp.Diff([]string{long, "x"}, m.Codes("a")); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if got := append(m.Codes("b"), m.Codes("nobody")...); len(got) != 0 {
		t.Errorf("codes of nothing: %q", got)
	}
	if e, _ := m.Entry("a"); !strings.Contains(e.Text, long) {
		t.Error("the message's text was wrapped")
	}
}

func TestFind(t *testing.T) {
	m := New(&plainText{}, time.UTC, words.Pictures{})
	m.SetStyles(theme.New(theme.Dark, true), &plainText{})
	m.SetSize(40, 8)
	fill(m, 30)
	m.Put(say("x", "我喜欢 Tea, and TEA again"))
	m.Put(reply("y", strings.Repeat("line\n", 50)+"the last tea here"))
	var at []string
	find := func(text string, back bool) {
		t.Helper()
		if !m.Find(text, back) {
			at = append(at, "none")
			return
		}
		e, _ := m.Selected()
		it := m.items[m.index[e.ID]]
		at = append(at, e.ID+":"+e.Text[it.mark[0]:it.mark[1]])
		if !strings.Contains(view(m), m.styles.Mark.Render(e.Text[it.mark[0]:it.mark[1]])) {
			t.Errorf("%s is not seen marked:\n%s", at[len(at)-1], view(m))
		}
	}
	find("tea", true)
	find("tea", true)
	find("tea", true)
	find("tea", true) // round the end
	find("tea", false)
	find("tea", false)
	find("喜欢", false)
	find("QUESTION 12", true)
	find("nowhere", false)
	find("", false)
	want := []string{"y:tea", "x:TEA", "x:Tea", "y:tea", "x:Tea", "x:TEA", "x:喜欢", "u12:question 12", "none", "none"}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if strings.Contains(view(m), "▌") {
		t.Error("a mark is left")
	}
}

func TestFindInNothing(t *testing.T) {
	m, _ := newTalk(40, 8)
	if m.Find("x", false) || m.Find("x", true) {
		t.Error("found in nothing")
	}
}

// The place of a memory's source is seen however long the message is.
func TestPointShowsTheMark(t *testing.T) {
	m, _ := newTalk(60, 10)
	fill(m, 20)
	text := strings.Repeat("长长的一段话。\n", 200) + "我喜欢 tea\n" + strings.Repeat("后面还有。\n", 100)
	m.Put(reply("src", text))
	fill(m, 30)
	if !m.Point("src", strings.Index(text, "我喜欢"), len("我喜欢 tea")) {
		t.Fatal("not found")
	}
	lines := m.View()
	row := -1
	for i, l := range lines {
		if strings.Contains(l, "我喜欢 tea") {
			row = i
			if !strings.HasPrefix(l, "▌") {
				t.Errorf("the message is not marked: %q", l)
			}
		}
	}
	if row < 2 || row > 7 {
		t.Errorf("the mark stands on row %d:\n%s", row, strings.Join(lines, "\n"))
	}
	// A jump without words marks the message and shows its beginning.
	if !m.Point("u3", 0, 0) || !strings.Contains(view(m), "▌  question 3 ") {
		t.Errorf("no mark on the message:\n%s", view(m))
	}
}

func TestNewMessagesBelow(t *testing.T) {
	m, _ := newTalk(60, 8)
	fill(m, 10)
	m.Put(reply("turn:1", ""))
	m.Append("turn:1", strings.Repeat("a line\n", 30))
	m.ScrollBy(-5)
	has := func(want string) {
		t.Helper()
		if got := view(m); !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	has("↓ the answer grows below")
	m.Replace("turn:1", reply("r1", strings.Repeat("a line\n", 30)))
	has("↓ more below")
	m.Put(say("n1", "new"))
	has("↓ 1 new message below")
	m.Put(reply("n2", "newer"))
	has("↓ 2 new messages below")
	m.ScrollEnd()
	if got := view(m); strings.Contains(got, "↓") {
		t.Errorf("a sign at the end:\n%s", got)
	}
}
