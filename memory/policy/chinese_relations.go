package policy

import (
	"strings"

	"memoria/memory"
)

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
		{"relation-called", selfZH + `{advz}(?:养了|养着|养|有)(?:[一两1])?(?:只|条|个|匹|位|头)?(?:名)?叫(?P<n>.{1,8}?)的(?P<w>{relz})`, func(m match) []draft {
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
			if o.empty() || homeNot.Match(o.fold) {
				return nil
			}
			return one(relationZH(m.g("w"), "home", o, "住在"+o.raw))
		}},
		{"relation-work", selfZH + `(?:的)?(?P<w>{relz}){advz}在(?P<o>.+?)(?:工作|上班|读书|上学|念书|读大学|留学|当兵)(?P<t>.*)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(8) || notEmployerZH.Match(o.fold) {
				return nil
			}
			p := m.c.part(m.g("w").hi, len(m.c.text)).trim()
			return one(relationZH(m.g("w"), "job", p, own(p.raw)))
		}},
		{"relation-taste", selfZH + `(?:的)?(?P<w>{relz}){advz}(?P<v>最?喜欢|最?爱|讨厌|不喜欢|不爱|不吃|不能吃|不喝|怕)(?P<o>.+)`, func(m match) []draft {
			o, v := m.g("o").trim(), m.g("v").fold
			if !o.valid(7) || reactionZH.Match(o.fold) || strings.HasPrefix(o.fold, "我") {
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
			if peopleZH.Match(o.fold) && !notOrigin.Match(strings.TrimSuffix(o.fold, "人")) && !notPlaceZH.Match(o.fold) {
				return one(relationZH(m.g("w"), "origin", o, "是"+o.raw))
			}
			if traitZH.Match(o.fold) {
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
