package memory

import "errors"

// ItemMetadata holds the facts about an item that only some items have. In JSON it is an
// object of strings, sorted by name.
type ItemMetadata struct {
	// Ended says how the item's subject ended.
	Ended string `json:"ended,omitempty"`
	// Program names the other program that proposed the item (P10).
	Program string `json:"program,omitempty"`
	// Rule names the rule of the policy that admitted the item.
	Rule string `json:"rule,omitempty"`
	// StillTrue is the id of the item that the user is asked to confirm (P9b).
	StillTrue string `json:"still_true,omitempty"`
	// WouldEnd says that accepting the item ends the item of WouldReplace without a
	// successor.
	WouldEnd Yes `json:"would_end,omitempty"`
	// WouldReplace is the id of the item that ends when this one is accepted.
	WouldReplace string `json:"would_replace,omitempty"`
}

// Field is a named value, as shown to a person.
type Field struct{ Name, Value string }

// Fields returns the fields that are set, with their JSON names.
func (m ItemMetadata) Fields() []Field {
	var out []Field
	add := func(name, value string) {
		if value != "" {
			out = append(out, Field{name, value})
		}
	}
	add("ended", m.Ended)
	add("program", m.Program)
	add("rule", m.Rule)
	add("still_true", m.StillTrue)
	if m.WouldEnd {
		add("would_end", yes)
	}
	add("would_replace", m.WouldReplace)
	return out
}

// RecordMetadata holds the facts about a record that only some records have. In JSON it is
// an object of strings, sorted by name.
type RecordMetadata struct {
	// Answers is the id of the message that a regenerated answer belongs to, if it has
	// another turn than the answer.
	Answers string `json:"answers,omitempty"`
	// Degraded says why a search by the model was incomplete (R4).
	Degraded string `json:"degraded,omitempty"`
	// Edits is the id of the message that this one replaces, until its turn begins.
	Edits string `json:"edits,omitempty"`
	// Error says what ended an answer before it was complete, in words.
	Error string `json:"error,omitempty"`
	// Forgetful excludes a message and its answer from learning (U5).
	Forgetful bool `json:"forgetful,omitempty,string"`
	// Imported marks a message of another program's conversation (D1). Nothing is learned
	// from it by itself, and no model summarises it.
	Imported bool `json:"imported,omitempty,string"`
	// Redacted is how many deletions removed words from a derived record (D2).
	Redacted int `json:"redacted,omitempty,string"`
	// Ruled marks the partial answer to a message that has, or had, a job for the rules.
	Ruled bool `json:"ruled,omitempty,string"`
}

// Yes is a flag whose JSON is "yes".
type Yes bool

const yes = "yes"

// MarshalText implements [encoding.TextMarshaler]. A flag that is not set has no text, so its
// field needs omitempty.
func (y Yes) MarshalText() ([]byte, error) {
	if !y {
		return nil, errors.New("a flag that is not set has no text")
	}
	return []byte(yes), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler]. Any text sets the flag.
func (y *Yes) UnmarshalText(b []byte) error {
	*y = len(b) > 0
	return nil
}
