package policy

import (
	"strings"
	"unicode/utf8"

	"memoria/memory"
)

// chineseRules returns the rules for Chinese clauses, the more special before the more general. Expressions
// see simplified characters; what is written down keeps the user's own.
func chineseRules() []rule {
	var rs []rule
	rs = append(rs, styleRulesZH()...)
	rs = append(rs, nameRulesZH()...)
	rs = append(rs, relationRulesZH()...)
	rs = append(rs, identityRulesZH()...)
	rs = append(rs, goalRulesZH()...)
	rs = append(rs, preferenceRulesZH()...)
	rs = append(rs, habitRulesZH()...)
	rs = append(rs, correctionRulesZH()...)
	return rs
}

// self is how a Chinese speaker names himself.
const selfZH = `(?:我自己|我这个人|我个人|我本人|我们家|我家|我们|我|本人|俺)`

// predicate is the user's own words from byte lo of the clause on, without closing particles: Chinese verbs
// do not change with the person, so what is said of oneself can be kept as it is.
func (m match) predicate(lo int) string {
	p := m.c.part(lo, len(m.c.text)).trim()
	return own(p.raw)
}

// own turns what speaks of the speaker into what speaks of him.
func own(raw string) string {
	return strings.NewReplacer("我自己", "自己", "我的", "自己的", "我们", "自己", "我", "自己").Replace(raw)
}

// --- names

var notNameZH = expr(`^(?:你|他|她|它|您|人|车|外卖|出租|滴滴|不|什么|啥|了|过|着|一|这|那|别人|大家|醒|起床|停|他们|来|去|做|看|吃|喝|谁|怎|是|有|在|被|太|很|好|号|个|的|得|我|快递|救护|代驾|家人|朋友|错|自己|苦|嚣|爸爸|主人|.{0,3}吧$)`)

var nameTailZH = expr(`(?:就好了?|就行了?|就可以了?|即可|吧|好了|啦|哦|哈|啊|了|呀|呢|这个名字|来着|就成|都行|也行|都可以|也可以|,.*|谢谢|的)+$`)

func nameZH(n, wrong part) []draft {
	if n = personZH(n); n.empty() {
		return nil
	}
	d := slot("name", "名字", "名字叫"+n.raw, n, importanceIdentity, "名字", "name")
	if w := personZH(wrong); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}

// personZH returns the part that is a name, or nothing.
func personZH(n part) part {
	n = n.trim()
	if m := nameTailZH.find(n.fold); m != nil && m[0] > 0 {
		n = n.upTo(m[0])
	}
	n = n.trim()
	if !n.valid(6) || utf8.RuneCountInString(n.fold) > 20 || notNameZH.match(n.fold) || !isName(n, 4) {
		return part{c: n.c}
	}
	if hasHan(n.fold) && utf8.RuneCountInString(n.fold) > 8 && !strings.Contains(n.fold, "·") {
		return part{c: n.c}
	}
	return n
}

func nameRulesZH() []rule {
	name := func(m match) []draft { return nameZH(m.g("n"), m.g("w")) }
	return []rule{
		{"name-corrected", selfZH + `(?:不叫|的名字不是)(?P<w>.+?),?(?:而是|我?叫|应该是|应该叫|是)(?P<n>.+)`, name},
		{"name", selfZH + `(?:的(?:真名|全名|本名|大名|中文名|名字|姓名)(?:其实)?(?:就?是|叫做?|:)|其实|现在|就)*(?:叫做?|名叫|是叫|的?(?:真名|全名|本名|大名|名字|姓名)(?:其实)?(?:就?是|叫做?|:))(?P<n>.+?)(?:[,]?(?:而?不是|不叫)(?P<w>.+))?`, name},
		{"name-nickname", selfZH + `的?(?:昵称|英文名字?|小名|外号|网名|笔名|花名|日文名)(?:是|叫做?|:)(?P<n>.+)`, func(m match) []draft {
			n := personZH(m.g("n"))
			if n.empty() {
				return nil
			}
			return one(slot("name/nickname", "昵称", m.predicate(m.afterSelf()), n, importanceIdentity, "名字", "昵称", "name"))
		}},
		{"name-surname", selfZH + `(?:免贵)?姓(?P<n>\p{Han}{1,2})(?:,.*)?`, func(m match) []draft {
			n := m.g("n").trim()
			if n.fold == "什么" || n.fold == "啥" {
				return nil
			}
			return one(slot("name/family", "姓", "姓"+n.raw, n, importanceIdentity, "名字", "姓", "name"))
		}},
		{"name-call-me", `(?:以后|今后)?(?:请|麻烦)?(?:你们?|您|大家|朋友们?|同事们?|家人|他们|身边的人|别人)?(?:就|都|可以|直接|一般|平时|以后|也|会|习惯|还是|喜欢|请)*(?:称呼|叫|喊|管)我(?:为|做)?(?P<n>.+?)(?:[,]?(?:而?不是|不要叫|别叫)(?P<w>.+))?`, func(m match) []draft {
			n := m.g("n")
			if callNot.match(n.fold) {
				return nil
			}
			return nameZH(n, m.g("w"))
		}},
	}
}

