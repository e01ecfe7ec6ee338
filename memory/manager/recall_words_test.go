package manager_test

import (
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

// asked returns what a message recalls in a session, best first.
func asked(t *testing.T, m *manager.Manager, session, text string) []string {
	t.Helper()
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: text, SessionID: session}))(t)
	out := []string{}
	for _, s := range res.Chosen {
		out = append(out, s.Item.Content)
	}
	return out
}

// R1: a question is answered by what is stored under another word, in either
// language, learned by rule or written by hand.
func TestRecallByAnotherWord(t *testing.T) {
	m, _ := open(t)
	say(t, m, luna, "", "我叫小博。我住在苏州。我今年30岁。")
	say(t, m, luna, "", "My birthday is 4 March.")
	for text, want := range map[string]string{
		"我叫什么？": "小博", "我是谁": "小博", "你知道我是谁吗？": "小博", "who am I?": "小博", "我住哪？": "苏州", "我住在哪里": "苏州",
		"where do I live?": "苏州", "我几岁了？": "30", "我多大": "30", "how old am I?": "30", "when was I born?": "4 March",
	} {
		if got := asked(t, m, "", text); !strings.Contains(strings.Join(got, "\n"), want) || len(got) > 2 {
			t.Errorf("%q recalls %q, want %q", text, got, want)
		}
	}
	res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: "我叫什么？"}))(t)
	if !strings.Contains(strings.Join(res.Keywords, " "), "名字") { // R8: what was looked for is shown
		t.Errorf("looked for %q", res.Keywords)
	}
}

// R5: a single character that names a kind is footing where a word ends in it.
func TestRecallBySingleCharacter(t *testing.T) {
	m, _ := open(t)
	say(t, m, luna, "", "我喜欢喝乌龙茶")
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "养了一只小猫"}))(t)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "住在车站旁边，常听到有人说的好"}))(t)
	for text, want := range map[string]string{
		"我喜欢什么茶？": "乌龙茶", "茶": "乌龙茶", "猫": "小猫", "我的貓呢": "小猫",
	} {
		if got := asked(t, m, "", text); len(got) == 0 || !strings.Contains(got[0], want) {
			t.Errorf("%q recalls %q, want %q first", text, got, want)
		}
	}
	for _, text := range []string{"车怎么保养", "的", "好", "说", "有"} {
		if got := asked(t, m, "", text); len(got) > 0 {
			t.Errorf("%q recalls %q", text, got)
		}
	}
}

// R6: the topic brings its memories to what has a subject or points back, not to
// greetings, and never above what the message itself asks for.
func TestRecallWithTopic(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "hello")
	id := turn.Session.ID
	must(m.EditWorking(ctx, luna, id, func(w *memory.Working) { w.CurrentTopic = "bowl" }))(t)
	const bowl, tea = "Glazed a bowl at the studio", "Likes oolong tea"
	must(m.Learning().AddItem(ctx, luna, memory.Item{Content: tea, Type: memory.TypePreference, Confidence: 0.5}))(t)
	must(m.Learning().AddItem(ctx, luna, memory.Item{Content: bowl, Confidence: 1}))(t)
	for _, text := range []string{"hi there", "ln", "thanks", "你好", "今天好累"} {
		if got := asked(t, m, id, text); len(got) > 0 {
			t.Errorf("%q recalls %q", text, got)
		}
	}
	for _, text := range []string{"and then?", "how big was it?", "后来呢？", "那个怎么样了", "which kiln is best?"} {
		if got := asked(t, m, id, text); len(got) != 1 || got[0] != bowl {
			t.Errorf("%q recalls %q", text, got)
		}
	}
	if got := asked(t, m, id, "what tea do I like"); len(got) == 0 || got[0] != tea {
		t.Errorf("the topic stands above the answer: %q", got)
	}
	if got := asked(t, m, id, "which tea for the bowl?"); len(got) != 2 {
		t.Errorf("both are asked for: %q", got)
	}
}
