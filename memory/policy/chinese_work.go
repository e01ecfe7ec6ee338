package policy

import (
	"strings"
)

func workRulesZH() []rule {
	return []rule{
		{"job-in-as", selfZH + `{advz}在(?P<p>.+?)(?:里|那里|这里)?(?:当|做|担任|任)(?P<o>.+)`, func(m match) []draft {
			o, p := m.g("o").trim(), m.g("p").trim()
			if r := roleZH(o); !r.empty() {
				o = r
			} else if !occupationZH.Match(o.fold) || size(o.fold) > 4 {
				return nil
			}
			out := one(jobZH(o))
			if p.valid(8) && !notEmployerZH.Match(p.fold) {
				out = append(out, employerZH(p))
			}
			return out
		}},
		{"job-place", selfZH + `{advz}(?:就职于|任职于|供职于|效力于|服务于|受雇于|在(?P<p>.+?)(?:工作|上班|就职|任职|实习|打工|干活|从事(?P<r>.+)))(?P<o>.+)?`, employerRuleZH},
		{"job-field", selfZH + `{advz}(?:从事|主要从事|的工作内容是|是从事|干|是干|是做|是搞|做|搞)(?P<o>.{2,16}?)(?:行业|工作|方面的?|相关的?|领域|这一行|开发|的|的工作)+(?:的)?(?:工作)?`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || fieldNot.Match(o.fold) {
				return nil
			}
			p := m.c.part(o.lo, len(m.c.text)).trim()
			return one(slot("job/field", "行业", "从事"+p.raw, p, importanceFact, "工作", "job"))
		}},
		{"job-slot", selfZH + `(?:现在|目前)?的?(?:职业|工作|本职|本职工作|主业|岗位|职位|身份|职务)(?:就)?(?:是|:)(?:一[名个位])?(?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || jobSlotNot.Match(o.fold) {
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
			if loc := traitZH.Text(m.g("o").trim().fold); loc != "" {
				o := m.g("o").trim()
				if strings.Contains(o.fold, "素食") {
					return one(slot("diet", "饮食", "是"+o.raw, o, importanceHealth, "饮食", "diet"))
				}
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
			if !o.valid(8) || notPlaceZH.Match(o.fold) || o.fold == "学校" || o.fold == "大学" {
				return nil
			}
			return one(slot("school", "学校", m.predicate(m.afterSelf()), o, importanceFact, "学校", "school"))
		}},
	}
}

var notEmployerZH = expr(`^(?:家|找|换|等|忙|准备|这|那|你|他|线|外面|下面|上面|旁边|路上|工作|平时|业余|以前)`)

var fieldNot = expr(`^(?:什么|这|那|这个|那个|饭|菜|作业|家务|[的了得着过好完]|错|不|梦|自己|一个|个|了|事|东西|题)`)

var jobSlotNot = expr(`^(?:什么|很|太|不|非常|比较|最|让|在|要|忙|累|这|那|写什么|帮|每天都)`)

func roleZH(o part) part {
	o = o.trim()
	if m := regexpRoleLead.Find(o.fold); m != nil {
		o = o.skip(m[1])
	}
	f := strings.TrimSpace(o.fold)
	if !o.valid(8) || !occupationZH.Match(f) || roleNot.Match(f) {
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
	if !p.valid(9) || notEmployerZH.Match(p.fold) || workNot.Match(p.fold) {
		return nil
	}
	out := one(employerZH(p))
	rest := m.g("o").trim()
	if r := m.g("r").trim(); r.valid(6) {
		out = append(out, slot("job/field", "行业", "从事"+r.raw, r, importanceFact, "工作", "job"))
	} else if !m.g("p").empty() && rest.valid(5) {
		if g := asRole.Text(rest.fold); g != "" {
			if role := roleZH(rest.skip(len(g))); !role.empty() {
				out = append(out, jobZH(role))
			}
		}
	}
	return out
}

var asRole = expr(`^,?(?:当|做|担任|是)(?:一)?[名个位]?`)

var workNot = expr(`^(?:努力|认真|加班|拼命|好好|用|忙|周末|晚上|夜里|白天|早上|下午)|(?:天|点|小时|分钟|的时候)$`)

func studyZH(m match) []draft {
	o, p := m.g("o").trim(), m.g("p").trim()
	text := m.c.text
	major := strings.Contains(text, "专业") || strings.Contains(text, "主修") || strings.Contains(text, "攻读") || strings.HasSuffix(text, "的") && strings.Contains(text, "是学") || strings.HasSuffix(text, "系") || !p.empty() && schoolZH.Match(p.fold)
	learning := strings.Contains(text, "在学") || strings.Contains(text, "学习") || strings.Contains(text, "正在学")
	switch {
	case !o.valid(6) || studyNotZH.Match(o.fold):
		return nil
	case major:
		out := one(slot("study", "专业", "专业是"+o.raw, o, importanceFact, "学习", "专业", "study"))
		if p.valid(6) && schoolZH.Match(p.fold) {
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