var callNot = expr(`^(?:起床|吃|去|来|别|不|做|帮|给|写|改|再|的|怎|过|出|回|干|一声|一下|把|跟|和|早|看|快|滚|等|注意|多|少|先|小心|放|拿|买|加班|开会|什么|睡|学)`)

// afterSelf is where in the clause the subject ends.
func (m match) afterSelf() int {
	if loc := selfRE.find(m.c.text); loc != nil {
		return loc[1]
	}
	return 0
}

var selfRE = expr(`^` + selfZH + `(?:的)?`)

// --- who the user is

var notPlaceZH = expr(`^(?:这|那|哪|你|他|她|一起|家里$|一个|下一|另|新的|新家|别|心里|过去|未来|回忆|梦|自己|里面|上面|下面|[一二三四五六七八九十\d]+楼|隔壁|附近|不|了|得|的|什么|同一|第)`)

var afterPlaceZH = expr(`(?:,|。|已经|有[一二三四五六七八九十两\d]+年|[一二三四五六七八九十两\d几]+年|很久|好久|快|工作|上班|读书|上学|上大学|生活|那边|这边|这里|附近|来了|去了|了|居住|住$|定居|长大|的$|,).*$`)

func placeZH(o part) part {
	o = o.trim()
	if m := afterPlaceZH.find(o.fold); m != nil && m[0] > 0 {
		o = o.upTo(m[0])
	}
	o = o.trim()
	if !o.valid(8) || notPlaceZH.match(o.fold) {
		return part{c: o.c}
	}
	return o
}

