package instruct

import (
	"slices"
	"testing"

	"memoria/memory"
)

// livedWith is what a memory holds after some weeks: all that the sentences below name.
func livedWith() []memory.Item {
	items := known(
		"我叫谢春燕", "我闺女叫罗一诺", "我儿子叫小满", "小满对芒果过敏", "我喜欢喝茶", "我住在洛阳", "我对象叫郝庆国", "My mum is called Åse.", "My husband is called Tunde.",
		"My sister is called Ingrid", "I like tea", "I live in Felixstowe", "Keep your answers short", "please don't ask me for approval for money things",
	)
	for i, content := range []string{
		"二姐春梅在新疆库尔勒种棉花", "小满上二年级", "Ingrid's flight to Bergen is on 12 March", "老郝脾气好 就是爱打呼噜", "后天得去交电费", "before that I sold tickets on the Harwich foot ferry",
		"一诺在兰州学兽医", "妈最近老忘事", "Ben and Marcus are my twin sons, 24.", "Flu jab tomorrow at 10", "我大哥开驴肉火烧店", "我徒弟叫小邓", "Plays the accordion.",
	} {
		items = append(items, memory.Item{ID: "x" + string(rune('a'+i)), Content: content, State: memory.StateActive})
	}
	return items
}

// U2, U4: statements, questions and reminders with a word of losing, forgetting or deleting order nothing.
func TestOrdersNothing(t *testing.T) {
	t.Parallel()
	items := livedWith()
	for _, said := range []string{
		"Mum doesn't recognise Ingrid any more", "mum doesn't know Tunde any more", "Mum doesn't recognise Marcus any more", "I stopped playing the accordion, sold it", "The flu jab was cancelled",
		"what was the last thing I told you", "would you forget my name if I asked", "can you forget things?", "what happens if I tell you to forget my mum", "show everything about money",
		"I forgot Tunde's birthday", "Tunde lost his keys", "I lost my mum in Tesco for ten minutes", "I deleted Tunde's number", "we got rid of Ingrid's old sofa", "don't forget Tunde's birthday", "I can't forget Ingrid",
		"all but the first", "everything except Ingrid",
		"看看删了啥", "我说过啥关于老郝的话", "老郝的事你都记了啥", "老郝妈寿宴那条还在不", "我真想把过去全忘了", "小满的书包丢了", "小满的帽子也丢了", "一诺的身份证丢了", "老郝的钥匙丢了", "全家都忘了我生日", "我的耳环丢了",
		"我妈的假牙丢了", "我把旧衣服都扔了", "我把垃圾扔了", "我把他忘了", "忘了说了 我闺女叫罗一诺", "忘了跟你说 我叫谢春燕", "你可别忘了 小满对芒果过敏", "你没忘吧 我下周三带小满打疫苗", "忘了告诉你 我大姨住在德州",
		"哦对 我忘说了 老郝是焦作人", "你把我闺女忘了吧", "郑州那工作不去了", "种棉花那个是谁", "当兵那个叫啥", "学兽医那个呢", "种葡萄那个是谁", "领养的那个叫啥", "调度那个人是谁", "开挖掘机那个谁", "交房那事咋样了",
		"彩霞那条你记了没", "老霍那个事记了吗", "电费那件事别忘了", "我大哥那个人真倔", "一诺那个对象还行", "小满那次发烧真吓人", "老郝那件衣服真难看", "我徒弟那个胆儿 啧啧", "我妈那条命是我大哥捡回来的", "我闺女那个学校真远",
		"我二姐那个腿好多了", "我前夫那个人渣", "除了第一条都删了", "我把前夫微信删了 眼不见心不烦", "那事儿我早忘了", "我忘了带钥匙", "小满老忘事", "以后我说的吃的都别记",
		"记账APP里刚记的那笔支出怎么撤销", "第四条：点击“撤销刚才记的”，系统将恢复上一条记忆。", "i always forget that i like tea until i drink one lol",
	} {
		in, ok := Read(said, nil)
		if !ok {
			in, ok = Guess(said, nil, items)
		}
		if ok && destroys(in.Kind) {
			t.Errorf("%q is taken for %s %q, of %d memories", said, in.Kind, in.Object, len(Match(in, items)))
		}
	}
}

// U2: simple orders are understood in the words that people use.
func TestOrdersToForget(t *testing.T) {
	t.Parallel()
	items := livedWith()
	for said, want := range map[string][]string{
		"把 后天得去交电费 删了": {"后天得去交电费"}, "把小满的事都删了": {"儿子叫小满", "小满对芒果过敏", "小满上二年级"}, "删掉打呼噜": {"老郝脾气好 就是爱打呼噜"}, "把喝茶那条删了": {"喜欢喝茶"},
		"delete the accordion": {"Plays the accordion."}, "delete the flu jab": {"Flu jab tomorrow at 10"}, "把我对象忘掉": {"对象叫郝庆国"},
	} {
		in, ok := Read(said, nil)
		if !ok {
			in, ok = Guess(said, nil, items)
		}
		if !ok || in.Kind != Forget {
			t.Errorf("%q: %v %+v", said, ok, in)
			continue
		}
		var got []string
		for _, it := range Match(in, items) {
			got = append(got, it.Content)
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%q means %q, want %q", said, got, want)
			}
		}
		if len(got) > len(want)+1 {
			t.Errorf("%q means also %q", said, got)
		}
	}
	for said, want := range map[string]Instruction{
		"删掉所有经历": {Type: memory.TypeEpisode}, "把今天说的全忘了": {Today: true}, "forget what I told you today": {Today: true}, "forget everything about Tunde": {Whole: true}, "把小满的事都删了": {Whole: true}, "can you delete my name?": {Careful: true},
	} {
		in, ok := Read(said, nil)
		if !ok || in.Kind != Forget || in.Type != want.Type || in.Today != want.Today || want.Whole && !in.Whole || want.Careful && !in.Careful {
			t.Errorf("%q: %v %+v", said, ok, in)
		}
	}
}

