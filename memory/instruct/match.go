package instruct

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
)

// Match returns the items that an instruction is about, in order. Only clear matches count: an item with the
// slot and value named by the instruction, one about the named area of life (data/subjects.txt), or one with
// all of the instruction's words. Inactive items are never meant.
func Match(in Instruction, items []memory.Item) []memory.Item {
	return matching(in, items, func(s memory.State) bool { return s != memory.StateInactive })
}

// MatchEnded is [Match] for inactive items alone.
func MatchEnded(in Instruction, items []memory.Item) []memory.Item {
	return matching(in, items, func(s memory.State) bool { return s == memory.StateInactive })
}

func matching(in Instruction, items []memory.Item, is func(memory.State) bool) []memory.Item {
	items = slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool {
		return !is(it.State) || in.Type != "" && it.Type != in.Type || in.Kind == Forget && ofAnother(in.Object, it)
	})
	if in.Guessed && !in.All {
		return slices.DeleteFunc(items, func(it memory.Item) bool { return !in.names(it) && !keyed(in.keys, it.Key) })
	}
	if in.Object == "" {
		if in.Today || in.All || in.Kind == List {
			return items
		}
		return nil
	}
	object := strings.Trim(in.Object, quoteMarks)
	if it, ok := Exact(in, items); ok {
		return []memory.Item{it}
	}
	if in.Quoted {
		return slices.DeleteFunc(items, func(it memory.Item) bool { return !Holds(it, object) })
	}
	stated := statements(object)
	if found := filling(stated, items); len(found) > 0 {
		return found
	}
	if found := narrower(stated, items); len(found) > 0 {
		return found
	}
	keys := subjectKeys(object)
	about := func(it memory.Item) bool { return keyed(keys, it.Key) || in.Kind == Forget && statesOne(keys, it) }
	if slices.ContainsFunc(items, about) {
		return slices.DeleteFunc(items, func(it memory.Item) bool {
			return !about(it) && !another(object, it) && !(in.Whole && says(object, it))
		})
	}
	var out []memory.Item
	for _, it := range items {
		if says(object, it) || len(stated) == 0 && Repeats(object, it) {
			out = append(out, it)
		}
	}
	if in.Kind == Forget {
		return literally(object, out)
	}
	return out
}

// MatchSeveral is [Match] for an object that names several things, "asthma and migraines": each must be in an item.
func MatchSeveral(in Instruction, items []memory.Item) (out []memory.Item) {
	objects := listed(in.Object)
	if in.Kind != Forget || in.Guessed || in.Quoted || len(objects) < 2 {
		return nil
	}
	for _, object := range objects {
		in.Object = object
		found := Match(in, items)
		if len(found) == 0 {
			return nil
		}
		for _, it := range found {
			if !slices.ContainsFunc(out, func(o memory.Item) bool { return o.ID == it.ID }) {
				out = append(out, it)
			}
		}
	}
	return out
}

