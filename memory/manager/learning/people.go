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

// peopleIn returns the people and animals known by name. It reads the items that tell a name, and of those in the
// user's words the ones whose key has a word with which a clause of the message begins.
func peopleIn(tx *store.Tx, agent string, said memory.Record) ([]subject.Person, error) {
	items, err := tx.ItemsWithKey(agent, "relation/", func(key string) bool { return strings.HasSuffix(key, "/name") })
	if err != nil {
		return nil, err
	}
	married, err := tx.ItemsWithKey(agent, "relationship/status", func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	items = append(items, married...)
	if starts := subject.Starts(said.Typed()); len(starts) > 0 {
		parts := keyWords(starts)
		words, err := tx.ItemsWithKey(agent, policy.SaidKey, func(key string) bool {
			return slices.ContainsFunc(parts, func(w string) bool { return strings.Contains(key, w) })
		})
		if err != nil {
			return nil, err
		}
		items = append(items, slices.DeleteFunc(words, func(it memory.Item) bool {
			folded := text.Fold(it.Content)
			return !slices.ContainsFunc(starts, func(s string) bool { return strings.Contains(folded, s) })
		})...)
	}
	var people []subject.Person
	for _, it := range items {
		people = append(people, namedIn(it)...)
	}
	return subject.Together(people), nil
}

// namedIn returns the people and animals that an active item names. If the item does not hold the name in the slot
// of the relation, the slots of the relation may be those of another.
func namedIn(it memory.Item) []subject.Person {
	if it.State != memory.StateActive {
		return nil
	}
	people := subject.People(it.Content)
	for i, p := range people {
		people[i].Shared = p.Shared || !p.Alone(it.Key)
	}
	return people
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
