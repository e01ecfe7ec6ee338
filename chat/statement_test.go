package chat_test

import (
	"slices"
	"strings"
	"testing"
)

// P4: an ordinary statement ends or replaces nothing about another person, thing or time, and nothing that only
// shares a word with it. The last message of each case leaves all memories before it in force.
func TestStatementEndsNothingElse(t *testing.T) {
	t.Parallel()
	for _, said := range [][]string{
		{"I'm married to Tunde", "my husband is called Tunde", "my ex husband is Keith, we split in 2009"},
		{"I'm married to Tunde", "No I am still married to Tunde", "Tunde used to drive buses"},
		{"I'm married to Tunde", "We got married on 4 June 2016"},
		{"I'm married to Tunde", "Tunde is my husband"},
		{"we had our 10th wedding anniversary on 4 June", "Ben and Priya have called off the wedding"},
		{"Ben's wedding is on 21 August 2027", "we had our 10th wedding anniversary on 4 June", "the wedding is back on! 21 August 2027 again"},
		{"I'm married to Tunde", "my husband is called Tunde", "Tunde is from Lagos", "Tunde likes jollof rice", "I broke up with my hairdresser lol"},
		{"My mum Åse is 81 and lives in a care home in Ipswich", "My stepdaughter Folake's mum is Yemi", "I lost my mum in Tesco for ten minutes"},
		{"I wear glasses for reading", "I lost my glasses"},
		{"Before that i was a school cook at Langer Primary and before that I sold tickets on the Harwich foot ferry.", "I used to live in Harwich"},
		{"Our house has three bedrooms and a leaky conservatory.", "I live in Felixstowe", "I moved to Felixstowe in 1991"},
		{"I've left the docks, started at Tilbury on Monday as a training supervisor", "I don't work at the docks anymore"},
		{"My name is Dagny Oyelaran", "Evening all, it's Sunday and we had a lovely swim, freezing mind"},
		{"My name is Dagny Oyelaran", "Hi all, it's Christmas and I'm stuffed"},
		{"My name is Dagny Oyelaran", "Evening, it's freezing"},
		{"My name is Dagny Oyelaran", "hello, this is Pauline here, Dag's just in the loo"},
		{"My name is Dagny Oyelaran", "I am Sam"},
		{"My name is Dagny Oyelaran", "it's Sam"},
		{"My name is Dagny Oyelaran", "haha no I'm not Sam, I'm Dagny"},
		{"My name is Dagny Oyelaran", "no my name isn't haha!!"},
		{"My name is Dagny Oyelaran", "call me Dag"},
		{"My name is Dagny Oyelaran", "you can call me boss"},
		{"My name is Dagny Oyelaran", "I'm called Dag by my friends"},
		{"My cousin is called Henrik", "no wait, it wasn't Henrik it was my cousin Jostein who bought the farm"},
		{"Remember that I have type 2 diabetes and take metformin 500mg twice a day", "I'm on gliclazide now instead of metformin"},
		{"We're selling up and moving to a bungalow in Trimley in April", "we are not moving anymore. forget the plan to move to Trimley"},
		{"My mum is called Åse", "my mum is dead on her feet"},
		{"我在洛阳殡仪馆工作 干了六年", "以前还卖过寿衣 在郑州 干了五年"},
		{"我对象叫郝庆国 大家都叫他老郝", "大后天去孟津看老郝他姐", "老郝给我买了个金镯子 三十克"},
		{"我妈最近老忘事", "老郝把他那辆摩托卖了"},
		{"我每个礼拜四休息", "我以前爱打麻将", "打疫苗改到下下礼拜三了"},
		{"我骑电动车上班得四十分钟", "我电动车上个月被偷了"},
		{"后年我就能退休了 五十岁", "二柱他娘是我姑 今年六十八"},
		{"我叫谢春燕", "你叫我燕子就行"},
		{"我叫谢春燕", "以后叫我谢姐"},
		{"我叫谢春燕", "别叫我燕子了 叫我老谢"},
		{"我叫谢春燕", "叫我老谢", "我大名谢春燕"},
		{"我是洛阳殡仪馆的化妆师", "我换工作了 明年去郑州殡仪馆"},
	} {
		h := offline(t, nil)
		last := len(said) - 1
		for _, s := range said[:last] {
			h.tell(s)
			h.settle()
		}
		before := h.remembered()
		h.tell(said[last])
		h.settle()
		after := h.remembered()
		if len(before) == 0 {
			t.Errorf("%q taught nothing", said[:last])
		}
		for _, was := range before {
			if !slices.Contains(after, was) {
				t.Errorf("%q ended %q; there is %q", said[last], was, after)
			}
		}
	}
}

