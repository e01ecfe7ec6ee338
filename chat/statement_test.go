package chat_test

import (
	"slices"
	"strings"
	"testing"
)

// P4: an ordinary statement ends or replaces nothing about another person, thing or time, and nothing that only
// shares a word with it. The last message of each case leaves all memories before it in force.
func TestStatementEndsNothingElse(t *testing.T) {
	noRace(t)
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
		// Another person's, a question, a hypothesis, the past, a wish, a story.
		{"my mum is 81", "my nan turned 82 yesterday"},
		{"my mum is 81", "Pauline's mum turned 82 yesterday"},
		{"my mum is 81", "when my mum was 40 she ran a marathon"},
		{"my mum is 81", "is my mum 82 now?"},
		{"my mum is 81", "if my mum were 82 she'd get a free licence"},
		{"my sister Ingrid lives in Bergen", "has Ingrid moved to Oslo?"},
		{"my sister Ingrid lives in Bergen", "Ingrid wants to move to Oslo"},
		{"my sister Ingrid lives in Bergen", "Ingrid moved to Oslo in 1991 and came back a year later"},
		{"my sister Ingrid lives in Bergen", "Ingrid's neighbour has moved to Oslo"},
		{"my sister Ingrid lives in Bergen", "my brother has moved to Oslo"},
		{"my son Marcus works in a record shop", "my brother got a new job at the post office"},
		{"my son Marcus works in a record shop", "Marcus left the house at six"},
		{"my son Marcus works in a record shop", "Marcus would love a new job at the post office"},
		{"my son Marcus works in a record shop", "my husband has retired"},
		{"our rent is 640 a month", "our rent was 500 in 2010"},
		{"our rent is 640 a month", "Ben's rent has gone up to 720"},
		{"our rent is 640 a month", "her rent's gone up to 720"},
		{"our rent is 640 a month", "what if our rent went up to 720"},
		{"our rent is 640 a month", "our electricity bill has gone up to 90 a month"},
		{"we're going to Bergen on 12 March", "Ben's trip to Lagos is off"},
		{"we're going to Bergen on 12 March", "we're going to Lagos in October", "the trip's off"},
		{"we're going to Bergen on 12 March", "the concert is off"},
		{"my stepdaughter is called Folake", "Folake's driving test is on 3 December", "Ben's test has been cancelled"},
		{"my cat is called Pudding", "we gave Pudding a bath"},
		{"my cat is called Pudding", "we gave the pudding away"},
		{"my cat is called Pudding", "my neighbour gave her cat away"},
		{"I'm a nurse", "what a day", "only kidding"},
		{"I'm having dinner with Tom on 4 May", "I've changed my mind about Tom, he's nice"},
		{"I'm a nurse", "he said only kidding and left"},
		{"I'm married to Tunde", "Marcus said he was only kidding"},
		{"我妈今年八十一", "我姥姥今年八十二了"},
		{"我妈今年八十一", "老郝他妈今年八十二了"},
		{"我妈今年八十一", "我妈今年八十二了吗"},
		{"我妈今年八十一", "要是我妈今年八十二了就好了"},
		{"我家养了只橘猫叫馒头", "煤球送人了"},
		{"我家养了只橘猫叫馒头", "邻居家的猫送人了"},
		{"我家养了只橘猫叫馒头", "馒头送人了吗"},
		{"下周五小满开家长会", "同事家的家长会取消了"},
		{"下周五小满开家长会", "体检取消了"},
		{"我妹妹春晓在首尔做美容", "春晓想去上海"},
		{"房租一个月一千一", "老郝的房租涨了 现在一千三"},
		{"房租一个月一千一", "我以前的房租是八百"},
		{"房租一个月一千一", "要是房租涨到一千三我就搬"},
		{"我是护士", "今天天气真好", "开玩笑的"},
		{"我是护士", "他说他是开玩笑的"},
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
	noRace(t)
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
			[]string{"老汉七十八，都住简阳老家", "妈八十一"}, []string{"\n住在简阳", "\n天天要吃"}},
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
			[]string{"Terry is 79", "Dad has got type 2 diabetes", "Lives in headingley."}, []string{"\nHas got", "\nLives on his"}},
		{[]string{"my best mate is steph", "stephs getting married in april to some bloke called gaz"}, []string{"Steph's getting married in april"}, nil},
		{[]string{"hiya im jo, 38, nurse in leeds", "my birthdays 14 feb"},
			[]string{"Name is Jo.", "Is 38 years old.", "nurse in leeds", "Birthday is 14 feb."}, []string{"2027"}},
		{[]string{"我儿子上二年级", "我儿子叫小满", "小满不是二年级 是三年级"}, []string{"叫小满", "三年级"}, []string{"上小满", "二年级"}},
		// Updates, details and secrets.
		{[]string{"We're selling up and moving to a bungalow in Trimley in April", "we are not moving anymore. forget the plan to move to Trimley"},
			nil, []string{"bungalow"}},
		{[]string{"We're moving to a bungalow in Trimley in April", "changed my mind about the bungalow, we're staying put"}, nil, []string{"April"}},
		{[]string{"My mum Åse is 81 and lives in a care home in Ipswich", "Mum is 82 now, it was her birthday on Friday"},
			[]string{"82", "Ipswich"}, []string{"81"}},
		{[]string{"my husband Tunde is 61", "Tunde turned 62 yesterday"},
			[]string{"62"}, []string{"61"}},
		{[]string{"my nan is 90", "my nan's 91 now"},
			[]string{"91"}, []string{"90"}},
		{[]string{"my sister Ingrid lives in Bergen", "Ingrid's moved to Oslo"},
			[]string{"Oslo"}, []string{"Bergen"}},
		{[]string{"my sister lives in Bergen", "my sister is called Ingrid", "Ingrid has moved to Oslo"},
			[]string{"Oslo"}, []string{"Bergen"}},
		{[]string{"my brother lives in Leeds", "my brother has just moved to York"},
			[]string{"York"}, []string{"Leeds"}},
		{[]string{"My mum lives in Leeds", "mum's moved back to York"},
			[]string{"York"}, []string{"Leeds"}},
		{[]string{"my son Marcus works in a record shop", "Marcus got a new job at the post office, started Monday"},
			[]string{"post office"}, []string{"record shop"}},
		{[]string{"my daughter works at Tesco", "my daughter has a new job at Boots"},
			[]string{"Boots"}, []string{"Tesco"}},
		{[]string{"my son Marcus works at the post office", "Marcus has been sacked from the post office"},
			nil, []string{"works at the post office"}},
		{[]string{"our rent is 640 a month", "rent's gone up to 720"},
			[]string{"720"}, []string{"640"}},
		{[]string{"our rent is 640 a month", "our rent is 720 now"},
			[]string{"720"}, []string{"640"}},
		{[]string{"I earn 38000 a year", "I earn 41000 now"},
			[]string{"41000"}, []string{"38000"}},
		{[]string{"we're going to Bergen on 12 March", "the trip's off"},
			nil, []string{"Bergen"}},
		{[]string{"Folake's driving test is on 3 December", "Folake's test has been cancelled"},
			nil, []string{"3 December"}},
		{[]string{"My cat is called Pudding", "we had to give Pudding away"},
			nil, []string{"Pudding"}},
		{[]string{"My cat is called Pudding", "Pudding has been rehomed"},
			nil, []string{"called Pudding"}},
		{[]string{"I am a nurse", "I'm a pilot", "just kidding"},
			[]string{"Is a nurse."}, []string{"pilot"}},
		{[]string{"I quit my job", "only kidding"},
			nil, []string{"Quit"}},
		{[]string{"I'm married to Tunde", "Tunde and I have separated", "only kidding, we're fine"},
			[]string{"married to Tunde"}, []string{"eparated"}},
		{[]string{"I am a nurse", "I'm a pilot. only kidding"},
			[]string{"Is a nurse."}, []string{"pilot"}},
		{[]string{"我是护士", "我是飞行员", "开玩笑的"},
			[]string{"护士"}, []string{"飞行员"}},
		{[]string{"我是护士", "我是飞行员", "逗你玩的"},
			[]string{"护士"}, []string{"飞行员"}},
		{[]string{"我换工作了 去郑州殡仪馆", "开玩笑的 没换"},
			nil, []string{"郑州"}},
		{[]string{"dad died in 1998, heart attack, he was a fisherman"},
			[]string{"1998", "heart attack", "fisherman"}, nil},
		{[]string{"my dad died in 1998 of a heart attack"},
			[]string{"1998", "heart attack"}, nil},
		{[]string{"My brother Per passed away in 2019, I miss him every day"},
			[]string{"2019"}, nil},
		{[]string{"We got married on 4 June 2016"},
			[]string{"4 June 2016"}, nil},
		{[]string{"I'm married to Tunde", "We got married on 4 June 2016"},
			[]string{"4 June 2016", "married to Tunde"}, nil},
		{[]string{"I work as a crane operator down at Felixstowe docks, been there 11 years now"},
			[]string{"11 years"}, nil},
		{[]string{"Dagny, 54 years young"},
			[]string{"Name is Dagny.", "Is 54 years old."}, nil},
		{[]string{"hiya im Dagny, Dagny Oyelaran, 54 years young lol"},
			[]string{"Name is Dagny", "Is 54 years old."}, nil},
		{[]string{"my eldest is called Solveig", "Solveig has a little boy Alfie who's 3"},
			[]string{"Alfie"}, nil},
		{[]string{"my card is 4929 1234 5678 9012", "my phone lock code is 250419"},
			nil, []string{"4929", "250419"}},
		{[]string{"我妈今年八十一", "我妈今年八十二了"},
			[]string{"八十二"}, []string{"八十一"}},
		{[]string{"我妈81岁", "我妈今年82了"},
			[]string{"82"}, []string{"81"}},
		{[]string{"闺女罗一诺19了在兰州学兽医", "一诺今年二十了 不是十九"},
			[]string{"二十"}, []string{"不是十九"}},
		{[]string{"我家养了只橘猫叫馒头", "馒头送人了"},
			nil, []string{"馒头"}},
		{[]string{"我又捡了只小黑狗 叫煤球", "煤球送人了"},
			nil, []string{"煤球", "小黑狗"}},
		{[]string{"下周五小满开家长会", "家长会取消了"},
			nil, []string{"家长会"}},
		{[]string{"房租一个月一千一", "房租涨了 现在一千三"},
			[]string{"一千三"}, []string{"一千一"}},
		{[]string{"我的房租是1100", "房租涨到1300了"},
			[]string{"1300"}, []string{"1100"}},
		{[]string{"我最好的朋友是刘彩霞", "彩霞在北京环球影城上班", "彩霞不在北京了 去上海迪士尼了"},
			[]string{"上海迪士尼"}, []string{"在北京环球影城上班"}},
		{[]string{"我妹妹住在首尔", "我妹妹搬到釜山了"},
			[]string{"釜山"}, []string{"首尔"}},
		{[]string{"我儿子上二年级", "我儿子叫小满", "小满上三年级了"},
			[]string{"三年级"}, []string{"二年级"}},
		{[]string{"表姐玉兰借了我两万块钱"},
			[]string{"两万"}, nil},
		{[]string{"在偃师买了个小两居"},
			[]string{"偃师"}, nil},
		{[]string{"密码你记一下 我手机锁屏是 250419", "我的银行卡是 6222 0202 0000 1234 567"},
			nil, []string{"250419", "6222"}},
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
