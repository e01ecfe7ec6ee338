package policy

import (
	"strings"
)

// lastingZH begins goals that last longer than a conversation even without a date.
var lastingZH = expr(`^(?:学会?|学习|学好|学一|自学|掌握|成为|当(?:一[名个位])?\p{Han}|做一[名个位]|考(?:研|博|公|证|上|取|过|雅思|托福|驾照|注|cpa|pmp|一)|减肥|减重|减掉|瘦|增肌|健身|锻炼|戒|跑(?:马拉松|半马|全马|完|步|一)|完成(?:一|我的|自己的|博士|硕士|学业|论文|毕业)|开(?:一家|一间|个|自己的|公司|店|餐厅|咖啡|书店|民宿|工作室)|创业|创办|写(?:一本|一部|本|完|小说|书|毕业论文|论文)|出版|出书|发表|读(?:研|博|完|\d+|[一二三四五六七八九十]+本)|看完|攒|存(?:钱|够|\d)|还清|还完|买(?:一?套?房|一?辆?车|房|车)|移民|搬(?:到|去|回|家)|换(?:工作|个工作|一份工作|城市|房|专业|行)|去(?:.{1,8}(?:旅行|旅游|留学|读书|生活|工作|定居|发展|看极光|看海|徒步|支教))|环游|环球|旅行|留学|出国|徒步|骑行|爬|登|毕业|退休|结婚|生(?:孩子|个|娃)|要(?:孩子|个孩子|二胎)|找(?:一份|到|个|份)?(?:.{0,4})?(?:工作|对象|女朋友|男朋友)|转行|跳槽|升职|申请|参加(?:.{0,8})(?:比赛|马拉松|考试|高考|面试)|提高|提升|改善|改掉|坚持|养成|早睡|早起|存下|赚|拿(?:到|下)|通过|获得|练(?:好|习|出|字|琴|瑜伽)|养(?:一?只|一?条|猫|狗)|财务自由|成家|回老家|做(?:自媒体|副业|独立开发|博主)|上(?:大学|清华|北大|研究生)|每个?(?:[天周月年]|星期|礼拜))`)

var notGoalZH = expr(`^(?:问|知道|了解一下|了解下|看看|看一下|听|说|要一|要你|要个|让|请|麻烦|吃饭|睡|去睡|回家|上厕所|喝水|休息|下班|点|确认|咨询|查|找你|和你|跟你|试试|试一下|改一下|修|删|加|把|用这|写一个|写个|做个|做一个(?:表|网页|页面|图|ppt|测试|demo)|买(?:杯|个|点|件)|哭|死|静静|一想|多了|请教|请问|看一|知|讨论|聊|先|起|吃|喝|你|他|她|这|那|不|到|学(?:一下|下|习一下)(?:这|那)?)|这个|那个|这段|这篇|这里|代码|报错|函数|脚本|bug|网页|页面|一下$`)

var soonZH = expr(`现在就?|马上|立刻|今天|今晚|待会|等会|等下|等一下|一会儿?|这会|刚|先|[\d一二三四五六七八九十半]+(?:分钟|小时)|去睡了|赶紧`)

var splitDateZH = expr(`^(?P<d>(?:在|于|到|赶在|争取|等)?{datez}(?:,)?)(?:能|可以|要|就|把|之前|以前|前|一定|开始)*(?P<o>.+)$`)

func splitDateHan(o part) (what, when part) {
	if g := splitDateZH.Groups(o.fold); g != nil {
		return o.c.part(o.lo+g[4], o.lo+g[5]).trim(), o.c.part(o.lo+g[2], o.lo+g[3]).trim()
	}
	return o, part{c: o.c}
}

func goalZH(key string, o, when part, content string) draft {
	d := goal(key, o, part{c: o.c}, content)
	d.st.When = when.raw
	if !when.empty() {
		d.tags = append(d.tags, "date")
	}
	d.tags[0], d.tags[1] = d.tags[1], d.tags[0]
	return d
}

