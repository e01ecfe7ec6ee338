package chat_test

import (
	"slices"
	"strings"
	"testing"
)

// U4, U5: the message before is taken back in plain words: what it taught is undone, and it is kept out of later answers.
func TestTakeBackTheMessageBefore(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct{ said, order, answer string }{
		{"i love prawns", "delete my last message", "no longer remembered: Likes prawns."},
		{"i love prawns", "forget my last message", "no longer remembered: Likes prawns."},
		{"i love prawns", "dont remember that", "no longer remembered: Likes prawns."},
		{"i love prawns", "forget that", "no longer remembered: Likes prawns."},
		{"i love prawns", "delete that", "no longer remembered: Likes prawns."},
		{"i love prawns", "oh no, forget what i just said", "no longer remembered: Likes prawns."},
		{"i think dev is having an affair with pauline", "forget what i just said", "It had taught nothing."},
		{"i voted green", "forget that", "kept out of the memory from now on: “i voted green”"},
		{"我血型是O型", "算了刚才那句别记", "不再记得：血型是O型"},
		{"我喜欢吃火锅", "把我刚说的删了", "不再记得：喜欢吃火锅"},
		{"我喜欢吃火锅", "刚才那句别记", "不再记得：喜欢吃火锅"},
		{"我喜欢吃火锅", "上一条删掉", "不再记得：喜欢吃火锅"},
		{"我昨天把领导骂了一顿", "刚才那句别记", "从它没有记住过什么"},
	} {
		h := offline(t, nil)
		h.say("I live in Oslo.")
		h.tell(c.said)
		h.settle()
		wantHas(t, h.tell(c.order).Record.Content, c.answer)
		h.settle()
		if got := h.remembered(); !slices.Equal(got, []string{"Lives in Oslo."}) {
			t.Errorf("%q, %q: remembered %q", c.said, c.order, got)
		}
		for _, asks := range []string{"what do you know about prawns", "do i know anything about dev and pauline", "who did i vote for",
			"我喜欢吃什么", "我的血型", "领导"} {
			wantNot(t, h.tell(asks).Record.Content, "i love prawns", "affair", "voted green", "火锅", "O型", "骂了一顿")
		}
	}
}

// U4: what two messages had taught is taken back at once, and comes back at once.
func TestTakeBackSeveralMessages(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("i love fried prawns")
	h.settle()
	h.tell("i hate cold prawns")
	h.settle()
	had := h.remembered()
	h.tell("forget the prawns i just told you")
	if got := h.remembered(); len(had) != 2 || len(got) != 0 {
		t.Fatalf("remembered %q, then %q", had, got)
	}
	if _, err := h.manager.Learning().Undo(t.Context(), luna, h.instructed().Undo); err != nil {
		t.Fatal(err)
	}
	if got := h.remembered(); len(got) != 2 {
		t.Errorf("after the undo: %q, before %q", got, had)
	}
}

// U4, U5: these take no message back.
func TestNotTakenBack(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct{ said, near string }{
		{"i love prawns", "i forgot what i just said"},
		{"i love prawns", "did i forget that?"},
		{"i love prawns", "forget that, i can never do that"},
		{"i love prawns", "delete that from the list"},
		{"i love prawns", "remove the last line"},
		{"i love prawns", "dont forget that"},
		{"我喜欢吃火锅", "刚才删了"},
		{"我喜欢吃火锅", "我忘了刚才说到哪了"},
		{"我穿42码的鞋", "你莫记我刚才说的那些码"},
	} {
		h := offline(t, nil)
		h.tell(c.said)
		h.settle()
		had := h.remembered()
		h.tell(c.near)
		h.settle()
		for _, was := range had {
			if got := h.remembered(); !slices.Contains(got, was) {
				t.Errorf("%q after %q: %q is left of %q", c.near, c.said, got, had)
			}
		}
	}
}

// U5: a question is no memory: the program says that none was forgotten. Twice is once.
func TestTakeBackAQuestion(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I hate dev.")
	h.tell("what do you know about dev?")
	wantHas(t, h.tell("forget that").Record.Content, "It was only a question.")
	wantHas(t, h.tell("forget that").Record.Content, "kept out of the memory already")
	if got := h.remembered(); !slices.Equal(got, []string{"Hates dev."}) {
		t.Errorf("remembered: %q", got)
	}
}

