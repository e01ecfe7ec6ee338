package policy_test

import (
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/subject"
)

// What two people said in an hour each, and what was made of it.

// peopleOf returns the people that some memories name.
func peopleOf(memories ...string) (people []subject.Person) {
	for _, content := range memories {
		people = append(people, subject.People(content)...)
	}
	return subject.Together(people)
}

var (
	dagnys = peopleOf("Husband is called Tunde.", "Best mate is called Pauline.", "Eldest is called Solveig.",
		"Ben and Marcus are my twin sons, 24.", "Grandson is called Alfie.", "Sister is called Ingrid.",
		"My best mate Pauline's husband Barry has Parkinson's.", "Stepdaughter is called Folake.")
	chunyans = peopleOf("对象叫郝庆国", "最好的朋友是刘彩霞", "儿子叫小满", "闺女罗一诺19了在兰州学兽医", "妹妹春晓在首尔做美容")
)

// checkKept reads each message as one of somebody with these people. The texts of want, separated by "|", are in what is
// remembered without doubt; those of never are not. Without want nothing is remembered.
func checkKept(t *testing.T, people []subject.Person, cases []said) {
	t.Helper()
	at := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	for _, c := range cases {
		var got []string
		for _, f := range newPolicy().Teaches(c.message, people...) {
			if f = policy.Dated(f, at, time.UTC); !f.OnlyEnds() && f.Doubt == "" {
				got = append(got, f.Key+": "+f.Content+";")
			}
		}
		all := strings.Join(got, "\n")
		if c.want == "" && c.never == "" && all != "" {
			t.Errorf("%s: %q", c.message, all)
		}
		for _, w := range strings.Split(c.want, "|") {
			if !strings.Contains(all, w) {
				t.Errorf("%s: %q is not in %q", c.message, w, all)
			}
		}
		for _, w := range strings.Split(c.never, "|") {
			if w != "" && strings.Contains(all, w) {
				t.Errorf("%s: %q is in %q", c.message, w, all)
			}
		}
	}
}

// P3: questions without a mark are no statements.
func TestQuestionsOfStrangers(t *testing.T) {
	for _, message := range []string{
		"我晕车不", "我收不收红包", "我住几楼", "我是离异还是未婚", "我左撇子还是右撇子", "我身份证号", "我喝不喝咖啡", "我吃鱼不吃", "我家几口人",
		"我怕不怕高", "我怕啥", "我信佛吗", "我姐妹几个", "我妈来不来洛阳", "我跟老郝领证没", "我打麻将吗", "我头发长还是短", "老郝抽不抽烟",
		"我闺女好久高考", "我妈好久的生日", "我一个月工资好多钱", "我对象好大岁数你晓得不", "我对象叫啥子", "你晓得我住哪儿不", "我闺女咋个去学校",
		"我们家房贷好多", "小满今年好大了", "哪个是我最好的朋友", "我几时退休", "我妈退休没有", "我有车没得", "一诺结婚没有", "我闺女好大了", "我生日是好久", "我有冇小孩", "我屋头有好远嘛",
		"我在郑州待了几年", "一诺现在有对象没", "过年我回不回家", "我多高", "我多重", "我穿多大鞋", "一诺爱吃啥", "小满几年级", "我工资", "我微信号",
	} {
		checkKept(t, chunyans, []said{{message: message}})
	}
	checkKept(t, chunyans, []said{
		{"我好久没吃辣了，胃不好", "胃不好", ""},
		{"我学了好久英语了", "学了好久英语", ""},
		{"我养了好多多肉", "多肉", ""},
		{"我家狗好大一只", "狗好大一只", ""},
		{"我不咋爱吃甜的", "甜", ""},
		{"我啥子都吃，就是不吃香菜", "香菜", ""},
		{"我吃鱼不吃肉", "不吃肉", ""},
		{"我还是喜欢喝茶", "茶", ""},
		{"我动不动就感冒，从不吃辣", "辣", ""},
		{"老郝不吃辣", "老郝不吃辣", ""},
		{"老郝腰疼 贴膏药呢", "老郝腰疼 贴膏药呢", ""},
	})
}