// U2: of whom an order names, others who share a character or a kinship are not meant.
func TestOrdersMeanNoOthers(t *testing.T) {
	t.Parallel()
	var items []memory.Item
	for i, content := range []string{
		"现在处了个对象 叫郝庆国", "他有个儿子郝鑫 23 在苏州昆山电子厂打螺丝", "妈最近老忘事", "我跟我大哥吵了一架", "老郝脾气好 就是爱打呼噜", "老郝有个姐叫郝庆霞", "大后天去孟津看老郝他姐", "二姐春梅在新疆库尔勒种棉花",
		"表妹叫小芹", "妹妹春晓在首尔做美容", "Best mate Pauline's husband Barry has Parkinson's.", "My husband Tunde drives buses.", "Stepdaughter Folake's mum is Yemi.", "My mum Åse is 81",
		"Ingrid's girls are coming", "Flight to see Ingrid in Bergen is 12 March",
	} {
		items = append(items, memory.Item{ID: string(rune('a' + i)), Content: content, State: memory.StateActive, Type: memory.TypeRelationship})
	}
	for said, not := range map[string][]string{
		"忘掉郝鑫": {"现在处了个对象 叫郝庆国", "老郝有个姐叫郝庆霞"}, "把老郝的事都忘了吧 我俩吹了": {"妈最近老忘事", "我跟我大哥吵了一架"}, "把我姐的删了": {"老郝有个姐叫郝庆霞", "大后天去孟津看老郝他姐"}, "把我妹的事忘了": {"表妹叫小芹"},
		"forget my husband": {"Best mate Pauline's husband Barry has Parkinson's."}, "forget everything about my mum": {"Stepdaughter Folake's mum is Yemi."},
		"delete all about Ingrid's girls": {"Flight to see Ingrid in Bergen is 12 March"},
	} {
		in, ok := Read(said, nil)
		if !ok || in.Kind != Forget {
			t.Errorf("%q: %v %+v", said, ok, in)
			continue
		}
		found := Match(in, items)
		if len(found) == 0 {
			t.Errorf("%q means nothing", said)
		}
		for _, it := range found {
			if slices.Contains(not, it.Content) {
				t.Errorf("%q means %q", said, it.Content)
			}
		}
	}
}

// U4: the last message is taken back in these words, which bring no deletion back.
func TestTakesBackLast(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"刚才那句不算", "刚说的忘掉", "上一条删掉", "撤销刚才的", "别记刚才那个", "哎呀，刚才那句不算", "erase that", "undo the last thing", "那个 撤销一下",
		"刚说的不算 逗你玩的 别存", "刚刚那句不算 我瞎说的", "刚才说的作废"} {
		if !TakesBack(said, nil) {
			if !BringsBack(said, nil) {
				t.Errorf("%q takes nothing back", said)
			}
		}
		if in, ok := Read(said, nil); ok && !in.Last {
			t.Errorf("%q is %+v", said, in)
		}
	}
	for _, said := range []string{"刚说的不算贵", "刚说的不算 我今年二十五", "他刚说的不算", "刚才说的作废了吗"} {
		if TakesBackLast(said, nil) {
			t.Errorf("%q takes the last message back", said)
		}
	}
	for _, said := range []string{"刚说的忘掉", "上一条删掉", "erase that"} {
		if BringsBack(said, nil) {
			t.Errorf("%q brings a deletion back", said)
		}
	}
}

// U2: a memory that says several things is asked for before it goes: who names it may mean one of them.
func TestSaysMore(t *testing.T) {
	t.Parallel()
	for content, is := range map[string]bool{
		"Mortgage is £640 a month and I've got 8200 in an ISA.": true, "I vote Green but Tunde votes Labour": true, "我妹呢。我妈身体咋样": true,
		"Likes tea.": false, "I have a bike and a boat.": false, "老郝有个姐叫郝庆霞": false,
	} {
		if SaysMore(memory.Item{Key: "said/other/x", Content: content}) != is {
			t.Errorf("%q: want %v", content, is)
		}
	}
}

// U2: a debt is found by the person it is owed to, and a reason added to an order is not part of its object.
func TestOrdersWithReason(t *testing.T) {
	t.Parallel()
	items := []memory.Item{
		{ID: "a", Content: "我欠李倩五千块", State: memory.StateActive}, {ID: "b", Content: "李倩喜欢爬山", State: memory.StateActive},
		{ID: "c", Content: "I owe shona 300 quid.", State: memory.StateHeld}, {ID: "d", Content: "Shona likes hiking.", State: memory.StateActive},
	}
	for said, want := range map[string]string{
		"忘掉李倩那笔钱吧 已经还了": "a", "忘掉李倩那笔钱咯": "a", "把李倩那笔钱删了嘛，早就还了": "a", "忘了欠李倩的钱吧 还清了": "a",
		"forget shonas money, its paid": "c", "forget shona's money its been paid back": "c", "delete the shona money because ive paid it": "c",
	} {
		in, ok := Read(said, nil)
		if !ok || in.Kind != Forget && !in.OrForget {
			t.Errorf("%q: %v %+v", said, ok, in)
			continue
		}
		in.Kind = Forget
		found := append(Match(in, items), MatchDebt(in, items)...)
		if len(found) == 0 || slices.ContainsFunc(found, func(it memory.Item) bool { return it.ID != want }) {
			t.Errorf("%q means %+v of object %q", said, found, in.Object)
		}
	}
}
