package policy

import (
	"strings"
	"unicode/utf8"

	"memoria/memory"
)

// --- tastes

// tasteZH reports whether an object can be liked for longer than this conversation.
func tasteZH(o part) bool {
	return o.valid(12) && objectKey(o.fold) != "" && !reactionZH.match(o.fold)
}

// preferencesZH keeps the user's own verb: content is the clause without its subject.
func preferencesZH(m match, o part, pol Polarity) []draft {
	verb := own(m.c.raw(m.afterSelf(), o.lo))
	var out []draft
	for _, x := range o.list() {
		if objectKey(x.fold) == "" {
			continue
		}
		out = append(out, preference(x, pol, verb+gap(verb, x.raw)+own(x.raw)))
	}
	return out
}

// gap is the blank that people put between Chinese and Latin words.
func gap(before, after string) string {
	r, _ := utf8.DecodeRuneInString(after)
	if before != "" && latin(r) {
		return " "
	}
	return ""
}

func preferenceRulesZH() []rule {
	return []rule{
		{"favourite", selfZH + `(?:平时|个人|一直)?最(?:喜欢|爱|喜爱|中意|钟爱)(?P<v>吃|喝|看|听|玩|用|去|穿)?的(?P<x>.{1,10}?)(?:一直|还|肯定)*(?:就?是|:|当属|莫过于)(?P<o>.+?)(?:[,]?(?:而)?不是(?P<w>.+))?`, favouriteZH},
		{"favourite-of", `(?P<o>.{1,16}?)(?:一直|就)?是` + selfZH + `最(?:喜欢|爱|喜爱|中意|钟爱)(?P<v>吃|喝|看|听|玩|用|去|穿)?的(?P<x>.{1,10}?)`, favouriteZH},
		{"prefer-over", selfZH + `{advz}(?:更|更加|比较|宁愿|宁可)(?:喜欢|爱|偏好|偏爱|倾向于?|习惯|愿意)(?P<v>用|喝|吃|看|听|玩|去|坐|住|选)?(?P<o>.+?)(?:,?(?:而不是|而不|不是|不要|不用|胜过|多过|多于|超过|也不愿意?|也不|不喜欢)(?:用|喝|吃|看|听|玩|去|坐|住|选)?)(?P<y>.+)`, preferOverZH},
		{"prefer-over", selfZH + `{advz}(?:喜欢|爱)(?P<o>.+?)(?:胜过|多过|多于|超过|而不是|不是|不喜欢)(?P<y>.+)`, preferOverZH},
		{"prefer-than", `(?:比起|相比(?:于|较于)?|相较于|和|跟|与)(?P<y>.+?)(?:相比|比起?来?|来说)?,?` + selfZH + `(?:还是|其实)?(?:更|更加|比较)(?:喜欢|爱|偏好|偏爱|倾向于?|习惯)(?P<o>.+)`, preferOverZH},
		{"prefer-than", selfZH + `{advz}(?:喜欢|爱)(?P<o>.+?)比(?P<y>.+?)(?:多|更多)(?:一点|一些)?`, preferOverZH},
		{"use-not", selfZH + `{advz}(?:用|写|喝|吃|开)(?P<o>[^,]+?),?(?:而不是|而不用|不用|不喝|不吃|不写|不是|代替)(?P<y>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionZH.match(o.fold) || reactionZH.match(y.fold) {
				return nil
			}
			return one(pairPreference(o, y, m.predicate(m.afterSelf())))
		}},
		{"switched", selfZH + `(?:已经|刚刚?|最近|全面|终于)*从(?P<y>.+?)(?:换|切换|转|迁移|改用|换用)(?:成|到|为|用)?了?(?P<o>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionZH.match(o.fold) || notPlaceZH.match(o.fold) {
				return nil
			}
			return one(pairPreference(o, y, "从"+y.raw+"换成了"+o.raw))
		}},
		{"hobby", selfZH + `(?:最大)?的?(?:业余|兴趣)?(?:爱好|兴趣|兴趣爱好)(?:就)?(?:是|有|包括|:)?(?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !tasteZH(o) || strings.HasPrefix(o.fold, "广泛") || strings.HasPrefix(o.fold, "很") || strings.HasPrefix(o.fold, "不") {
				return nil
			}
			var out []draft
			for _, x := range o.list() {
				out = append(out, preference(x, Positive, "爱好："+x.raw))
			}
			return out
		}},
		{"dislike", selfZH + `{advz}(?:最|更|再也|已经|从来|从|都)*(?:{advz})(?:不(?:太|怎么|是很|大|再|咋)?(?:喜欢|爱|热衷|想再|习惯)|讨厌|厌恶|反感|受不了|忍受不了|无法忍受|忍不了|痛恨|憎恶|烦|恨|嫌弃|不待见|没法接受|接受不了|对(?P<p>.+?)(?:没兴趣|不感兴趣|无感|不感冒|没有兴趣|没什么兴趣))(?P<o>.+)?`, func(m match) []draft {
			o := firstPart(m, "p", "o").trim()
			if !tasteZH(o) || dislikeNotZH.match(o.fold) {
				return nil
			}
			if !m.g("p").empty() {
				return one(preference(o, Negative, m.predicate(m.afterSelf())))
			}
			return preferencesZH(m, o, Negative)
		}},
		{"like", selfZH + `{advz}(?:最|更|更加|越来越|特|贼|巨|蛮|挺)?{advz}(?:喜欢上|喜欢|喜爱|热爱|酷爱|钟爱|偏爱|偏好|钟情于|痴迷于?|沉迷于?|热衷于?|爱上|迷上|中意|倾向于|倾向|爱|对(?P<p>.+?)(?:很|非常|特别|比较|挺)?(?:感兴趣|有兴趣|情有独钟|着迷))(?P<o>.+)?`, func(m match) []draft {
			o := firstPart(m, "p", "o").trim()
			if !m.g("p").empty() {
				if !tasteZH(o) {
					return nil
				}
				return one(preference(o, Positive, m.predicate(m.afterSelf())))
			}
			verb := m.c.text[:o.lo]
			if !tasteZH(o) || strings.HasSuffix(verb, "爱") && !loveZH(verb, o) {
				return nil
			}
			ds := preferencesZH(m, o, Positive)
			if k := contrastKeyZH(o.fold); k != "" && len(ds) == 1 {
				ds[0].key = "preference/" + k
			}
			return ds
		}},
		{"use", selfZH + `(?P<l>平时|平常|主要|一直|日常|习惯|习惯了|现在|都|一般|基本|工作中|目前|经常|只|已经|是|每天|在家|公司|上班|们|项目|团队)*(?P<neg>不|不再|不怎么)?(?:使用|用|写)\s*(?P<o>[a-z][\w.+#-]*(?: [\w.+#-]+)?)(?P<t>\s*(?:做|写|来|作为|当|编程|开发|办公|工作|记|搞).{0,12}|的)?`, useZH},
	}
}

var dislikeNotZH = expr(`^(?:不得|死|了$|我自己|自己|生活|人生|世界|上班了|你|的人$|透|极|得|着|说)`)

// loveZH decides about 爱, which stands in many words that are not "to love".
func loveZH(before string, o part) bool {
	r := []rune(o.fold)
	switch r[0] {
	case '好', '人', '情', '你', '他', '她', '莫', '护', '上', '理', '不', '恨', '国', '面', '心', '称', '抚', '戴', '慕', '惜', '死', '过', '的', '着', '了', '咋', '怎':
		return false
	}
	return len(r) > 1
}

var contrastZH = expr(`^(?:(?:深|浅|暗|亮|黑|白)色?|靠窗|靠过道|靠走道|简短|详细|简洁|冷|热|常温|公制|英制|纸质|电子|正式|随意|横向|竖向|甜|咸)的?(模式|主题|座位|位置|回答|回复|咖啡|单位|书|语气|风格|豆腐脑|豆花|粽子)$`)

func contrastKeyZH(f string) string {
	f = strings.TrimPrefix(strings.TrimPrefix(f, "坐"), "用")
	if g := contrastZH.groups(f); g != nil {
		return "kind-of-" + f[g[2]:g[3]]
	}
	return ""
}

func favouriteZH(m match) []draft {
	x, o := m.g("x").trim(), m.g("o").trim()
	if !x.valid(5) || !o.valid(10) || reactionZH.match(o.fold) || x.fold == "是" || strings.HasPrefix(x.fold, "就") || strings.HasPrefix(x.fold, "一") && size(x.fold) < 3 {
		return nil
	}
	v := m.g("v").raw
	d := draft{
		typ: memory.TypePreference, key: "favourite/" + objectKey(x.fold), title: "最喜欢的" + x.raw,
		content: "最喜欢" + v + "的" + x.raw + "是" + gap("是", o.raw) + own(o.raw), st: Statement{Value: o.raw, Polarity: Positive},
		tags: []string{"最喜欢", "喜好", "favourite"}, importance: importancePreference, reason: "a preference of the user",
	}
	if strings.Contains(o.raw, "我") && size(o.fold) > 6 {
		return nil
	}
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}

func preferOverZH(m match) []draft {
	o, y := m.g("o").trim(), m.g("y").trim()
	if !tasteZH(o) || !tasteZH(y) || !y.valid(7) {
		return nil
	}
	v := m.g("v").raw
	return one(pairPreference(o, y, "比起"+gap("起", y.raw)+own(y.raw)+"，更喜欢"+v+gap("欢", o.raw)+own(o.raw)))
}

func useZH(m match) []draft {
	o := m.g("o").trim()
	if !techWord.match(o.fold) && m.g("l").empty() {
		return nil
	}
	pol := Positive
	if !m.g("neg").empty() {
		pol = Negative
	}
	return one(draft{typ: memory.TypeFact, key: "use/" + objectKey(o.fold), content: m.predicate(m.afterSelf()), st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"工具", "tool"}, importance: importancePreference, reason: "what the user works with"})
}

// --- habits

var moodZH = expr(`^(?:很|好|太|非常|特别|觉得|感觉|感到|想起|在想|忘记?|失眠|累|困|难过|开心|不开心|焦虑|心情|都很|被|会想|怀疑|以为|说|听|看到|收到|遇到|出错|报错|失败|做不|学不|记不|搞不|弄不|不知|不明|不懂|不理解|知道|后悔|想过|见过|去过|吃过|听过|看过|用过|做过|没有?|这样|那样|这么|那么|是|能|可以|可能|有点|给你|问你|跟你|和你|期待|支持|相信)|(?:过|了|着)$`)

func habitRulesZH() []rule {
	return []rule{
		{"habit", selfZH + `(?P<all>(?:一般|平时|通常|基本上?|都|还是|也|在家|晚上|早上|中午|上午|下午|周末|工作日|睡前|饭后|下班后|起床后|放学后)*(?P<f>从来都?不|从来都?没|从不|绝不|绝对不|永远不|总是|老是|总喜欢|习惯于?|习惯了|每天都?会?|每晚都?会?|每周都?会?|每年都?会?|每次都?会?|每个月都?会?|每个?周末都?会?|每天(?:早上|晚上|早晨|中午|下午|上午|睡前)都?会?|每周[一二三四五六日天末]都?会?|周末(?:一般|都|通常|总是|喜欢)+会?|(?:早上|晚上|睡前|饭后|下班后?|早晨|中午)(?:一般|都|通常|总是|习惯|会)+|经常|常常|通常|一般都?|平时都?|几乎每天都?|一直坚持|坚持)(?P<o>.+))`, func(m match) []draft {
			o, f := m.g("o").trim(), m.g("f").fold
			if !o.valid(12) || moodZH.match(o.fold) {
				return nil
			}
			pol := Positive
			if strings.Contains(f, "不") || strings.Contains(f, "没") {
				pol = Negative
			}
			return one(draft{
				typ: memory.TypePattern, key: "pattern/" + objectKey(o.fold), title: o.raw, content: own(m.g("all").trim().raw),
				st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"习惯", "habit"}, importance: importancePattern, reason: "a habit of the user",
			})
		}},
		{"habit-lead", `(?P<all>(?:每天|每晚|每周|每年|每个月|每个?周末|周末|平时|工作日|睡前|每周[一二三四五六日天])(?:早上|晚上|早晨|中午|下午|上午|睡前|[\d一二三四五六七八九十]+点)*,?我(?:一般|都|通常|总是|习惯|会|要|经常)+(?P<o>.+))`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(12) || moodZH.match(o.fold) {
				return nil
			}
			return one(draft{
				typ: memory.TypePattern, key: "pattern/" + objectKey(o.fold), title: o.raw, content: own(m.g("all").trim().raw),
				st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"习惯", "habit"}, importance: importancePattern, reason: "a habit of the user",
			})
		}},
	}
}

