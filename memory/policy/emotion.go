package policy

import (
	"fmt"
	"strings"

	"memoria/memory/pattern"
)

// maxFeeling bounds what Emotion reads, in bytes: who writes more tells a story, and the answer is wanted
// within some milliseconds.
const maxFeeling = 4 << 10

// Emotion says by rule how the user says that he feels at the moment (W3): "happy", "sad", "tired", "angry",
// "anxious" or "grateful", of several the last, or "" when he says nothing of it. It reads Chinese and
// English, and of both only the first person present. Questions, hypotheses, negations, reports, quotations,
// text to work on, politeness ("happy to help", 很高兴认识你) and habits ("when I'm sad") say nothing.
//
// At most 4 KiB of text are read, not counting repeated blanks.
func Emotion(text string) string {
	masked := english().changes["oneFeeling"].of(mask(newView(text, maxFeeling).text))
	last := ""
	for _, s := range splitSentences(masked) {
		body := masked[s.lo:min(s.hi, s.lo+maxSentence)]
		if textWork.Match(body) || composing.Match(body) && strings.HasSuffix(body, ":") {
			return last // what follows is material
		}
		if composing.Match(body) || hypothetical(body) || reportAtEnd.Match(body) {
			continue
		}
		if found := sentenceEmotion(body, s.question); found != "" {
			last = found
		}
	}
	return last
}

// sentenceEmotion reads the clauses before somebody else speaks. A question mark concerns the last clause
// ("I'm so tired, what helps?"), or all of them when that is only a tag ("I'm tired, right?").
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

// clauseEmotion returns the first feeling that a clause speaks of.
func clauseEmotion(c string) string {
	for _, l := range inBoth() {
		for i := range l.feelings {
			if l.feelings[i].in(c) {
				return l.feelings[i].name
			}
		}
	}
	return ""
}

var (
	feelingSeparator = form("feelingSeparator")
	tagQuestion      = form("tagQuestion")
	reportAtEnd      = form("reportAtEnd")
)

// feeling is a way to say how one feels. says must match a whole clause, and what its group "rest" holds must not
// begin with unless.
type feeling struct {
	name         string
	says, unless pattern.Pattern
}

// in reports whether a clause speaks of the feeling.
func (f *feeling) in(c string) bool {
	m := f.says.Groups(c)
	if m == nil {
		return false
	}
	rest := f.says.Group("rest")
	return rest < 0 || m[2*rest] < 0 || !f.unless.Match(c[m[2*rest]:m[2*rest+1]])
}

// addFeeling reads a block "feeling NAME" with lines "says PATTERN" and "unless PATTERN".
func (l *language) addFeeling(b pattern.Block) error {
	f := feeling{name: b.Name}
	var says []string
	for _, line := range b.Lines {
		switch verb, arg, _ := strings.Cut(line.Text, " "); verb {
		case "says":
			says = append(says, "("+arg+")")
		case "unless":
			f.unless = l.Start("{gap}(" + arg + `)\b`)
		default:
			return fmt.Errorf("%s: feeling %s: unknown line %q", line.Where, b.Name, verb)
		}
	}
	f.says = l.Whole(strings.Join(says, " | "))
	l.feelings = append(l.feelings, f)
	return nil
}