func goalRulesZH() []rule {
	return []rule{
		{"goal-slot", selfZH + `(?:今年|明年|现在|目前|最大|人生|长期|短期|近期|下半年|上半年|未来.{1,4}|这辈子|\d{4}年|的|个|一个|终极|新年|职业|健身|小|唯一|主要)*(?:目标|梦想|计划|愿望|理想|心愿|志向|打算|flag|追求)(?:就)?(?:是|:)(?P<o>.+)`, func(m match) []draft {
			full := m.g("o").trim()
			o, when := splitDateHan(full)
			if when.empty() {
				if loc := yearWord.Find(m.c.text[:full.lo]); loc != nil {
					when = m.c.part(loc[0], loc[1])
				}
			}
			if !o.valid(16) || reactionZH.Match(o.fold) || soonZH.Match(o.fold) || goalSlotNotZH.Match(o.fold) {
				return nil
			}
			return one(goalZH("goal/"+goalKeyZH(o), o, when, "目标是"+own(full.raw)))
		}},
		{"goal-want", selfZH + `(?P<pre>(?:真的|很|非常|一直|特别|还|也|最近|其实|正|们|从小就|超级?|都|将来|以后|未来|今后)*)(?P<d>(?:(?:在|到|赶在)?{datez}(?:之前|以前|前)?,?)?)(?:也|就|还|们)*(?P<v>打算|计划|准备|决定|立志|希望能够?|希望|想要|想|要|争取|一定要|必须|下定决心|决心|答应过?了?(?:自己)?|承诺过?(?:自己)?|发誓|保证|渴望|梦想着?|正在努力|努力|会|将|得|需要)(?:在|能|好好|开始|重新|继续|自己|再)*(?P<o>.+)`, func(m match) []draft {
			full := m.g("o").trim()
			o, when := splitDateHan(full)
			if d := m.g("d"); when.empty() && !d.empty() {
				when = d
			}
			v := m.g("v").fold
			weak := v == "要" || v == "会" || v == "将" || v == "得" || v == "必须" || v == "需要"
			f := o.fold
			lasting := lastingZH.Match(f)
			switch {
			case !o.valid(14), notGoalZH.Match(f), soonZH.Match(full.fold), strings.HasPrefix(full.fold, "你"), wishForOther.Match(full.fold):
				return nil
			case weak && (when.empty() || !lasting && !commitZH.Match(f)), !lasting && when.empty():
				return nil
			case strings.HasSuffix(m.c.text, "吗"):
				return nil
			}
			return one(goalZH("goal/"+goalKeyZH(o), o, when, m.predicate(m.afterSelf())))
		}},
		{"goal-learning", selfZH + `{advz}(?:正在|在|开始)(?P<o>(?:学习?|自学|练习?|备考|备战|准备考|攒钱|存钱|减肥|健身|戒)(?P<x>.{0,10}))`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || strings.Contains(o.fold, "这") || strings.Contains(o.fold, "校") || strings.Contains(o.fold, "怎么") || strings.Contains(o.fold, "生") || o.fold == "学习" || o.fold == "学" || o.fold == "练" || o.fold == "练习" {
				return nil
			}
			return one(goalZH("goal/"+goalKeyZH(o), o, part{c: o.c}, m.predicate(m.afterSelf())))
		}},
		{"goal-event", `(?:` + selfZH + `(?:们)?(?:的)?)?(?P<d>(?:在)?{datez}),?(?:我|要|有|会|就|将|得|需要|还|一?[个场次])*(?P<o>(?:去|飞|出发|参加|考|面试|结婚|搬家|做手术|手术|体检|答辩|开学|入职|交|提交|举行|复查|生孩子|动手术|出差|有?(?:一?[个场次])?(?:重要的?)?(?:考试|面试|会议|手术|婚礼|航班|约会|预约|比赛|演讲|答辩|体检|聚会|牙医)).{0,14})`, func(m match) []draft {
			o, d := m.g("o").trim(), m.g("d")
			if !strings.Contains(m.c.text, "我") || !o.valid(9) || soonZH.Match(m.c.text) || strings.HasSuffix(m.c.text, "了") || strings.Contains(o.fold, "过") {
				return nil
			}
			return one(goalZH("goal/"+goalKeyZH(o), o, d, own(strings.Replace(m.c.part(m.afterSelf(), len(m.c.text)).trim().raw, "我", "", 1))))
		}},
		{"goal-event-slot", selfZH + `的?(?P<o>(?:.{0,6})(?:考试|面试|会议|手术|婚礼|航班|比赛|答辩|体检|论文截止日期?|截止日期|截止日|预产期|机票|演讲|驾照考试|高考|毕业典礼))(?:时间)?(?:是|在|定在|安排在|:)(?P<d>{datez}.{0,6})`, func(m match) []draft {
			o, d := m.g("o").trim(), m.g("d").trim()
			return one(goalZH("goal/"+goalKeyZH(o), o, d, m.predicate(m.afterSelf())))
		}},
	}
}

var yearWord = expr(`今年|明年|\d{4}年|下半年|上半年`)

func goalKeyZH(o part) string {
	return objectKey(strings.NewReplacer("一个", "", "一家", "", "一本", "", "一门", "", "一次", "", "自己的", "").Replace(o.fold))
}

var (
	goalSlotNotZH = expr(`^(?:什么|没有|把这|让这|不|实现这|很|好|一样|修|写一个|这)`)
	wishForOther  = expr(`^(?:你|他|她|大家|我们都|一切|明天|天气|世界|有人|没有|不要|这|以后|自己能|一个人|自己没)`)
	commitZH      = expr(`^(?:完成|交|提交|写完|考|参加|去|搬|做完|结束|交付|上线|发布|还|毕业|结婚|入职|出差|飞|面试|答辩|手术|做手术|签|办)`)
)
