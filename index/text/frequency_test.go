package text

import "testing"

func TestFrequency(t *testing.T) {
	// Each word is more frequent than the next.
	words := []string{"的", "中国", "电影", "门票", "章鱼"}
	for i, w := range words {
		f := Frequency(w)
		if f <= 0 || f > 1e6 {
			t.Errorf("Frequency(%s) = %g", w, f)
		}
		if i > 0 && f >= Frequency(words[i-1]) {
			t.Errorf("%s %g is not rarer than %s %g", w, f, words[i-1], Frequency(words[i-1]))
		}
	}
	for _, w := range []string{"", "memory", "的电影", "\xff"} {
		if f := Frequency(w); f != 0 {
			t.Errorf("Frequency(%q) = %g", w, f)
		}
	}
}
