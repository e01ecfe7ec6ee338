package text

import "math"

// Frequency returns the dictionary's frequency of a Chinese word per million words of
// running text: 的 some 50,000, 电影 some hundred, 无人机 less than one. It returns 0
// if the dictionary lacks the word: a name, a new word, or one of another script. The
// word must be folded, as a [Token] is.
func Frequency(word string) float64 {
	const perMillion = 1e6
	t := openTrie()
	w := t.word([]rune(word))
	if w == 0 {
		return 0
	}
	return perMillion * math.Exp(float64(w-1)*t.step()-logTotal)
}
