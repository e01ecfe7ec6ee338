package instruct

import (
	"slices"
	"strings"

	"memoria/memory"
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
	// Chinese says in which language the answer is expected.
	Chinese bool
}

// Read returns the instruction that a message is; ok is false when it is none. spans are the parts that were not
// typed: a message with such a part is no instruction, but for the name of whom a message is for.
func Read(text string, spans []memory.Span) (in Instruction, ok bool) {
	if len(text) > 4*maxBytes {
		return in, false
	}
	r := memory.Record{Content: text, Spans: spans}
	for _, s := range r.Foreign() {
		lo := min(max(s.Offset, 0), len(text))
		if strings.TrimSpace(text[lo:min(max(s.Offset+s.Length, lo), len(text))]) != "" {
			return in, false
		}
	}
	said := strings.TrimSpace(r.Typed())
	p, ok := newPlain(said, respelled())
	if !ok {
		return in, false
	}
	var unsure Instruction // holds where nothing is sure
	languages := []*language{english()}
	if strings.ContainsFunc(p.text, func(r rune) bool { return han(string(r)) }) {
		languages = []*language{chinese(), english()}
	}
	for _, l := range languages {
		if in, ok := l.structure().read(p, said); ok {
			switch {
			case in.Unsure && unsure.Kind == "":
				unsure = in
			case !in.Unsure:
				return in, true
			}
		}
		bodies := l.bodies(p.text)
		for _, rs := range l.kinds {
			in, ok := rs.read(p, bodies, said)
			in.Chinese = l.code == "zh"
			switch {
			case ok && in.Unsure && unsure.Kind == "":
				unsure = in
			case ok && !in.Unsure:
				return in, true
			}
		}
		if in, ok := l.readBags(p.text); ok {
			in.Chinese = l.code == "zh"
			return in, true
		}
	}
	return unsure, unsure.Kind != ""
}

// read compares a message, with and without politeness, with the sentences of one kind.
func (r *rules) read(p plain, bodies [][2]int, said string) (Instruction, bool) {
	if !r.may(p.text) {
		return Instruction{}, false
	}
	r.once.Do(r.compile)
	for _, b := range bodies {
		for _, re := range r.never {
			if re.MatchString(p.text[b[0]:b[1]]) {
				return Instruction{}, false
			}
		}
	}
	for _, s := range r.always {
		for _, b := range slices.Backward(bodies) { // the shortest first: politeness is no part of an object
			if m := s.re.FindStringSubmatchIndex(p.text[b[0]:b[1]]); m != nil {
				return r.instruction(s, m, p, b[0], said), true
			}
		}
	}
	return Instruction{}, false
}

// instruction is what a sentence that was found means.
func (r *rules) instruction(s sentence, m []int, p plain, at int, said string) Instruction {
	in := Instruction{
		Kind: r.kind, All: s.meaning.all, Again: s.meaning.again, Either: s.meaning.either, Unsure: s.meaning.unsure,
		Type: memory.Type(s.meaning.kindOf),
	}
	for i, name := range s.re.SubexpNames() {
		if name == "" || m[2*i] < 0 {
			continue
		}
		lo, hi := p.source(at+m[2*i], at+m[2*i+1])
		in.take(name, strings.TrimSpace(said[lo:hi]))
	}
	return in
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
