package chat_test

import (
	"slices"
	"testing"
)

// U2: of several memories a yes, 是呢 and "both" delete none: the question stays until the answer says which.
func TestVagueAnswerDeletesNothing(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct{ order, question, vague, asked, answer, left string }{
		{"forget Tunde", "Which one should I forget?", "yes", "Say which", "2", "Husband is called Tunde."},
		{"forget Tunde", "Which one should I forget?", "both of them", "", "", ""},
		{"忘掉 Tunde", "要忘记哪一条", "是呢", "请说明是哪一条", "除了第一条都删了", "Husband is called Tunde."},
		{"忘掉 Tunde", "要忘记哪一条", "对", "请说明是哪一条", "Brother is called Tunde.", "Husband is called Tunde."},
	} {
		h := offline(t, nil)
		h.say("My husband is called Tunde.")
		h.say("My brother is called Tunde.")
		h.settle()
		had := h.remembered()
		wantHas(t, h.tell(c.order).Record.Content, c.question)
		if c.asked == "" { // both of two
			wantHas(t, h.tell(c.vague).Record.Content, "Forgot")
			continue
		}
		wantHas(t, h.tell(c.vague).Record.Content, c.asked)
		if got := h.remembered(); !slices.Equal(got, had) {
			t.Errorf("%q after %q deleted: %q is left of %q", c.vague, c.order, got, had)
		}
		h.tell(c.answer)
		if got := h.remembered(); len(got) != len(had)-1 || !slices.Contains(got, c.left) {
			t.Errorf("%q, %q: %q is left of %q", c.order, c.answer, got, had)
		}
	}
}

// U2: all about somebody is one question with all of it; a number is no yes to it.
func TestForgetAllAboutSomebody(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("My husband is called Tunde.")
	h.say("My brother is called Tunde.")
	h.say("I like tea.")
	h.settle()
	had := h.remembered()
	wantHas(t, h.tell("forget everything about Tunde").Record.Content, "This forgets 2 memories", "Husband is called Tunde", "Forget all of them? (yes/no)")
	h.tell("1")
	if got := h.remembered(); !slices.Equal(got, had) {
		t.Errorf("a number answers yes: %q is left", got)
	}
	h.tell("forget everything about Tunde")
	h.tell("yes")
	if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
		t.Errorf("remembered: %q", got)
	}
}

// U: what is said to the program about the memory is answered without a model, and changes nothing.
func TestAsides(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I like tea.")
	h.settle()
	for said, want := range map[string]string{
		"what have I deleted?": "Nothing that was deleted can be restored", "show me the inbox": "Nothing waits for your approval", "never mind": "Nothing was changed",
		"don't store anything from now on": "/temp", "carry on remembering please": "remembered again", "can you forget things?": "forget that I like tea", "what's the date today": "Today is ",
		"回收站里有啥": "没有可以恢复的内容", "看看删了啥": "没有可以恢复的内容", "待确认的有哪些": "没有等待你确认的内容", "别记录 下面说的都不算数": "/temp", "今儿几号": "今天是 ", "以后我说的吃的都别记": "照常会记",
		"show me everything": "Likes tea.", "tell me something about me": "Likes tea.", "forget my weight": "it may be kept in others", "delete uncle Olav": "nothing was forgotten",
	} {
		wantHas(t, h.tell(said).Record.Content, want)
	}
	h.settle()
	if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
		t.Errorf("remembered: %q", got)
	}
	h.tell("forget that I like tea")
	wantHas(t, h.tell("what have I deleted?").Record.Content, "`/undo` within ", " seconds: Likes tea.")
	wantHas(t, h.tell("看看删了啥").Record.Content, " 秒内可用 `/undo` 恢复：Likes tea.")
}

// U4: the last statement is taken back in everyday words.
func TestTakeBackTheLast(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"刚才那句不算", "刚说的忘掉", "上一条删掉", "撤销刚才的", "别记刚才那个", "erase that"} {
		h := offline(t, nil)
		h.say("I like tea.")
		h.say("I like coffee.")
		h.settle()
		h.tell(said)
		if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
			t.Errorf("%q leaves %q", said, got)
		}
	}
}

// P5b: in a game somebody learns why nothing is remembered, and what goes on remembering.
func TestWhyPaused(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("Pretend you are a pirate")
	wantHas(t, h.tell("why is learning paused").Record.Content, "carry on remembering")
	wantHas(t, h.tell("carry on remembering please").Record.Content, "remembered again")
	h.say("I like tea.")
	h.settle()
	if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
		t.Errorf("remembered: %q", got)
	}
}