// --- goals and commitments

// lastingZH begins goals that last longer than a conversation even without a date.
var lastingZH = expr(`^(?:学会?|学习|学好|学一|自学|掌握|成为|当(?:一[名个位])?\p{Han}|做一[名个位]|考(?:研|博|公|证|上|取|过|雅思|托福|驾照|注|cpa|pmp|一)|减肥|减重|减掉|瘦|增肌|健身|锻炼|戒|跑(?:马拉松|半马|全马|完|步|一)|完成(?:一|我的|自己的|博士|硕士|学业|论文|毕业)|开(?:一家|一间|个|自己的|公司|店|餐厅|咖啡|书店|民宿|工作室)|创业|创办|写(?:一本|一部|本|完|小说|书|毕业论文|论文)|出版|出书|发表|读(?:研|博|完|\d+|[一二三四五六七八九十]+本)|看完|攒|存(?:钱|够|\d)|还清|还完|买(?:一?套?房|一?辆?车|房|车)|移民|搬(?:到|去|回|家)|换(?:工作|个工作|一份工作|城市|房|专业|行)|去(?:.{1,8}(?:旅行|旅游|留学|读书|生活|工作|定居|发展|看极光|看海|徒步|支教))|环游|环球|旅行|留学|出国|徒步|骑行|爬|登|毕业|退休|结婚|生(?:孩子|个|娃)|要(?:孩子|个孩子|二胎)|找(?:一份|到|个|份)?(?:.{0,4})?(?:工作|对象|女朋友|男朋友)|转行|跳槽|升职|申请|参加(?:.{0,8})(?:比赛|马拉松|考试|高考|面试)|提高|提升|改善|改掉|坚持|养成|早睡|早起|存下|赚|拿(?:到|下)|通过|获得|练(?:好|习|出|字|琴|瑜伽)|养(?:一?只|一?条|猫|狗)|财务自由|成家|回老家|做(?:自媒体|副业|独立开发|博主)|上(?:大学|清华|北大|研究生)|每[天周月年])`)

