package retrieve

import (
	"strings"

	"memoria/index/text"
)

// closeWeight is how much of what a keyword score leaves open a full [Closeness]
// fills up.
const closeWeight = 0.3

// Rerank is the keyword score of an item in which the message's words stand as close
// as given (R10).
func Rerank(keyword, closeness float64) float64 { return Combine(keyword, closeness, closeWeight) }

// Closeness is how much the words of a message that follow each other also do so in a
// text, 0–1: the share of the pairs of neighbouring keywords that stand within three
// words of each other there, one in the wrong order at half. A Chinese keyword of two
// characters or more counts as a pair of its own, whole. With less than one pair it is
// 0: there is nothing to tell texts apart by.
func Closeness(q Query, said string) float64 {
	const window = 3
	places := map[string][]int{}
	for i, t := range text.Tokens(said) {
		for _, f := range text.Words(t.Text) {
			places[f] = append(places[f], i)
		}
	}
	folded := text.Fold(said)
	at := func(k key) (out []int) {
		for _, f := range k.forms {
			out = append(out, places[f]...)
		}
		return out
	}
	pairs, sum := 0, 0.0
	var last []int
	for i, k := range q.keys {
		if text.CJK(first(k.folded)) && len([]rune(k.folded)) > 1 {
			pairs++
			if strings.Contains(folded, k.folded) {
				sum++
			}
		}
		now := at(k)
		if i > 0 {
			pairs++
			sum += standing(last, now, window)
		}
		last = now
	}
	if pairs == 0 {
		return 0
	}
	return sum / float64(pairs)
}

// standing is 1 when one of b stands at most so many words behind one of a, a half
// when it does before it.
func standing(a, b []int, window int) (best float64) {
	for _, x := range a {
		for _, y := range b {
			switch {
			case y > x && y-x <= window:
				return 1
			case y < x && x-y <= window:
				best = 0.5
			}
		}
	}
	return best
}
