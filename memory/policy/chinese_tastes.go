package policy

import (
	"strings"
	"unicode/utf8"

	"memoria/memory"
)

// tasteZH reports whether an object can be liked for longer than this conversation.
func tasteZH(o part) bool {
	return o.valid(12) && objectKey(o.fold) != "" && !reactionZH.Match(o.fold)
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
		{"favourite", selfZH + `(?:平时|个人|一直|现在|目前|如今)?最(?:喜欢|爱|喜爱|中意|钟爱)(?P<v>吃|喝|看|听|玩|用|去|穿)?的(?P<x>.{1,10}?)(?:一直|还|肯定|现在|目前|如今)*(?:就?是|:|当属|莫过于)(?P<o>.+?)(?:[,]?(?:而)?不是(?P<w>.+))?`, favouriteZH},
		{"favourite-of", `(?P<o>.{1,16}?)(?:一直|就)?是` + selfZH + `最(?:喜欢|爱|喜爱|中意|钟爱)(?P<v>吃|喝|看|听|玩|用|去|穿)?的(?P<x>.{1,10}?)`, favouriteZH},
		{"prefer-over", selfZH + `{advz}(?:更|更加|比较|宁愿|宁可)(?:喜欢|爱|偏好|偏爱|倾向于?|习惯|愿意)(?P<v>用|喝|吃|看|听|玩|去|坐|住|选)?(?P<o>.+?)(?:,?(?:而不是|而不|不是|不要|不用|胜过|多过|多于|超过|也不愿意?|也不|不喜欢)(?:用|喝|吃|看|听|玩|去|坐|住|选)?)(?P<y>.+)`, preferOverZH},
		{"prefer-over", selfZH + `{advz}(?:喜欢|爱)(?P<o>.+?)(?:胜过|多过|多于|超过|而不是|不是|不喜欢)(?P<y>.+)`, preferOverZH},
		{"prefer-than", `(?:比起|相比(?:于|较于)?|相较于|和|跟|与)(?P<y>.+?)(?:相比|比起?来?|来说)?,?` + selfZH + `(?:还是|其实)?(?:更|更加|比较)(?:喜欢|爱|偏好|偏爱|倾向于?|习惯)(?P<o>.+)`, preferOverZH},
		{"prefer-than", selfZH + `{advz}(?:喜欢|爱)(?P<o>.+?)比(?P<y>.+?)(?:多|更多)(?:一点|一些)?`, preferOverZH},
		{"use-not", selfZH + `{advz}(?:用|写|喝|吃|开)(?P<o>[^,]+?),?(?:而不是|而不用|不用|不喝|不吃|不写|不是|代替)(?P<y>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionZH.Match(o.fold) || reactionZH.Match(y.fold) {
				return nil
			}
			return one(pairPreference(o, y, m.predicate(m.afterSelf())))
		}},
		{"switched", selfZH + `(?:已经|刚刚?|最近|全面|终于)*从(?P<y>.+?)(?:换|切换|转|迁移|改用|换用)(?:成|到|为|用)?了?(?P<o>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionZH.Match(o.fold) || notPlaceZH.Match(o.fold) {
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
			if !tasteZH(o) || dislikeNotZH.Match(o.fold) {
				return nil
			}
			if !m.g("p").empty() {
				return one(preference(o, Negative, m.predicate(m.afterSelf())))
			}
			ds := preferencesZH(m, o, Negative)
			if k := contrastKeyZH(o.fold); k != "" && len(ds) == 1 {
				ds[0].key = "preference/" + k
			}
			return ds
		}},
		{"like", selfZH + `{advz}(?:最|更|更加|越来越|特|贼|巨|蛮|挺)?{advz}(?:喜欢上了?|喜欢|喜爱|热爱|酷爱|钟爱|偏爱|偏好|钟情于|痴迷于?|沉迷于?|热衷于?|爱上了?|迷上了?|中意|倾向于|倾向|爱|对(?P<p>.+?)(?:很|非常|特别|比较|挺)?(?:感兴趣|有兴趣|情有独钟|着迷))(?P<o>.+)?`, func(m match) []draft {
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
		{"use", selfZH + `(?P<l>平时|平常|主要|一直|日常|习惯|习惯了|现在|都|一般|基本|工作中|目前|经常|只|已经|是|每天|在家|公司|上班|们|项目|团队)*(?P<neg>不|不再|不怎么)?(?:使用|用|写)\s*(?P<o>[a-z][\w.+#-]*(?: [\w.+#-]+)?)(?P<t>\s*(?:做|写|画|剪|设计|管理|来|作为|当|编程|开发|办公|工作|记|搞).{0,12}|的)?`, useZH},
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
	if g := contrastZH.Groups(f); g != nil {
		return "kind-of-" + f[g[2]:g[3]]
	}
	return ""
}

func favouriteZH(m match) []draft {
	x, o := m.g("x").trim(), m.g("o").trim()
	if !x.valid(5) || !o.valid(10) || reactionZH.Match(o.fold) || x.fold == "是" || strings.HasPrefix(x.fold, "就") || strings.HasPrefix(x.fold, "一") && size(x.fold) < 3 {
		return nil
	}
	v := m.g("v").raw
	d := draft{
		typ: memory.TypePreference, key: "favourite/" + objectKey(x.fold), title: "最喜欢的" + x.raw,
		content: "最喜欢" + v + "的" + x.raw + "是" + gap("是", o.raw) + own(o.raw), st: Statement{Value: o.raw, Polarity: Positive},
		tags: []string{"最喜欢", "喜好", "favourite"}, importance: importancePreference, reason: "a preference of the user",
	}
	if o.lo > x.lo {
		d.content = m.predicate(m.afterSelf()) // the user's own words, which also keeps his script
	}
	if strings.Contains(o.raw, "我") && size(o.fold) > 6 {
		return nil
	}
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
		d.content = own(m.c.part(m.afterSelf(), o.hi).raw)
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
	if !techWord.Match(o.fold) && m.g("l").empty() || strings.Contains(m.g("t").fold, "了") {
		return nil
	}
	pol := Positive
	if !m.g("neg").empty() {
		pol = Negative
	}
	return one(draft{typ: memory.TypeFact, key: "use/" + objectKey(o.fold), content: m.predicate(m.afterSelf()), st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"工具", "tool"}, importance: importancePreference, reason: "what the user works with"})
}