// P5c: words without a subject after a clause about somebody are about them, or stay with that clause.
func TestSubjectsOfStrangers(t *testing.T) {
	checkKept(t, chunyans, []said{
		{"我家养了只橘猫叫馒头 六岁了 肥得跟猪一样哈哈", "猫叫馒头|橘猫叫馒头 六岁了 肥得跟猪一样", ": 肥得跟猪一样;"},
		{"今儿晚上我得加班 有个车祸的", "", "have-|物品"},
		{"小满班主任姓啥来着 哦 姓祁 祁老师 挺凶的", "", "name/family|姓祁"},
		{"春晓嫁了个韩国人 姓朴 生了个闺女 四岁", "春晓嫁了个韩国人 姓朴 生了个闺女 四岁", "name/family|age:|: 生了个闺女"},
		{"一诺谈了个对象 叫马赫 回族 临夏的", "一诺谈了个对象 叫马赫 回族 临夏的", "fact/回族|goal"},
		{"小满对芒果过敏 一吃嘴就肿", "儿子小满对芒果过敏", ": 一吃嘴就肿;"},
		{"我大嫂叫吕凤英 跟我大哥一块儿看店", "大嫂叫吕凤英", ": 跟我大哥一块儿看店;"},
		{"小侄子谢志远 明年高考", "小侄子明年", ": 明年（2027年）高考"},
		{"我徒弟叫小邓 00后 胆儿特小", "徒弟叫小邓", ": 胆儿特小;|birth-year"},
		{"我戴老花镜 二百五十度", "老花镜", ": 二百五十度;"},
		{"手机是红米 用了四年了 电池不行了", "红米", ": 用了四年了"},
		{"我又捡了只小黑狗 叫煤球 三个月大", "小黑狗 叫煤球 三个月大", ": 叫煤球|age: 三个月"},
		{"后年我就能退休了 五十岁", "退休", "age:"},
		{"我有驾照，C1的，2012年考的", "有驾照，C1的，2012年考的", ": C1的"},
		{"小满 2018年9月3号生的 属狗", "小满 2018年9月3号生的 属狗", "fact/属相|: 属狗"},
		{"二柱他娘是我姑 今年六十八", "二柱他娘是我姑 今年（2026年）六十八", "age:"},
	})
	checkKept(t, dagnys, []said{
		{"married to Tunde, hes 61 and a retired bus driver, second time lucky as they say", "Is married to Tunde", ": Hes 61"},
		{"My brother Per passed away in 2019, I miss him every day", "Per passed away", "Misses him"},
		{"I play the accordion, badly, and ring the church bells at St John's on Thursday nights",
			"Plays the accordion|I play the accordion, badly, and ring the church bells at St John's on Thursday nights", ": Badly"},
		{"my choir is called the Orwell Singers, we rehearse on Tuesdays at 7", "My choir is called the Orwell Singers|on Tuesdays at 7", ""},
	})
}

// P5c, P9a: the right person, in the right sense, on the right day.
func TestSenseOfStrangers(t *testing.T) {
	checkKept(t, chunyans, []said{
		{"以后用河南话回我", "用河南话回我", "回自己"},
		{"我有个干儿子叫铁蛋", "干儿子叫铁蛋", ": 儿子叫铁蛋"},
		{"铁蛋是我干儿子 亲儿子就小满一个", "铁蛋", "儿子铁蛋是"},
		{"我闺女最爱吃我做的糖醋里脊", "我做的糖醋里脊", "吃自己做"},
		{"我六月考了个高级防腐师证", "六月（2026年6月）考了个高级防腐师证", "2027|goal"},
		{"我生日是农历四月十六", "农历四月十六", ""},
		{"我2003年从吴桥去的郑州 2010年才到的洛阳", "吴桥", "goal"},
		{"我青霉素过敏啊 这个可得记住", "allergy/青霉素", "preference|said/diet"},
		{"我妈一个人在老家我不放心", "我妈一个人在老家我不放心", "住在老家"},
		{"礼拜天中午老郝他妈过八十大寿", "2026年11月29日", "pattern"},
	})
	checkKept(t, dagnys, []said{
		{"Night shifts are Monday to Wednesday this month", "Monday to Wednesday", "(30 November"},
		{"I've started learning to paint, watercolours, on Wednesday mornings", "on Wednesday mornings", "2026"},
		{"we had our 10th wedding anniversary on 4 June", "4 June (4 June 2026)", "2027|goal"},
		{"I've booked a table at the Alex for Friday 11 December at 7", "Friday 11 December", "4 December"},
		{"I work from home on Fridays", "Works from home on Fridays", ""},
		{"I ride my bike to the allotment", "", "Has their"},
	})
}

