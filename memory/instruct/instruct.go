package instruct

import (
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
)

// Kind is the kind of an instruction.
type Kind string

// The kinds of instructions, in the order in which they are tried.
const (
	List       Kind = "list"       // list the memories (U1)
	Undo       Kind = "undo"       // undo what was learned last (U4)
	Unrecorded Kind = "unrecorded" // do not remember this message (U5)
	Forget     Kind = "forget"     // (U2)
	Withdraw   Kind = "withdraw"   // end a rule for the answers (U4)
	Correct    Kind = "correct"    // correct a wrong memory (U3)
)

// Instruction is a person's instruction to the memory.
type Instruction struct {
	Kind Kind
	// All says that everything, or everything of Type, is meant.
	All bool
	// Type limits the instruction to items of one type; empty for all types.
	Type memory.Type
	// Object is the words that name the object, as typed: "I like tea", "my job", 我住在上海. It is empty if
	// everything is meant.
	Object string
	// Old and New are the values of a correction, if named.
	Old, New string
	// Again says that a rule is withdrawn by allowing what it forbids ("you can use emoji again"), not by
	// ending what it asks for ("stop using emoji").
	Again bool
	// Either says that a rule is withdrawn by its subject ("the rule about emoji"), whether it asks for that
	// or forbids it.
	Either bool
	// Unsure says that the words also have another common meaning: they are an instruction only if the memory
	// has what they name.
	Unsure bool
	// Careful says that the words may be about something else even if the memory has what they name ("forget
	// the deadline"): the user is asked before anything is forgotten.
	Careful bool
	// OrForget says that a withdrawal that fits no rule is a Careful request to forget.
	OrForget bool
	// Whole says that all of what Object or Named name is meant ("everything about my job"), not one memory of it.
	Whole bool
	// Last says that the message before is taken back (U4, U5), or the recent ones that have the words of Object.
	Last bool
	// Today says that all that was learned today is meant.
	Today bool
	// Quoted says that Object was in quotation marks: an item has these very words.
	Quoted bool
	// Guessed says that [Guess] determined the kind; Named are the items named in the message, which are
	// meant.
	Guessed bool
	Named   []memory.Item
	keys    []string // of the subjects in a guessed list
	removes bool     // the verb may be one of cooking
	// Chinese says that the answer is expected in Chinese.
	Chinese bool
}

// Read parses a message as an instruction; ok is false if it is none. spans are the parts that were not
// typed. A message with such a part is not an instruction, except for an addressee's name.
func Read(message string, spans []memory.Span) (in Instruction, ok bool) {
	said, ok := typedAlone(message, spans)
	if !ok {
		return in, false
	}
	switch kind, _ := ReadAside(message, spans); kind {
	case "":
	case Standing:
		return Instruction{Kind: Unrecorded, Chinese: strings.ContainsFunc(said, text.Han)}, true
	default:
		return in, false
	}
	if len(said) <= maxBytes && values().Pattern("{saidToday}").Match(bare(said)) && orders(said) {
		return Instruction{Kind: Forget, Today: true, Whole: true, Chinese: strings.ContainsFunc(said, text.Han)}, true
	}
	if in, ok := takesBackLast(said); ok {
		return in, true
	}
	if onlySays(message, spans, "takeBackLast") {
		return in, false // [TakesBack]
	}
	if in, ok := quotedForget(said); ok {
		return in, true
	}
	in, found, ok := heardIn(said)
	if !ok {
		return in, false
	}
	if paused := pauseBlanks(said); paused != said && (!found || in.Kind == Forget && strings.ContainsRune(in.Object, ' ')) {
		if other, also, _ := heardIn(paused); also { // 忘掉那笔钱吧 已经还了
			in, found = other, true
		}
	}
	if (!found || in.Unsure && in.Kind != Forget) && policy.New(policy.Default()).OffRecord(said) {
		return Instruction{Kind: Unrecorded, Chinese: strings.ContainsFunc(said, text.Han)}, true
	}
	return in, found
}

// heardIn parses the typed words of a message by the sentences of both languages. ok is false if the text is nothing that an
// instruction can be.
func heardIn(said string) (in Instruction, found, ok bool) {
	p, ok := newPlain(said, respelled())
	if !ok || ordinaryTalk(p.text, said) {
		return in, false, ok
	}
	if strings.ContainsFunc(p.text, text.CJK) {
		in, found = chinese().read(p, said)
	}
	if other, also := english().read(p, said); also && (!found || in.Unsure && !other.Unsure) {
		in, found = other, true
	}
	if found && (in.Kind == List && in.All && asksOne(said) ||
		(in.Kind == Forget || in.OrForget) && (!orders(said) || asksToSee(said))) {
		return Instruction{}, false, true
	}
	if found && !in.Chinese && (in.Kind == Forget && in.Careful || in.OrForget) {
		in.Object = withoutReason(in.Object)
	}
	if found && in.Kind == Correct && strings.HasSuffix(in.Old, "了") {
		return Instruction{}, false, true // 小雅不是我弟女朋友了: it is over, and was no mistake
	}
	if found && in.Kind == Forget {
		if in.Careful && values().Pattern("{wholeMemories}").Match(text.Fold(in.Object)) {
			return Instruction{}, false, true // "erase every single memory" names nothing
		}
		if in.All && excepts(said) {
			return Instruction{}, false, true
		}
		in.Whole = !in.All && wholly(said)
		if in.Chinese && !in.Quoted {
			in.Object = subjectIn(in.Object)
		}
		in.Careful = in.Careful || values().Pattern("{asksWhether}").Match(strings.TrimSpace(text.Fold(said)))
	}
	return in, found, true
}

// typedAlone returns the typed words of a message; ok is false if a part was not typed.
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