func identityRulesZH() []rule {
	return []rule{
		{"birthday", selfZH + `的?(?:阳历|阴历|农历|公历)?(?:生日|出生日期|出生年月)(?:就|其实)?(?:是|在|:)?(?:阳历|阴历|农历|公历|每年)?(?:的)?(?P<o>.*?[\d一二三四五六七八九十].*?)(?:[,]?不是(?P<w>.+))?`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(9) || strings.Contains(o.fold, "天") || strings.Contains(o.fold, "还有") {
				return nil
			}
			d := slot("birthday", "生日", "生日是"+o.raw, o, importanceIdentity, "生日", "birthday")
			if w := m.g("w").trim(); !w.empty() {
				d.corrects = w.raw
			}
			return one(d)
		}},
		{"birthday-born", selfZH + `(?:是)?(?:出生(?:于|在)?|生于)?(?:是)?(?P<o>(?:\d{2,4}|[一二三四五六七八九零〇十]{2,4})\s*年(?:\s*[\d一二三四五六七八九十]+\s*月)?(?:\s*[\d一二三四五六七八九十]+\s*[日号])?)(?:出生)?(?:生)?(?:的)?(?:人)?`, func(m match) []draft {
			o := m.g("o").trim()
			if !strings.Contains(m.c.text, "生") && !strings.HasSuffix(m.c.text, "的") {
				return nil
			}
			if strings.ContainsAny(o.fold, "日号") || strings.Contains(o.fold, "月") {
				return one(slot("birthday", "生日", o.raw+"出生", o, importanceIdentity, "生日", "birthday"))
			}
			return one(slot("birth-year", "出生年份", o.raw+"出生", o, importanceFact, "年龄", "birthday"))
		}},
		{"birthplace", selfZH + `(?:是)?(?:出生(?:于|在)|在(?P<p>.+?)出生)(?P<o>.+)?`, func(m match) []draft {
			o := placeZH(firstPart(m, "p", "o"))
			if o.empty() {
				return nil
			}
			return one(slot("birthplace", "出生地", "出生在"+o.raw, o, importanceIdentity, "出生地", "birthplace", "origin"))
		}},
		{"age", selfZH + `(?:今年|现在|已经|马上|快|都|才|刚|刚满|满)*(?P<o>(?:\d{1,3}|[一二三四五六七八九十]{1,3}))\s*(?:周?岁|岁半)(?:了|啦)?`, func(m match) []draft {
			o := m.g("o")
			if strings.Contains(m.c.text[:o.lo], "快") || strings.Contains(m.c.text[:o.lo], "马上") {
				return nil
			}
			return one(slot("age", "年龄", o.raw+"岁", o, importanceFact, "年龄", "age"))
		}},
		{"home-moved", selfZH + `(?:已经|刚刚?|最近|上个?月|去年|前年|今年|上周|前几天|昨天|后来|全家|一家人?|终于|又|从(?P<f>.{1,12}?)|[\d一二三四五六七八九十]+年前?)*(?:搬家?(?:到|去|来|回|至)|迁居到?|移居到?|移民到?了?|定居到)了?(?P<o>.+)`, func(m match) []draft {
			o := placeZH(m.g("o"))
			if o.empty() {
				return reject
			}
			return one(slot("home", "住处", "住在"+o.raw, o, importanceIdentity, "住", "home", "address"))
		}},
		{"home", selfZH + `{advz}(?:和.{1,6}|跟.{1,6}|一家人?|全家)?(?:暂时|长期|常年|都|就)*(?:住在?|居住在|定居在?|定居于|的?家(?:就)?在|人在|生活在|在(?P<p>.+?)(?:生活|定居|居住))(?P<o>.+?)?(?:[,]?不是(?:在)?(?P<w>.+))?`, func(m match) []draft {
			o := placeZH(firstPart(m, "p", "o"))
			if o.empty() || homeNot.match(o.fold) {
				return nil
			}
			if dwellingZH.match(o.fold) {
				return one(slot("household", "居住情况", m.predicate(m.afterSelf()), o, importanceFact, "住", "household"))
			}
			d := slot("home", "住处", "住在"+o.raw, o, importanceIdentity, "住", "home", "address")
			if w := placeZH(m.g("w")); !w.empty() {
				d.corrects = w.raw
			}
			return one(d)
		}},
		{"household", selfZH + `{advz}(?P<o>(?:一个人|独自|自己|和.{1,8}?|跟.{1,8}?|与.{1,8}?)(?:一起)?(?:住|合租|同住|独居|生活))(?:在(?P<p>.+))?`, func(m match) []draft {
			o := m.g("o").trim()
			return one(slot("household", "居住情况", own(o.raw), o, importanceFact, "住", "household"))
		}},
		{"home-slot", selfZH + `的?(?:现居地|居住地|住处|城市|所在地|坐标|家)(?:是|在|:)(?P<o>.+)`, func(m match) []draft {
			o := placeZH(m.g("o"))
			if o.empty() {
				return nil
			}
			return one(slot("home", "住处", "住在"+o.raw, o, importanceIdentity, "住", "home", "address"))
		}},
		{"origin", selfZH + `(?:(?:是)?来自|的?(?:老家|家乡|故乡|籍贯|祖籍)(?:就)?(?:是|在|:)?|(?:从小)?在(?P<p>.+?)长大|从小长在)(?P<o>.+)?`, func(m match) []draft {
			o := placeZH(firstPart(m, "p", "o"))
			if o.empty() {
				return nil
			}
			return one(slot("origin", "家乡", "来自"+o.raw, o, importanceFact, "家乡", "老家", "origin"))
		}},
		{"job-in-as", selfZH + `{advz}在(?P<p>.+?)(?:里|那里|这里)?(?:当|做|担任|任)(?P<o>.+)`, func(m match) []draft {
			o, p := roleZH(m.g("o")), m.g("p").trim()
			if o.empty() {
				return nil
			}
			out := one(jobZH(o))
			if p.valid(8) && !notEmployerZH.match(p.fold) {
				out = append(out, employerZH(p))
			}
			return out
		}},
		{"job-place", selfZH + `{advz}(?:就职于|任职于|供职于|效力于|服务于|受雇于|在(?P<p>.+?)(?:工作|上班|就职|任职|实习|打工|干活|从事(?P<r>.+)))(?P<o>.+)?`, employerRuleZH},
		{"job-field", selfZH + `{advz}(?:从事|主要从事|的工作内容是|是从事|干|是干|是做|是搞|做|搞)(?P<o>.{2,16}?)(?:行业|工作|方面的?|相关的?|领域|这一行|开发|的|的工作)+(?:的)?(?:工作)?`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || fieldNot.match(o.fold) {
				return nil
			}
			p := m.c.part(o.lo, len(m.c.text)).trim()
			return one(slot("job/field", "行业", "从事"+p.raw, p, importanceFact, "工作", "job"))
		}},
		{"job-slot", selfZH + `(?:现在|目前)?的?(?:职业|工作|本职|本职工作|主业|岗位|职位|身份|职务)(?:就)?(?:是|:)(?:一[名个位])?(?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || jobSlotNot.match(o.fold) {
				return nil
			}
			return one(jobZH(o))
		}},
		{"job-changed", selfZH + `(?:已经|刚刚?|最近|终于|上个?月|上周|去年|今年|昨天|今天)*(?P<o>(?:辞职|离职|失业|退休|跳槽|被裁|被裁员|被开除|换工作|升职|转正|转行)了?(?:去|到|来)?(?P<p>.{0,14}))`, func(m match) []draft {
			o := m.g("o").trim()
			if !strings.Contains(m.c.text, "了") && !strings.Contains(m.c.text, "已经") || !o.valid(10) {
				return nil
			}
			d := slot("job", "工作", own(o.raw), o, importanceIdentity, "工作", "job")
			d.reason = "a change in the user's life"
			return one(d)
		}},
		{"job", selfZH + `{advz}(?:是|当|做|担任)(?:了)?(?:一)?(?:[名个位])?(?P<o>.+)`, func(m match) []draft {
			if loc := traitZH.text(m.g("o").trim().fold); loc != "" {
				o := m.g("o").trim()
				return one(slot("fact/"+objectKey(strings.TrimPrefix(strings.TrimPrefix(o.fold, "一个"), "个")), "", "是"+o.raw, o, importanceFact, "about"))
			}
			if m.g("o").fold == "单身" || m.g("o").fold == "单身的" {
				return one(statusZH(m.g("o").trim()))
			}
			o := roleZH(m.g("o"))
			if o.empty() {
				return originOf(m)
			}
			return one(jobZH(o))
		}},
		{"study", selfZH + `{advz}(?:在(?P<p>.+?))?(?:学|读|念|主修|攻读|学习|的专业是)(?:的)?(?:是)?(?P<o>.+?)(?:专业|系|的)*`, studyZH},
		{"school", selfZH + `{advz}(?:在|就读于|毕业于|考上了?|上的?是?)(?P<o>.*?(?:大学|学院|中学|高中|小学|清华|北大|复旦|交大|浙大|学校))(?:读书|上学|念书|读研|读博|毕业|读|就读|念)*(?:的|了)?`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(8) || notPlaceZH.match(o.fold) || o.fold == "学校" || o.fold == "大学" {
				return nil
			}
			return one(slot("school", "学校", m.predicate(m.afterSelf()), o, importanceFact, "学校", "school"))
		}},
		{"fact-slot", selfZH + `的?(?P<s>` + slotsZH + `)(?:现在|目前|其实)?(?:就?是|为|叫|用的是|:|=)\s*(?P<o>.+?)(?:[,]?(?:而)?不是(?P<w>.+))?`, factSlotZH},
		{"height", selfZH + `(?P<s>身高|体重|鞋码|腰围|血型|视力)(?:是|有|大概|大约|:)*(?P<o>[\dabo].*|[一二三]米.*)`, factSlotZH},
		{"allergy", selfZH + `{advz}(?:(?P<neg>不)对|对)(?P<o>.+?)(?P<neg2>不|不再)?{advz}(?:严重|轻微|轻度|重度|会|有点|有些|有)*(?:过敏|不耐受)(?:了|的|反应)?`, allergyZH},
		{"allergy-of", selfZH + `(?:有)?(?:严重的?|轻微的?)?(?P<o>.{1,8}?)(?:严重)?(?:过敏|不耐受症?|不耐)(?:症|体质)?`, allergyZH},
		{"diet", selfZH + `{advz}(?P<a>不|不能|不可以|不太|从不|从来不|再也不|已经不|戒|基本不|几乎不|吃不了|喝不了|碰不得|不敢|不怎么)(?:再|能|太|爱)?(?P<v>吃|喝|沾|碰|抽|掉|了)?(?P<o>.+)`, dietRuleZH},
		{"diet-veg", selfZH + `{advz}(?P<o>(?:吃素|纯素|全素|吃斋|吃清真|吃生酮|在吃生酮|只吃素|是素食|素食)(?:主义|食品?)?)(?:的|者|了)?`, func(m match) []draft {
			o := m.g("o").trim()
			return one(slot("diet", "饮食", own(o.raw), o, importanceHealth, "饮食", "diet"))
		}},
		{"relationship", `(?:` + selfZH + `(?:已经|刚刚?|昨天|前天|上周|上个?月|去年|今年|最近|终于|跟.{1,8}|和.{1,10}|与.{1,8}|两个人?|又|们)*)(?P<o>分手|离婚|结婚|订婚|领证|复合|分居|脱单|恋爱|谈恋爱|在一起|求婚成功|怀孕|当妈妈?|当爸爸?|生了?(?:个|一个)?(?:孩子|宝宝|女儿|儿子)|有(?:了)?(?:男朋友|女朋友|对象|孩子|宝宝)|单身|已婚|未婚|离异|丧偶)(?P<t>了|啦|的|[一二三四五六七八九十\d]+年了?)*`, func(m match) []draft {
			o := m.g("o")
			f := m.c.text
			fixed := o.fold == "单身" || o.fold == "已婚" || o.fold == "未婚" || o.fold == "离异" || o.fold == "丧偶"
			if !fixed && !strings.HasSuffix(f, "了") && !strings.HasSuffix(f, "啦") && !strings.Contains(f, "已经") && !strings.Contains(f, "刚") {
				return nil
			}
			p := m.c.part(m.afterSelf(), len(m.c.text)).trim()
			return one(statusZH(p))
		}},
		{"relationship-of", selfZH + `(?:的)?(?P<w>{relz})(?P<o>(?:前年|去年|今年|上个?月|昨天|已经|刚刚?|前几天|最近|上周)*(?:去世|过世|走|离开|病逝|不在|出轨|跟我分手|和我分手|跟我离婚|和我离婚|怀孕|出生|生)(?:我|人世)?了)(?:,.*)?`, func(m match) []draft {
			o := m.g("o")
			w := m.g("w")
			return one(draft{typ: memory.TypeRelationship, key: "relation/" + relativeZH(w.fold) + "/status", title: w.raw, content: w.raw + own(o.raw), st: Statement{Value: o.raw}, tags: []string{"关系", "relationship", w.raw}, importance: importanceIdentity, reason: "a change in a relationship"})
		}},
		{"fact-language", selfZH + `{advz}(?P<neg>不)?(?:会|能)(?:说|讲)?(?:流利的?|一点儿?|一些)?(?P<o>{langz}(?:(?:和|、|跟|,|以及|还有|与){langz})*)(?:.{0,4})`, func(m match) []draft {
			pol, verb := Positive, "会说"
			if !m.g("neg").empty() {
				pol, verb = Negative, "不会说"
			}
			var out []draft
			for _, x := range m.g("o").list() {
				out = append(out, draft{typ: memory.TypeFact, key: "language/" + objectKey(x.fold), content: verb + x.raw, st: Statement{Value: x.raw, Polarity: pol}, tags: []string{"语言", "language"}, importance: importanceFact, reason: "states who the user is"})
			}
			return out
		}},
		{"fact-skill", selfZH + `{advz}会(?P<v>弹|拉|吹|打|开|画|跳|骑|做)(?P<o>\p{Han}{1,6}|[a-z]+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(4) || skillNot.match(o.fold) {
				return nil
			}
			return one(draft{typ: memory.TypeFact, key: "activity/" + objectKey(o.fold), content: "会" + m.g("v").raw + o.raw, st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"爱好", "hobby"}, importance: importancePattern, reason: "what the user does"})
		}},
		{"fact-fear", selfZH + `{advz}(?:害怕|怕|恐惧)(?P<o>.{1,10})`, func(m match) []draft {
			o := m.g("o").trim()
			if !fearZH.match(o.fold) {
				return nil
			}
			return one(draft{typ: memory.TypeFact, key: "fear/" + objectKey(o.fold), content: m.predicate(m.afterSelf()), st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"害怕", "fear"}, importance: importanceFact, reason: "states who the user is"})
		}},
		{"fact-health", selfZH + `{advz}(?:患有|得了|有|确诊了?|得过)(?:先天性|慢性|严重的?|轻度|重度)*(?P<o>糖尿病|高血压|低血糖|低血压|哮喘|心脏病|胃病|胃炎|鼻炎|过敏性鼻炎|抑郁症|焦虑症|多动症|湿疹|痛风|癫痫|贫血|关节炎|偏头痛|失眠症?|甲亢|甲减|腰椎间盘突出|颈椎病|乳糖不耐受?|色盲|幽闭恐惧症|恐高症|强迫症|自闭症|阅读障碍|脂肪肝)`, func(m match) []draft {
			o := m.g("o")
			return one(draft{typ: memory.TypeFact, key: "fact/" + objectKey(o.fold), content: m.predicate(m.afterSelf()), st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"健康", "health"}, importance: importanceHealth, reason: "must not be forgotten for the user's health"})
		}},
	}
}

