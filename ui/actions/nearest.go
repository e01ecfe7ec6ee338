package actions

import (
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// nearest finds the mode's command that begins so, or else the one with the name
// that takes the fewest changes. More changes than half the name are no likeness.
func (m Mode) nearest(name string) (Action, bool) {
	name = text.Fold(name)
	for _, c := range m.All() {
		if strings.HasPrefix(c.Name, name) {
			return c, true
		}
	}
	var best Action
	least := utf8.RuneCountInString(name)/2 + 1
	for _, c := range m.All() {
		for _, other := range append([]string{c.Name}, c.Aliases...) {
			if d := text.Distance(name, other); d < least {
				best, least = c, d
			}
		}
	}
	return best, best.Name != ""
}

// subsequence reports whether t has the letters of s in this order.
func subsequence(s, t string) bool {
	rest := []rune(s)
	for _, r := range t {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
