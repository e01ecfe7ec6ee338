package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
)

// What the Chinese rules in Go still use.

func firstPart(m match, names ...string) part {
	for _, n := range names {
		if p := m.g(n); !p.empty() {
			return p
		}
	}
	return part{c: m.c}
}

// isName accepts up to words words of letters that are not one of the phrases that stand in a name's place.
func isName(p part, limit int) bool {
	if !p.valid(limit) || utf8.RuneCountInString(p.fold) > 40 {
		return false
	}
	for i, w := range strings.Fields(p.fold) {
		if i == 0 && words("notName")()[w] || strings.ContainsAny(w, "=/\\<>{}[]()@:$%^*?!") {
			return false
		}
	}
	return strings.IndexFunc(p.fold, unicode.IsLetter) >= 0
}

func preference(o part, pol Polarity, content string) draft {
	return draft{
		typ: memory.TypePreference, key: "preference/" + objectKey(o.fold), content: content,
		st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"preference", "喜好"},
		importance: importancePreference, reason: "a preference of the user",
	}
}

// pairPreference is a choice between two things. Its key is the pair in fixed order, so that the opposite
// choice contradicts it.
func pairPreference(o, over part, content string) draft {
	d := preference(o, Positive, content)
	a, b := objectKey(o.fold), objectKey(over.fold)
	if b < a {
		a, b = b, a
	}
	d.key = "preference/" + a + "|" + b
	d.st.Over = over.raw
	return d
}

func goal(key string, o, when part, content string) draft {
	d := draft{
		typ: memory.TypeGoal, key: key, st: Statement{Value: o.raw, When: when.raw}, content: content,
		tags: []string{"goal", "目标"}, importance: importanceGoal, reason: "a goal or a commitment",
	}
	if !when.empty() {
		d.content += " " + when.raw
		d.tags = append(d.tags, "date")
	}
	d.content = sentenceCase(strings.TrimSpace(d.content))
	return d
}

func styleRule(key string, o part, pol Polarity, content string) []draft {
	return one(draft{
		typ: memory.TypeRule, key: key, title: "Rule", content: sentenceCase(content),
		st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"rule", "style", "规则"},
		importance: importanceRule, reason: "a rule for the assistant",
	})
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