const slotsZH = `(?:邮箱|电子邮箱|邮件地址|电话|电话号码|手机号?|手机号码|地址|家庭住址|收货地址|时区|母语|第一语言|身高|体重|鞋码|衣服尺码|尺码|血型|国籍|民族|性别|星座|生肖|属相|宗教|宗教信仰|信仰|专业|学历|学校|公司|单位|部门|团队|车|车牌号?|编辑器|操作系统|系统|电脑|笔记本|键盘|手机型号|护照号码?|身份证号码?|身份证|银行卡号|工资|月薪|年薪|预算|收入|上班时间|工作时间|作息|mbti|人格类型|性格|网站|博客|微信号?|qq号?|github|用户名|结婚纪念日|纪念日|偶像|座右铭|口头禅)`

var homeNot = expr(`^(?:家|家里|学校|酒店|医院|公司|外面|办公室|路上|床上|沙发|会议|现场|等|开会|这|那|旅馆|宾馆|外地$|火车|地铁|车上|院)`)

var dwellingZH = expr(`(?:宿舍|出租屋|公寓|别墅|合租房|老房子|大房子|小房子|父母家|乡下|农村|城里|郊区|市区|市中心)$`)

var notEmployerZH = expr(`^(?:家|这|那|你|他|线|外面|下面|上面|旁边|路上|工作|平时|业余|以前)`)