// listed splits a list of things: "asthma and migraines", 身高和体重.
func listed(object string) (out []string) {
	for part := range strings.FieldsFuncSeq(listing.Replace(object), func(r rune) bool { return r == '\n' }) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

var listing = strings.NewReplacer(
	" and my ", "\n", " and the ", "\n", " and ", "\n", ", ", "\n", "，", "\n", "、", "\n", "和", "\n", "跟", "\n", "还有", "\n",
)

// NamesExactly reports whether an order to forget has the very words of the only item that it matches, or its value.
func NamesExactly(in Instruction, items []memory.Item) bool {
	if _, ok := Exact(in, items); ok {
		return true
	}
	return len(items) == 1 && len(filling(statements(strings.Trim(in.Object, quoteMarks)), items)) > 0
}

// MayBeAnother reports whether the only item that an order to forget matches may not be the one it means: it was found by a
// word alone, and has more of its own than that, 老婆下个月要涨工资到四千二 for 老婆的工资.
func MayBeAnother(in Instruction, it memory.Item) bool {
	object := strings.Trim(in.Object, quoteMarks)
	if in.Quoted || in.Guessed || object == "" ||
		len(filling(statements(object), []memory.Item{it})) > 0 || keyed(subjectKeys(object), it.Key) {
		return false
	}
	return it.Type == memory.TypeGoal && !Holds(it, object) &&
		len(text.Keywords(numbers.ReplaceAllString(it.Content, ""))) > 2*len(text.Keywords(object))
}

// Restates reports whether an order to forget has the words of an item, or of a part of it that says something: "Mia lives in
// York" for "Sister Mia lives in York."
func Restates(in Instruction, it memory.Item) bool {
	if _, ok := Exact(in, []memory.Item{it}); ok {
		return true
	}
	object := strings.Trim(in.Object, quoteMarks)
	return !SaysMore(it) && Holds(it, object) && len(text.Keywords(object)) > 2
}

// numbers is a date that was resolved, or another number.
var numbers = regexp.MustCompile(`[(（][^)）]*\d{4}[^)）]*[)）]|\d+`)

// statesOne reports whether an item in the user's words states something with one of some keys: "I live at 22 High Road".
func statesOne(keys []string, it memory.Item) bool {
	return len(keys) > 0 && policy.AsSaid(it.Key) && slices.ContainsFunc(statements(it.Content), func(c policy.Candidate) bool {
		return keyed(keys, c.Key)
	})
}

// literally keeps the items that have a short name word for word, 郝鑫, or several words next to each other, "Ingrid's
// girls", if there are any: the others only share a part of it.
func literally(object string, items []memory.Item) []memory.Item {
	object, _ = ownedName(object)
	if n := utf8.RuneCountInString(object); han(object) && (n < 2 || n > 3) || !han(object) && len(strings.Fields(object)) < 2 {
		return items
	}
	if holds := func(it memory.Item) bool { return Holds(it, object) }; slices.ContainsFunc(items, holds) {
		return slices.DeleteFunc(items, func(it memory.Item) bool {
			return !holds(it) && strings.ContainsFunc(it.Content, text.Han) == han(object)
		})
	}
	return items
}

// another reports whether an item that is kept in the user's words is about one more of those whom an object names:
// "my other cat is called Miso" for "my cat".
func another(object string, it memory.Item) bool {
	return policy.AsSaid(it.Key) && it.Type == memory.TypeRelationship && says(object, it)
}

// SaysMore reports whether an item in the user's words says several things: who names it may mean one of them.
func SaysMore(it memory.Item) bool {
	return policy.AsSaid(it.Key) && values().Pattern("{severalThings}").Match(text.Fold(strings.Trim(it.Content, " .。!！")))
}

// subjectIn returns what a Chinese object is about, without the words around it: 健康 for 健康方面的.
func subjectIn(object string) string {
	for _, w := range values().Words("aroundSubject") {
		if rest, ok := strings.CutSuffix(object, w); ok && rest != "" {
			return strings.TrimPrefix(strings.TrimPrefix(rest, "跟"), "和")
		}
	}
	return object
}

// ofAnother reports whether an item has the relative that an object names only as somebody else's: "Pauline's husband" for
// "my husband", 老郝有个姐 for 我姐.
func ofAnother(object string, it memory.Item) bool {
	name, ok := ownedName(object)
	if !ok || name == "" {
		return false
	}
	content := strings.ToLower(text.Fold(it.Content))
	mine := func(before string) bool {
		before = strings.TrimRight(before, " ")
		if !han(name) {
			return !strings.HasSuffix(before, "'s") && !strings.HasSuffix(before, "’s")
		}
		return !slices.ContainsFunc(anothers(), func(w string) bool {
			return strings.HasSuffix(before, w) && !strings.HasSuffix(before, "我"+w)
		})
	}
	found := false
	for lo := 0; ; {
		i := strings.Index(content[lo:], name)
		if i < 0 {
			return found
		}
		if mine(content[:lo+i]) {
			return false
		}
		found, lo = true, lo+i+len(name)
	}
}

// ownedName returns an object without the words for its owner: "husband" for "my husband", 姐 for 我姐的. ok is false if it
// has none.
func ownedName(object string) (name string, ok bool) {
	p, _ := newPlain(object, respelled())
	name = strings.TrimRight(p.text, " ,.")
	owner, ok := begunBy(name, owners())
	return strings.TrimSpace(strings.TrimRight(name[len(owner):], "的事")), ok
}

var anothers = phrases("anothers")

// names reports whether a guessed instruction names an item.
func (in Instruction) names(it memory.Item) bool {
	return slices.ContainsFunc(in.Named, func(n memory.Item) bool { return n.ID == it.ID })
}

// statements returns the rules' candidates for an object: for "I like tea" the
// preference.
func statements(object string) []policy.Candidate {
	return policy.New(policy.Default()).Extract(object)
}

// filling returns the items with the slot and value of a statement.
func filling(stated []policy.Candidate, items []memory.Item) (out []memory.Item) {
	for _, it := range items {
		if slices.ContainsFunc(stated, func(c policy.Candidate) bool { return fills(it, c) }) {
			out = append(out, it)
		}
	}
	return out
}

// narrower returns the items that state the same of something more particular: "I like tea" means an item that
// prefers green tea.
func narrower(stated []policy.Candidate, items []memory.Item) (out []memory.Item) {
	for _, it := range items {
		if slices.ContainsFunc(stated, func(c policy.Candidate) bool {
			said, _ := policy.StatementOf(c.Value)
			held, _ := policy.StatementOf(it.Value)
			return c.Type == it.Type && said.Value != "" && said.Polarity != "" && said.Polarity == held.Polarity && says(said.Value, it)
		}) {
			out = append(out, it)
		}
	}
	return out
}

func fills(it memory.Item, c policy.Candidate) bool {
	if !policy.SameSlot(it.Key, c.Key) {
		return false
	}
	var said, held policy.Statement
	_ = json.Unmarshal(c.Value, &said) // without a statement there is no value
	_ = json.Unmarshal(it.Value, &held)
	if said.Polarity != "" && held.Polarity != "" && said.Polarity != held.Polarity {
		return false
	}
	return said.Polarity != "" || said.Value == "" || says(said.Value, it)
}

// says reports whether an item has all keywords of some words, in either language.
func says(words string, it memory.Item) bool {
	q := retrieve.Analyse(words, "")
	return !q.Wordless() && retrieve.ShareTranslated(q, wordsOf(it)).Keyword > 0.99
}

// wordsOf returns the words of an item.
func wordsOf(it memory.Item) string {
	key := strings.NewReplacer("/", " ", "-", " ").Replace(it.Key)
	return strings.Join(append([]string{it.Content, it.Title, key}, it.Tags...), "\n")
}

// subjects maps the folded names of data/subjects.txt to keys.
var subjects = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for name, keys := range entries("subjects.txt", "=>") {
		out[text.Fold(name)] = strings.Fields(keys)
	}
	return out
})

