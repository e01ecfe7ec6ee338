package text

import (
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The dictionary's tables are what dict.go says: children sorted, ranges in order, every head a node.
func TestTrieIsWellFormed(t *testing.T) {
	d := openTrie()
	n := (d.first - trieLabels) / 3
	if want := trieLabels + 3*n + 3*(n+1); len(trieData) != want {
		t.Fatalf("words.bin has %d bytes, its header says %d", len(trieData), want)
	}
	heads := 0
	for r := rune(hanFirst); r <= hanLast; r++ {
		if node := d.head(r); node >= 0 {
			heads++
			if label := rune(le16(d.data, trieLabels+2*node)); label != r {
				t.Fatalf("head of %c is labelled %c", r, label)
			}
		}
	}
	next, words := heads, 0
	for node := range n {
		low, high := le24(d.data, d.first+3*node), le24(d.data, d.first+3*node+3)
		if low != next || high < low || high > n {
			t.Fatalf("children of node %d are [%d, %d), want from %d", node, low, high, next)
		}
		for c := low + 1; c < high; c++ {
			if le16(d.data, trieLabels+2*c) <= le16(d.data, trieLabels+2*c-2) {
				t.Fatalf("children of node %d are not sorted", node)
			}
		}
		if d.weight(node) > 0 {
			words++
		} else if low == high {
			t.Fatalf("node %d ends no word and has no children", node)
		}
		next = high
	}
	if next != n || words < 100_000 {
		t.Errorf("%d of %d nodes reached, %d words", next, n, words)
	}
}

func TestTrieWords(t *testing.T) {
	d := openTrie()
	for _, w := range []string{"的", "喜欢", "代码", "人工智能", "资料库", "机器学习", "螺蛳粉", "中华人民共和国"} {
		if d.word([]rune(w)) == 0 {
			t.Errorf("%s is not in the dictionary", w)
		}
	}
	for _, w := range []string{"", "写代码", "喜", "資料庫", "a", "中华人民共", "𠮷", "々"} {
		if got := d.word([]rune(w)); got != 0 && w != "喜" {
			t.Errorf("%s is in the dictionary with weight %d", w, got)
		}
	}
	// 的 is the commonest word: 318,825 times.
	if f := math.Exp(float64(d.word([]rune("的"))-1) * d.step()); math.Abs(f/318825-1) > 0.01 {
		t.Errorf("frequency of 的 reads as %.0f", f)
	}
}

// The embedded data stay small: what they cost is the size of the binary, and nothing at start.
func TestDataSize(t *testing.T) {
	if total := len(trieData) + len(hanTable) + len(stopEnglish) + len(stopChinese) + len(irregularForms); total > 1_600_000 {
		t.Errorf("%d bytes embedded", total)
	}
	run := []rune("喜欢")
	ends := make([]int, 0, 8)
	if got := testing.AllocsPerRun(100, func() { openTrie().word(run); ends = walk(run, ends[:0]) }); got > 2 {
		t.Errorf("a look-up and a walk allocate %v times", got)
	}
}

// slowBest is the best score of a cut by trying every cut.
func slowBest(d trie, run []rune) int {
	if len(run) == 0 {
		return 0
	}
	best := math.MinInt
	for n := 1; n <= len(run); n++ {
		w := d.word(run[:n])
		if w == 0 && n > 1 {
			continue
		}
		best = max(best, max(w, 1)-int(logTotal/d.step())+slowBest(d, run[n:]))
	}
	return best
}

// The walk finds the best of all cuts.
func TestWalkAgainstEveryCut(t *testing.T) {
	d := openTrie()
	chars := []rune("我喜欢用写代码机器学习中华人民共和国的了在杭州西湖区研究生命起源々𠮷")
	rapid.Check(t, func(t *rapid.T) {
		run := rapid.SliceOfN(rapid.RuneFrom(chars), 0, 10).Draw(t, "run")
		score, start := 0, 0
		for _, end := range walk(run, nil) {
			score += max(d.word(run[start:end]), 1) - int(logTotal/d.step())
			start = end
		}
		if start != len(run) {
			t.Fatalf("the walk over %s ends at %d", string(run), start)
		}
		if want := slowBest(d, run); score != want {
			t.Fatalf("the walk over %s scores %d, the best cut %d", string(run), score, want)
		}
	})
}

// Words that were added to the dictionary are preferred to their parts.
func TestExtraWordsAreWords(t *testing.T) {
	list, err := os.ReadFile("internal/gendict/extra.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			if got := tokenTexts(w); len(got) != 1 {
				t.Errorf("%s is cut into %v", w, got)
			}
		}
	}
}