// P4, U3: what statements about names, dates and values leave.
func TestStatementLeaves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said  []string
		has   []string // words of which each is in a memory
		hasNo []string // words that are in none
	}{
		{[]string{"My name is Dagny Oyelaran", "call me Dag", "from now on call me Moe", "call me Dag again"},
			[]string{"Name is Dagny Oyelaran.", "Nickname is Dag."}, []string{"Moe"}},
		{[]string{"from now on call me Moe", "my name is Dagny Oyelaran, please call me Dag"},
			[]string{"Name is Dagny Oyelaran.", "Nickname is Dag."}, []string{"Moe"}},
		{[]string{"My name is Dagny Oyelaran", "I'm called Dag by my friends"}, []string{"Name is Dagny Oyelaran."}, []string{"by my friends"}},
		{[]string{"I am Sam", "haha no I'm not Sam, I'm Dagny"}, nil, []string{"haha", "is Sam"}},
		{[]string{"Hi all, it's Christmas and I'm stuffed"}, nil, []string{"Name is"}},
		{[]string{"Evening, it's freezing"}, nil, []string{"Name is"}},
		{[]string{"My name is Dagny", "no my name isn't haha!!"}, []string{"Name is Dagny."}, []string{"isn't"}},
		{[]string{"I go to the gym on Mondays, no wait, Tuesdays"}, []string{"gym on Tuesdays"}, []string{"Mondays", "wait"}},
		{[]string{"I broke up with my hairdresser lol"}, nil, []string{"Broke up."}},
		{[]string{"I'm married to Tunde", "my husband is called Tunde", "Tunde is from Lagos", "Tunde and I have separated"},
			[]string{"Lagos", "Separated."}, []string{"married"}},
		{[]string{"I weigh 82 kilos", "I weigh 79 kilos now"}, []string{"79"}, []string{"82"}},
		{[]string{"My stepdaughter Folake's driving test is on 3rd December", "no wait Folake's test is on the 4th not the 3rd"},
			[]string{"4th December (4 December"}, []string{"3rd", "(3 December"}},
		{[]string{"My stepdaughter Folake's driving test is on 3rd December", "actually its the 10th of December they moved it"},
			[]string{"(10 December"}, []string{"3rd", "(3 December"}},
		{[]string{"The gym is on Mondays. no wait, I'm wrong about that"}, nil, []string{"I'm wrong about that on"}},
		{[]string{"My dentist appointment is at 3pm, sorry, 4pm"}, []string{"4pm"}, []string{"3pm"}},
		{[]string{"我叫谢春燕 属羊的 79年生人 你叫我燕子就行"}, []string{"名字叫谢春燕", "称呼是燕子"}, nil},
		{[]string{"我叫谢春燕", "你叫我燕子就行", "别叫我燕子了 叫我老谢"}, []string{"名字叫谢春燕", "称呼是老谢"}, []string{"称呼是燕子"}},
		{[]string{"我叫谢春燕", "叫我老谢", "我大名谢春燕", "算了还是叫我燕子吧"}, []string{"名字叫谢春燕", "称呼是燕子"}, []string{"老谢", "算了"}},
		{[]string{"我妈今年七十四 不对 七十五"}, []string{"七十五"}, []string{"七十四"}},
		{[]string{"我前夫叫罗建军", "我前夫叫罗建国 不叫罗建军"}, []string{"前夫叫罗建国"}, []string{"罗建军"}},
		{[]string{"我离了婚 前夫叫罗建军 2018年离的", "我前夫叫罗建国 不叫罗建军"}, []string{"罗建国", "2018年"}, []string{"罗建军"}},
		{[]string{"老郝比我大三岁", "老郝比我大五岁 我记错了"}, []string{"大五岁"}, []string{"大三岁", "记错"}},
		{[]string{"我是洛阳殡仪馆的化妆师", "我换工作了 明年去郑州殡仪馆"}, []string{"职业是洛阳殡仪馆的化妆师"}, nil},
		{[]string{"我妈八十一了 我老汉七十八，都住简阳老家", "老汉有高血压，天天要吃氨氯地平"},
			[]string{"我老汉七十八，都住简阳老家", "妈八十一"}, []string{"\n住在简阳", "\n天天要吃"}},
		{[]string{"房贷每个月3260，农行的，每月18号扣", "我有个哥叫周建国，在深圳开货车"},
			[]string{"哥叫周建国", "哥在深圳开货车"}, []string{"\n每月18号", "\n在深圳"}},
		{[]string{"我女儿叫周悦", "我女儿好久高考", "房贷一个月好多钱", "我老婆好大岁数你晓得不"}, []string{"周悦"}, []string{"好久", "好多", "好大"}},
		{[]string{"我女儿周悦今年高三", "她在成都七中林荫校区读书，12班", "搭档是李建国 他跑白班"},
			[]string{"女儿在成都七中林荫校区读书", "搭档跑白班"}, []string{"\n12班", "\n在成都七中"}},
		{[]string{"支付宝支付密码你记到起112233", "我身份证510107198104123456", "银行卡号6222 0242 0001 2345 678", "my card is 4929 1234 5678 9013"},
			nil, []string{"112233", "510107", "6222", "4929"}},
		{[]string{"im allergic to penicilin and i cant eat prawns, come up in hives"}, []string{"penicilin", "prawns"}, []string{"\nCome up"}},
		{[]string{"got two kids alfie hes 11 and maisie whos 7", "alfies birthday is 3rd june, he'll be 12", "maisies is 22 oct so she just turned 7",
			"alfie plays football sundays for horsforth under 12s", "maisie does ballet on wednesdays at 4"},
			[]string{"Alfie is 11", "Maisie is 7", "Alfie has a birthday on 3rd june", "Maisie has a birthday on 22 oct", "Alfie plays football", "Maisie does ballet"},
			[]string{"2027"}},
		{[]string{"my dad terry is 79 and lives on his own in wakefield", "hes got type 2 diabetes and a dodgy hip", "i live in headingley"},
			[]string{"Terry is 79", "My dad has got type 2 diabetes", "Lives in headingley."}, []string{"\nHas got", "\nLives on his"}},
		{[]string{"my best mate is steph", "stephs getting married in april to some bloke called gaz"}, []string{"Steph's getting married in april"}, nil},
		{[]string{"hiya im jo, 38, nurse in leeds", "my birthdays 14 feb"},
			[]string{"Name is Jo.", "Is 38 years old.", "nurse in leeds", "Birthday is 14 feb."}, []string{"2027"}},
		{[]string{"我儿子上二年级", "我儿子叫小满", "小满不是二年级 是三年级"}, []string{"叫小满", "三年级"}, []string{"上小满", "二年级"}},
	} {
		h := offline(t, nil)
		for _, s := range c.said {
			h.tell(s)
			h.settle()
		}
		got := h.remembered()
		all := "\n" + strings.Join(got, "\n")
		for _, w := range c.has {
			if !strings.Contains(all, w) {
				t.Errorf("%q: no memory has %q; there is %q", c.said, w, got)
			}
		}
		for _, w := range c.hasNo {
			if strings.Contains(all, w) {
				t.Errorf("%q: a memory has %q: %q", c.said, w, got)
			}
		}
	}
}
