package manager_test

import (
	"slices"
	"testing"
)

// P2, P5c: a Chinese line without punctuation is kept as single memories, each with its subject, as a line with commas
// is. A piece that says nothing alone stays with its neighbour or is left out.
func TestLineWithoutStops(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		said string
		now  []string
	}{
		// Each piece about somebody else is a memory of its own.
		{"我爸在老家种地 我妈帮我带孩子 弟弟在部队", []string{"弟弟在部队", "我妈帮我带孩子", "爸在老家种地"}},
		{"我开了家早餐店 凌晨三点起床 我老公帮忙揉面", []string{"凌晨三点起床", "开了家早餐店", "老公帮忙揉面"}},
		{"每天六点起床 跑五公里 早饭吃燕麦", []string{"每天六点起床", "跑五公里 早饭吃燕麦"}},
		{"我鼻炎 换季就犯 对尘螨过敏 睡觉打呼噜", []string{"对尘螨过敏", "睡觉打呼噜", "鼻炎"}},
		{"老大叫乐乐 八岁 迷跳绳", []string{"老大八岁", "老大叫乐乐", "老大迷跳绳"}},
		{"老大让我周末加班 烦死了", nil},
		// An animal or somebody's age is not the user's.
		{"家里养了条泰迪叫毛豆 三岁", []string{"泰迪三岁", "泰迪叫毛豆"}},
		// Work in the words of those who do it.
		{"我在永辉做收银 一周排五天", []string{"一周排五天", "在永辉做收银"}},
		{"我在顺丰开货车 老婆在家带娃", []string{"在顺丰开货车", "老婆在家带娃"}},
		{"我今年38 在工地开塔吊 老家贵州毕节的", []string{"38岁", "在工地开塔吊", "来自贵州毕节"}},
		{"我跟女朋友小雯住一块儿三年了", []string{"跟女朋友小雯住一块儿三年"}},
		{"我老婆叫丽丽 在永辉做收银", []string{"老婆叫丽丽", "老婆在永辉做收银"}},
		// Nothing between the clauses.
		{"我老婆叫刘芳在医院当护士我们有两个孩子", []string{"有两个孩子", "老婆叫刘芳", "老婆在医院当护士"}},
		{"我叫李建军五十二了在物业当保安", []string{"名字叫李建军", "在物业工作", "职业是保安"}},
		{"我家有只猫叫煤球五岁了特别胖", []string{"猫五岁", "猫叫煤球"}},
		// What is no statement of the user's stays none.
		{"从前有个人叫阿福 家里养了三头猪 一天卖一头", nil},
		{"歌词里唱我爱的人在远方 我在海边等她回来", nil},
		{"如果我在永辉做收银 一周排五天", nil},
		{"我朋友在永辉做收银 一周排五天累死了", nil},
		{"他说他在顺丰开货车 老婆在家带娃", nil},
		{"我在路上开车 等会儿说", nil},
	} {
		t.Run(c.said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", c.said)
			if got := activeContents(t, m); !slices.Equal(got, append([]string{}, c.now...)) {
				t.Errorf("got %q, want %q", got, c.now)
			}
		})
	}
}
