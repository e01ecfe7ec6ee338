package instruct

import (
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
)

// Kind says what an instruction wants from the memory.
type Kind string

// The kinds of instructions.
const (
	List       Kind = "list"       // what is remembered? (U1)
	Undo       Kind = "undo"       // undo what was learned last (U4)
	Unrecorded Kind = "unrecorded" // do not remember this message (U5)
	Forget     Kind = "forget"     // (U2)
	Withdraw   Kind = "withdraw"   // a rule for the answers ends (U4)
	Correct    Kind = "correct"    // something is remembered wrongly (U3)
)

// Kinds returns the kinds in the order in which they are tried.
func Kinds() []Kind { return []Kind{List, Undo, Unrecorded, Forget, Withdraw, Correct} }

// Instruction is what a person wants from the memory.
type Instruction struct {
	Kind Kind
	// All says that everything is meant, or everything of Type.
	All bool
	// Type narrows the instruction to items of one type; empty for all types.
	Type memory.Type
	// Object are the words that say what is meant, as they were typed: "I like tea", "my job", 我住在上海. It is empty
	// where everything is meant.
	Object string
	// Old and New are the values of a correction, as far as it names them.
	Old, New string
	// Again says that a rule is withdrawn by allowing what it forbids ("you can use emoji again"), and not by ending
	// what it asks for ("stop using emoji").
	Again bool
	// Either says that a rule is withdrawn by its subject ("the rule about emoji"), whether it asks for that or forbids
	// it.
	Either bool
	// Unsure says that the words also have another everyday meaning: they are an instruction only when the memory
	// holds what they name.
	Unsure bool
	// Guessed says that [Guess] has told the kind by the words; Named are the items that the message names, which are meant.
	Guessed bool
	Named   []memory.Item
	keys    []string // of the subjects that a guessed list names
	// Chinese says in which language the answer is expected.
	Chinese bool
}

// Read returns the instruction that a message is; ok is false when it is none. spans are the parts that were not
// typed: a message with such a part is no instruction, but for the name of whom a message is for.
func Read(message string, spans []memory.Span) (in Instruction, ok bool) {
	said, ok := typedAlone(message, spans)
	if !ok {
		return in, false
	}
	p, ok := newPlain(said, respelled())
	if !ok {
		return in, false
	}
	found := false
	if !ordinaryTalk(p.text, said) {
		if strings.ContainsFunc(p.text, text.CJK) {
			in, found = chinese().read(p, said)
		}
		if other, also := english().read(p, said); also && (!found || in.Unsure && !other.Unsure) {
			in, found = other, true
		}
	}
	if (!found || in.Unsure && in.Kind != Forget) && policy.New(policy.Default()).OffRecord(said) {
		return Instruction{Kind: Unrecorded, Chinese: strings.ContainsFunc(said, text.Han)}, true
	}
	return in, found
}

// typedAlone returns what was typed of a message; ok is false when a part of it was not.
func typedAlone(message string, spans []memory.Span) (said string, ok bool) {
	if len(message) > 4*maxBytes {
		return "", false
	}
	r := memory.Record{Content: message, Spans: spans}
	for _, s := range r.Foreign() {
		lo := min(max(s.Offset, 0), len(message))
		if strings.TrimSpace(message[lo:min(max(s.Offset+s.Length, lo), len(message))]) != "" {
			return "", false
		}
	}
	return strings.TrimSpace(r.Typed()), true
}

func (in *Instruction) take(name, words string) {
	switch name {
	case "object":
		in.Object = words
	case "old":
		in.Old = words
	case "new":
		in.New = words
	}
}