// U3: a correction right after puts right what the message before taught, and is no memory of its own.
func TestCorrectedRightAfter(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct {
		said []string
		left []string
	}{
		{[]string{"i prefer tea to coffee", "actually coffee, not tea"}, []string{"Prefers coffee over tea."}},
		{[]string{"my dad is 80", "no wait he's 81"}, []string{"Dad is 81."}},
		{[]string{"my dad is 80", "no wait he's 81", "scratch that 80 was right"}, []string{"Dad is 80."}},
		{[]string{"im veggie", "no wait im not veggie anymore, had a kebab last night"}, []string{}},
		{[]string{"i hate dev", "thats not true, i dont hate dev"}, []string{}},
		{[]string{"my fav colour is green", "no blue"}, []string{"Favourite colour is blue."}},
		{[]string{"my neighbour is called jean", "oops i mean joan"}, []string{"Neighbour is called joan."}},
		{[]string{"i have three nephews", "wait no two nephews"}, []string{"Has two nephews."}},
		{[]string{"my hair appointment is on friday at 3", "no sorry 4"}, []string{"Hair appointment on friday (27 November 2026) at 4."}},
		{[]string{"i have a hair appointment on friday at 3", "make that thursday"},
			[]string{"Has a hair appointment on thursday (26 November 2026) at 3."}},
		{[]string{"the bins", "i meant to say green bins"}, []string{}},
		{[]string{"我哥在深圳开货车", "不对，我哥现在在东莞，不在深圳"}, []string{"哥在东莞开货车"}},
		{[]string{"我妈今年八十二", "不对 是八十一，记错了"}, []string{"妈八十一岁"}},
		{[]string{"我妈今年八十二", "我妈不是82 是81"}, []string{"妈81岁"}},
		{[]string{"我表哥叫刘强，哦不对，叫刘勇"}, []string{"表哥叫刘勇"}},
		{[]string{"我身高172", "刚才说错了，是一米七四"}, []string{"身高是一米七四"}},
		{[]string{"在深圳开货车", "纠正一下 在深圳开货车的是我哥不是我"}, []string{"哥在深圳开货车"}},
		{[]string{"我体重155斤", "不是155 是165"}, []string{"体重是155斤"}}, // it waits for approval
		{[]string{"老婆在红旗超市当收银员", "老婆不在红旗超市了，去盒马上班了"}, []string{"老婆在盒马上班"}},
	} {
		h := offline(t, nil)
		for _, s := range c.said {
			h.tell(s)
			h.settle()
		}
		if got := h.remembered(); !slices.Equal(got, c.left) {
			t.Errorf("%q: remembered %q, want %q", c.said, got, c.left)
		}
	}
}

// U3: a message that only begins like a correction, or corrects what was never said, changes no memory.
func TestNoCorrectionRightAfter(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, said := range [][]string{
		{"my fav colour is green", "no thanks"},
		{"my fav colour is green", "no problem"},
		{"my fav colour is green", "no idea"},
		{"my fav colour is green", "no way"},
		{"my fav colour is green", "sorry about that"},
		{"my fav colour is green", "oops i mean it"},
		{"my fav colour is green", "oops"},
		{"my neighbour is called jean", "no blue cheese for me"},
		{"my neighbour is called jean", "no kidding"},
		{"i have three nephews", "wait, two minutes"},
		{"i have three nephews", "no two days are the same"},
		{"i hate dev", "i dont hate mondays"},
		{"i hate dev", "no i dont"},
		{"我女儿雨桐想考四川大学", "我女儿不在七中了 转到石室中学了"},
		{"我女儿在成都七中林荫校区12班", "你记错了 我女儿是文科12班 不是11班"},
		{"我身高172", "说错了，不好意思"},
		{"我妈今年八十二", "不是吧"},
		{"i dont drink, 3 years sober in march", "remember that my ex husband is called darren, divorced march 2024"},
	} {
		h := offline(t, nil)
		last := len(said) - 1
		for _, s := range said[:last] {
			h.tell(s)
			h.settle()
		}
		had := h.remembered()
		h.tell(said[last])
		h.settle()
		for _, was := range had {
			if got := h.remembered(); !slices.Contains(got, was) {
				t.Errorf("%q ended %q; there is %q", said[last], was, got)
			}
		}
		if len(had) == 0 {
			t.Errorf("%q taught nothing", said[:last])
		}
	}
}