// P2: what people say most: something about somebody of theirs.
func TestPeopleOfStrangers(t *testing.T) {
	checkKept(t, chunyans, []said{
		{"以前在吴桥杂技团蹬缸 蹬到28岁膝盖不行了才下来", "吴桥杂技团蹬缸", "job"},
		{"大哥谢春生在沧州开驴肉火烧店 二姐春梅在新疆库尔勒种棉花 还有个妹妹春晓在首尔给人做美容",
			"大哥谢春生在沧州开驴肉火烧店|二姐春梅在新疆库尔勒种棉花|妹妹春晓在首尔给人做美容", ""},
		{"老郝有个儿子郝鑫 23 在苏州昆山电子厂打螺丝", "郝鑫 23 在苏州昆山电子厂打螺丝", ""},
		{"老郝脾气好 就是爱打呼噜", "对象就是爱打呼噜", ""},
		{"老郝抽烟 一天一包红旗渠", "老郝抽烟", ""},
		{"彩霞下月8号过生日", "最好的朋友彩霞下月8号（2026年12月8日）过生日", ""},
		{"彩霞生日是12月8号", "最好的朋友彩霞的生日是12月8号", ": 生日是"},
		{"大哥家俩小子 大的当兵 在西宁 小的还上高中", "大哥家俩小子", ""},
		{"老郝想腊月里领证 我还没答应", "老郝想腊月里领证", ""},
		{"表妹叫小芹在天津开出租", "表妹叫小芹|在天津开出租", ""},
		{"我妹夫姓朴，叫朴成浩，是个厨师。", "妹夫叫朴成浩|厨师", ""},
		{"你可别忘了 小满对芒果过敏", "小满对芒果过敏", ""},
		{"忘了告诉你 我大姨住在德州", "大姨住在德州", ""},
		{"哦对 我忘说了 老郝是焦作人", "老郝是焦作人", ""},
		{"老郝升了副站长", "老郝升了副站长", ""},
		{"彩霞买车了", "彩霞买车了", ""},
		{"我妈买了个新冰箱", "妈买了个新冰箱", ""},
		{"老郝给我买了个金镯子 三十克", "老郝给我买了个金镯子 三十克", ""},
		{"今天跟你唠唠我妹。她叫谢春晓，42岁，在首尔江南区开了家美容院，一年回来一趟。", "妹妹|谢春晓|42岁|美容院", ""},
		{"一诺随她爸姓罗", "一诺随她爸姓罗", "name/family"},
	})
	checkKept(t, dagnys, []said{
		{"then there's the twins Ben and Marcus, they're 24, Ben is a plumber and Marcus is still finding himself bless him", "Ben is a plumber", ""},
		{"my dad was a fisherman", "Dad was a fisherman", ""},
		{"Marcus works in a record shop in Colchester", "Marcus works in a record shop in Colchester", ""},
		{"Tunde is 61", "Tunde is 61", ""},
		{"Tunde turned 62 yesterday", "Tunde is 62", ""},
		{"Alfie is 3 and starts nursery in January", "Alfie is 3 and starts nursery in January", ""},
		{"Alfie's birthday is 9 September", "9 September", ""},
		{"favourite singer is Sissel", "Sissel", ""},
		{"Ingrid is 59, turning 60 on 14 March", "is 59", ""},
		{"Tunde wants to go to Lagos in October to see his brother Femi", "Tunde wants to go to Lagos in October", ""},
		{"My grandad was called Torvald", "Torvald", ""},
		{"my dad was called Arne", "Dad is called Arne", ""},
		{"my ex husband was called Keith", "Keith", "Husband "},
		{"Tunde's sister is Bisi, she lives in Peckham", "Tunde's sister is Bisi, she lives in Peckham", "Sister"},
		{"Ben lives in Leicester with Priya", "Ben lives in Leicester", ""},
		{"Ben works for Severn Trent", "Ben works for Severn Trent", ""},
		{"My new neighbour at number 16 is called Agnieszka, she's Polish and bakes the best bread", "Agnieszka|Polish", ""},
		{"my sister's husband Lars is a skipper", "Lars is a skipper", "Husband|Sister Lars"},
		{"Marcus's girlfriend is called Zoe and she's a tattooist", "girlfriend is called Zoe", "Girlfriend"},
		{"my best friend from school is Gro, she lives in Trondheim", "Gro", ""},
		{"im alergic to shelfish aswell", "allergy/", ""},
		{"mum lives in Leeds", "lives in Leeds", ""},
		{"When I was a kid we lived above a bakery", "we lived above a bakery", ""},
		{"my dentist is called Mr Patel and my doctor is Dr Wren at Howard House", "Mr Patel|Dr Wren", ""},
		{"Tunde likes jollof rice and hates olives", "likes jollof rice|hates olives", ""},
	})
}

