package text

import (
	_ "embed"
	"encoding/binary"
	"math"
)

// trieData is the Chinese dictionary as a trie, packed in breadth-first order and
// searched in place. Nodes are numbered from 0 level by level. So the children of a
// node are adjacent, sorted by label, and lie between its own entry in the table of
// first children and the next node's. Little-endian:
//
//	4 bytes          number of nodes n
//	4 bytes          step, float32: natural logarithm of a frequency per unit of weight
//	2 · hanCount     for each character of the dense block its node on the first level plus 1, or 0
//	2 · n            label of each node
//	1 · n            weight of the word that ends at each node: 1 + ln(frequency) / step; 0 for none
//	3 · (n + 1)      first child of each node
//
//go:embed data/words.bin
var trieData string

const (
	trieHeads  = 8
	trieLabels = trieHeads + 2*hanCount
)

// trie holds the offsets of trieData's tables.
type trie struct {
	data    string
	weights int
	first   int
}

// openTrie reads the header. It takes a few nanoseconds, so nothing is cached.
func openTrie() trie {
	n := le16(trieData, 0) | le16(trieData, 2)<<16
	return trie{data: trieData, weights: trieLabels + 2*n, first: trieLabels + 3*n}
}

// step returns the increase of a frequency's natural logarithm per unit of weight.
func (t trie) step() float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(t.data[4:8]))))
}

// head returns the node of a word's first character, or -1.
func (t trie) head(r rune) int {
	if r < hanFirst || r > hanLast {
		return -1
	}
	return le16(t.data, trieHeads+2*int(r-hanFirst)) - 1
}

// next returns the child of a node along r, or -1.
func (t trie) next(node int, r rune) int {
	at := t.first + 3*node
	low, high := le24(t.data, at), le24(t.data, at+3)
	for low < high {
		mid := (low + high) / 2
		switch label := rune(le16(t.data, trieLabels+2*mid)); {
		case label == r:
			return mid
		case label < r:
			low = mid + 1
		default:
			high = mid
		}
	}
	return -1
}

// weight returns the weight of the word that ends at a node, 1–255, or 0 for none.
func (t trie) weight(node int) int { return int(t.data[t.weights+node]) }

// word returns the weight of a whole word, or 0 if the dictionary lacks it.
func (t trie) word(w []rune) int {
	if len(w) == 0 {
		return 0
	}
	node := t.head(w[0])
	for _, r := range w[1:] {
		if node < 0 {
			break
		}
		node = t.next(node, r)
	}
	if node < 0 {
		return 0
	}
	return t.weight(node)
}
