package instruct_test

import (
	"slices"
	"testing"

	"memoria/memory/instruct"
)

// U2: of several memories only numbers, ranges and "all" choose; a yes and "both" of more than two are too vague.
func TestReplyOfSeveral(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]instruct.Reply{
		"yes": {Vague: true}, "yeah": {Vague: true}, "ok": {Vague: true}, "both": {Vague: true}, "yes delete them": {Vague: true},
		"是": {Vague: true}, "是的": {Vague: true}, "对": {Vague: true}, "好的": {Vague: true}, "嗯": {Vague: true}, "是呢": {Vague: true}, "是啊": {Vague: true}, "删了吧": {Vague: true},
		"all": {All: true}, "all of them": {All: true}, "yes, all of them": {All: true}, "delete them all": {All: true}, "全部": {All: true}, "都删": {All: true}, "都删了吧": {All: true}, "全部忘掉": {All: true},
		"no": {No: true}, "never mind": {No: true}, "算了": {No: true}, "keep them": {No: true},
		"1-3": {Picks: []int{1, 2, 3}}, "2 to 4": {Picks: []int{2, 3, 4}}, "1 and 3 - 4": {Picks: []int{1, 3, 4}}, "2到4": {Picks: []int{2, 3, 4}}, "第二到第四条": {Picks: []int{2, 3, 4}}, "1~2": {Picks: []int{1, 2}},
		"前两条": {Picks: []int{1, 2}}, "the first two": {Picks: []int{1, 2}}, "first three": {Picks: []int{1, 2, 3}}, "前三个": {Picks: []int{1, 2, 3}}, "最后两条": {Picks: []int{4, 5}}, "the last two": {Picks: []int{4, 5}}, "后两条": {Picks: []int{4, 5}},
		"除了第一条都删了": {Picks: []int{2, 3, 4, 5}}, "all but the first": {Picks: []int{2, 3, 4, 5}}, "all of them except 2 and 3": {Picks: []int{1, 4, 5}}, "everything but the last one": {Picks: []int{1, 2, 3, 4}},
		"除了1和3，其他的都删": {Picks: []int{2, 4, 5}}, "第一条留着，其他的都删了": {Picks: []int{2, 3, 4, 5}}, "keep the first and delete the rest": {Picks: []int{2, 3, 4, 5}}, "只留最后一条，剩下的全删": {Picks: []int{1, 2, 3, 4}},
		"2和4": {Picks: []int{2, 4}}, "最后一条": {Picks: []int{5}}, "1, 2": {Picks: []int{1, 2}},
	} {
		if got, ok := instruct.ReadReply(message, nil, 5); !ok || got.All != want.All || got.No != want.No || got.Vague != want.Vague || !slices.Equal(got.Picks, want.Picks) {
			t.Errorf("%q is %+v %v, want %+v", message, got, ok, want)
		}
	}
	for _, message := range []string{"1-9", "除了老郝都删了", "all but Ingrid", "5-2", "除了下雨都去", "前年", "the first two weeks were fine", "是呢 找了一下午没找着"} {
		if got, ok := instruct.ReadReply(message, nil, 5); ok {
			t.Errorf("%q is %+v", message, got)
		}
	}
	for message, n := range map[string]int{"both": 2, "两条都删": 2, "yes": 1, "是呢": 1, "好的": 1} {
		if got, ok := instruct.ReadReply(message, nil, n); !ok || !got.All {
			t.Errorf("%q of %d is %+v %v", message, n, got, ok)
		}
	}
}
