package policy_test

import (
	"slices"
	"testing"
)

// P2, P4: corrections name the new value, and end the old one.
func TestCorrectionsInChinese(t *testing.T) {
	checkSaid(t, []said{
		{"其实我不对花生过敏，是对芒果过敏", "allergy/芒果", "对花生过敏 过敏过敏"},
		{"不是花生，我是对芒果过敏", "allergy/芒果", "对花生过敏 过敏过敏"},
		{"我的名字改成林晓雨了，之前写错了", "名字叫林晓雨", "写错"},
		{"我说错了，我妈今年66了", "妈66岁", ""},
		// as before
		{"我不对花生过敏", "不对花生过敏", ""},
		{"我对芒果过敏", "allergy/芒果", ""},
		{"我把密码改成生日了", "", "name"},
	})
	for message, ends := range map[string]bool{"我现在吃香菜了": true, "我又能吃香菜了": true, "我现在吃饭了": false, "我现在不吃香菜了": false} {
		got := false
		for _, c := range newPolicy().Teaches(message) {
			got = got || c.OnlyEnds() && c.MayEnd("diet/香菜")
		}
		if got != ends {
			t.Errorf("%s: ends %v", message, got)
		}
	}
}

// P2: statements without 我, with who and what they are about.
func TestMissedInChinese(t *testing.T) {
	checkSaid(t, []said{
		{"妈妈叫啥来着哦对她叫周桂芳，65岁，住在龙泉驿", "妈妈叫周桂芳 妈妈65岁 妈妈住在龙泉驿", ""},
		{"店里新来的员工叫阿杰，大学刚毕业", "员工叫阿杰", ""},
		{"下下周六要带妈妈去做体检", "下下周六要带妈妈去做体检", ""},
		{"这周日小姨来家里吃饭", "这周日小姨来家里吃饭", ""},
		{"下周三下午三点朵朵学校开家长会", "家长会", ""},
		{"我爸妈住龙泉", "爸妈住在龙泉", ""},
		{"店里电话028-85551234", "028-85551234", ""},
		{"我爸爸去年得了肺癌走了", "爸爸去年得了肺癌走了", ""},
		{"每个月15号要去华西医院拿药", "每个月15号要去华西医院拿药", ""},
		{"我学瑜伽，每周二四晚上去", "我学瑜伽，每周二四晚上去", "pattern/"},
		{"我想换个手机，预算三万", "", "预算三万"},
		{"我们去都江堰玩，住一晚", "", "home"},
		// as before
		{"我预算三万", "预算三万", ""},
		{"每周三晚上上瑜伽课", "瑜伽课", ""},
		{"我住三楼", "三楼", ""},
		{"我爸住龙泉", "爸住在龙泉", ""},
	})
}

// P3: questions and bare nouns without a mark are no statements.
func TestNoStatementInChinese(t *testing.T) {
	for _, message := range []string{
		"我上周六干嘛了", "我有几个兄弟姐妹", "我结婚纪念日", "我婆婆和我弟弟之间", "我12月5号", "我女儿的生日", "妈妈叫啥来着",
	} {
		for _, c := range newPolicy().Teaches(message) {
			if !c.OnlyEnds() {
				t.Errorf("%s: %s", message, c.Content)
			}
		}
	}
	checkSaid(t, []said{
		{"我女儿的生日是3月18号", "3月18号", ""},
		{"我婆婆和我弟弟之间闹矛盾很久了", "闹矛盾", ""},
	})
}

// P3: whether something is remembered is a question, in dialect too; a rule for the program is one memory.
func TestAsksOrOrdersToRemember(t *testing.T) {
	for message, want := range map[string]string{
		"记住买包的事没得": "", "你记住买包的事没得": "", "记住了没": "", "记住我住哪没有": "", "记住我喜欢喝茶了吗": "", "记得不": "",
		"记住不要给我推荐辣的": "不要给我推荐辣的", "记得不要给我推荐香菜": "不要给我推荐香菜", "记住别给我推荐辣的": "别给我推荐辣的",
		"记住冰箱里牛奶没了": "冰箱里牛奶没了", "记住我不吃辣": "不吃辣",
	} {
		got := []string{}
		for _, c := range newPolicy().Teaches(message) {
			got = append(got, c.Content)
		}
		if want == "" && len(got) > 0 || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
