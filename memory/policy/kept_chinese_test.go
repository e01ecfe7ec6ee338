package policy_test

import (
	"strings"
	"testing"

	"memoria/memory/policy"
)

// P2, P6: what Chinese speakers say of themselves in words that no rule names is kept without a model, as they said it.
// Each sentence teaches the words behind it.
func TestKeptInChinese(t *testing.T) {
	for _, c := range []struct{ said, words string }{
		{"外婆今年九十了，耳朵背但是爱聊天", "外婆"},
		{"刚领养了一条退役警犬叫闪电", "警犬"},
		{"本人90后单身女青年一枚，坐标南昌", "90后"},
		{"跟我家那位结婚七年了，七年之痒怎么破", "结婚七年"},
		{"我对海鲜过敏求个清淡菜谱", "海鲜"},
		{"下个月 15 号我要去做近视手术", "手术"},
		{"潮汕话我听得懂但不会讲", "潮汕话"},
		{"笔记软件我用 Obsidian，同步走 git", "Obsidian"},
		{"我在便利店上夜班，白天睡觉", "便利店"},
		{"坐飞机我只坐靠窗", "靠窗"},
		{"我好鍾意食榴槤，但係老婆聞到就走人", "榴槤"},
		{"我屋企養咗兩隻貓", "貓"},
		{"阿拉上海宁，从小吃得甜", "上海宁"},
		{"我滴妈呀我最稀罕吃酸菜馅饺子了", "酸菜馅"},
		{"恐怖片我是一部都不敢碰，别给我列进去", "恐怖片"},
		{"悬疑剧我来者不拒，偶像剧敬谢不敏", "悬疑剧"},
		{"打字我一直用双拼 别的输入法不会", "双拼"},
		{"厨房只有电磁炉，有啥简单的菜", "电磁炉"},
		{"我左膝盖做过手术，能不能跑步", "膝盖"},
		{"我以后想当兽医，高中选什么科", "兽医"},
		{"我们公司用飞书办公，怎么批量导出", "飞书"},
		{"写代码我必须戴降噪耳机，不然进不了状态", "降噪"},
		{"单位一律公制，永远别给我英尺", "公制"},
	} {
		found := newPolicy().Extract(c.said)
		kept := false
		for _, f := range found {
			kept = kept || strings.Contains(f.Content, c.words)
		}
		if !kept {
			t.Errorf("%s: got %q, want something with %s", c.said, contents(found), c.words)
		}
	}
}

// P3, P6: nothing is kept of questions, orders for the moment, reactions, code, moods, jokes, wishes and what concerns
// others.
func TestNotKeptInChinese(t *testing.T) {
	for _, said := range []string{
		"我妈住院了，吃点啥好",
		"我同事怀孕了，送什么礼物",
		"隔壁那家新搬来的是东北人，养了两条哈士奇，吵得很",
		"听说三楼那姑娘要离婚了，带着个娃",
		"我认识一个人，他在谷歌上班",
		"给我起个英文名，好听点的",
		"用我的口吻写一段话",
		"帮我参谋下买哪款手机",
		"吃全素会不会缺 B12",
		"我适合养猫还是养狗",
		"我有一个表，字段有 name 和 age",
		"我写的 sql 查出来是空的",
		"这个标题我不喜欢",
		"不喜欢 换一个",
		"我更喜欢左边那个",
		"今天好累，不想上班",
		"我困死了",
		"等我有钱了就买房",
		"要是我住海边就好了",
		"我可太爱加班了",
		"我已经退休了，存款八毛，开玩笑的别当真",
		"她跟我讲：我下个月搬去珠海，不想再见你了",
		"这回用英文写给我看，就这一次",
	} {
		if found := newPolicy().Extract(said); len(found) > 0 {
			t.Errorf("%s: got %q, want nothing", said, contents(found))
		}
	}
}

// P2: what a rule makes of one statement of a Chinese sentence takes nothing from the others, and blanks are stops.
func TestKeptBesideRules(t *testing.T) {
	for said, want := range map[string]int{
		"北漂第八年 住天通苑 想换工作":    3,
		"我姓沈，鱼缸里养着六条孔雀鱼":     2,
		"我离婚快两年了，女儿跟着我，刚上小学": 2,
	} {
		if found := newPolicy().Extract(said); len(found) != want {
			t.Errorf("%s: got %q, want %d", said, contents(found), want)
		}
	}
}

func contents(found []policy.Candidate) (out []string) {
	for _, c := range found {
		out = append(out, c.Content)
	}
	return out
}
