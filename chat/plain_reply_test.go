package chat_test

import (
	"strings"
	"testing"
)

// U2: a question to forget takes everyday answers; a short message that is none keeps it open, and says so.
func TestForgetQuestionPlainReplies(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct {
		replies []string
		answer  string // to the last of them
		left    bool
	}{
		{[]string{"aye"}, "Forgot", false},
		{[]string{"aye go on"}, "Forgot", false},
		{[]string{"go on then"}, "Forgot", false},
		{[]string{"yep, do it"}, "Forgot", false},
		{[]string{"no dont"}, "Nothing was forgotten", true},
		{[]string{"nah leave it"}, "Nothing was forgotten", true},
		{[]string{"wrong one"}, "Nothing was forgotten", true},
		{[]string{"莫 搞错了"}, "Nothing was forgotten", true},
		{[]string{"莫删"}, "Nothing was forgotten", true},
		{[]string{"不是这个"}, "Nothing was forgotten", true},
		{[]string{"要得"}, "Forgot", false},
		{[]string{"好嘛"}, "Forgot", false},
		{[]string{"purple"}, "Nothing is forgotten yet", true},
		{[]string{"purple", "aye"}, "Forgot", false},
		{[]string{"purple", "green", "aye"}, "No question of mine is open", true}, // asked again once only
		{[]string{"where is the shed key?"}, "shed key", true},
		{[]string{"I play the fiddle."}, "", true},
	} {
		h := offline(t, nil)
		for _, s := range []string{"remember that the shed key hangs by the door and the lamp is broken", "forget the lamp"} {
			h.tell(s)
			h.settle()
		}
		answer := ""
		for _, s := range c.replies {
			answer = h.tell(s).Record.Content
			h.settle()
		}
		wantHas(t, answer, c.answer)
		left := strings.Contains(strings.Join(h.remembered(), "\n"), "The shed key")
		if left != c.left {
			t.Errorf("after %q: still remembered %v, want %v; answered %q", c.replies, left, c.left, answer)
		}
	}
}

// U1: questions about the program itself are answered with its keys and commands; similar ones about the user's life are not.
func TestQuestionsAboutTheProgram(t *testing.T) {
	noRace(t)
	t.Parallel()
	h := offline(t, nil)
	for said, want := range map[string]string{
		"how do i get out of this":              "/quit",
		"how can I exit?":                       "/quit",
		"is what i say private?":                "on this computer only",
		"can anyone else read this":             "on this computer only",
		"where are my memories stored":          "memoria doctor",
		"where is everything kept?":             "memoria doctor",
		"how do i get back something i deleted": "F7",
		"how can i undo a deletion?":            "F7",
		"怎么退出":                                  "/quit",
		"我的数据存在哪里？":                             "memoria doctor",
		"这安全吗":                                  "这台电脑上",
		"删错了怎么恢复":                               "F7",
		"aye":                                   "No question of mine is open",
	} {
		wantHas(t, h.tell(said).Record.Content, want)
	}
	for _, said := range []string{
		"how do i quit smoking", "is this private school any good", "where are my keys kept", "how do i get back to Larne",
		"怎么退出微信群", "这个小区安全吗", "银行卡放在哪里",
	} {
		for _, not := range []string{"/quit", "F7", "memoria doctor", "computer", "这台电脑"} {
			wantNot(t, h.tell(said).Record.Content, not)
		}
	}
}

// U2: "everything about" somebody is asked first, also where only one memory holds it.
func TestForgetWholePersonAsks(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct {
		said []string
		asks bool
	}{
		{[]string{"my uncle is called seamus", "delete everything about seamus"}, true},
		{[]string{"my uncle is called seamus", "forget everything about my uncle"}, true},
		{[]string{"remember that seamus lent me his ladder and his van", "wipe everything about seamus"}, true},
		{[]string{"I like tea.", "forget that i like tea"}, false},
		{[]string{"I live in Larne.", "forget where i live"}, false},
	} {
		h := offline(t, nil)
		answer := ""
		for _, s := range c.said {
			answer = h.tell(s).Record.Content
			h.settle()
		}
		if asks := strings.Contains(answer, "(yes/no)"); asks != c.asks || (len(h.remembered()) > 0) != c.asks {
			t.Errorf("%q: answered %q, remembered %q", c.said, answer, h.remembered())
		}
	}
}
