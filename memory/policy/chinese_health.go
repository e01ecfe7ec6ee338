package policy

import (
	"strings"

	"memoria/memory"
)

func healthRulesZH() []rule {
	return []rule{
		{"allergy", selfZH + `{advz}(?:(?P<neg>不)对|对)(?P<o>.+?)(?P<neg2>不|不再)?{advz}(?:严重|轻微|轻度|重度|会|有点|有些|有)*(?:过敏|不耐受)(?:了|的|反应)?`, allergyZH},
		{"allergy-of", selfZH + `(?:有)?(?:严重的?|轻微的?)?(?P<o>.{1,8}?)(?:严重)?(?:过敏|不耐受症?|不耐)(?:症|体质)?`, allergyZH},
		{"diet-veg-not", selfZH + `{advz}(?P<o>(?:不再|再也不|已经不|早就不|不)(?:吃素|吃全素|吃斋|纯素|素食))(?:了)?`, func(m match) []draft {
			o := m.g("o").trim()
			return one(slot("diet", "饮食", own(o.raw), o, importanceHealth, "饮食", "diet"))
		}},
		{"diet", selfZH + `{advz}(?P<a>不怎么|不太能|不太|不能|不可以|不敢|从来不|从不|再也不|已经不|基本不|几乎不|不|戒|吃不了|喝不了|碰不得)(?:再|能|太)?(?P<v>吃|喝|沾|碰|抽|掉|了)?(?P<o>.+)`, dietRuleZH},
		{"diet-veg", selfZH + `{advz}(?P<o>(?:吃素|纯素|全素|吃斋|吃清真|吃生酮|在吃生酮|只吃素|是素食|素食)(?:主义|食品?)?)(?:的|者|了)?`, func(m match) []draft {
			o := m.g("o").trim()
			return one(slot("diet", "饮食", own(o.raw), o, importanceHealth, "饮食", "diet"))
		}},
	}
}

func allergyZH(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(6) || allergyNot.Match(o.fold) {
		return nil
	}
	pol, verb := Positive, "对"
	tail := "过敏"
	if strings.Contains(m.c.text, "耐受") || strings.Contains(m.c.text, "不耐") {
		tail = "不耐受"
	}
	if m.re.Group("neg") >= 0 && (!m.g("neg").empty() || !m.g("neg2").empty()) {
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
	if len(out) == 1 {
		out[0].content = m.predicate(m.afterSelf())
	}
	return out
}

var allergyNot = expr(`^(?:什么|这|那|会|不|是|很|有点|容易|皮肤|又|没|开会|加班|上班|工作|周一|他|她|你|的|最近|今天|昨天|好像|对)|过敏`)

func dietRuleZH(m match) []draft {
	a, v, o := m.g("a").fold, m.g("v").fold, m.g("o").trim()
	switch {
	case !o.valid(7) || dietNotZH.Match(o.fold) || reactionZH.Match(o.fold):
		return nil
	case a == "戒":
		if v != "掉" && v != "了" {
			return nil
		}
	case v == "" && a != "吃不了" && a != "喝不了" && a != "碰不得", v == "掉", v == "了":
		return nil
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
