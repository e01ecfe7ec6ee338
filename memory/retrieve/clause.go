package retrieve

import (
	"strings"
	"unicode"

	"memoria/index/text"
)

// clause is a part of a message between punctuation, in two forms for matching the
// tables' phrases: Latin words with a space on both sides, and everything else without
// spaces and final particles.
type clause struct{ words, run string }

func clauses(message string) []clause {
	pieces := strings.FieldsFunc(text.Fold(message), func(r rune) bool {
		return r != '\'' && !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	out := make([]clause, 0, len(pieces))
	for _, p := range pieces {
		fields := strings.Fields(p)
		run := strings.TrimSuffix(strings.TrimRight(standard.Replace(strings.Join(fields, "")), "吗嘛呢啊呀吧了呐"), "来着")
		out = append(out, clause{words: " " + strings.Join(fields, " ") + " ", run: run})
	}
	return out
}

// standard replaces colloquial question words, so that the tables need only the usual ones.
var standard = strings.NewReplacer("啥", "什么", "咋", "怎么", "哪里", "哪", "哪儿", "哪")

// holds reports whether the clause contains a phrase folded by text.Fold; one that ends
// in $ must end the clause.
func (c clause) holds(phrase string) bool {
	phrase, last := strings.CutSuffix(phrase, "$")
	in := c.run
	switch {
	case !text.CJK(first(phrase)):
		in, phrase = c.words, " "+phrase+" "
	case strings.ContainsAny(phrase, "啥咋哪"):
		phrase = standard.Replace(phrase)
	}
	if last {
		return strings.HasSuffix(in, phrase)
	}
	return strings.Contains(in, phrase)
}
