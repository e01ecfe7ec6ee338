package instruct

import (
	"maps"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
)

// Marks in a grounded message: they replace words that name something in the memory.
const (
	someItem = "@"
	someRule = "§"
)

// Ground replaces the words of a message that name an item by a mark, one for a rule and one for anything
// else. It also returns the named items, in order. The instruction's kind can be told from the other words,
// whatever it is about: "get rid of the @ thing", "you may § again".
func Ground(message string, items []memory.Item) (grounded string, named []memory.Item) {
	grounded, named, _ = ground(message, items)
	return grounded, named
}

// ground is [Ground]. closest are those of the named items that a message names best: by all of its words next to each
// other, not by one of them.
func ground(message string, items []memory.Item) (grounded string, named, closest []memory.Item) {
	tokens := text.Tokens(message)
	said := make([][]string, len(tokens))
	for i, t := range tokens {
		said[i] = append(text.Words(message[t.Start:t.End]), text.Fold(message[t.Start:t.End]))
	}
	sieve := text.NewSieve(text.Words(message)...)
	var words []itemWords
	for _, it := range items {
		if it.State == memory.StateInactive {
			continue
		}
		st, _ := policy.StatementOf(it.Value)
		value := text.Fold(st.Value)
		exactly := func(forms []string) bool { return value != "" && slices.Contains(forms, value) }
		// A rule is also named by words for the manner of answers, which it need not
		// contain.
		if it.Type == memory.TypeRule || sieve.Passes(it.Content) || sieve.Passes(value) || slices.ContainsFunc(said, exactly) {
			words = append(words, wordsToFind(it, value))
		}
	}
	found := make([]bool, len(words))
	var runs []map[int]int // of marked words next to each other: how many of them each item has
	var out strings.Builder
	end, last, before := 0, "", -2
	for n, t := range tokens {
		mark := ""
		has := map[int]int{}
		for i, w := range words {
			if slices.ContainsFunc(said[n], w.has) {
				found[i] = true
				has[i] = 1
				mark = w.mark
			}
		}
		if mark == "" {
			continue
		}
		if n == before+1 && strings.TrimSpace(message[end:t.Start]) == "" {
			for i := range has {
				runs[len(runs)-1][i]++
			}
		} else {
			runs = append(runs, has)
		}
		before = n
		between := message[end:t.Start]
		end = t.End
		if mark == last && strings.TrimSpace(between) == "" {
			continue
		}
		out.WriteString(between + " " + mark + " ")
		last = mark
	}
	out.WriteString(message[end:])
	best := best(runs)
	for i, w := range words {
		if found[i] {
			named = append(named, w.item)
		}
		if best[i] {
			closest = append(closest, w.item)
		}
	}
	return out.String(), named, closest
}

// best returns the items that have most words of each run, and if there is none, of one of them.
func best(runs []map[int]int) map[int]bool {
	of := make([]map[int]bool, len(runs))
	all := map[int]bool{}
	for n, run := range runs {
		most := 0
		for _, has := range run {
			most = max(most, has)
		}
		of[n] = map[int]bool{}
		for i, has := range run {
			if has == most {
				of[n][i], all[i] = true, true
			}
		}
	}
	every := maps.Clone(all)
	maps.DeleteFunc(every, func(i int, _ bool) bool {
		return slices.ContainsFunc(of, func(best map[int]bool) bool { return !best[i] })
	})
	if len(every) > 0 {
		return every
	}
	return all
}

// itemWords are the words by which a message names an item.
type itemWords struct {
	item  memory.Item
	words []string
	mark  string
}

func (w itemWords) has(word string) bool { return slices.Contains(w.words, word) }

func wordsToFind(it memory.Item, value string) itemWords {
	out := itemWords{item: it, mark: someItem}
	if it.Type == memory.TypeRule {
		m := knownManners()
		out.mark = someRule
		for _, w := range text.Words(it.Content) {
			if !slices.Contains(m.noise, w) {
				out.words = append(out.words, w)
			}
		}
		named := m.in(it.Content)
		for _, name := range named {
			for _, other := range append(m.against[name], name) {
				for _, w := range m.words[other] {
					out.words = append(out.words, append(text.Words(w), w)...)
				}
			}
		}
		return out
	}
	out.words = retrieve.Analyse(it.Content, "").Distinctive
	if value != "" {
		out.words = append(append(out.words, text.Words(value)...), value)
	}
	return out
}