var owners = phrases("owners")

// subjectKeys returns the keys of the subject that an object names: "my job", 我的工作, 我家人.
func subjectKeys(object string) []string {
	p, _ := newPlain(object, respelled())
	name := strings.TrimRight(p.text, " ,.")
	owner, _ := begunBy(name, owners())
	return subjects()[name[len(owner):]]
}

// keysIn returns the keys of all subjects that a text names. A single Chinese character names none: it may be
// part of a word.
func keysIn(said string) (keys []string) {
	p, _ := newPlain(said, respelled())
	for name, of := range subjects() {
		switch plainName, _ := newPlain(name, nil); {
		case han(name) && utf8.RuneCountInString(name) > 1 && strings.Contains(p.text, name):
			keys = append(keys, of...)
		case !han(name) && strings.Contains(" "+p.text, " "+plainName.text):
			keys = append(keys, of...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// keyed reports whether a key matches one of some patterns.
func keyed(patterns []string, key string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		before, after, star := strings.Cut(p, "*")
		if !star {
			return key == p
		}
		return strings.HasPrefix(key, before) && strings.Contains(key[len(before):], strings.TrimSuffix(after, "*"))
	})
}

// Mentions reports whether a text mentions an item: it has the item's value if that has a word other than
// everyday ones, otherwise all keywords of the item.
func Mentions(said string, it memory.Item) bool {
	held, _ := policy.StatementOf(it.Value)
	for _, words := range []string{held.Value, it.Content} {
		q := retrieve.Analyse(words, "")
		if words == held.Value && len(q.Distinctive) == 0 || q.Wordless() {
			continue
		}
		if retrieve.ShareTranslated(q, said).Keyword > 0.99 {
			return true
		}
	}
	return false
}

// Repeats reports whether a text has distinctive words, and all of them are in an item.
func Repeats(said string, it memory.Item) bool {
	q := retrieve.Analyse(said, "")
	return len(q.Distinctive) > 0 && says(strings.Join(q.Distinctive, " "), it)
}

// Holds reports whether an item's content contains some words literally.
func Holds(it memory.Item, words string) bool {
	words = text.Fold(strings.TrimSpace(words))
	if words == "" {
		return false
	}
	if han(words) {
		return strings.Contains(text.Fold(it.Content), words)
	}
	p, _ := newPlain(it.Content, nil)
	q, _ := newPlain(words, nil)
	return q.text != "" && strings.Contains(" "+p.text, " "+q.text)
}

// Touches reports whether an item shares a word, or a Chinese character, with one of some texts.
func Touches(it memory.Item, texts ...string) bool {
	for _, s := range texts {
		for _, w := range append(text.Words(s), text.Grams(s)...) {
			if !text.IsStop(w) && (han(w) && strings.Contains(text.Fold(it.Content), w) || slices.Contains(text.Words(it.Content), w)) {
				return true
			}
		}
	}
	return false
}
