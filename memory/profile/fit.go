package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// MaxTokens is the exclusive limit of a document (W5).
const MaxTokens = 800

// maxHidden bounds the hidden lines. A dropped line returns when its item changes.
const maxHidden = 100

// TooLongError says that the user's own text is too long.
type TooLongError struct{ Tokens int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("your own text is about %d tokens; the profile stays under %d, so it has to be shorter", e.Tokens, MaxTokens)
}

// Fit hides derived lines that repeat another line or have no room, least important
// first, and shows those that have. count counts tokens.
func Fit(lines []memory.ProfileLine, count func(string) int) ([]memory.ProfileLine, error) {
	out := slices.Clone(lines)
	var order []int
	said := map[string]bool{}
	for i := range out {
		if out[i].Hidden = out[i].Derived(); out[i].Hidden {
			order = append(order, i)
		} else {
			said[folded(out[i].Text)] = true
		}
	}
	size := count(Markdown(out))
	if size >= MaxTokens {
		return nil, &TooLongError{Tokens: size}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(out[y].Importance, out[x].Importance) })
	hidden := map[int]bool{}
	for _, i := range order {
		// Counting the whole document for each line would take most of the write's
		// time.
		n, same := count(out[i].Text+"\n"), folded(out[i].Text)
		if out[i].Hidden = said[same] || size+n >= MaxTokens; out[i].Hidden {
			hidden[i] = true
			continue
		}
		size, said[same] = size+n, true
	}
	for _, i := range slices.Backward(order) { // the sum may be less than the whole
		if count(Markdown(out)) < MaxTokens {
			break
		}
		if !hidden[i] {
			out[i].Hidden, hidden[i] = true, true
		}
	}
	if over := len(hidden) - maxHidden; over > 0 {
		drop := map[int]bool{}
		for _, i := range slices.Backward(order) {
			if hidden[i] && over > 0 {
				drop[i], over = true, over-1
			}
		}
		kept := out[:0:0]
		for i, l := range out {
			if !drop[i] {
				kept = append(kept, l)
			}
		}
		out = kept
	}
	return tidy(out), nil
}

// folded returns a line's text for detecting repeats.
func folded(line string) string {
	return strings.TrimRight(strings.TrimSpace(text.Fold(Said(line))), ".。!！")
}

// Equal reports whether two profiles are equal, now and after further changes.
func Equal(x, y memory.Profile) bool {
	alike := func(x, y memory.ProfileLine) bool {
		return placeOf(x) == placeOf(y) && x.ItemID == y.ItemID && x.Hidden == y.Hidden
	}
	return slices.EqualFunc(x.Lines, y.Lines, alike) && slices.Equal(x.Removed, y.Removed)
}
