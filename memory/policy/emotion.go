package policy

import (
	"fmt"
	"strings"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// maxFeeling bounds the bytes read by Emotion: a longer text is a story, and the result is needed within
// milliseconds.
const maxFeeling = 4 << 10

// Emotion returns by rules the user's stated current emotion (W3): "happy", "sad", "tired", "angry",
// "anxious" or "grateful", of several the last, or "". It reads Chinese and English, and only the first
// person present. It ignores questions, hypotheses, negations, reports, quotations, text to work on,
// politeness ("happy to help", 很高兴认识你) and habits ("when I'm sad").
//
// It reads at most 4 KiB, not counting repeated blanks.
func Emotion(text string) string {
	masked := lang.English().Changes["oneFeeling"].Of(mask(lang.NewView(text, maxFeeling).Text))
	last := ""
	for _, s := range lang.SplitSentences(masked) {
		body := masked[s.Lo:min(s.Hi, s.Lo+maxSentence)]
		if textWork.Match(body) || composing.Match(body) && strings.HasSuffix(body, ":") {
			return last // the rest is material
		}
		if composing.Match(body) || hypothetical(body) || reportAtEnd.Match(body) {
			continue
		}
		if found := sentenceEmotion(body, s.Question); found != "" {
			last = found
		}
	}
	return last
}

// sentenceEmotion reads the clauses before reported speech. A question mark applies to the last clause
// ("I'm so tired, what helps?"), or to all if that is only a tag ("I'm tired, right?").
func sentenceEmotion(body string, question bool) string {
	if stop := reportStart(body); stop >= 0 {
		body, question = body[:stop], false
	}
	clauses := feelingSeparator.Split(body)
	if tagQuestion.Match(strings.TrimSpace(clauses[len(clauses)-1])) {
		return ""
	}
	if question {
		clauses = clauses[:len(clauses)-1]
	}
	found := ""
	for _, c := range clauses {
		c = strings.TrimSpace(c)
		if c == "" || len(c) > maxClause || strings.Contains(c, maskByte) || asks(c) {
			continue
		}
		if e := clauseEmotion(c); e != "" {
			found = e
		}
	}
	return found
}

// clauseEmotion returns the first emotion of a clause.
func clauseEmotion(c string) string {
	for _, l := range both() {
		for i := range l.feelings {
			if l.feelings[i].in(c) {
				return l.feelings[i].name
			}
		}
	}
	return ""
}

var (
	feelingSeparator = lang.Form("feelingSeparator")
	tagQuestion      = lang.Form("tagQuestion")
	reportAtEnd      = lang.Form("reportAtEnd")
)

// feeling is a way to state an emotion. says must match a whole clause, and its group "rest" must not begin
// with unless.
type feeling struct {
	name         string
	says, unless pattern.Pattern
}

// in reports whether a clause states the emotion.
func (f *feeling) in(c string) bool {
	m := f.says.Groups(c)
	if m == nil {
		return false
	}
	rest := f.says.Group("rest")
	return rest < 0 || m[2*rest] < 0 || !f.unless.Match(c[m[2*rest]:m[2*rest+1]])
}

// addFeeling parses a block "feeling NAME" with lines "says PATTERN" and "unless PATTERN".
func (l *language) addFeeling(b pattern.Block) error {
	f := feeling{name: b.Name}
	var says []string
	err := b.Each(func(verb, arg string) error {
		switch verb {
		case "says":
			says = append(says, "("+arg+")")
		case "unless":
			f.unless = l.Start("{gap}(" + arg + `)\b`)
		default:
			return fmt.Errorf("unknown line %q", verb)
		}
		return nil
	})
	f.says = l.Whole(strings.Join(says, " | "))
	l.feelings = append(l.feelings, f)
	return err
}
