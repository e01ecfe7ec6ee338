package instruct

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/classify"
	"memoria/memory/retrieve"
)

// Lexicon returns the word groups of data/groups.txt.
var Lexicon = classify.EmbeddedLexicon(&groupsText)

var model = classify.EmbeddedModel(&modelText, Lexicon)

// Minimum probability for carrying an instruction out, by kind, chosen on examples of authors unknown to the
// model: go run ./memory/instruct/cmd prints the figures.
var sure = map[Kind]float64{List: 0.45, Unrecorded: 0.6, Forget: 0.6, Withdraw: 0.8, Correct: 0.85, Undo: 0.97}

// ordinary is the probability of no instruction above which a message is not examined further, whatever it
// names.
const ordinary = 0.97

// plainly is the probability of no instruction above which a message's structure is not
// examined either.
const plainly = 0.995

// ordinaryTalk reports whether a message, in lower case and as typed, is so clearly no instruction that its
// structure need not be examined: the expressions for that are large, and most messages are nothing like an
// instruction.
func ordinaryTalk(lower, said string) bool {
	return len(said) <= maxBytes && !values().Pattern("{contrary}").Match(lower) &&
		model().Probabilities(said)[NoInstruction] >= plainly
}

// Possible reports whether [Guess] could find an instruction in a message. It excludes most messages without
// reading the memory.
func Possible(message string, spans []memory.Span) bool {
	said, ok := typedAlone(message, spans)
	return ok && said != "" && len(said) <= maxBytes && model().Probabilities(said)[NoInstruction] < ordinary
}

// Guess returns the most probable instruction of a message if [Read] finds none. A model trained on examples
// determines its kind from all of its words, and the named items its object. items are those of the memory.
// ok is false if it is probably no instruction, or names no possible object.
func Guess(message string, spans []memory.Span, items []memory.Item) (in Instruction, ok bool) {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxBytes {
		return in, false
	}
	grounded, named := Ground(said, items)
	p := model().Probabilities(grounded)
	best := classify.Best(p, NoInstruction)
	kind, all := strings.CutSuffix(best, ofAll)
	if in.Kind = Kind(kind); 1-p[NoInstruction] < sure[in.Kind] {
		return Instruction{}, false
	}
	if (in.Kind == Forget || in.Kind == Undo || in.Kind == Withdraw) && asksHow(said) {
		return Instruction{}, false
	}
	if in.Kind != List && values().Pattern("{looksBack}").Match(text.Fold(said)) || in.Kind == List && retrieve.AsksForProof(said) {
		return Instruction{}, false
	}
	in.Guessed, in.Chinese = true, strings.ContainsFunc(said, text.Han)
	isRule := func(it memory.Item) bool { return it.Type == memory.TypeRule }
	switch in.Kind {
	case List:
		in.Named, in.keys = named, keysIn(said)
		in.All = all || len(named)+len(in.keys) == 0
	case Forget:
		in.All, in.Named = all, named
		return in, all || len(named) > 0
	case Withdraw:
		in.Named = slices.DeleteFunc(named, func(it memory.Item) bool { return !isRule(it) })
		return in, len(in.Named) > 0
	case Correct:
		in.Named = slices.DeleteFunc(named, isRule)
		return in, len(in.Named) > 0
	}
	return in, true
}