var notGoalZH = expr(`^(?:问|知道|了解一下|了解下|看看|看一下|听|说|要一|要你|要个|让|请|麻烦|吃饭|睡|去睡|回家|上厕所|喝水|休息|下班|点|确认|咨询|查|找你|和你|跟你|试试|试一下|改一下|修|删|加|把|用这|写一个|写个|做个|做一个(?:表|网页|页面|图|ppt|测试|demo)|买(?:杯|个|点|件)|哭|死|静静|一想|多了|请教|请问|看一|知|讨论|聊|先|起|吃|喝|你|他|她|这|那|不|到|学(?:一下|下|习一下)(?:这|那)?)|这个|那个|这段|这篇|这里|代码|报错|函数|脚本|bug|网页|页面|一下$`)

var soonZH = expr(`现在就?|马上|立刻|今天|今晚|待会|等会|等下|等一下|一会儿?|这会|刚|先|[\d一二三四五六七八九十半]+(?:分钟|小时)|去睡了|赶紧`)

var splitDateZH = expr(`^(?P<d>(?:在|于|到|赶在|争取|等)?{datez}(?:,)?)(?:能|可以|要|就|去|把|之前|以前|前|一定|开始)*(?P<o>.+)$`)

var splitDateTailZH = expr(`^(?P<o>.+?)(?P<d>(?:在|到)?{datez})$`)

