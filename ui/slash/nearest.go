package slash

import (
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// nearest finds the mode's command that begins so, or else the one with the name
// that takes the fewest changes. More changes than half the name are no likeness.
func (m Mode) nearest(name string) (Command, bool) {
	name = text.Fold(name)
	for _, c := range m.All() {
		if strings.HasPrefix(c.Name, name) {
			return c, true
		}
	}
	var best Command
	least := utf8.RuneCountInString(name)/2 + 1
	for _, c := range m.All() {
		for _, other := range append([]string{c.Name}, c.Aliases...) {
			if d := distance([]rune(name), []rune(other)); d < least {
				best, least = c, d
			}
		}
	}
	return best, best.Name != ""
}

// distance counts the letters that must be put in, left out, replaced or swapped
// with a neighbour to make b of a.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// subsequence reports whether the letters of s stand in t in this order.
func subsequence(s, t string) bool {
	rest := []rune(s)
	for _, r := range t {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
