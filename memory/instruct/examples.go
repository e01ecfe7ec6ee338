package instruct

import (
	"encoding/json"
	"math/rand/v2"

	"memoria/memory"
	"memoria/memory/classify"
)

// NoInstruction is the class of the examples without an instruction.
const NoInstruction = "none"

// ofAll is the class suffix of the examples about everything.
const ofAll = "-all"

// example is a message with a known instruction.
type example struct {
	Text  string   `json:"text"`
	Kind  string   `json:"kind"`
	All   bool     `json:"all,omitempty"`
	Holds []string `json:"holds,omitempty"` // earlier messages: the memories of them are named in Text
	// Writer is the author.
	Writer string `json:"writer"`
}

// besides is the number of other items in the memory in the second reading of an example.
const besides = 40

// ReadExamples reads the examples of a file of JSON lines, each grounded twice: in the memories of its
// earlier messages, and in these with items of other examples. Most memories have more than one message is
// about.
func ReadExamples(path string) (out []classify.Example, err error) {
	var all []example
	err = classify.ReadLines(path, func(line []byte) error {
		var e example
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if e.All && (Kind(e.Kind) == Forget || Kind(e.Kind) == List) {
			e.Kind += ofAll
		}
		all = append(all, e)
		return nil
	})
	held := map[string][]memory.Item{} // by message
	var pool []memory.Item
	for _, e := range all {
		for _, said := range e.Holds {
			if _, done := held[said]; !done {
				held[said] = kept(said)
				pool = append(pool, held[said]...)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2)) // reproducible
	for _, e := range all {
		var own []memory.Item
		for _, said := range e.Holds {
			own = append(own, held[said]...)
		}
		add := func(items []memory.Item) {
			grounded, _ := Ground(e.Text, items)
			out = append(out, classify.Example{Text: grounded, Class: e.Kind, Writer: e.Writer})
		}
		add(own)
		for range min(besides, len(pool)) {
			own = append(own, pool[random.IntN(len(pool))])
		}
		add(own)
	}
	return out, err
}

// kept returns the items that the rules make of some messages.
func kept(messages ...string) (items []memory.Item) {
	for _, said := range messages {
		for _, c := range statements(said) {
			if !c.OnlyEnds() {
				items = append(items, memory.Item{Type: c.Type, Key: c.Key, Content: c.Content, Value: c.Value, State: memory.StateActive})
			}
		}
	}
	return items
}
