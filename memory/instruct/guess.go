package instruct

import (
	"regexp"
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
	short, several, is := deletes(message, spans, items)
	if is && !several {
		return short, true
	}
	if in, ok = guess(message, spans, items); ok && in.Kind == Forget || !is {
		return in, ok
	}
	return short, true
}

// guess is Guess by the model alone.
func guess(message string, spans []memory.Span, items []memory.Item) (in Instruction, ok bool) {
	said, ok := typedAlone(message, spans)
	if kind, _ := ReadAside(message, spans); !ok || len(said) > maxBytes || kind != "" {
		return in, false
	}
	grounded, named, closest := ground(said, items)
	p := model().Probabilities(grounded)
	best := classify.Best(p, NoInstruction)
	kind, all := strings.CutSuffix(best, ofAll)
	if in.Kind = Kind(kind); 1-p[NoInstruction] < sure[in.Kind] {
		return Instruction{}, false
	}
	if (in.Kind == Forget || in.Kind == Undo || in.Kind == Withdraw) && asksHow(said) {
		return Instruction{}, false
	}
	if in.Kind == Undo && strings.ContainsAny(said, "“”「」") || in.Kind == Forget && !orders(said) ||
		destroys(in.Kind) && (asksToSee(said) || asksAtEnd(said)) {
		return Instruction{}, false
	}
	if in.Kind == Correct && isOver.MatchString(said) {
		return Instruction{}, false
	}
	if in.Kind != List && values().Pattern("{looksBack}").Match(text.Fold(said)) ||
		in.Kind == List && (retrieve.AsksForProof(said) || asksOne(said)) {
		return Instruction{}, false
	}
	in.Guessed, in.Chinese = true, strings.ContainsFunc(said, text.Han)
	isRule := func(it memory.Item) bool { return it.Type == memory.TypeRule }
	switch in.Kind {
	case List:
		in.Named, in.keys = named, keysIn(said)
		in.All = all || len(named)+len(in.keys) == 0
	case Forget:
		in.All, in.Named, in.Whole = all && !excepts(said), closest, wholly(said)
		return in, in.All || !all && len(closest) > 0
	case Withdraw:
		in.Named = slices.DeleteFunc(named, func(it memory.Item) bool { return !isRule(it) })
		return in, len(in.Named) > 0
	case Correct:
		in.Named = slices.DeleteFunc(named, isRule)
		return in, len(in.Named) > 0
	}
	return in, true
}

// isOver matches what says that something is over, which was no mistake: 小雅不是我弟女朋友了.
var isOver = regexp.MustCompile(`不是[^，。；,;]+了[。！!\s]*$`)

// destroys reports whether an instruction of a kind ends, deletes or takes back a memory.
func destroys(k Kind) bool { return k == Forget || k == Withdraw || k == Undo }

// orders reports whether a clause of a message is an order to forget, which is more than words of losing and forgetting.
func orders(said string) bool {
	return !sparesAny(said) && slices.ContainsFunc(pieces(said), func(s string) bool {
		return values().Pattern("{ordersToForget}").Match(s) && !values().Pattern("{tellsOfForgetting}").Match(s) &&
			!sparings().what.Match(s)
	})
}

// OrdersToForget reports whether a message has an order to forget something.
func OrdersToForget(message string) bool { return orders(message) }

// pieces returns the clauses of a text, bare.
func pieces(said string) (out []string) {
	said = pauseBlanks(said)
	if p, ok := newPlain(said, respelled()); ok {
		said = p.text
	}
	for _, s := range strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune(",.;:!?，。；：！？、\n…–—", r) }) {
		if s = strings.TrimSpace(bare(s)); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// hanBlank is a blank between Chinese characters: there it is a pause.
var hanBlank = regexp.MustCompile(`(\p{Han})[ \x{3000}]+(\p{Han})`)

// pauseBlanks turns the blanks between Chinese characters into commas.
func pauseBlanks(said string) string {
	return hanBlank.ReplaceAllString(hanBlank.ReplaceAllString(said, "$1，$2"), "$1，$2")
}

// asksToSee reports whether a message asks to see something, is a question, or is about a case that is not.
func asksToSee(said string) bool { return values().Pattern("{asksToSee}").Match(bare(said)) }

// asksOne reports whether a message asks for one thing that may be remembered, like a name: no list answers it.
func asksOne(said string) bool {
	s := bare(said)
	return values().Pattern("{asksOne}").Match(s) && !values().Pattern("{asksOfMemory}").Match(s)
}

// asksAtEnd reports whether a message that does not begin with a verb of forgetting ends as a question: 学兽医那个呢.
func asksAtEnd(said string) bool {
	s := bare(said)
	return values().Pattern("{asksAtEnd}").Match(s) && !values().Pattern("{beginsToForget}").Match(s)
}

// bare is a text folded, without apostrophes, and without marks at its end.
func bare(said string) string {
	return strings.TrimRight(strings.NewReplacer("'", "", "’", "", "\n", " ").Replace(text.Fold(said)), " .!?。！？~…")
}

// wholly reports whether all of something is to be forgotten, not one memory of it.
func wholly(said string) bool { return values().Pattern("{wholeOf}").Match(bare(said)) }

// excepts reports whether something is to be left.
func excepts(said string) bool { return values().Pattern("{exceptSome}").Match(bare(said)) }