// U2: an order that may mean something else asks, or finds it in the history alone and offers to keep that out.
func TestForgetAsksWhenUnsure(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("我老婆一个月三千八")
	h.say("我老婆下个月要涨工资到四千二")
	h.settle()
	had := h.remembered()
	wantHas(t, h.tell("忘掉我老婆的工资").Record.Content, "要忘记这条记忆吗")
	if got := h.remembered(); !slices.Equal(got, had) {
		t.Errorf("remembered: %q", got)
	}

	h = offline(t, nil)
	h.say("im on the waiting list for a hysterectomy")
	h.settle()
	wantHas(t, h.tell("forget the hysterectomy").Record.Content, "No memory holds “hysterectomy”", "(yes/no)")
	wantHas(t, h.tell("no").Record.Content, "Nothing was forgotten")
	h.tell("forget the hysterectomy")
	wantHas(t, h.tell("yes").Record.Content, "no longer used")
	wantNot(t, h.tell("whats on my waiting list").Record.Content, "on the waiting list for")

	h = offline(t, nil)
	h.say("my ex darren pays 250 a month maintenance, always late")
	wantHas(t, h.tell("forget always late").Record.Content, "Forgot: Always late.")
}

// U2: several things are named in one order, or in the answer to the question.
func TestForgetSeveralNamed(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct{ order, answer, left string }{
		{"forget asthma and migraines", "yes", "Is allergic to penicillin."},
		{"delete everything you know about my health", "just the asthma, keep the rest", "I get migraines. Is allergic to penicillin."},
		{"delete everything you know about my health", "only the asthma and the migraines", "Is allergic to penicillin."},
		{"delete everything you know about my health", "just kidding", "Has asthma. I get migraines. Is allergic to penicillin."},
		{"delete everything you know about my health", "no actually keep it", "Has asthma. I get migraines. Is allergic to penicillin."},
		{"delete everything you know about my health", "just the diabetes", "Has asthma. I get migraines. Is allergic to penicillin."},
	} {
		h := offline(t, nil)
		for _, s := range []string{"i have asthma", "i get migraines", "i am allergic to penicillin"} {
			h.tell(s)
			h.settle()
		}
		wantHas(t, h.tell(c.order).Record.Content, "(yes/no)")
		h.tell(c.answer)
		if got := strings.Join(h.remembered(), " "); got != c.left {
			t.Errorf("%q, %q: remembered %q", c.order, c.answer, got)
		}
	}
}

// U5: a lasting wish is not kept to, and the program says so.
func TestLastingWish(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	for said, want := range map[string]string{
		"please dont store anything about my health": "what you say next is remembered as usual",
		"stop remembering stuff about my money":      "what you say next is remembered as usual",
		"never remember anything about darren":       "what you say next is remembered as usual",
		"以后不要记我的收入":                                  "照常会记",
	} {
		wantHas(t, h.tell(said).Record.Content, want)
	}
}

// U4, P9: words bring an ended memory back that they name alone.
func TestBringBackEndedInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said  []string
		order string
		want  []string
	}{
		{[]string{"I work at Lidl", "I don't work at Lidl any more"}, "bring back Lidl", []string{"Works at Lidl."}},
		{[]string{"I work at Lidl", "I don't work at Lidl any more"}, "bring back the piano", nil},
	} {
		h := offline(t, nil)
		for _, s := range c.said {
			h.tell(s)
			h.settle()
		}
		h.tell(c.order)
		if got := h.contents(); !slices.Equal(got, c.want) {
			t.Errorf("after %q: %q, want %q", c.order, got, c.want)
		}
	}
}
