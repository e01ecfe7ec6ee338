package learning

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/manager/write"
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

// withName returns the content of a new item with the name of the one that it is about, if the item that it replaces says the
// name behind the same words: "Sister lives in Berlin." in place of "Sister Beata lives in Gdansk."
func withName(t *write.Tx, c policy.Candidate, old memory.Item) (string, error) {
	parts := strings.Split(c.Key, "/")
	if len(parts) < 3 || parts[0] != "relation" || parts[2] == "name" || !policy.SameSlot(c.Key, old.Key) {
		return c.Content, nil
	}
	called, err := t.ItemsWithKey(t.Owner.ID, "relation/"+parts[1]+"/name", func(key string) bool { return strings.Count(key, "/") == 2 })
	for _, it := range called {
		st, _ := policy.StatementOf(it.Value)
		at := strings.Index(old.Content, st.Value)
		if it.State != memory.StateActive || st.Value == "" || at <= 0 || !strings.HasPrefix(c.Content, old.Content[:at]) ||
			strings.Contains(c.Content, st.Value) {
			continue
		}
		rest := c.Content[at:]
		if !strings.HasPrefix(old.Content[at+len(st.Value):], " ") {
			return old.Content[:at] + st.Value + rest, err
		}
		return old.Content[:at] + st.Value + " " + rest, err
	}
	return c.Content, err
}