var fieldNot = expr(`^(?:什么|这|那|这个|那个|饭|菜|作业|家务|[的了得着过好完]|错|不|梦|自己|一个|个|了|事|东西|题)`)

var jobSlotNot = expr(`^(?:什么|很|太|不|非常|比较|最|让|在|要|忙|累|这|那|写什么|帮|每天都)`)

func roleZH(o part) part {
	o = o.trim()
	if m := regexpRoleLead.find(o.fold); m != nil {
		o = o.skip(m[1])
	}
	f := strings.TrimSpace(o.fold)
	if !o.valid(8) || !occupationZH.match(f) || roleNot.match(f) {
		return part{c: o.c}
	}
	return o
}

var (
	regexpRoleLead = expr(`^(?:一)?[名个位]`)
	roleNot        = expr(`^(?:你|他|她|这|那|不|认真|说|来|想|要|怎么|被|因为|为了|为|谁|去|找|第一|一个好|好|个好|给)|(?:的学生|的老师|测试|运营|产品|行政|市场|开发|架构|咨询|审计)$`)
)

func jobZH(o part) draft {
	return slot("job", "工作", "职业是"+o.raw, o, importanceIdentity, "工作", "职业", "job")
}

func employerZH(p part) draft {
	return slot("job/employer", "公司", "在"+p.raw+"工作", p, importanceIdentity, "工作", "公司", "job")
}

