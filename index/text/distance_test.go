package text

import (
	"testing"

	"pgregory.net/rapid"
)

// I8: names that were mistyped are near to the ones that were meant.
func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"list", "list", 0}, {"lsit", "list", 1}, {"lsit", "edit", 2}, {"日记", "日志", 1}, {"", "abc", 3},
	} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	word := rapid.StringMatching(`[a-c日]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		ab, long := Distance(a, b), max(len([]rune(a)), len([]rune(b)))
		switch {
		case (ab == 0) != (a == b), ab != Distance(b, a), ab > long:
			t.Fatalf("%q %q: %d", a, b, ab)
		case Distance(a, a+"x") != 1:
			t.Fatalf("%q: one letter more", a)
		}
	})
}
