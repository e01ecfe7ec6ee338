package instruct

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"memoria/memory"
)

// bag is a kind of instruction whose words may stand in any order.
type bag struct {
	kind    Kind
	meaning meaning

	need []string // sentences, of each of which a message holds one
	may  []string // of the other words that it may have
	nots []string // sentences of which it holds none

	once  sync.Once
	whole *regexp.Regexp
	holds []*regexp.Regexp
	never []*regexp.Regexp
}

// bags reads a language's file of them.
func bags(file string) (out []*bag) {
	var everywhere string
	for _, line := range lines(file) {
		name, words, _ := strings.Cut(line, ":")
		switch words = strings.TrimSpace(words); strings.TrimSpace(name) {
		case "may everywhere":
			everywhere = words
		case "kind":
			kind, means, _ := strings.Cut(words, "=>")
			out = append(out, &bag{kind: Kind(strings.TrimSpace(kind)), meaning: meant(means), may: []string{everywhere}})
		case "need":
			last := out[len(out)-1]
			last.need, last.may = append(last.need, words), append(last.may, words)
		case "never":
			last := out[len(out)-1]
			last.nots = append(last.nots, words)
		case "may":
			last := out[len(out)-1]
			last.may = append(last.may, words)
		default:
			panic(fmt.Sprintf("instruct: %s: %q is no line of a bag", file, line))
		}
	}
	return out
}

// maxBag is the longest message, in bytes of its plain text, whose words may stand in any order.
const maxBag = 160

// read reports whether the message is an instruction of this kind.
func (b *bag) read(l *language, plain string) bool {
	if len(plain) > maxBag {
		return false
	}
	b.once.Do(func() {
		b.whole = regexp.MustCompile(`^(?:(?:` + l.expression(strings.Join(b.may, " | ")) + `)(?:[,.] )*)+$`)
		b.holds, b.never = l.within(b.need), l.within(b.nots)
	})
	for _, re := range b.holds {
		if !re.MatchString(plain) {
			return false
		}
	}
	for _, re := range b.never {
		if re.MatchString(plain) {
			return false
		}
	}
	return b.whole.MatchString(plain)
}

// within returns expressions that find sentences inside a plain text.
func (l *language) within(sentences []string) (out []*regexp.Regexp) {
	for _, s := range sentences {
		out = append(out, regexp.MustCompile(`(?:^|[ \p{Han}])(?:`+l.expression(s)+`)`))
	}
	return out
}

// readBags returns the instruction that a message is by its words alone.
func (l *language) readBags(plain string) (in Instruction, ok bool) {
	for _, b := range l.bags {
		if b.read(l, plain) {
			return Instruction{Kind: b.kind, All: b.meaning.all, Unsure: b.meaning.unsure, Type: memory.Type(b.meaning.kindOf)}, true
		}
	}
	return in, false
}