func employerRuleZH(m match) []draft {
	p := m.g("p").trim()
	if p.empty() {
		p = m.g("o").trim()
	}
	if !p.valid(9) || notEmployerZH.match(p.fold) || workNot.match(p.fold) {
		return nil
	}
	out := one(employerZH(p))
	rest := m.g("o").trim()
	if r := m.g("r").trim(); r.valid(6) {
		out = append(out, slot("job/field", "行业", "从事"+r.raw, r, importanceFact, "工作", "job"))
	} else if !m.g("p").empty() && rest.valid(5) {
		if g := expr(`^,?(?:当|做|担任|是)(?:一)?[名个位]?`).text(rest.fold); g != "" {
			if role := roleZH(rest.skip(len(g))); !role.empty() {
				out = append(out, jobZH(role))
			}
		}
	}
	return out
}

var workNot = expr(`^(?:努力|认真|加班|拼命|好好|用|忙|周末|晚上|夜里|白天|早上|下午)|(?:天|点|小时|分钟|的时候)$`)

func statusZH(p part) draft {
	return draft{
		typ: memory.TypeRelationship, key: "relationship/status", title: "感情状况", content: own(p.raw),
		st: Statement{Value: p.raw}, tags: []string{"关系", "感情", "relationship"}, importance: importanceIdentity,
		reason: "a change in a relationship",
	}
}

var peopleZH = expr(`^(?P<o>[\p{Han}]{1,6}?)人$`)

var notOrigin = expr(`^(?:好|坏|男|女|老|主|新|本|成年|残疾|名|大|小|穷|富|普通|正常|一个|一般|现代|年轻|懒|聪明|笨|闲|忙|当事|负责|候选|发起|创始|合伙|经纪|代理|过来|局外|病|盲|聋|哑|证|机器|什么|哪里|哪|陌生|独|单身|认真的|念旧的|有.*的|.*的|爱.*的|怕.*的|打工|工|文|诗|商|军|猎|情|恋|爱|家里|自己|内向|外向|两个孩子|中年|老年|未成年|被告|法|地球|素食|牧羊|投资|主持|听)$`)

// originOf reads 我是上海人.
func originOf(m match) []draft {
	o := m.g("o").trim()
	g := peopleZH.groups(o.fold)
	if g == nil || !strings.Contains(m.c.text, "是") {
		return nil
	}
	place := o.upTo(g[3])
	if notOrigin.match(place.fold) || utf8.RuneCountInString(place.fold) < 2 || notPlaceZH.match(place.fold) {
		return nil
	}
	if utf8.RuneCountInString(place.fold) == 2 && strings.HasSuffix(place.fold, "国") || place.fold == "日本" || place.fold == "加拿大" || place.fold == "意大利" {
		return one(slot("nationality", "国籍", "是"+o.raw, o, importanceFact, "国籍", "nationality"))
	}
	return one(slot("origin", "家乡", "是"+o.raw, place, importanceFact, "家乡", "老家", "origin"))
}

func studyZH(m match) []draft {
	o, p := m.g("o").trim(), m.g("p").trim()
	text := m.c.text
	major := strings.Contains(text, "专业") || strings.Contains(text, "主修") || strings.Contains(text, "攻读") || strings.HasSuffix(text, "的") && strings.Contains(text, "是学") || strings.HasSuffix(text, "系") || !p.empty() && schoolZH.match(p.fold)
	learning := strings.Contains(text, "在学") || strings.Contains(text, "学习") || strings.Contains(text, "正在学")
	switch {
	case !o.valid(6) || studyNotZH.match(o.fold):
		return nil
	case major:
		out := one(slot("study", "专业", "专业是"+o.raw, o, importanceFact, "学习", "专业", "study"))
		if p.valid(6) && schoolZH.match(p.fold) {
			out = append(out, slot("school", "学校", "在"+p.raw+"上学", p, importanceFact, "学校", "school"))
		}
		return out
	case learning && p.empty():
		return one(goal("goal/"+objectKey("学"+o.fold), o, part{c: o.c}, m.predicate(m.afterSelf())))
	}
	return nil
}

var (
	schoolZH   = expr(`(?:大学|学院|中学|高中|清华|北大|复旦|交大|浙大|mit|学校)$`)
	studyNotZH = expr(`^(?:到|会|了|过|不|得|习$|着|完|懂|乖|聪明|坏|好|这|那|什么|怎么|如何|一下|校|生|历|你|他|她|累|烦|很|的|以致用|期|费|位|分)`)
	skillNot   = expr(`^(?:的|到|了|你|这|那|得|不|个|好|完|过|开|扰|算|心|始|会|断|车位|玩笑|电话|人|饭的|错)`)
	fearZH     = expr(`^(?:高|黑|狗|猫|蛇|蜘蛛|虫子?|蟑螂|老鼠|打雷|打针|水|坐飞机|飞机|冷|热|鬼|鬼片|恐怖片|辣|疼|血|狗狗|密集|幽闭空间|坐电梯|电梯|老虎|蛾子|鸟|尖嘴动物|毛毛虫|爬行动物|看牙医|牙医|痒|密集的东西|公开演讲|当众讲话|社交)$`)
)

