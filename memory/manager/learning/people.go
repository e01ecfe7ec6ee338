package learning

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/subject"
	"memoria/memory/store"
)

// peopleIn returns the people and animals known by name that a message may be about. It reads the items that
// tell a name, and of those in the user's words the ones whose key has a word with which a clause begins.
func peopleIn(tx *store.Tx, agent string, said memory.Record) ([]subject.Person, error) {
	starts := subject.Starts(said.Typed())
	if len(starts) == 0 {
		return nil, nil
	}
	named, err := tx.ItemsWithKey(agent, "relation/", func(key string) bool { return strings.HasSuffix(key, "/name") })
	if err != nil {
		return nil, err
	}
	parts := keyWords(starts)
	words, err := tx.ItemsWithKey(agent, policy.SaidKey, func(key string) bool {
		return slices.ContainsFunc(parts, func(w string) bool { return strings.Contains(key, w) })
	})
	if err != nil {
		return nil, err
	}
	var people []subject.Person
	for i, it := range append(named, words...) {
		folded := text.Fold(it.Content)
		if it.State != memory.StateActive || !slices.ContainsFunc(starts, func(s string) bool { return strings.Contains(folded, s) }) {
			continue
		}
		for _, p := range subject.People(it.Content) {
			p.Shared = p.Shared || i >= len(named) // the slots of the relation may be those of another
			people = append(people, p)
		}
	}
	return subject.Together(people), nil
}

// keyWords returns parts of the beginnings of clauses that the keys of items have, however they divide
// Chinese text into words.
func keyWords(starts []string) []string {
	out := slices.Clone(starts)
	for i, s := range out {
		if r := []rune(s); text.Han(r[0]) {
			out[i] = string(r[1:])
		}
	}
	return out
}
