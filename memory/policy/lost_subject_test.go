package policy_test

import (
	"slices"
	"strings"
	"testing"
)

// P5c: words without a subject after a clause about a person or a thing never stand alone.
func TestLostSubjects(t *testing.T) {
	for _, language := range []struct{ first, then, joins []string }{
		{[]string{
			"我老汉七十八", "老汉有高血压", "我妈八十一了", "我有个哥叫周建国", "我哥叫周建国", "我有个妹妹", "我闺女上大学了", "我同事小王结婚了",
			"隔壁王叔退休了", "我有个表弟叫李强", "我婆娘是护士", "我幺儿十二岁", "我屋头老人身体不好", "我认识个师傅姓赵", "我男朋友是厨师", "我家狗叫豆豆",
		}, []string{
			"在深圳开货车", "天天要吃氨氯地平", "住在简阳老家", "每天跑步", "不吃辣", "对海鲜过敏", "今年四十五", "明年退休", "会弹吉他", "怕打雷",
			"每月18号去医院", "在成都七中读书", "有糖尿病", "刚做完手术", "爱喝茶",
		}, []string{"，", " ", ", "}},
		{[]string{
			"my dad is 79", "my dad terry is 79", "my brother Tom called", "I have a brother called Tom", "we've got a lodger", "my best mate is Steph",
			"my manager is called Pauline", "my neighbour moved in last week", "got a daughter called Maisie", "our dog Biscuit is a beagle",
		}, []string{
			"lives on his own in Wakefield", "has type 2 diabetes", "takes metformin every morning", "works nights", "plays football on Sundays",
			"drives a lorry in Kent", "allergic to nuts", "comes up in hives", "scared of thunder", "used to be a miner",
		}, []string{", "}},
	} {
		for i, person := range language.first {
			for j, bare := range language.then {
				said := person + language.joins[(i+j)%len(language.joins)] + bare
				for _, c := range newPolicy().Teaches(said) {
					content := strings.ToLower(strings.TrimRight(c.Content, "."))
					if alone := strings.HasPrefix(content, strings.ToLower(bare)) || isBare(content, bare); alone && !strings.HasPrefix(c.Key, "relation/") {
						t.Errorf("%q: %s: %q", said, c.Key, c.Content)
					}
				}
			}
		}
	}
}

// isBare reports whether a memory has the words of a clause and none for whom it is about.
func isBare(content, clause string) bool {
	words := strings.Fields(content)
	return !strings.ContainsAny(clause, "我你他") && len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !strings.Contains(strings.ToLower(clause), w)
	})
}

// P5c: what two people said; a clause takes the subject before it, or stays with it.
func TestClausesKeepSubjects(t *testing.T) {
	checkKept(t, nil, []said{
		{"我妈八十一了 我老汉七十八，都住简阳老家", "妈八十一|老汉七十八，都住简阳老家", ": 住在简阳老家;|: 老汉住在简阳老家;"},
		{"老汉有高血压，天天要吃氨氯地平", "", ": 天天要吃氨氯地平;"},
		{"房贷每个月3260，农行的，每月18号扣", "", ": 每月18号扣;|: 农行的"},
		{"我有个哥叫周建国，在深圳开货车", "哥叫周建国|在深圳开货车", ": 在深圳开货车;"},
		{"我有个妹妹，在北京读研，我在上海上班", "在北京读研|上海", ": 在北京读研;|: 北京"},
		{"im allergic to penicilin and i cant eat prawns, come up in hives", "penicilin|prawns", ": Come up in hives"},
		{"我弟结婚了 媳妇叫何丽", "", "媳妇/name|老婆/name|: 媳妇叫何丽;"},
		{"我有个侄儿叫周浩，学计算机的", "侄儿", ": 学计算机的;"},
		// the user all along
		{"我在成都开出租，每天跑12个小时", "开出租", ""},
		{"坐标成都 养猫", "养", ""},
		{"我叫周建国，在深圳开货车", "周建国|深圳", ""},
		{"程序员一枚，坐标北京，单身", "北京", ""},
		{"我离婚了，一个人住，养了只猫", "猫", ""},
		{"I work nights, live on my own and hate mornings", "Hates mornings", ""},
	})
}
