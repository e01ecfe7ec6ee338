package policy

import (
	"strings"

	"memoria/memory"
)

func slotRulesZH() []rule {
	return []rule{
		{"fact-slot", selfZH + `的?(?P<s>` + slotsZH + `)(?:现在|目前|其实)?(?:就?是|为|叫|用的是|:|=)\s*(?P<o>.+?)(?:[,]?(?:而)?不是(?P<w>.+))?`, factSlotZH},
		{"height", selfZH + `(?P<s>身高|体重|鞋码|腰围|血型|视力)(?:是|有|大概|大约|:)*(?P<o>[\dabo].*|[一二三]米.*)`, factSlotZH},
	}
}

func factRulesZH() []rule {
	return []rule{
		{"relationship", `(?:` + selfZH + `(?:已经|刚刚?|昨天|前天|上周|上个?月|去年|今年|最近|终于|{datez}|跟.{1,8}|和.{1,10}|与.{1,8}|两个人?|又|们)*)(?P<o>分手|离婚|结婚|订婚|领证|复合|分居|脱单|恋爱|谈恋爱|在一起|求婚成功|怀孕|当妈妈?|当爸爸?|生了?(?:个|一个)?(?:孩子|宝宝|女儿|儿子)|有(?:了)?(?:男朋友|女朋友|对象|孩子|宝宝)|单身|已婚|未婚|离异|丧偶)(?P<t>了|啦|的|[一二三四五六七八九十\d]+年了?)*`, func(m match) []draft {
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
			if !o.valid(4) || skillNot.Match(o.fold) {
				return nil
			}
			return one(draft{typ: memory.TypeFact, key: "activity/" + objectKey(o.fold), content: "会" + m.g("v").raw + o.raw, st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"爱好", "hobby"}, importance: importancePattern, reason: "what the user does"})
		}},
		{"fact-fear", selfZH + `{advz}(?:害怕|怕|恐惧)(?P<o>.{1,10})`, func(m match) []draft {
			o := m.g("o").trim()
			if !fearZH.Match(o.fold) {
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

func statusZH(p part) draft {
	return draft{
		typ: memory.TypeRelationship, key: "relationship/status", title: "感情状况", content: own(p.raw),
		st: Statement{Value: p.raw}, tags: []string{"关系", "感情", "relationship"}, importance: importanceIdentity,
		reason: "a change in a relationship",
	}
}

func factSlotZH(m match) []draft {
	s, o := m.g("s"), m.g("o").trim()
	if !o.valid(16) || slotNotZH.Match(o.fold) || reactionZH.Match(o.fold) {
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
