package instruct

import (
	"slices"
	"strings"
	"sync"

	"memoria/memory"
	"memoria/memory/pattern"
)

// Decision is a decision in words about memories that wait for approval. Exactly one of It, All, Both, Picks and Words says
// about which, unless it is unclear.
type Decision struct {
	Accept bool // or reject
	// Sure says that the words only decide: "accept 1". Others, "keep it", do so right after such memories were shown.
	Sure bool
	// Loose says that nothing in the words is about remembering: "delete it", 不要. They may answer a question of a model.
	Loose bool
	// Bare says that the message is only a yes, or says only which: what was asked says whether to accept.
	Bare  bool
	It    bool // the only one
	All   bool
	Both  bool
	Picks []int // numbers from 1 of those shown last
	Words string
}

// deciding are the forms of data/decides.txt.
type deciding struct {
	accept, reject, keep, drop, yes, it, all, both, named, remembering pattern.Pattern
	around                                                             []string
}

var decisions = sync.OnceValue(func() deciding {
	book, _ := blocks("decides.txt")
	form := func(name string) pattern.Pattern { return book.Pattern("{" + name + "}") }
	return deciding{
		form("accept"), form("reject"), form("keep"), form("drop"), form("yes"), form("it"), form("all"), form("both"), form("named"),
		form("remembering"), book.Words("aroundWords"),
	}
})

// ReadDecision parses a message as a decision about memories that wait for approval, of which n were shown. ok is false if it is
// nothing but that.
func ReadDecision(message string, spans []memory.Span, n int) (d Decision, ok bool) {
	said, typed := typedAlone(message, spans)
	if !typed || strings.ContainsAny(said, "?？") {
		return d, false
	}
	if _, takesBack := takesBackLast(said); takesBack {
		return d, false // the message before with all that it taught
	}
	p, plain := newPlain(strings.Trim(between.ReplaceAllString(said, "$1 to $2"), "#()（）"), respelled())
	if !plain || len(p.text) > 160 {
		return d, false
	}
	w := decisions()
	body := strings.TrimSpace(newFlat(p, said, true).text)
	if w.yes.Match(body) {
		return Decision{Accept: true, Bare: true, It: true}, true
	}
	for _, f := range []struct {
		pattern.Pattern
		accept, sure bool
	}{{w.reject, false, true}, {w.accept, true, true}, {w.drop, false, false}, {w.keep, true, false}} {
		m := f.Groups(body)
		if m == nil {
			continue
		}
		d := Decision{Accept: f.accept, Sure: f.sure, Loose: !f.sure && !w.remembering.Match(body)}
		if d.about(groupsOf(f.Pattern, body)["o"], n) {
			return d, true
		}
	}
	if d.about(body, n) && !d.It && d.Words == "" {
		d.Accept, d.Bare = true, true
		return d, true
	}
	return Decision{}, false
}

// about reads what is decided about.
func (d *Decision) about(o string, n int) bool {
	w := decisions()
	switch {
	case w.it.Match(o):
		d.It = true
	case w.both.Match(o):
		d.Both = true
	case w.all.Match(o):
		d.All = true
	default:
		numbers := o + " "
		if han(o) {
			numbers = o
		}
		if d.Picks = answers().picks(numbers, max(n, 1)); len(d.Picks) > 0 {
			return true
		}
		if many := answers().picks(numbers, 99); len(many) > 0 { // a number that was not shown
			d.Picks = many
			return true
		}
		if named := groupsOf(w.named, o)["o"]; named != "" {
			o = named
		} else if !d.Sure {
			return false
		}
		for _, before := range w.around {
			o = strings.TrimPrefix(o, before+" ")
		}
		d.Words = o
		return o != ""
	}
	return true
}

// Meant returns the items that a decision names by their words.
func (d Decision) Meant(items []memory.Item) []memory.Item {
	found := Match(Instruction{Kind: Forget, Object: d.Words}, items)
	if len(found) == 0 {
		found = slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool { return !holdsAll(it, d.Words) })
	}
	return found
}