func factSlotZH(m match) []draft {
	s, o := m.g("s"), m.g("o").trim()
	if !o.valid(16) || slotNotZH.match(o.fold) || reactionZH.match(o.fold) {
		return nil
	}
	d := slot("fact/"+s.fold, s.raw, s.raw+"是"+own(o.raw), o, importanceFact, s.raw)
	if s.fold == "国籍" {
		d.key, d.tags = "nationality", []string{"国籍", "nationality"}
	}
	if s.fold == "专业" {
		d.key, d.tags = "study", []string{"学习", "专业", "study"}
	}
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}

var slotNotZH = expr(`^(?:坏|什么|不|很|太|非常|最|在|要|不能|没|哪|怎么|好|有点|丢|新买|被|卡|慢|崩)`)

func allergyZH(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(6) || allergyNot.match(o.fold) {
		return nil
	}
	pol, verb := Positive, "对"
	tail := "过敏"
	if strings.Contains(m.c.text, "耐受") || strings.Contains(m.c.text, "不耐") {
		tail = "不耐受"
	}
	if m.re.group("neg") >= 0 && (!m.g("neg").empty() || !m.g("neg2").empty()) {
		if tail == "过敏" {
			pol, tail = Negative, "不过敏"
		}
	}
	var out []draft
	for _, x := range o.list() {
		out = append(out, draft{
			typ: memory.TypeFact, key: "allergy/" + objectKey(x.fold), title: "过敏：" + x.raw, content: verb + x.raw + tail,
			st: Statement{Value: x.raw, Polarity: pol}, tags: []string{"过敏", "健康", "allergy"}, importance: importanceHealth,
			reason: "must not be forgotten for the user's health",
		})
	}
	return out
}

var allergyNot = expr(`^(?:什么|这|那|会|不|是|很|有点|容易|皮肤|又|没|开会|加班|上班|工作|周一|他|她|你|的|最近|今天|昨天|好像|对)|过敏`)

func dietRuleZH(m match) []draft {
	a, v, o := m.g("a").fold, m.g("v").fold, m.g("o").trim()
	switch {
	case !o.valid(7) || dietNotZH.match(o.fold) || reactionZH.match(o.fold):
		return nil
	case a == "戒":
		if v != "掉" && v != "了" {
			return nil
		}
	case v == "" && a != "吃不了" && a != "喝不了" && a != "碰不得", v == "掉", v == "了":
		return nil
	case strings.HasPrefix(a, "吃不了"), strings.HasPrefix(a, "喝不了"):
	}
	if v == "抽" && o.fold != "烟" {
		return nil
	}
	var out []draft
	for _, x := range o.list() {
		out = append(out, draft{
			typ: memory.TypeFact, key: "diet/" + objectKey(x.fold), content: own(m.c.raw(m.afterSelf(), o.lo)) + x.raw,
			st: Statement{Value: x.raw, Polarity: Negative}, tags: []string{"饮食", "diet"}, importance: importanceFact,
			reason: "what the user does not take",
		})
	}
	return out
}

var dietNotZH = expr(`^(?:了|饭|饭了|早饭|午饭|晚饭|早餐|下|完|饱|惯这|这|那|你|他|一套|得|到|的|过|醉|起|胖|瘦|亏|东西|什么|够|了这|了那|水$|几口)|这一套|(?:了|的)$`)

// --- the people and animals around the user

