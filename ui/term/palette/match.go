package palette

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// match returns the commands that match a filter, the best first. Those that have every word
// of the filter come before those that only have its letters in order. An empty filter
// matches all but the quiet ones, in their order.
func match(all []Command, filter string) []Command {
	words := strings.Fields(strings.ToLower(filter))
	if len(words) == 0 {
		return slices.DeleteFunc(slices.Clone(all), func(c Command) bool { return c.Quiet })
	}
	type found struct {
		Command
		score int
	}
	var out []found
	for _, c := range all {
		if score, ok := rank(c, words); ok {
			out = append(out, found{c, score})
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	shown := make([]Command, len(out))
	for i, f := range out {
		shown[i] = f.Command
	}
	return shown
}

// The scores of words that a command has. They are above those of letters alone.
const (
	hasWord   = 10_000 // within a word
	startWord = 20_000 // at the start of a word
	wholeWord = 30_000
)

// named reports whether a filter is a whole name of a command; "undo turn" is undo-turn. Words
// that only describe it are in sentences too, and one letter is the beginning of many words.
func named(c Command, filter string) bool {
	spelled := func(name string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), "-", " ")), " ")
	}
	name := spelled(filter)
	return len([]rune(name)) > 1 && slices.ContainsFunc(append(strings.Fields(c.Words), c.ID),
		func(of string) bool { return spelled(of) == name })
}

// rank adds the scores of the words. ok is false when one of them does not match.
func rank(c Command, words []string) (score int, ok bool) {
	targets := append([]string{c.Name}, strings.Fields(c.Words)...)
	text := strings.ToLower(c.Name + " " + c.Words)
	for _, w := range words {
		switch {
		case slices.Contains(strings.Fields(text), w):
			score += wholeWord
		case strings.HasPrefix(text, w), strings.Contains(text, " "+w):
			score += startWord
		case strings.Contains(text, w):
			score += hasWord
		case c.Quiet:
			return 0, false
		default:
			best := -1 // letters that are far apart match nothing
			for _, f := range fuzzy.Find(w, targets) {
				best = max(best, f.Score)
			}
			if best < 0 {
				return 0, false
			}
			score += best
		}
	}
	if c.Quiet { // below every other one that has the words
		score /= hasWord / 1000
	}
	return score, true
}
