package policy

import (
	"strings"
)

const leadZH = `(?:请|麻烦|拜托|希望|你|您|以后|今后|从现在开始|都|一律|尽量|可以|能不能|能|最好|要|务必|应该|得|跟我|和我|对我|给我|我|想让|以后都|回答我?的?时候?|说话|总是|永远|每次|就|平时|一定|我们|聊天|的|时候|时|,|之后|还是|直接|不管怎样|一直|始终|无论如何|必须|我说什么语言)*`

func styleRulesZH() []rule {
	return []rule{
		{"rule-language", leadZH + `(?:用|使用|说|讲|改用|换成|切换到|以)(?P<o>{langz})(?:来|跟我|和我|与我|对我|给我|进行|向我)*(?:回答|回复|交流|聊天|沟通|对话|答复|说话|说|写|讲|回应|聊|解释|作答|回我|答)*(?:我|问题|我的问题|就好|就行|就可以|即可|吧|哦|了|一切|所有问题|好吗|好不好|可以吗|,谢谢|谢谢)*`, func(m match) []draft {
			if !m.lasts() || strings.HasPrefix(m.c.text, "我") && !strings.Contains(m.c.text, "你") && !strings.Contains(m.c.text, "希望") || !speakVerb.Match(m.c.text) && m.c.text != "用"+m.g("o").fold {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/language", o, "", "用"+o.raw+"回答")
		}},
		{"rule-length", leadZH + `(?:(?:回答|回复|说话|答案|解释|内容|语气|说|讲|写|答|答复|输出|态度|话|问题|回答问题|消息)(?:的时候|时候|的|得|请|要|时|尽量|可以|都|能|必须|应该|保持|稍微|更|一定要|最好)*)+(?P<o>(?:再)?(?:简短|简洁|简单|精简|短|详细|具体|仔细|直接|温柔|正式|口语化?|幽默|轻松|客观|专业|通俗易懂|通俗|简明扼要|简明|言简意赅|委婉|严谨|友好|活泼|简练|耐心|随意|清楚|深入|少|慢|接地气|诚实|礼貌|客气)(?:一点儿?|一些|点儿?|些|明了)?)(?:就好|就行|即可|吧|哦|啊|,?谢谢|好吗|可以吗|的)*`, func(m match) []draft {
			if strings.HasPrefix(m.c.text, "我") && !strings.Contains(m.c.text, "你") {
				return nil
			}
			o := m.g("o").trim()
			return styleRule("rule/style", o, "", "回答要"+o.raw)
		}},
		{"rule-length-want", selfZH + `{advz}(?:更)?(?:喜欢|想要|希望|偏好|要|偏爱)(?:你)?(?:的)?(?:回答|回复|说话)?(?:能|可以|要|得|更|都)*(?P<o>(?:简短|简洁|简单|精简|详细|直接|温柔|正式|口语化|幽默|专业|通俗)(?:一点|一些|点|些)?)(?:的)?(?:回答|回复|答案|解释|风格|语气)?`, func(m match) []draft {
			if !answering.Match(m.c.text) {
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
			if !o.valid(6) || callNot.Match(o.fold) {
				return nil
			}
			return styleRule("rule/address-"+objectKey(o.fold), o, Negative, "不要叫"+o.raw)
		}},
		{"rule-not", leadZH + `(?:不要|别|不准|不许|禁止|请勿|不可以|不用|少)(?:再|老是|总是|动不动就|在回答里|在回复里|跟我|和我|对我|给我|回答时)*(?P<v>用|使用|加|提到|提起|提|聊|谈|讨论|问|说起|说|讲|发|开玩笑说|拿|推荐|建议|输出|写|催|劝)(?P<o>.+)`, func(m match) []draft {
			v, o := m.g("v").fold, m.g("o").trim()
			if !o.valid(9) || reactionZH.Match(o.fold) || notRuleZH.Match(o.fold) {
				return nil
			}
			if !m.lasts() && !strings.Contains(m.c.text, "再") && !strings.Contains(o.fold, "我") {
				return nil
			}
			switch v {
			case "用", "使用", "加", "发", "输出", "写":
				if !styleThing.Match(o.fold) && !m.c.durable {
					return nil
				}
			case "说", "讲", "拿", "推荐", "建议", "催", "劝":
				if !m.c.durable && !lastingTopic.Match(o.fold) {
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
		{"rule-from-now-on", `(?:请|麻烦|你|都|要|必须|务必|一律|就|能不能|可以)*(?P<o>(?:每[次周天月年]|先|给|加|带|附上|列|写|按|把|检查|提醒|问|回答|解释|举例|推荐|不要|别|每次|用|说|讲|只|直接|主动|帮我|在).+)`, func(m match) []draft {
			before := m.c.v.text[max(0, m.c.at-30):m.c.at] + m.c.text
			o := m.g("o").trim()
			if !nowOnZH.Match(before) || !o.valid(14) || strings.HasPrefix(m.c.text, "我") || reactionZH.Match(o.fold) {
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
	answering    = expr(`回答|回复|答案|解释|说话|语气`)
	speakVerb    = expr(`回答|回复|交流|聊|沟通|对话|答复|跟我|和我|对我|说|讲|回应|解释|作答|回我|改用|换成|切换|与我`)
	nowOnZH      = expr(`以后|今后|从现在开始|从今以后|从今往后|从现在起|从今天起|从今天开始|每次回答|每次回复`)
	notRuleZH    = expr(`^(?:了|我坏话|话|谎|笑|这|那|它|这个|那个|太多|得|吧|啊|哦|出来|出去|担心|着急|难过|完)$|^(?:这|那|它|了$)`)
	styleThing   = expr(`表情|emoji|列表|表格|markdown|术语|英文|缩写|感叹号|敬语|您|专业词|火星文|网络用语|颜文字|脏话|粗口|注释|分号|项目符号|标题|繁体|简体|机器翻译|套话|客套话|成语|长句`)
	lastingTopic = expr(`前任|前男友|前女友|前妻|前夫|脏话|粗口|大道理|教|废话|套话|客套|政治|宗教|结婚|生孩子|减肥|体重|年龄|剧透|笑话|鸡汤|抱歉|对不起|我(?:的)?(?:家|父|母|爸|妈|体重|年龄|工作|过去|病)`)
)

func personTail(o part) part {
	o = o.trim()
	if m := nameTailZH.Find(o.fold); m != nil && m[0] > 0 {
		o = o.upTo(m[0])
	}
	return o.trim()
}

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
	if !o.valid(6) || !w.valid(6) || notCorrectionZH.Match(o.fold) || notCorrectionZH.Match(w.fold) {
		return nil
	}
	return correction(o, w)
}
