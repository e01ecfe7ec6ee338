package instruct

import (
	"slices"
	"strings"
	"sync"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy/wording"
)

// manners are the words of data/manners.txt.
type manners struct {
	words   map[string][]string
	against map[string][]string
	noise   []string // stems of words that do not identify a rule
	limits  []string // words that forbid an excess
}

var knownManners = sync.OnceValue(func() manners {
	m := manners{words: map[string][]string{}, against: map[string][]string{}}
	for _, line := range pattern.Lines(read("manners.txt")) {
		if name, others, ok := strings.Cut(line, " against "); ok {
			m.against[name] = append(m.against[name], strings.Fields(others)...)
			continue
		}
		name, words, _ := strings.Cut(line, ":")
		for w := range strings.SplitSeq(words, "|") {
			w = text.Fold(strings.TrimSpace(w))
			switch name {
			case "noise":
				m.noise = append(m.noise, w)
				m.noise = append(m.noise, text.Words(w)...)
			case "limits":
				m.limits = append(m.limits, w)
			default:
				m.words[name] = append(m.words[name], w)
			}
		}
	}
	for a, others := range m.against {
		for _, b := range others {
			if a != "normal" && !slices.Contains(m.against[b], a) {
				m.against[b] = append(m.against[b], a)
			}
		}
	}
	return m
})

// in returns the manners that a text names.
func (m manners) in(s string) (out []string) {
	p, _ := newPlain(s, nil)
	padded := " " + p.text
	for name, words := range m.words {
		if slices.ContainsFunc(words, func(w string) bool {
			return han(w) && strings.Contains(padded, w) || !han(w) && strings.Contains(padded, " "+w+" ")
		}) {
			out = append(out, name)
		}
	}
	return out
}

// Withdrawn returns the rules among items that an instruction of kind [Withdraw] ends: those that ask for
// something no longer wanted, or that exclude something allowed again.
func Withdrawn(in Instruction, items []memory.Item) (out []memory.Item) {
	m := knownManners()
	named := m.in(in.Object)
	for _, it := range items {
		isName := it.Key == "name" || it.Key == "name/nickname"
		switch {
		case in.Guessed:
			if len(in.Named) == 1 && in.names(it) && it.State != memory.StateInactive {
				out = append(out, it)
			}
		case it.State == memory.StateInactive || it.Type != memory.TypeRule && !isName:
		case isName:
			if !in.Again && slices.Contains(named, "name") && lastWordIn(in.Object, it.Content) {
				out = append(out, it)
			}
		case m.ends(in, named, it):
			out = append(out, it)
		}
	}
	return out
}

// ends reports whether an instruction that names some manners ends a rule.
func (m manners) ends(in Instruction, named []string, rule memory.Item) bool {
	has, forbids := m.in(rule.Content), m.forbids(rule.Content)
	if in.Unsure { // it may be about anything
		return m.endsByWords(in, named, has, forbids, rule)
	}
	for _, n := range named {
		asks := slices.Contains(has, n)
		excludes := !forbids && slices.ContainsFunc(m.against[n], func(o string) bool { return slices.Contains(has, o) }) &&
			!slices.Contains(has, n)
		switch {
		case n == "name": // the name is in the rule's words
			if asks && !in.Again && lastWordIn(in.Object, rule.Content) {
				return true
			}
		case in.Either && asks, in.Again && (forbids && asks || excludes), !in.Again && !forbids && asks:
			return true
		}
	}
	switch {
	case in.Either, !in.Again && !forbids, in.Again && forbids: // other rules are identified by their words
		return in.Object != "" && (says(in.Object, rule) || !in.Unsure && Repeats(in.Object, rule))
	}
	return false
}

// forbids reports whether a rule forbids or limits something.
func (m manners) forbids(rule string) bool {
	rule = text.Fold(rule)
	return wording.Negated(rule) || slices.ContainsFunc(m.limits, func(w string) bool { return strings.Contains(rule, w) })
}

// explained is the minimum share of an instruction's words that a meant rule has.
const explained = 0.6

// endsByWords reports whether an ambiguous instruction ends a rule: nearly all of its words, except those
// common to such instructions, are the rule's, or name what the rule excludes.
func (m manners) endsByWords(in Instruction, named, has []string, forbids bool, rule memory.Item) bool {
	excluded, shared := false, false
	for _, n := range named {
		shared = shared || slices.Contains(has, n)
		excluded = excluded || !slices.Contains(has, n) &&
			slices.ContainsFunc(m.against[n], func(o string) bool { return slices.Contains(has, o) })
	}
	switch {
	case in.Either, !in.Again && !forbids, in.Again && forbids, in.Again && excluded:
	default:
		return false
	}
	known, total := 0, 0
	said := wordsOf(rule)
	for _, w := range text.Words(in.Object) {
		if slices.Contains(m.noise, w) {
			continue
		}
		total++
		inRule := han(w) && strings.Contains(text.Fold(said), w) || slices.Contains(text.Words(said), w) || says(w, rule)
		if inRule || m.explains(w, named, has, in.Again && excluded) {
			known++
		}
	}
	if total == 0 {
		return shared || in.Again && excluded
	}
	return float64(known) >= explained*float64(total)
}

// explains reports whether a word belongs to a manner that an instruction and a rule share, or that the rule
// excludes.
func (m manners) explains(word string, named, has []string, excluded bool) bool {
	return slices.ContainsFunc(named, func(n string) bool {
		return (slices.Contains(has, n) || excluded) && slices.ContainsFunc(m.words[n], func(w string) bool {
			return w == word || slices.Contains(text.Words(w), word)
		})
	})
}

// lastWordIn reports whether a text has the last word of another: the name in "calling me boss".
func lastWordIn(of, s string) bool {
	p, _ := newPlain(of, nil)
	whole, _ := newPlain(s, nil)
	words := strings.Fields(p.text)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	for _, before := range values().Words("beforeName") {
		if i := strings.LastIndex(last, before); i >= 0 {
			last = last[i+len(before):]
		}
	}
	return last != "" && strings.Contains(whole.text, last)
}
