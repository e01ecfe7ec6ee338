package policy

import (
	"strings"

	"memoria/memory"
)

var moodZH = expr(`^(?:很|好|太|非常|特别|觉得|感觉|感到|想起|在想|忘记?|失眠|累|困|难过|开心|不开心|焦虑|心情|都很|被|会想|怀疑|以为|说|听|看到|收到|遇到|出错|报错|失败|做不|学不|记不|搞不|弄不|不知|不明|不懂|不理解|知道|后悔|想过|见过|去过|吃过|听过|看过|用过|做过|没有?|这样|那样|这么|那么|是|能|可以|可能|有点|给你|问你|跟你|和你|期待|支持|相信)|(?:过|了|着)$`)

func habitRulesZH() []rule {
	return []rule{
		{"habit", selfZH + `(?P<all>(?:一般|平时|通常|基本上?|都|还是|也|在家|晚上|早上|中午|上午|下午|周末|工作日|睡前|饭后|下班后|起床后|放学后)*(?P<f>从来都?不|从来都?没|从不|绝不|绝对不|永远不|总是|老是|总喜欢|习惯于?|习惯了|每天都?会?|每晚都?会?|每周[一二三四五六日天末]都?会?|每周都?会?|每年都?会?|每次都?会?|每个月都?会?|每个?周末都?会?|每天(?:早上|晚上|早晨|中午|下午|上午|睡前)都?会?|每周[一二三四五六日天末]都?会?|周末(?:一般|都|通常|总是|喜欢)+会?|(?:早上|晚上|睡前|饭后|下班后?|早晨|中午)(?:一般|都|通常|总是|习惯|会)+|经常|常常|通常|一般都?|平时都?|几乎每天都?|一直坚持|坚持)(?P<o>.+))`, func(m match) []draft {
			o, f := m.g("o").trim(), m.g("f").fold
			if !o.valid(12) || moodZH.Match(o.fold) {
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
			if !o.valid(12) || moodZH.Match(o.fold) {
				return nil
			}
			return one(draft{
				typ: memory.TypePattern, key: "pattern/" + objectKey(o.fold), title: o.raw, content: own(m.g("all").trim().raw),
				st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"习惯", "habit"}, importance: importancePattern, reason: "a habit of the user",
			})
		}},
	}
}
