package instruct_test

import (
	"reflect"
	"testing"

	"memoria/memory/instruct"
)

// P5: a decision about what waits for approval is nothing but that.
func TestReadDecision(t *testing.T) {
	t.Parallel()
	type d = instruct.Decision
	for said, want := range map[string]d{
		"accept 1": {Accept: true, Sure: true, Picks: []int{1}}, "ok accept the first one please": {Accept: true, Sure: true, Picks: []int{1}},
		"accept 1 and 3": {Accept: true, Sure: true, Picks: []int{1, 3}}, "accept everything in the inbox": {Accept: true, Sure: true, All: true},
		"accept all": {Accept: true, Sure: true, All: true}, "approve them all": {Accept: true, Sure: true, All: true}, "accept both": {Accept: true, Sure: true, Both: true},
		"reject the packed lunch one": {Sure: true, Words: "packed lunch"}, "reject 2": {Sure: true, Picks: []int{2}}, "dont accept that": {Sure: true, It: true},
		"accept the last one": {Accept: true, Sure: true, Picks: []int{3}}, "reject everything": {Sure: true, All: true},
		"yes keep that about mums address": {Accept: true, Words: "mums address"}, "yes": {Accept: true, Bare: true, It: true}, "Yes please!": {Accept: true, Bare: true, It: true},
		"keep it": {Accept: true, It: true}, "dont keep it": {It: true}, "yes, save that": {Accept: true, It: true}, "delete 2": {Loose: true, Picks: []int{2}}, "accept": {Accept: true, Sure: true, It: true},
		"接受第一条": {Accept: true, Sure: true, Picks: []int{1}}, "第一条接受": {Accept: true, Sure: true, Picks: []int{1}}, "都接受": {Accept: true, Sure: true, All: true},
		"全部接受吧": {Accept: true, Sure: true, All: true}, "两条都接受": {Accept: true, Sure: true, Both: true}, "第二条不要": {Loose: true, Picks: []int{2}}, "拒绝第二条": {Sure: true, Picks: []int{2}},
		"好的记下吧": {Accept: true, It: true}, "好的 记下吧": {Accept: true, It: true}, "接受李倩那条": {Accept: true, Sure: true, Words: "李倩"}, "李倩那条不要记": {Words: "李倩"}, "第二条别记": {Picks: []int{2}},
		"第一条记下": {Accept: true, Picks: []int{1}}, "接受": {Accept: true, Sure: true, It: true}, "都不要": {Loose: true, All: true}, "不要": {Loose: true, It: true}, "可以": {Accept: true, Bare: true, It: true},
		"2": {Accept: true, Bare: true, Picks: []int{2}}, "the first one": {Accept: true, Bare: true, Picks: []int{1}}, "all of them": {Accept: true, Bare: true, All: true},
	} {
		got, ok := instruct.ReadDecision(said, nil, 3)
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %+v, want %+v", said, ok, got, want)
		}
	}
	for _, said := range []string{
		"ok", "好的", "no", "thanks", "accept 1?", "should i accept 1", "he accepted the offer", "keep the change", "remember mums address is 12 mill lane", "remember that i like tea",
		"save me a seat", "记住我喜欢喝茶", "记住买包的事", "我要吃饭", "他不接受采访吗", "the offer was rejected", "keep your answers short", "不要给我推荐辣的", "delete the accordion",
	} {
		if got, ok := instruct.ReadDecision(said, nil, 3); ok {
			t.Errorf("%q is taken for %+v", said, got)
		}
	}
}
