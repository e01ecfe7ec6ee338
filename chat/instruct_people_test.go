package chat_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// U2: what two ordinary people said to their memory, and what it did and said.
func TestForgetInOrdinaryWords(t *testing.T) {
	noRace(t)
	t.Parallel()
	h := offline(t, nil)
	for _, s := range []string{
		"My husband is called Martin.", "I want to join a choir.", "My son Danny hates biology.", "I love Wagner.",
		"My husband works at Shell.",
	} {
		h.tell(s)
	}
	before := h.remembered()
	says := func(said, want string) {
		t.Helper()
		wantHas(t, h.tell(said).Record.Content, want)
	}
	unchanged := func() {
		t.Helper()
		if got := h.remembered(); !slices.Equal(got, before) {
			t.Errorf("the memory has %q, had %q", got, before)
		}
	}
	says("how do I delete everything you know about me", "forget everything about me")
	says("delete the memory about me and martin seeing my sister", "nothing was forgotten")
	says("just kidding, im not the queen of sheba", "")
	says("forget that I own a boat", "nothing was forgotten")
	says("delete the bit about bananas", "nothing was forgotten")
	says("forget the biology", "Should I forget this memory?")
	says("undo", "Nothing was forgotten.") // of what was asked, nothing older
	unchanged()
	says("forget that Danny hates biology", "Forgot: Son Danny hates biology.") // word for word
	says("undo", "Restored: Son Danny hates biology.")
	says("delete the bit about wagner", "Forgot: Likes Wagner.")
	says("oh no, undo that", "Restored: Likes Wagner.")
	says("forget that I want to join a choir", "Forgot: I want to join a choir.")
	says("bring back the choir thing", "Restored: I want to join a choir.")
	says("forget my husband", "1. ")
	says("1 and the last one", "Forgot 2 memories")
	says("oh no, undo that", "Restored")
	unchanged()
	says("delete the bit about wagner", "Forgot: Likes Wagner.")
	h.pass(time.Minute)
	says("oh no, undo that", "too late")
	if got := h.remembered(); len(got) != len(before)-1 || strings.Contains(strings.Join(got, " "), "Wagner") {
		t.Errorf("the memory has %q", got)
	}
}

// The same in Chinese.
func TestForgetInOrdinaryWordsChinese(t *testing.T) {
	noRace(t)
	t.Parallel()
	h := offline(t, nil)
	for _, s := range []string{"我老公叫王强", "我喜欢喝茶", "预算是三万块"} {
		h.tell(s)
	}
	before := h.remembered()
	says := func(said, want string) {
		t.Helper()
		wantHas(t, h.tell(said).Record.Content, want)
	}
	says("怎么删除你知道的关于我的一切", "忘掉关于我的一切")
	says("把“老公叫王强”删掉", "已删除：老公叫王强")
	says("恢复老公的名字", "已恢复：老公叫王强")
	says("把“喜欢喝茶”删掉", "已删除：喜欢喝茶")
	says("哎呀删错了，撤销", "已恢复：喜欢喝茶")
	if got := h.remembered(); !slices.Equal(got, before) {
		t.Errorf("the memory has %q, had %q", got, before)
	}
	says("把预算改成五万", "已更正：预算是三万块 → 预算是五万块")
	says("我养了一只猫", "记下了") // learning goes on
	h.tell("婆婆欠钱不还")
	says("把我婆婆欠钱的事彻底删掉", "历史里有 1 条消息说过这件事")
	wantUnquoted(t, h, "你知道我婆婆欠钱的事吗", "婆婆欠钱不还")
}

// U2, U3: a remark about a memory that orders nothing changes nothing, and the answer says how to order it.
func TestSaysOnly(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("I have a heart scan on 3 May")
	h.settle()
	had := h.remembered()
	for said, want := range map[string]string{
		"the heart thing is still true, just the date was wrong": "say what is right", "that deposit doesnt matter anymore": "say “forget the deposit”",
		"心脏那件事还是对的 只是日期错了": "一句话说出对的", "那个押金已经不重要了": "就说“忘掉押金”",
	} {
		wantHas(t, h.tell(said).Record.Content, want)
		h.settle()
	}
	if got := h.remembered(); !slices.Equal(got, had) {
		t.Errorf("the memory has %q, had %q", got, had)
	}
}

// U2: an order to forget finds a debt by the person's name ("shona's money") and ignores a reason added to it.
func TestForgetMoney(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"我欠李倩五千块", "忘掉李倩那笔钱吧 已经还了", "是的"}, {"i owe shona 300 quid", "forget shonas money, its paid", "yes"},
		{"i owe shona 300 quid", "forget the shona money its been paid back", "yes"},
	} {
		h := offline(t, nil)
		h.tell(c[0])
		h.settle()
		had := h.remembered()
		wantHas(t, h.tell(c[1]).Record.Content, had...)
		h.tell(c[2])
		if got := h.remembered(); len(had) != 1 || len(got) != 0 {
			t.Errorf("%q leaves %q of %q", c[1], got, had)
		}
	}
}
