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
