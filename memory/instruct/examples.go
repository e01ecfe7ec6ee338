package instruct

import (
	"encoding/json"

	"memoria/memory"
	"memoria/memory/classify"
	"memoria/memory/policy"
)

// NoInstruction is the class of the examples that want nothing from the memory.
const NoInstruction = "none"

// ofAll is at the end of the class of the examples that are about everything.
const ofAll = "-all"

// example is a message of which one knows what it wants.
type example struct {
	Text  string   `json:"text"`
	Kind  string   `json:"kind"`
	All   bool     `json:"all,omitempty"`
	Holds []string `json:"holds,omitempty"` // said before: what of it the memory keeps is named in Text
	// Writer is who wrote it.
	Writer string `json:"writer"`
}

// ReadExamples reads the examples of a file of JSON lines, grounded in what the memory keeps of what was said before.
func ReadExamples(path string) (out []classify.Example, err error) {
	err = classify.ReadLines(path, func(line []byte) error {
		var e example
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if e.All && Kind(e.Kind) == Forget {
			e.Kind += ofAll
		}
		grounded, _ := Ground(e.Text, kept(e.Holds))
		out = append(out, classify.Example{Text: grounded, Class: e.Kind, Writer: e.Writer})
		return nil
	})
	return out, err
}

// kept is what the rules make of some messages.
func kept(messages []string) (items []memory.Item) {
	p := policy.New(policy.Default())
	for _, said := range messages {
		for _, c := range p.Extract(said) {
			if c.OnlyEnds() {
				continue
			}
			items = append(items, memory.Item{Type: c.Type, Key: c.Key, Content: c.Content, Value: c.Value, State: memory.StateActive})
		}
	}
	return items
}
