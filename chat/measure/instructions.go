package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/policy"
)

// The kinds of an instruction to the memory.
const (
	kindList       = "list"       // U1
	kindForget     = "forget"     // U2
	kindCorrect    = "correct"    // U3
	kindWithdraw   = "withdraw"   // P4, U4
	kindUndo       = "undo"       // U4
	kindUnrecorded = "unrecorded" // U5
)

// Kinds are the kinds of an instruction, in the order of the specification.
func Kinds() []string {
	return []string{kindList, kindForget, kindCorrect, kindWithdraw, kindUndo, kindUnrecorded}
}

// destroys reports whether carrying an instruction out ends or changes a memory.
func destroys(kind string) bool { return kind != kindList && kind != kindUnrecorded }

// Recogniser says which instruction to the memory a message is. object is what it is
// about in the message's words; all says that it is about everything; ok is false where
// the message is no instruction.
type Recogniser func(text string) (kind, object string, all, ok bool)

// Recognise is the recogniser of the program. What is an instruction only where the memory holds what it names is
// none to it, because it does not see the memory.
func Recognise(text string) (kind, object string, all, ok bool) {
	if in, ok := instruct.Read(text, nil); ok && !in.Unsure {
		return string(in.Kind), in.Object, in.All, true
	}
	if policy.New(policy.Default()).OffRecord(text) {
		return kindUnrecorded, "", false, true
	}
	if in, ok := instruct.Guess(text, nil, nil); ok {
		return string(in.Kind), in.Object, in.All, true
	}
	return "", "", false, false
}

// Instruction is a message that says something to the memory.
type Instruction struct {
	ID    string   `json:"id"`
	Kind  string   `json:"kind"`
	Text  string   `json:"text"`
	Setup []string `json:"setup"` // said before, and learned
	// Object has to be in the item that it is about: of a correction in the corrected
	// item, of kindUnrecorded in what must not be learned.
	Object Words `json:"object"`
	All    bool  `json:"all"`
}

func (c Instruction) valid() error {
	if !slices.Contains(Kinds(), c.Kind) {
		return fmt.Errorf("kind %q: one of %q", c.Kind, Kinds())
	}
	return errors.Join(spoken(append([]string{c.Text}, c.Setup...)...), c.Object.valid())
}

// NearMiss is a message that only looks like an instruction to the memory.
type NearMiss struct {
	ID        string   `json:"id"`
	Resembles string   `json:"resembles"`
	Before    []string `json:"before"`
	Text      string   `json:"text"`
}

func (c NearMiss) valid() error {
	if !slices.Contains(Kinds(), c.Resembles) {
		return fmt.Errorf("resembles %q: one of %q", c.Resembles, Kinds())
	}
	return spoken(append([]string{c.Text}, c.Before...)...)
}

// InstructionSet are the cases by language.
type InstructionSet struct {
	Say  map[string][]Instruction
	Near map[string][]NearMiss
}

// LoadInstructions reads the set in a folder.
func LoadInstructions(dir string) (set InstructionSet, err error) {
	seen := ids{}
	set.Say, err = inLanguages(dir, "say", func(c Instruction) error { return errors.Join(seen.take(c.ID), c.valid()) })
	if err != nil {
		return set, err
	}
	set.Near, err = inLanguages(dir, "near", func(c NearMiss) error { return errors.Join(seen.take(c.ID), c.valid()) })
	return set, err
}

// MeasureInstructions plays every case, each with a memory of its own below temp, without
// a language model.
func MeasureInstructions(ctx context.Context, set InstructionSet, recognise Recogniser, temp string) (Instructions, error) {
	out := Instructions{Say: map[string]SayFigures{}, Near: map[string]NearFigures{}}
	for language, cases := range set.Say {
		played, err := each(ctx, len(cases), func(ctx context.Context, i int) (told, error) { return cases[i].tell(ctx, language, temp) })
		if err != nil {
			return out, err
		}
		f := SayFigures{ByKind: map[string]*KindFigures{}}
		for i, c := range cases {
			f.count(c, played[i], recognise)
		}
		out.Say[language] = f
	}
	for language, cases := range set.Near {
		played, err := each(ctx, len(cases), func(ctx context.Context, i int) (told, error) { return cases[i].tell(ctx, temp) })
		if err != nil {
			return out, err
		}
		f := NearFigures{ByResembles: shares{}}
		for i, c := range cases {
			f.count(c, played[i], recognise)
		}
		out.Near[language] = f
	}
	return out, nil
}

// told is what the memory held around an instruction.
type told struct {
	earlier left // before the last setup
	before  left // after it
	after   left // after the instruction
	agreed  left // after a yes to what the program may have asked
	answer  string
}

// yes agrees to a question of the program's.
var yes = map[string]string{"en": "yes", "zh": "是的"}

func (c Instruction) tell(ctx context.Context, language, temp string) (told, error) {
	return tell(ctx, c.ID, temp, c.Setup, c.Text, yes[language])
}

// tell says nothing after a near miss: what it sets off must not happen even so.
func (c NearMiss) tell(ctx context.Context, temp string) (told, error) {
	return tell(ctx, c.ID, temp, c.Before, c.Text, "")
}

func tell(ctx context.Context, id, temp string, setup []string, words, agree string) (out told, err error) {
	t, err := begin(ctx, temp, nil)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, t.end()) }()
	say := func(words string) (l left) {
		if err == nil && words != "" {
			var reply memory.Record
			reply, err = t.say(ctx, words)
			out.answer = reply.Content
		}
		if err == nil {
			l, err = t.left(ctx)
		}
		return l
	}
	for _, s := range setup {
		out.earlier = out.before
		out.before = say(s)
	}
	out.after = say(words)
	answer := out.answer
	out.agreed = say(agree)
	out.answer = answer
	if err != nil {
		err = fmt.Errorf("%s: %w", id, err)
	}
	return out, err
}
