package instruct_test

import (
	"slices"
	"testing"

	"memoria/memory"
	"memoria/memory/instruct"
)

// U2: what brings a deleted memory back, and what only sounds like it.
func TestBringsBack(t *testing.T) {
	t.Parallel()
	for message, is := range map[string]bool{
		"哎呀删错了，撤销": true, "oh no, undo that": true, "把刚删的恢复一下": true, "undo that": true, "删错了，恢复一下吧": false,
		"no no, bring it back": true, "Oops! Wrong one. Restore it": true,
		"oh no": false, "哎呀删错了": false, "undo that in the refactoring": false, "oh no, undo that commit": false, "撤销这个提交": false,
		"can you undo that?": false,
	} {
		if instruct.BringsBack(message, nil) != is {
			t.Errorf("%q: want %v", message, is)
		}
	}
	for message, want := range map[string]string{
		"恢复老公的生日": "老公的生日", "bring back the choir thing": "choir thing", "restore my husband's birthday": "my husband's birthday",
		"give me back the memory about the choir": "choir", "把老公的生日恢复一下": "老公的生日",
		"how do I restore a backup?": "", "怎么恢复出厂设置": "", "we restored the old piano": "", "他恢复得很好": "",
	} {
		if got, _ := instruct.BringsBackWhat(message, nil); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

// U2: a question of how to delete is no order to delete.
func TestAsksHowToForget(t *testing.T) {
	t.Parallel()
	for message, is := range map[string]bool{
		"how do I delete everything you know about me": true, "how can i make you forget everything about me?": true,
		"怎么删除你知道的关于我的一切": true, "怎么让你忘掉我的所有信息？": true, "请问如何清空你的记忆": true,
		"delete everything you know about me": false, "how do I delete a git branch": false, "怎么删除微信好友": false,
		"how do you remember all that about me?": false, "把你记得的都忘掉": false,
	} {
		if instruct.AsksHowToForget(message, nil) != is {
			t.Errorf("%q: want %v", message, is)
		}
	}
}

// P5b: another value for a fact is no text to edit.
func TestChangesFact(t *testing.T) {
	t.Parallel()
	for message, is := range map[string]bool{
		"把预算改成五万": true, "把书店的房租改成七千": true, "把家长会改到下周四": true, "帮我把闹钟改成七点吧": true,
		"把这段话改成英文": false, "把标题改成红色": false, "把“的”改成“地”": false, "把下面的句子改成过去时：我去": false, "把语气改成正式的": false,
		"改成五万": false,
	} {
		if instruct.ChangesFact(message) != is {
			t.Errorf("%q: want %v", message, is)
		}
	}
}

// U2: the exact words of one memory mean it alone, and words in quotation marks only memories that have them.
func TestExactWords(t *testing.T) {
	t.Parallel()
	items := []memory.Item{
		{ID: "a", Content: "老公是女儿喜欢", State: memory.StateActive}, {ID: "b", Content: "女儿喜欢恐龙", State: memory.StateActive},
		{ID: "c", Content: "老公叫王强", State: memory.StateActive}, {ID: "d", Content: "My husband is a Martin's.", State: memory.StateActive},
		{ID: "e", Content: "Husband is called Martin.", State: memory.StateActive},
	}
	for message, want := range map[string][]string{
		"把“老公是女儿喜欢”删掉": {"a"}, "忘记“老公是女儿喜欢”": {"a"}, "把“女儿喜欢”删掉": {"a", "b"}, "把“恐龙”删掉": {"b"},
		"forget that my husband is a Martin's": {"d"}, `forget "called martin"`: {"e"}, "把“猫”删掉": nil,
	} {
		in, ok := instruct.Read(message, nil)
		if !ok || in.Kind != instruct.Forget {
			t.Errorf("%q: %v %+v", message, ok, in)
			continue
		}
		var got []string
		for _, it := range instruct.Match(in, items) {
			got = append(got, it.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q means %q, want %q", message, got, want)
		}
	}
	for message, want := range map[string][]int{
		"1 and the last one": {1, 4}, "the first one": {1}, "第一个": {1}, "最后一个": {4}, "第一个和最后一个": {1, 4}, "the last": {4},
		"the last time": nil, "最后我们去了海边": nil,
	} {
		if got, _ := instruct.ReadReply(message, nil, 4); !slices.Equal(got.Picks, want) {
			t.Errorf("%q picks %d, want %d", message, got.Picks, want)
		}
	}
}

// P4: a plan that is off ends no home and no job.
func TestOutlastsPlans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		item, said string
		is         bool
	}{
		{"Sister Carol lives in Whitby.", "Whitby's off, Carol has flu", true}, {"小敏在深圳做会计", "小敏和她男朋友分手了，婚不结了", true},
		{"Sister Carol lives in Whitby.", "Carol has moved out of Whitby", false}, {"小敏在深圳做会计", "小敏从深圳辞职了", false},
		{"Is going to Whitby at Easter.", "Whitby's off", false},
	} {
		if got := instruct.OutlastsPlans(memory.Item{Content: c.item}, c.said); got != c.is {
			t.Errorf("%q after %q: %v", c.item, c.said, got)
		}
	}
}