func splitDateHan(o part) (what, when part) {
	if g := splitDateZH.groups(o.fold); g != nil {
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
				if loc := expr(`今年|明年|\d{4}年|下半年|上半年`).find(m.c.text[:full.lo]); loc != nil {
					when = m.c.part(loc[0], loc[1])
				}
			}
			if !o.valid(16) || reactionZH.match(o.fold) || soonZH.match(o.fold) || goalSlotNotZH.match(o.fold) {
				return nil
			}
			return one(goalZH("goal/"+goalKeyZH(o), o, when, "目标是"+own(full.raw)))
		}},
		{"goal-want", selfZH + `(?P<pre>(?:真的|很|非常|一直|特别|还|也|最近|其实|正|们|从小就|超级?|都|将来|以后|未来|今后)*)(?P<d>(?:(?:在|到|赶在)?{datez}(?:之前|以前|前)?,?)?)(?:也|就|还|们)*(?P<v>打算|计划|准备|决定|立志|希望能够?|希望|想要|想|要|争取|一定要|必须|下定决心|决心|渴望|梦想着?|正在努力|努力|会|将|得|需要)(?:在|能|好好|开始|重新|继续|自己|再)*(?P<o>.+)`, func(m match) []draft {
			full := m.g("o").trim()
			o, when := splitDateHan(full)
			if d := m.g("d"); when.empty() && !d.empty() {
				when = d
			}
			v := m.g("v").fold
			weak := v == "要" || v == "会" || v == "将" || v == "得" || v == "必须" || v == "需要"
			f := o.fold
			lasting := lastingZH.match(f)
			switch {
			case !o.valid(14), notGoalZH.match(f), soonZH.match(full.fold), strings.HasPrefix(full.fold, "你"), wishForOther.match(full.fold):
				return nil
			case weak && (when.empty() || !lasting && !commitZH.match(f)), !lasting && when.empty():
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
		{"goal-event", `(?:` + selfZH + `(?:们)?(?:的)?)?(?P<d>(?:在)?{datez}),?(?:我|要|有|会|就|将|得|需要|还)*(?P<o>(?:去|飞|出发|参加|考|面试|结婚|搬家|做手术|手术|体检|答辩|开学|入职|交|提交|举行|复查|生孩子|动手术|出差|有?(?:一?[个场次])?(?:重要的?)?(?:考试|面试|会议|手术|婚礼|航班|约会|预约|比赛|演讲|答辩|体检|聚会|牙医)).{0,14})`, func(m match) []draft {
			o, d := m.g("o").trim(), m.g("d")
			if !strings.Contains(m.c.text, "我") || !o.valid(9) || soonZH.match(m.c.text) || strings.HasSuffix(m.c.text, "了") || strings.Contains(o.fold, "过") {
				return nil
			}
			return one(goalZH("goal/"+goalKeyZH(o), o, d, own(m.c.part(m.afterSelf(), len(m.c.text)).trim().raw)))
		}},
		{"goal-event-slot", selfZH + `的?(?P<o>(?:.{0,6})(?:考试|面试|会议|手术|婚礼|航班|比赛|答辩|体检|论文截止日期?|截止日期|截止日|预产期|机票|演讲|驾照考试|高考|毕业典礼))(?:时间)?(?:是|在|定在|安排在|:)(?P<d>{datez}.{0,6})`, func(m match) []draft {
			o, d := m.g("o").trim(), m.g("d").trim()
			return one(goalZH("goal/"+goalKeyZH(o), o, d, m.predicate(m.afterSelf())))
		}},
	}
}

func goalKeyZH(o part) string {
	return objectKey(strings.NewReplacer("一个", "", "一家", "", "一本", "", "一门", "", "一次", "", "自己的", "").Replace(o.fold))
}

var (
	goalSlotNotZH = expr(`^(?:什么|没有|把这|让这|不|实现这|很|好|一样|修|写一个|这)`)
	wishForOther  = expr(`^(?:你|他|她|大家|我们都|一切|明天|天气|世界|有人|没有|不要|这|以后|自己能|一个人|自己没)`)
	commitZH      = expr(`^(?:完成|交|提交|写完|考|参加|去|搬|做完|结束|交付|上线|发布|还|毕业|结婚|入职|出差|飞|面试|答辩|手术|做手术|签|办)`)
)

// --- how the assistant should behave

const leadZH = `(?:请|麻烦|拜托|希望|你|您|以后|今后|从现在开始|都|一律|尽量|可以|能不能|能|最好|要|务必|应该|得|跟我|和我|对我|给我|我|想让|以后都|回答我?的?时候?|说话|总是|永远|每次|就|平时|一定|我们|聊天|的|时候|时|,|之后|还是|直接|不管怎样|无论如何|必须|我说什么语言)*`

func styleRulesZH() []rule {
	return []rule{
		{"rule-language", leadZH + `(?:用|使用|说|讲|改用|换成|切换到|以)(?P<o>{langz})(?:来|跟我|和我|与我|对我|给我|进行|向我)*(?:回答|回复|交流|聊天|沟通|对话|答复|说话|说|写|讲|回应|聊|解释|作答|回我|答)*(?:我|问题|我的问题|就好|就行|就可以|即可|吧|哦|了|一切|所有问题|好吗|好不好|可以吗|,谢谢|谢谢)*`, func(m match) []draft {
			if !m.lasts() || strings.HasPrefix(m.c.text, "我") && !strings.Contains(m.c.text, "你") && !strings.Contains(m.c.text, "希望") || !speakVerb.match(m.c.text) {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/language", o, "", "用"+o.raw+"回答")
		}},
		{"rule-length", leadZH + `(?:(?:回答|回复|说话|答案|解释|内容|语气|说|讲|写|答|答复|输出|态度|话|问题|回答问题|消息)(?:的|得|请|要|时|尽量|可以|都|能|必须|应该|保持|稍微|更|一定要|最好)*)+(?P<o>(?:再)?(?:简短|简洁|简单|精简|短|详细|具体|仔细|直接|温柔|正式|口语化?|幽默|轻松|客观|专业|通俗易懂|通俗|简明扼要|简明|言简意赅|委婉|严谨|友好|活泼|简练|耐心|随意|清楚|深入|少|慢|接地气|诚实|礼貌|客气)(?:一点儿?|一些|点儿?|些|明了)?)(?:就好|就行|即可|吧|哦|啊|,?谢谢|好吗|可以吗|的)*`, func(m match) []draft {
			if strings.HasPrefix(m.c.text, "我") && !strings.Contains(m.c.text, "你") {
				return nil
			}
			o := m.g("o").trim()
			return styleRule("rule/style", o, "", "回答要"+o.raw)
		}},
		{"rule-length-want", selfZH + `{advz}(?:更)?(?:喜欢|想要|希望|偏好|要|偏爱)(?:你)?(?:的)?(?:回答|回复|说话)?(?:能|可以|要|得|更|都)*(?P<o>(?:简短|简洁|简单|精简|详细|直接|温柔|正式|口语化|幽默|专业|通俗)(?:一点|一些|点|些)?)(?:的)?(?:回答|回复|答案|解释|风格|语气)?`, func(m match) []draft {
			if !expr(`回答|回复|答案|解释|说话|语气`).match(m.c.text) {
				return nil
			}
			o := m.g("o").trim()
			return styleRule("rule/style", o, "", "回答要"+o.raw)
		}},
		{"rule-short", leadZH + `(?P<o>长话短说|少说废话|别太啰嗦|不要太啰嗦|不要啰嗦|别啰嗦|不要废话|别废话|有话直说|说人话|讲人话|别绕弯子|不要绕弯子|别说教|不要说教|不要拍马屁|别拍马屁|不要道歉|别道歉|别总道歉|不要总是道歉|不用客气|别客气|不要敷衍我?|别敷衍我?)(?:了|吧|哦|好吗)?`, func(m match) []draft {
			if !m.lasts() {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/"+objectKey(o.fold), o, Negative, o.raw)
		}},
		{"rule-not-address", leadZH + `(?:不要|别|不准|不许|禁止|请勿|勿)(?:再|老是|总是|动不动就)*(?:叫|喊|称呼|管)我(?:为|做)?(?P<o>.+)`, func(m match) []draft {
			o := personTail(m.g("o"))
			if !o.valid(6) || callNot.match(o.fold) {
				return nil
			}
			return styleRule("rule/address-"+objectKey(o.fold), o, Negative, "不要叫"+o.raw)
		}},
		{"rule-not", leadZH + `(?:不要|别|不准|不许|禁止|请勿|不可以|不用|少)(?:再|老是|总是|动不动就|在回答里|在回复里|跟我|和我|对我|给我|回答时)*(?P<v>用|使用|加|提到|提起|提|聊|谈|讨论|问|说起|说|讲|发|开玩笑说|拿|推荐|建议|输出|写|催|劝)(?P<o>.+)`, func(m match) []draft {
			v, o := m.g("v").fold, m.g("o").trim()
			if !o.valid(9) || reactionZH.match(o.fold) || notRuleZH.match(o.fold) {
				return nil
			}
			if !m.lasts() && !strings.Contains(m.c.text, "再") && !strings.Contains(o.fold, "我") {
				return nil
			}
			switch v {
			case "用", "使用", "加", "发", "输出", "写":
				if !styleThing.match(o.fold) && !m.c.durable {
					return nil
				}
			case "说", "讲", "拿", "推荐", "建议", "催", "劝":
				if !m.c.durable && !lastingTopic.match(o.fold) {
					return nil
				}
			}
			return styleRule("rule/not-"+objectKey(o.fold), o, Negative, "不要"+m.g("v").raw+own(o.raw))
		}},
		{"rule-use", leadZH + `(?P<all>(?:用|使用|采用|按|以)(?P<o>公制|公制单位|英制|英制单位|摄氏度|华氏度|24小时制|12小时制|列表|表格|要点|markdown|纯文本|人民币|美元|敬语|尊称|我的名字|表情|emoji|例子|通俗的语言|简单的话|口语|书面语|公历|农历|北京时间)(?:.{0,8}))`, func(m match) []draft {
			if !m.lasts() || strings.HasPrefix(m.c.text, "我") && !strings.Contains(m.c.text, "你") {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/use-"+objectKey(o.fold), o, Positive, m.g("all").trim().raw)
		}},
		{"rule-from-now-on", `(?:请|麻烦|你|都|要|必须|务必|一律|就|能不能|可以)*(?P<o>(?:叫|称呼|先|给|加|带|附上|列|写|按|把|检查|提醒|问|回答|解释|举例|推荐|不要|别|每次|用|说|讲|只|直接|主动|帮我|在).+)`, func(m match) []draft {
			before := m.c.v.text[max(0, m.c.at-30):m.c.at] + m.c.text
			o := m.g("o").trim()
			if !nowOnZH.match(before) || !o.valid(14) || strings.HasPrefix(m.c.text, "我") || reactionZH.match(o.fold) {
				return nil
			}
			pol := Positive
			if strings.HasPrefix(o.fold, "不要") || strings.HasPrefix(o.fold, "别") {
				pol = Negative
			}
			return styleRule("rule/"+objectKey(o.fold), o, pol, own(o.raw))
		}},
	}
}

var (
	speakVerb    = expr(`回答|回复|交流|聊|沟通|对话|答复|跟我|和我|对我|说|讲|回应|解释|作答|回我|改用|换成|切换|与我`)
	nowOnZH      = expr(`以后|今后|从现在开始|从今以后|从今往后|从现在起|从今天起|从今天开始|每次回答|每次回复`)
	notRuleZH    = expr(`^(?:了|我坏话|话|谎|笑|这|那|它|这个|那个|太多|得|吧|啊|哦|出来|出去|担心|着急|难过|完)$|^(?:这|那|它|了$)`)
	styleThing   = expr(`表情|emoji|列表|表格|markdown|术语|英文|缩写|感叹号|敬语|您|专业词|火星文|网络用语|颜文字|脏话|粗口|注释|分号|项目符号|标题|繁体|简体|机器翻译|套话|客套话|成语|长句`)
	lastingTopic = expr(`前任|前男友|前女友|前妻|前夫|脏话|粗口|大道理|教|废话|套话|客套|政治|宗教|结婚|生孩子|减肥|体重|年龄|剧透|笑话|鸡汤|抱歉|对不起|我(?:的)?(?:家|父|母|爸|妈|体重|年龄|工作|过去|病)`)
)

func personTail(o part) part {
	o = o.trim()
	if m := nameTailZH.find(o.fold); m != nil && m[0] > 0 {
		o = o.upTo(m[0])
	}
	return o.trim()
}

// --- corrections without a slot

func correctionRulesZH() []rule {
	return []rule{
		{"correction", `(?:应该|那个|正确的|准确说|它|地点|时间|名字|日期|答案|我说的)?(?:其实|确实|就)?(?:应该)?是(?P<o>[^,]+?),?(?:而)?不是(?P<w>.+)`, func(m match) []draft {
			return correctionZH(m.g("o").trim(), m.g("w").trim())
		}},
		{"correction-first", `(?:那个|它|地点|时间|名字|日期|我说的)?不是(?P<w>[^,]+?),?(?:而是|应该是|是)(?P<o>.+)`, func(m match) []draft {
			return correctionZH(m.g("o").trim(), m.g("w").trim())
		}},
	}
}

var notCorrectionZH = expr(`^(?:我|你|他|她|这|那|因为|为了|说|很|不|想|要|有|在|一个|什么|真|故意|一回事|吗|一种|开玩笑|问题)`)

func correctionZH(o, w part) []draft {
	if !o.valid(6) || !w.valid(6) || notCorrectionZH.match(o.fold) || notCorrectionZH.match(w.fold) {
		return nil
	}
	return correction(o, w)
}
