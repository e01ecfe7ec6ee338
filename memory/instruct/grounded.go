package instruct

import (
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
	var out strings.Builder
	end, last := 0, ""
	for n, t := range tokens {
		mark := ""
		for i, w := range words {
			if slices.ContainsFunc(said[n], w.has) {
				found[i] = true
				mark = w.mark
			}
		}
		if mark == "" {
			continue
		}
		between := message[end:t.Start]
		end = t.End
		if mark == last && strings.TrimSpace(between) == "" {
			continue
		}
		out.WriteString(between + " " + mark + " ")
		last = mark
	}
	out.WriteString(message[end:])
	for i, w := range words {
		if found[i] {
			named = append(named, w.item)
		}
	}
	return out.String(), named
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
