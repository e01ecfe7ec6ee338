package retrieve

import (
	"strings"

	"memoria/index/text"
)

// closeWeight is the share of the gap between a keyword score and 1 that a full
// [Closeness] fills.
const closeWeight = 0.3

// Rerank returns the keyword score of an item with the given closeness of the message's
// words (R10).
func Rerank(keyword, closeness float64) float64 { return Combine(keyword, closeness, closeWeight) }

// Closeness measures how closely a text repeats adjacent words of the message, 0–1. It
// is the share of pairs of adjacent keywords within three words of each other; a pair
// in the wrong order counts half. A Chinese keyword of two characters or more counts as
// a pair by itself. Without pairs it is 0.
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

// standing returns 1 if an element of b follows one of a within window words, ½ if it
// precedes it.
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
