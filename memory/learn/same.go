package learn

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"memoria/index/text"
	objects "memoria/memory/policy/object"
	"memoria/memory/policy/wording"
)

// sameShare is the share of common words from which two sentences mean the same: "likes
// oolong tea" and "likes green tea" share 2/3.
const sameShare = 0.75

// Same reports whether two conclusions say the same in nearly the same words. One may
// say a little more, but not both may have extra words: "works best in the morning" and
// "works best in the evening" share most words. They differ if only one has a name, a
// number, a negation or an aversion, or if the order around a comparison differs. In
// two languages, each word of one must be in the other, without comparisons.
func Same(a, b string) bool {
	if wording.Negated(a) != wording.Negated(b) || wording.Averse(a) != wording.Averse(b) {
		return false
	}
	if chinese(a) != chinese(b) {
		return len(hinges(a))+len(hinges(b)) == 0 && objects.SaysSame(a, b)
	}
	if !names(a, b) || !names(b, a) {
		return false
	}
	x, y := forms(a), forms(b)
	h, g := hinges(a), hinges(b)
	if !slices.Equal(h, g) || len(h) > 0 && !slices.Equal(x, y) {
		return false
	}
	onlyX, onlyY := without(x, y), without(y, x)
	shared := len(without(x, onlyX))
	n := 2*shared + len(onlyX) + len(onlyY)
	return n > 0 && (len(onlyX) == 0 || len(onlyY) == 0) && float64(2*shared) >= sameShare*float64(n)
}

func chinese(s string) bool { return strings.ContainsFunc(s, text.Han) }

// forms returns the distinct words of a sentence, without the many words for liking.
func forms(s string) (out []string) {
	for _, w := range text.QueryTerms(s) {
		if !slices.Contains(liking(), w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

var liking = sync.OnceValue(func() []string {
	return text.QueryTerms("like likes liked love loves enjoy enjoys prefer prefers favour favours 喜欢 喜爱 偏好 偏爱 热爱")
})

// without returns the words of x that y lacks.
func without(x, y []string) (out []string) {
	for _, w := range x {
		if !slices.Contains(y, w) {
			out = append(out, w)
		}
	}
	return out
}

// Words around which the order matters, or which change a sentence's meaning.
var (
	hingesEN = strings.Fields(`before after over under above below than more less fewer most least until since from
		instead rather except only early earlier late later sometimes rarely seldom`)
	hingesZH = []string{"比", "而不是", "胜过", "不如", "之前", "以前", "之后", "以后", "更多", "更少", "从", "除了", "只"}
)

// measured removes 只 as a measure word, where it does not mean only: 一只猫.
var measured = strings.NewReplacer("一只", "", "两只", "", "二只", "", "三只", "", "四只", "", "五只", "", "几只", "", "这只", "", "那只", "")

// hinges returns those words of a sentence, in order.
func hinges(s string) (out []string) {
	folded := text.Fold(s)
	for _, w := range strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(hingesEN, w) {
			out = append(out, w)
		}
	}
	folded = measured.Replace(folded)
	for _, w := range hingesZH {
		if strings.Contains(folded, w) {
			out = append(out, w)
		}
	}
	return out
}

// names reports whether b has every name and number of a.
func names(a, b string) bool {
	have := text.Fold(b)
	return !slices.ContainsFunc(wording.Particulars(a), func(w string) bool { return !strings.Contains(have, w) })
}
