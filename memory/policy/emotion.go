package policy

import (
	"fmt"
	"strings"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// maxFeeling is the maximum number of bytes read by Emotion. The result is needed within milliseconds, and a
// longer text is usually a story.
const maxFeeling = 4 << 10

// Emotion returns the current emotion that the user states in a text (W3): "happy", "sad", "tired", "angry",
// "anxious" or "grateful"; the last one if there are several, and "" if there is none. It applies rules for
// Chinese and English, and only to the first person present.
//
// It ignores questions, hypotheses, negations, reports, quotations, text to work on, politeness ("happy to help",
// 很高兴认识你) and habits ("when I'm sad").
//
// It reads at most 4 KiB, not counting repeated blanks.
func Emotion(text string) string {
	masked := lang.English().Changes["oneFeeling"].Of(lang.Mask(lang.NewView(text, maxFeeling).Text))
	last := ""
	for _, s := range lang.SplitSentences(masked) {
		body := masked[s.Lo:min(s.Hi, s.Lo+maxSentence)]
		if textWork.Match(body) || composing.Match(body) && strings.HasSuffix(body, ":") {
			return last // the rest is text to work on
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

// sentenceEmotion returns the last emotion of a sentence, up to any reported speech. If the sentence is a
// question, its last clause is ignored ("I'm so tired, what helps?"), or the whole sentence if that clause is
// a tag ("I'm tired, right?").
func sentenceEmotion(body string, question bool) string {
	if stop := lang.ReportStart(body); stop >= 0 {
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
		if c == "" || len(c) > maxClause || strings.Contains(c, lang.MaskByte) || asks(c) {
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

// feeling is a rule that recognises an emotion in a clause. says must match the whole clause. unless must not
// match the beginning of says' group "rest", the words after the emotion.
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
