package retrieve

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"memoria/index/text"
	"memoria/memory"
)

//go:embed data/aspects.txt
var aspectsTable string

// aspect is what questions ask of somebody: an age, a home, a name.
type aspect struct{ asked, answered *regexp.Regexp }

var aspects = sync.OnceValue(func() (out []aspect) {
	for line := range strings.Lines(aspectsTable) {
		asked, answered, ok := strings.Cut(strings.TrimSpace(line), " ⇒ ")
		if ok && !strings.HasPrefix(line, "#") {
			out = append(out, aspect{regexp.MustCompile(asked), regexp.MustCompile(answered)})
		}
	}
	return out
})

// aspectOf returns what a question asks of somebody; nil if it asks something else, or several things.
func aspectOf(read string) (found *aspect) {
	folded := strings.Trim(text.Fold(read), " ?？.。!！")
	for _, a := range aspects() {
		if !a.asked.MatchString(folded) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &a
	}
	return found
}

// HasAsked reports of each of the memories that may answer the question whether it has what is asked: the age, for "how old is
// my sister". All are true if none has it, or the question asks for nothing of which that can be said.
func (q Question) HasAsked(memories []memory.Item) []bool {
	out, has := make([]bool, len(memories)), false
	for i, it := range memories {
		out[i] = q.aspect == nil || q.aspect.answered.MatchString(text.Fold(it.Content))
		has = has || out[i]
	}
	if !has {
		for i := range out {
			out[i] = true
		}
	}
	return out
}

// HasAnswer reports whether one of the texts, about whom the question is, has what it asks of somebody.
func (q Question) HasAnswer(texts []string) bool {
	return q.aspect != nil && slices.ContainsFunc(texts, func(t string) bool { return q.aspect.answered.MatchString(text.Fold(t)) })
}
