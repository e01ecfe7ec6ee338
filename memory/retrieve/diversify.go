package retrieve

import "memoria/index/text"

// deep is the pool size of Diversify, as a multiple of the items sent.
const deep = 4

// Diversify reselects items by maximal marginal relevance (R10; Carbonell, Goldstein
// 1998). It picks items one by one: each time the one with the highest score, weighted
// 1−how much, minus its similarity to a chosen item, weighted how much. Scores are
// relative to the best, so that both terms are from 0 to 1. The pool is four times as
// many items as are sent. like returns the similarity of two items, 0–1. Ties keep
// their order.
//
// ranked is the result of [Rank] for cfg; the result has the same form.
func Diversify(ranked []Ranked, cfg Config, like func(a, b string) float64) []Ranked {
	var pool, rest []Ranked
	for _, r := range ranked {
		if r.fits && len(pool) < deep*cfg.TopN {
			pool = append(pool, r)
		} else {
			rest = append(rest, r)
		}
	}
	if cfg.Diversify == 0 || len(pool) <= 1 || pool[0].Score <= 0 {
		return ranked
	}
	best := 0.0
	for _, r := range pool {
		best = max(best, r.Score)
	}
	nearest := make([]float64, len(pool)) // each item's highest similarity to a chosen one
	out := make([]Ranked, 0, len(ranked))
	taken := make([]bool, len(pool))
	for len(out) < min(cfg.TopN, len(pool)) {
		pick, value := -1, 0.0
		for i, r := range pool {
			if taken[i] {
				continue
			}
			if v := (1-cfg.Diversify)*r.Score/best - cfg.Diversify*nearest[i]; pick < 0 || v > value {
				pick, value = i, v
			}
		}
		taken[pick] = true
		r := pool[pick]
		if !r.Chosen {
			r.Why = why(&r) + ", unlike the others"
		}
		r.Chosen = true
		out = append(out, r)
		for i := range pool {
			if !taken[i] {
				nearest[i] = max(nearest[i], like(r.ID, pool[i].ID))
			}
		}
	}
	for i, r := range pool {
		if taken[i] {
			continue
		}
		if r.Chosen {
			r.Why = "too much like a better one: diversify prefers others"
		}
		r.Chosen = false
		out = append(out, r)
	}
	return append(out, rest...)
}

// Alike returns the similarity of two texts, 0–1: the share of all their words and
// characters that both have.
func Alike(a, b string) float64 {
	of := func(s string) map[string]bool {
		set := map[string]bool{}
		for _, w := range text.Words(s) {
			set[w] = true
		}
		for _, g := range text.Grams(s) {
			set[g] = true
		}
		return set
	}
	x, y := of(a), of(b)
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return share(both, len(x)+len(y)-both)
}
