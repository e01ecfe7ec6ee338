package policy

import (
	"strings"

	"memoria/memory"
)

func styleRule(key string, o part, pol Polarity, content string) []draft {
	return one(draft{
		typ: memory.TypeRule, key: key, title: "Rule", content: sentenceCase(content),
		st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"rule", "style", "规则"},
		importance: importanceRule, reason: "a rule for the assistant",
	})
}

// lasts reports whether an order to the assistant is meant for longer than this answer: it says so, or it is
// all that was said.
func (m match) lasts() bool { return m.c.durable || m.c.alone || m.c.explicit }

const leadEN = `(?:please |pls |kindly |just |always |also |can you |could you |would you |will you |i(?:'d| would) (?:like|prefer|love|appreciate)(?: it)?(?: if)?(?: for)? you(?: to| could| would|'d)? |i want you to |i need you to |you (?:should|must|can|need to|have to) (?:always )?|make sure (?:to |you )|try to |from now on,? )*`

var futureWord = expr(`\b(?:in (?:the )?future|going forward|from here on|every time|whenever)\b`)

var notAddress = wordSet(`back later now again anymore tomorrow tonight today crazy late at_work`)

var ruleNot = expr(`(?:^| )(?:it|this|that|them|these|anything|to me|yet|now|so|me)$|^(?:apologize for (?:this|that|it)|mention it)`)

var orderNotEN = expr(`^(?:mind|again|a\b|an\b|the\b|been|had|heard|seen|thought|knew|said|ever|in my life|gonna|going|gets?|was|were|is|are|has|have i|did|would|could|happy to|glad|nice|good|fun|on time|worked?|works|fails?|returns?|give up|forget|remember|stop learning|say never|lose hope|happened|happens|too late|better late|look on)\b`)

// gerunds are those that lose more than their ending.
var gerunds = map[string]string{
	"using": "use", "including": "include", "writing": "write", "apologizing": "apologize", "apologising": "apologise",
	"moralizing": "moralize", "patronizing": "patronize", "patronising": "patronise", "joking": "joke", "putting": "put",
}

// gerund turns "using emojis" after "stop" into "use emojis".
func gerund(raw string) string {
	w, rest, _ := strings.Cut(raw, " ")
	l := strings.ToLower(w)
	base, ok := gerunds[l]
	if !ok {
		if base, ok = strings.CutSuffix(l, "ing"); !ok {
			return raw
		}
	}
	return strings.TrimSpace(base + " " + rest)
}

func correctionRulesEN() []rule {
	return []rule{
		{"correction", `(?:it'?s|it is|it was|that'?s|that is|that should be|it should be|make that|i meant|the correct (?:one|answer|name|date|value|spelling) is|should be)(?: actually| really)? (?P<o>[^,]+?)(?:,| and| -|;)? (?:(?:and )?not|instead of|rather than) (?P<w>.+)`, func(m match) []draft {
			return correction(m.g("o").trim(), m.g("w").trim())
		}},
		{"correction-first", `(?:it'?s|it is|that'?s|that is) not (?P<w>[^,]+?)(?:,| but|;| -)(?: but)? (?:it'?s |it is |rather )?(?P<o>.+)`, func(m match) []draft {
			return correction(m.g("o").trim(), m.g("w").trim())
		}},
	}
}

var notCorrection = expr(`^(?:a\b|the\b|that|this|so|too|very|really|because|just|about|what|how|working|broken|fair|fun|good|bad|hard|easy|like|your|my fault|you|me\b|for|only|possible|important|necessary|true|false|right|wrong|sure|in\b|on\b|at all)`)

func correction(o, wrong part) []draft {
	if !o.valid(5) || !wrong.valid(5) || notCorrection.Match(o.fold) || notCorrection.Match(wrong.fold) {
		return nil
	}
	content := o.raw + ", not " + wrong.raw
	if hasHan(o.fold) {
		content = "是" + o.raw + "，不是" + wrong.raw
	}
	return one(draft{
		typ: memory.TypeFact, key: "correction/" + objectKey(wrong.fold), title: "Correction", content: sentenceCase(content),
		st: Statement{Value: o.raw}, tags: []string{"correction", "更正"}, importance: importanceCorrection,
		correction: true, corrects: wrong.raw, reason: "the conclusion after a correction",
	})
}
