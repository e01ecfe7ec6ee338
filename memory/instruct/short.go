package instruct

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// Short orders to delete what they name: "delete the dentist", "bin the swimming thing", 牙医的事删掉. The words alone may be
// about a text or a program, so they are an order only if a memory has what they name.

// MayDelete reports whether a message can be a short order to delete a memory.
func MayDelete(message string, spans []memory.Span) bool {
	_, ok := shortOrder(message, spans)
	return ok
}

// shortOrder reads the words of a short order, whatever the memory has.
func shortOrder(message string, spans []memory.Span) (in Instruction, ok bool) {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxShort || strings.ContainsAny(said, "?？`/\\_<>{}\"“「") {
		return in, false
	}
	folded := bare(said)
	for _, form := range []string{"deletesNote", "deletesThing", "mayDelete"} {
		groups := groupsOf(values().Pattern("{"+form+"}"), folded)
		if groups["o"] == "" {
			continue
		}
		in = Instruction{Kind: Forget, Object: groups["o"], Unsure: true, Careful: form == "mayDelete"}
		in.Chinese = strings.ContainsFunc(said, text.Han)
		if s := english(); in.Chinese && chinese().notObject.Match(in.Object) ||
			!in.Chinese && (s.notObject.Match(in.Object) || s.notObject.Match("the "+in.Object)) {
			return in, false
		}
		in.removes, in.Whole = groups["c"] != "", wholly(said)
		return in, !values().Pattern("{noMemory}").Match(folded)
	}
	return in, false
}

const maxShort = 80 // bytes of a short order

// deletes returns a short order to delete what the memory has, and whether several are meant. Rules are withdrawn instead.
func deletes(message string, spans []memory.Span, items []memory.Item) (in Instruction, several, ok bool) {
	if in, ok = shortOrder(message, spans); !ok {
		return in, false, false
	}
	items = slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool { return it.Type == memory.TypeRule })
	meant := Match(in, items)
	in.Careful = in.Careful || in.removes && !slices.ContainsFunc(meant, func(it memory.Item) bool { return !it.ValidTo.IsZero() })
	in.Unsure = len(meant) == 0
	return in, len(meant) > 1, len(meant) > 0
}
