package retrieve

import "memoria/index/text"

// deep is how many times the number of items to send Diversify looks among.
const deep = 4

// Diversify chooses anew among the items that may be sent (R10): one after the other,
// each time the one whose score, at 1−how much, less how much it is like an item that
// is chosen already, at how much, is highest (maximal marginal relevance; Carbonell,
// Goldstein 1998). Scores are taken relative to the best, so that both are from 0 to
// 1. It looks among four times as many items as are sent. like gives how much two
// items are alike, 0–1. Equal items keep their order.
//
// ranked is what [Rank] returned for cfg, and what comes back is in the same form.
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
	nearest := make([]float64, len(pool)) // of each, how like the chosen one it is most like
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

// Alike is how much two texts are alike in their words, 0–1: the share of the words
// and characters of both that both have.
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