// P5c, P9a: names in lower case and without apostrophes, rows of children, pronouns across messages. What two people said
// first, and what must not be made of the like.
func TestNamesAsTyped(t *testing.T) {
	joes := peopleOf("Kid is called Alfie.", "Kid is called Maisie.", "Best mate is called Steph.", "Dad is called Terry.")
	for i := range joes {
		joes[i].Shared = joes[i].Relation == "kid"
	}
	checkKept(t, nil, []said{
		{"got two kids alfie hes 11 and maisie whos 7", "child-alfie/age: Kid Alfie is 11|child-maisie/age: Kid Maisie is 7|called Maisie", ""},
		{"I have two boys, Tom (9) and Ali, 6", "two boys", "code"},
		{"two kids in the car park were smoking", "", "Kid"},
		{"my sister has two kids, tom is 9", "", "Kid"},
		{"my dad terry is 79 and lives on his own in wakefield", "Dad is called Terry|Dad Terry is 79|lives on his own in wakefield", ""},
		{"my best mate is steph", "called Steph", ""},
		{"my manager is called pauline and she's a nightmare", "called Pauline", ""},
		{"my dad usually is late", "", "called"},
		{"my mum cooks and my brother works nights", "", "called"},
		{"divorced from darren since march 2024, dont get me started", "Divorced from Darren since march 2024", "started"},
		{"mortgage is 842 a month with nationwide til 2041", "Mortgage is 842 a month", ""},
		{"rent is too high in this town", "", ""},
		{"got a credit card debt with barclaycard about 2300", "2300", ""},
		{"i drive a 2014 fiesta, mot is due 12 january", "2014 fiesta|12 January 2027", ""},
		{"when am i 39? my birthdays 14 feb", "birthday: Birthday is 14 feb", "2027|goal"},
		{"my birthdays are always rubbish", "", "birthday: "},
		{"hiya im jo, 38, nurse in leeds", "name: Name is Jo|age: Is 38|nurse in leeds", ""},
		{"hi im tired, 38 emails today", "", "age:|name:"},
		{"my names joanne hartley but everyone calls me jo", "Nickname is jo", ""},
		{"everyone calls me at work", "", "Nickname"},
		{"我今年45 成都人，开了十八年出租了", "age: 45岁|成都人", ""},
		{"今年30 单身 在找工作", "30", ""},
		{"我今年45斤体重没变", "", "age"},
		{"搭档是李建国 他跑白班", "搭档叫李建国|搭档跑白班", ": 跑白班"},
		{"公司是蓉城出租 份子钱一天180", "蓉城出租|份子钱一天180", ""},
	})
	checkKept(t, joes, []said{
		{"alfies birthday is 3rd june, he'll be 12", "child-alfie/birthday", "goal|2027"},
		{"maisie does ballet on wednesdays at 4", "Maisie does ballet on wednesdays at 4", ""},
		{"alfie plays football sundays for horsforth under 12s", "Alfie plays football sundays", ""},
		{"stephs getting married in april to some bloke called gaz", "Steph's getting married in april (April 2027) to some bloke called Gaz", ""},
		{"Maisie's school is next to the park", "", "age"},
	})
	for _, c := range []struct{ before, said, want, never string }{
		{"my dad terry is 79", "hes got type 2 diabetes and a dodgy hip", "Dad has got type 2 diabetes and a dodgy hip", ""},
		{"我女儿周悦今年高三", "她在成都七中林荫校区读书，12班", "女儿在成都七中林荫校区读书", ": 在成都七中"},
		{"my dad is 79 and my brother is 40", "he lives in leeds", "", "dad|brother|home"},
		{"my mum is 70", "he lives in leeds", "", "mum|home"},
		{"i love tea", "he lives in leeds", "", "home"},
	} {
		all := ""
		r := newPolicy().Route(policy.Event{Record: memory.Record{Role: memory.RoleUser, Content: c.said}, Before: c.before})
		for _, f := range r.Teaches {
			all += f.Key + ": " + f.Content + ";"
		}
		if !strings.Contains(all, c.want) {
			t.Errorf("%s / %s: %q is not in %q", c.before, c.said, c.want, all)
		}
		for _, w := range strings.Split(c.never, "|") {
			if w != "" && strings.Contains(all, w) {
				t.Errorf("%s / %s: %q is in %q", c.before, c.said, w, all)
			}
		}
	}
}

// P3: a rambling story is no memory; what it says in passing may be one.
func TestStoryIsNoMemory(t *testing.T) {
	for _, story := range []string{
		"right so its been a mad day, nora from bed 6 went for a wander again and we found her in the car park in her nightie bless her, then i got home and the dog had eaten one of my good shoes, so im skint till payday on the 15th",
		"今天跑了一天车 累惨了，早上拉了个去机场的，差点误机，骂了我一路，中午吃面还遇到个同行吵架，下午又堵在二环一个多小时，晚上回来老婆还说我回来晚了，饭都凉了",
	} {
		for _, c := range newPolicy().Teaches(story) {
			if len(c.Content) > 120 {
				t.Errorf("kept %q", c.Content)
			}
		}
	}
}
