package instruct

import (
	"slices"
	"strings"
	"sync"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// kinds are the forms of data/kinds.txt.
type kinds struct {
	values            []pattern.Pattern
	is, verb, chinese pattern.Pattern
}

var kindsOf = sync.OnceValue(func() (out kinds) {
	book, _ := blocks("kinds.txt")
	for _, name := range []string{"colour", "age", "weight", "ageGap", "class", "price"} {
		out.values = append(out.values, book.Pattern("{"+name+"}"))
	}
	out.is, out.verb, out.chinese = book.Pattern("{kindIs}"), book.Pattern("{kindVerb}"), book.Pattern("{zhKindIs}")
	return out
})

// ofKind reports whether a folded message has a value of a kind.
func ofKind(folded string) bool {
	return slices.ContainsFunc(kindsOf().values, func(k pattern.Pattern) bool { return k.Match(folded) })
}

// restated reads another value of a kind for a thing that the message names: "the Skoda is red".
func (r contrastReader) restated(items func() []memory.Item) (Contrast, bool) {
	for _, s := range r.clauses {
		s = r.trimmed(s)
		if s.lo >= s.hi {
			continue
		}
		for _, kind := range kindsOf().values {
			thing, value, ok := r.statedValue(s, kind)
			if !ok {
				continue
			}
			var found []Contrast
			for _, it := range items() {
				if c, ok := r.otherValue(it, nameOf(it, items()), thing, value, kind); ok {
					found = append(found, c)
				}
			}
			if len(found) == 1 {
				return found[0], true
			}
		}
	}
	return Contrast{}, false
}

// statedValue splits a clause into a thing and its value of a kind, at its end.
func (r contrastReader) statedValue(s span, kind pattern.Pattern) (thing string, value span, ok bool) {
	said := r.text(s)
	all := kind.FindAll(said)
	if len(all) == 0 {
		return "", value, false
	}
	m := all[len(all)-1]
	if m[1] < len(said) {
		return "", value, false
	}
	thing = said[:m[0]]
	k := kindsOf()
	if han(said) {
		thing = k.chinese.Replace(thing, "")
	} else if is := k.is.Find(thing); is != nil {
		thing = thing[:is[0]]
	} else if !k.verb.Match(thing) {
		return "", value, false
	}
	return thing, span{s.lo + m[0], s.lo + m[1]}, len(text.Keywords(thing)) > 0
}

// otherValue returns the contrast of an item that has one other value of a kind for a thing.
// name is what says how the one is called whom the item is about.
func (r contrastReader) otherValue(it memory.Item, name, thing string, value span, kind pattern.Pattern) (c Contrast, ok bool) {
	if it.Type != memory.TypeFact && it.Type != memory.TypeRelationship || !sameThing(thing, name, it) ||
		strings.HasPrefix(it.Key, "relation/") && strings.HasPrefix(thing, "i ") {
		return c, false
	}
	folded := text.Fold(it.Content)
	all := kind.FindAll(folded)
	if len(all) != 1 || strings.Contains(folded, r.text(value)) {
		return c, false
	}
	lo, hi, ok := lang.FoldedIndex(it.Content, folded[all[0][0]:all[0][1]])
	if !ok {
		return c, false
	}
	return Contrast{Item: it, Old: it.Content[lo:hi], New: r.v.Raw(value.lo, value.hi), Named: true}, true
}

// nameOf returns the content of the item that names whom an item is about.
func nameOf(it memory.Item, items []memory.Item) string {
	parts := strings.Split(it.Key, "/")
	if len(parts) < 3 || parts[0] != "relation" {
		return ""
	}
	at := slices.IndexFunc(items, func(o memory.Item) bool { return o.Key == "relation/"+parts[1]+"/name" })
	if at < 0 {
		return ""
	}
	return items[at].Content
}

// instead reads what happens in place of something that does not: 三亚不去了，改去厦门.
func (r contrastReader) instead(items func() []memory.Item) (Contrast, bool) {
	for n := range len(r.clauses) - 1 {
		said := r.text(r.clauses[n])
		var old string
		if m := r.c.dropped.Find(said); m != nil {
			old = said[:m[0]]
		}
		if m := r.c.droppedBefore.Find(said); m != nil && m[1] < len(said) {
			old = strings.TrimSuffix(said[m[1]:], "了")
		}
		next := r.clauses[n+1]
		m := r.c.changedTo.Find(r.text(next))
		if old == "" || m == nil || m[1] == 0 {
			continue
		}
		next.lo += m[1]
		if it, held, length, ok := holder(old, items()); ok && length == len(old) {
			if value := r.value(next, held, it); value != "" {
				return Contrast{Item: it, Old: held, New: value, Named: true}, true
			}
		}
	}
	return Contrast{}, false
}