func relationRulesZH() []rule {
	return []rule{
		{"relation-name", selfZH + `(?:家)?(?:的)?(?:养的)?(?P<w>{relz})(?:的(?:名字|小名|全名))?(?:也|就)?(?:叫做?|名叫|名字叫|名字是|是叫|取名叫?|的名字是)(?P<n>.+)`, func(m match) []draft {
			n := m.g("n")
			n = personZH(n)
			if n.empty() {
				return nil
			}
			return one(relationZH(m.g("w"), "name", n, "叫"+n.raw))
		}},
		{"relation-have-name", selfZH + `{advz}(?:养了|养着|养|有)(?:一|两|二|三|1|2)?(?:只|条|个|匹|位|头)(?P<d>.{0,6}?)(?P<w>{relz})[,]?(?:名字|它|他|她|的名字)*(?:叫做?|名叫|是)(?P<n>.+)`, func(m match) []draft {
			n := personZH(m.g("n"))
			if n.empty() {
				return nil
			}
			return one(relationZH(m.g("w"), "name", n, "叫"+n.raw))
		}},
		{"relation-have", selfZH + `{advz}(?P<v>养了|养着|养|有了|有|没有|没养|收养了|领养了)(?P<o>(?:[一两二三四五六七八\d]+)(?:只|条|个|匹|位|头|对)(?:可爱的|.{0,6}?岁的|.{0,4}?)(?P<w>{relz}|橘猫|英短|美短|布偶|金毛|拉布拉多|柯基|哈士奇|泰迪|边牧|柴犬|二哈|蓝猫|布偶猫|加菲猫|暹罗猫))(?:和.*)?`, func(m match) []draft {
			o, w := m.g("o"), m.g("w")
			d := relationZH(w, "have", o, "")
			d.content, d.st.Polarity = m.predicate(m.afterSelf()), Positive
			if strings.HasPrefix(m.g("v").fold, "没") {
				d.st.Polarity = Negative
			}
			return one(d)
		}},
		{"relation-none", selfZH + `{advz}(?:没有|没)(?P<w>孩子|小孩|兄弟姐妹|男朋友|女朋友|对象|宠物)`, func(m match) []draft {
			w := m.g("w")
			d := relationZH(w, "have", w, "")
			d.content, d.st.Polarity = "没有"+w.raw, Negative
			return one(d)
		}},
		{"relation-birthday", selfZH + `(?:的)?(?P<w>{relz})的?生日(?:是|在|:)?(?:农历|阳历|阴历)?(?P<o>.*[\d一二三四五六七八九十].*)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(8) {
				return nil
			}
			return one(relationZH(m.g("w"), "birthday", o, "的生日是"+o.raw))
		}},
		{"relation-home", selfZH + `(?:的)?(?P<w>{relz})(?P<n>[\p{Han}a-z]{0,4}?){advz}(?:住在|住|定居在|人在)(?P<o>.+)`, func(m match) []draft {
			o := placeZH(m.g("o"))
			if o.empty() || homeNot.match(o.fold) {
				return nil
			}
			return one(relationZH(m.g("w"), "home", o, "住在"+o.raw))
		}},
		{"relation-work", selfZH + `(?:的)?(?P<w>{relz}){advz}在(?P<o>.+?)(?:工作|上班|读书|上学|念书|读大学|留学|当兵)(?P<t>.*)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(8) || notEmployerZH.match(o.fold) {
				return nil
			}
			p := m.c.part(m.g("w").hi, len(m.c.text)).trim()
			return one(relationZH(m.g("w"), "job", p, own(p.raw)))
		}},
		{"relation-taste", selfZH + `(?:的)?(?P<w>{relz}){advz}(?P<v>最?喜欢|最?爱|讨厌|不喜欢|不爱|不吃|不能吃|不喝|怕)(?P<o>.+)`, func(m match) []draft {
			o, v := m.g("o").trim(), m.g("v").fold
			if !o.valid(7) || reactionZH.match(o.fold) || strings.HasPrefix(o.fold, "我") {
				return nil
			}
			pol := Positive
			if strings.HasPrefix(v, "不") || v == "讨厌" || v == "怕" {
				pol = Negative
			}
			d := relationZH(m.g("w"), "preference/"+objectKey(o.fold), o, own(m.c.part(m.g("w").hi, len(m.c.text)).trim().raw))
			d.st.Polarity = pol
			return one(d)
		}},
		{"relation-allergy", selfZH + `(?:的)?(?P<w>{relz}){advz}对(?P<o>.+?)(?:严重|有点)?过敏`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(5) {
				return nil
			}
			d := relationZH(m.g("w"), "allergy/"+objectKey(o.fold), o, "对"+o.raw+"过敏")
			d.st.Polarity, d.importance = Positive, importanceHealth
			return one(d)
		}},
		{"relation-age", selfZH + `(?:的)?(?P<w>{relz})(?:今年|已经|现在|刚|刚满|才)*(?P<o>[\d一二三四五六七八九十两]+(?:个月|岁半?))(?:大)?(?:了)?`, func(m match) []draft {
			o := m.g("o")
			return one(relationZH(m.g("w"), "age", o, o.raw))
		}},
		{"relation-is", selfZH + `(?:的)?(?P<w>{relz})(?:是|当|做)(?:一)?(?:[名个位])?(?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if r := roleZH(o); !r.empty() {
				return one(relationZH(m.g("w"), "job", r, "是"+r.raw))
			}
			if peopleZH.match(o.fold) && !notOrigin.match(strings.TrimSuffix(o.fold, "人")) && !notPlaceZH.match(o.fold) {
				return one(relationZH(m.g("w"), "origin", o, "是"+o.raw))
			}
			if traitZH.match(o.fold) {
				return one(relationZH(m.g("w"), "about/"+objectKey(o.fold), o, "是"+o.raw))
			}
			return nil
		}},
	}
}

// relativeZH reduces a relation to the word in its key.
func relativeZH(w string) string {
	switch w {
	case "爸", "老爸", "父亲":
		return "爸爸"
	case "妈", "老妈", "母亲":
		return "妈妈"
	case "妻子", "太太", "媳妇":
		return "老婆"
	case "丈夫", "先生":
		return "老公"
	case "男友":
		return "男朋友"
	case "女友":
		return "女朋友"
	case "狗狗", "小狗":
		return "狗"
	case "猫咪", "小猫":
		return "猫"
	case "小孩", "宝宝":
		return "孩子"
	case "哥":
		return "哥哥"
	case "弟":
		return "弟弟"
	case "姐":
		return "姐姐"
	case "妹":
		return "妹妹"
	}
	return w
}

func relationZH(w part, field string, v part, says string) draft {
	who := relativeZH(w.fold)
	return draft{
		typ: memory.TypeRelationship, key: "relation/" + who + "/" + field, title: w.raw, content: w.raw + says,
		st: Statement{Value: v.raw}, tags: []string{"关系", "relationship", w.raw}, importance: importanceFact,
		reason: "who is close to the user",
	}
}
