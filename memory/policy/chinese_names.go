package policy

import (
	"strings"
	"unicode/utf8"
)

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
	if m := nameTailZH.Find(n.fold); m != nil && m[0] > 0 {
		n = n.upTo(m[0])
	}
	n = n.trim()
	if !n.valid(6) || utf8.RuneCountInString(n.fold) > 20 || notNameZH.Match(n.fold) || !isName(n, 4) {
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
		{"name-introduced", `我是(?P<n>(?:[小老阿]\p{Han}|[` + surnamesZH + `]\p{Han}{1,2}|(?:欧阳|司马|上官|诸葛|夏侯|慕容|令狐|司徒)\p{Han}{1,2}))`, func(m match) []draft {
			lo, _ := m.c.bytes()
			if lo == 0 || !greetedZH.Match(m.c.v.src[:lo]) {
				return nil
			}
			return nameZH(m.g("n"), part{c: m.c})
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
			if callNot.Match(n.fold) {
				return nil
			}
			return nameZH(n, m.g("w"))
		}},
	}
}

// surnamesZH are the hundred most common family names, by which an introduction is told from "我是" + noun.
const surnamesZH = `王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤`

var greetedZH = expr(`^[^\n]{0,6}(?:你好|您好|嗨|哈喽|大家好|早上好|晚上好|下午好|hi|hello|Hi|Hello|自我介绍一下)[^\n]{0,12}$`)

var callNot = expr(`^(?:起床|吃|去|来|别|不|做|帮|给|写|改|再|的|怎|过|出|回|干|一声|一下|把|跟|和|早|看|快|滚|等|注意|多|少|先[^生]|小心|放|拿|买|加班|开会|什么|睡|学)`)

// afterSelf is where in the clause the subject ends.
func (m match) afterSelf() int {
	if loc := selfRE.Find(m.c.text); loc != nil {
		return loc[1]
	}
	return 0
}

var selfRE = expr(`^` + selfZH + `(?:的)?`)
