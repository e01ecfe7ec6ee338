package policy

import (
	"strings"
	"unicode/utf8"
)

var notPlaceZH = expr(`^(?:这|那|哪|你|他|她|一起|家里$|一个|下一|另|新的|新家|别|心里|过去|未来|回忆|梦|自己|里面|上面|下面|[一二三四五六七八九十\d]+楼|隔壁|附近|不|了|得|的|什么|同一|第)`)

var afterPlaceZH = expr(`(?:,|。|已经|有[一二三四五六七八九十两\d]+年|[一二三四五六七八九十两\d几]+年|很久|好久|快|工作|上班|读书|上学|上大学|生活|那边|这边|这里|附近|来了|去了|了|居住|住$|定居|长大|的$|,).*$`)

func placeZH(o part) part {
	o = o.trim()
	if m := afterPlaceZH.Find(o.fold); m != nil && m[0] > 0 {
		o = o.upTo(m[0])
	}
	o = o.trim()
	if !o.valid(8) || notPlaceZH.Match(o.fold) {
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
			if o.empty() || homeNot.Match(o.fold) {
				return nil
			}
			if dwellingZH.Match(o.fold) {
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
	}
}

var homeNot = expr(`^(?:家|家里|学校|酒店|医院|公司|外面|办公室|路上|床上|沙发|会议|现场|等|开会|这|那|旅馆|宾馆|外地$|火车|地铁|车上|院)`)

var dwellingZH = expr(`(?:宿舍|出租屋|公寓|别墅|合租房|老房子|大房子|小房子|父母家|乡下|农村|城里|郊区|市区|市中心)$`)

var peopleZH = expr(`^(?P<o>[\p{Han}]{1,6}?)人$`)

var notOrigin = expr(`^(?:好|坏|男|女|老|主|新|本|成年|残疾|名|大|小|穷|富|普通|正常|一个|一般|现代|年轻|懒|聪明|笨|闲|忙|当事|负责|候选|发起|创始|合伙|经纪|代理|过来|局外|病|盲|聋|哑|证|机器|什么|哪里|哪|陌生|独|单身|认真的|念旧的|有.*的|.*的|爱.*的|怕.*的|打工|工|文|诗|商|军|猎|情|恋|爱|家里|自己|内向|外向|两个孩子|中年|老年|未成年|被告|法|地球|素食|牧羊|投资|主持|听)$`)

// originOf reads 我是上海人.
func originOf(m match) []draft {
	o := m.g("o").trim()
	g := peopleZH.Groups(o.fold)
	if g == nil || !strings.Contains(m.c.text, "是") {
		return nil
	}
	place := o.upTo(g[3])
	if notOrigin.Match(place.fold) || utf8.RuneCountInString(place.fold) < 2 || notPlaceZH.Match(place.fold) {
		return nil
	}
	if utf8.RuneCountInString(place.fold) == 2 && strings.HasSuffix(place.fold, "国") || place.fold == "日本" || place.fold == "加拿大" || place.fold == "意大利" {
		return one(slot("nationality", "国籍", "是"+o.raw, o, importanceFact, "国籍", "nationality"))
	}
	return one(slot("origin", "家乡", "是"+o.raw, place, importanceFact, "家乡", "老家", "origin"))
}
