package retrieve

import "memoria/index/text"

// PassageWords is the length of a passage in words (R11). Passages overlap by half.
const PassageWords = 80

// BM25's parameters (R3), as in package index.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// gramsPerWord is the approximate number of grams per word of a Chinese text.
const gramsPerWord = 3

// Passages scores texts by their best passage.
type Passages struct {
	// Words and Grams are the weights of the question's terms: boost times idf.
	Words, Grams map[string]float64
}

// Best returns the BM25 score of a text's best passage, without the factor k1 + 1. A
// passage of PassageWords words counts as having mean length.
func (p Passages) Best(said string) (best float64) {
	tokens := text.Tokens(said)
	for lo := 0; lo < len(tokens); lo += PassageWords / 2 {
		hi := min(lo+PassageWords, len(tokens))
		piece := said[tokens[lo].Start:tokens[hi-1].End]
		score := bm25(text.Words(piece), p.Words, PassageWords)
		if len(p.Grams) > 0 {
			score += bm25(text.Grams(piece), p.Grams, gramsPerWord*PassageWords)
		}
		best = max(best, score)
		if hi == len(tokens) {
			break
		}
	}
	return best
}

func bm25(terms []string, weights map[string]float64, mean float64) (sum float64) {
	tf := make(map[string]float64, len(weights))
	for _, t := range terms {
		if _, ok := weights[t]; ok {
			tf[t]++
		}
	}
	norm := bm25K1 * (1 - bm25B + bm25B*float64(len(terms))/mean)
	for t, f := range tf {
		sum += weights[t] * f / (f + norm)
	}
	return sum
}
