package policy

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/wording"
)

// End is an item that ends, and how.
type End struct {
	Item memory.Item
	How  string
}

// OnlyEnds reports whether a candidate only ends other items.
func (c Candidate) OnlyEnds() bool { return c.Content == "" && len(c.Ends) > 0 }

// MayEnd reports whether a candidate can end an item with this key; see [Ended] and [Contradicted].
func (c Candidate) MayEnd(key string) bool {
	if c.Type == memory.TypeRule && strings.HasPrefix(key, "rule/") {
		return true
	}
	return slices.ContainsFunc(c.Ends, func(e Ending) bool {
		return e.ends(key) || e.Whole && strings.HasPrefix(key, "relation/") || AsSaid(key) && slices.Contains(e.Keys, plans)
	})
}

// Ended returns the active items that a candidate ends. replaced is the item that the candidate replaces, or
// nil. A candidate never ends its own content.
func Ended(c Candidate, replaced *memory.Item, items []memory.Item) (out []End) {
	seen := map[string]bool{}
	add := func(it memory.Item, how string) {
		if !seen[it.ID] && !SameSlot(it.Key, c.Key) {
			seen[it.ID] = true
			out = append(out, End{it, how})
		}
	}
	for _, e := range c.Ends {
		if e.Along && (replaced == nil || c.Correction) { // a corrected value did not change
			continue
		}
		if e.tooMany(items, replaced) {
			continue
		}
		for _, it := range items {
			if e.endsItem(it) && e.fits(it, replaced) {
				add(it, e.How)
				for _, other := range items {
					if e.Whole && sameOne(it.Key, other.Key) && e.allows(other) {
						add(other, e.How)
					}
				}
			}
		}
	}
	return out
}

// maxShared bounds the items that end because of shared words: more would be a guess.
const maxShared = 2

// tooMany reports whether an ending fits more items than it may end.
func (e Ending) tooMany(items []memory.Item, replaced *memory.Item) bool {
	most := len(items)
	switch {
	case e.Sole:
		most = 1
	case e.Shared != "":
		most = maxShared
	}
	n := 0
	for _, it := range items {
		if e.endsItem(it) && e.fits(it, replaced) {
			n++
		}
	}
	return n > most
}

// plans is the key of plans, also those kept in the user's words.
const plans = "plan/*"

// endsItem reports whether an ending includes an item, by its key or as a plan.
func (e Ending) endsItem(it memory.Item) bool {
	return e.ends(it.Key) || it.Type == memory.TypeGoal && AsSaid(it.Key) && slices.Contains(e.Keys, plans)
}

// sameOne reports whether two keys concern one person or animal: relation/cat/name, relation/cat/age.
func sameOne(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	return len(x) > 2 && len(y) > 2 && x[0] == "relation" && x[0] == y[0] && x[1] == y[1]
}

// ends reports whether an ending includes a key, in either language.
func (e Ending) ends(key string) bool {
	head, _, _ := strings.Cut(key, "/")
	if AsSaid(key) && e.endsSaid(key) {
		return true
	}
	for _, p := range e.Keys {
		if first, _, _ := strings.Cut(p, "/"); first != head && !strings.Contains(first, "*") {
			continue
		}
		if slices.ContainsFunc(SlotKeys(key), func(k string) bool { return lang.Globbed(p, k) }) {
			return true
		}
	}
	return false
}

// spoken maps topics to the first parts of their slots.
var spoken = map[string][]string{
	"home": {"home", "household"}, "work": {"job"}, "study": {"study", "school"}, "people": {"relation", "relationship"},
	"pet": {"relation"}, "diet": {"diet", "allergy"}, "taste": {"preference", "favourite"}, "habit": {"pattern"},
	"own": {"car", "use", "fact"}, "goal": {"goal"}, "style": {"rule"},
}

// endsSaid reports whether an ending includes an item kept in the user's words: it shares words, or concerns
// the user's only home, job or diet.
func (e Ending) endsSaid(key string) bool {
	topic, _, _ := strings.Cut(strings.TrimPrefix(key, SaidKey), "/")
	switch {
	case e.Along && e.Old:
		return true
	case e.About == "" && !e.Old && e.Shared == "" && topic != "home" && topic != "work" && topic != "diet":
		return false
	}
	return slices.ContainsFunc(e.Keys, func(p string) bool {
		head, rest, _ := strings.Cut(p, "/")
		return slices.Contains(spoken[topic], head) && !strings.Contains(rest, "have") // "like" matches words that say so
	})
}

// fits reports whether an item meets the conditions of an ending.
func (e Ending) fits(it memory.Item, replaced *memory.Item) bool {
	switch {
	case e.About != "" && ofAnother(it.Content, e.About):
		return false
	case e.Like == "" && slices.Contains(e.Keys, "fact/*") && onlyKin(e.About): // which of those about the mother?
		return false
	case e.Shared != "" && strings.HasPrefix(it.Key, "relation/") && strings.HasSuffix(it.Key, "/name"): // the name stays
		return false
	case e.About != "" && !mentions(it, e.About), e.Unlike != "" && mentions(it, e.Unlike), !e.allows(it):
		return false
	case e.Shared != "" && (it.Type == memory.TypeRule || !sharesEnough(it, e.Shared)): // a rule ends by withdrawal
		return false
	case e.Old && (replaced == nil || !aboutOld(it, *replaced)):
		return false
	case e.Asked != "":
		return asksFor(it, e.Asked)
	case e.Against != "":
		return excludes(it, e.Against)
	}
	return true
}

// ofAnother reports whether a memory begins with another of the user's people than words do: "my mum moved in
// with my sister" is about the mother, not "sister Leeds".
func ofAnother(content, about string) bool {
	of, meant := kinOf(content), kinOf(about)
	return of != "" && meant != "" && !strings.Contains(of, meant) && !strings.Contains(meant, of) && !lang.HoldsKeywords(of, meant)
}

// onlyKin reports whether words name one of the user's people and nothing else.
func onlyKin(words string) bool {
	of := kinOf(words)
	return of != "" && strings.TrimSpace(text.Fold(words)) == strings.TrimSpace(of)
}

// kinOf returns the relation with which a text begins: "mum" of "My mum lives in York".
func kinOf(content string) string {
	said := text.Fold(content)
	m := kinLed.Groups(said)
	if m == nil {
		return ""
	}
	return said[max(m[2], m[len(m)-2]):max(m[3], m[len(m)-1])] // in either language
}

var kinLed = lang.Form("kinLed") // begins a sentence about one of the user's people

// allows reports whether an item's words match those of an ending.
func (e Ending) allows(it memory.Item) bool {
	said := text.Fold(it.Content)
	return (e.Like == "" || pattern.Regexp(e.Like).Match(said)) && (e.But == "" || !pattern.Regexp(e.But).Match(said))
}

// sharesEnough reports whether words name the subject of an item: a name in it, half of the keywords of its
// value or, for an item in the user's words, two keywords or a third of them; and whether the item has most of what
// the words are about. Numbers and time spans do not count.
func sharesEnough(it memory.Item, words string) bool {
	st, ok := StatementOf(it.Value)
	if !ok {
		st.Value = it.Content
	}
	isName := strings.HasSuffix(it.Key, "/name") // "Kasia doesn't play tennis any more" is not about her name
	if !coversMost(it, words, isName || AsSaid(it.Key) || !ok) || isName && lang.HasHan(words) && !coversAll(it, words) {
		return false
	}
	keywords := telling(st.Value)
	shared, names := 0, 0
	for _, w := range keywords {
		if !lang.HoldsKeywords(words, w) {
			continue
		}
		shared++
		if lang.Capitalised(w) && !strings.HasPrefix(st.Value, w) {
			names++
		}
	}
	switch {
	case shared == 0:
		return false
	case names > 0:
		return true
	case !ok || AsSaid(it.Key):
		return shared > 1 || shared*3 >= len(keywords)
	}
	return shared*2 >= len(keywords)
}

// coversMost reports whether an item has at least half of the keywords that say what is over, or, if strict, two thirds:
// "I used to live in Harwich" is not about a job on the Harwich ferry.
func coversMost(it memory.Item, words string, strict bool) bool {
	about := telling(keptOver.Replace(words, " "))
	held := 0
	for _, w := range about {
		if mentions(it, w) {
			held++
		}
	}
	if strict {
		return held*3 >= len(about)*2
	}
	return held*2 >= len(about)
}

// coversAll reports whether an item has all keywords that say what is over.
func coversAll(it memory.Item, words string) bool {
	return !slices.ContainsFunc(telling(keptOver.Replace(words, " ")), func(w string) bool { return !mentions(it, w) })
}

// telling returns the keywords of a text without numbers and time spans.
func telling(s string) []string {
	return slices.DeleteFunc(text.Keywords(s), func(w string) bool {
		return strings.ContainsAny(w, "0123456789") || timeWord.Match(text.Fold(w))
	})
}

var timeWord = lang.Form("timeWord")

// aboutOld reports whether an item concerns the value of a replaced one: it names the value, or was said with
// it.
func aboutOld(it, replaced memory.Item) bool {
	if st, ok := StatementOf(replaced.Value); ok && mentions(it, st.Value) {
		return true
	}
	return slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool {
		return slices.ContainsFunc(replaced.Evidence, func(old memory.Evidence) bool { return ev.RecordID == old.RecordID })
	})
}

// mentions reports whether an item has all keywords of some words, in either language. It is false for words
// without a keyword.
func mentions(it memory.Item, words string) bool {
	all := it.Content + "\n" + strings.NewReplacer("/", " ", "-", " ").Replace(it.Key)
	if st, ok := StatementOf(it.Value); ok {
		all += "\n" + st.Value
	}
	return lang.HoldsKeywords(all, words)
}

// Contradicted returns the active rules that a rule contradicts: one asks for what the other forbids, or they
// ask for opposite ways to answer. It returns none for other candidates.
func Contradicted(c Candidate, items []memory.Item) (out []memory.Item) {
	if c.Type != memory.TypeRule || c.Content == "" {
		return nil
	}
	wish := wishOf(c.Content, c.Key, c.Polarity)
	for _, it := range items {
		if it.Type != memory.TypeRule || SameSlot(it.Key, c.Key) {
			continue
		}
		if wish.against(wishOfItem(it)) {
			out = append(out, it)
		}
	}
	return out
}

// wish is an answer preference: its sides, and the words of its object.
type wish struct {
	forbids bool
	sides   map[string]int
	object  string // "" if not comparable
}

func wishOfItem(it memory.Item) wish {
	st, _ := StatementOf(it.Value)
	return wishOf(it.Content, it.Key, st.Polarity)
}

func wishOf(content, key string, side Polarity) wish {
	w := wish{forbids: side == Negative || side == "" && wording.Negated(content), sides: sidesOf(content)}
	_, object, many := strings.Cut(key, "/")
	if many {
		w.object = wishNoise.Replace(strings.ReplaceAll(object, "-", " "), " ")
	}
	return w
}

// sidesOf maps subjects to the side that some words take. Words that name two sides take none.
func sidesOf(words string) map[string]int {
	folded, out := text.Fold(words), map[string]int{}
	for _, l := range both() {
		for name, sides := range l.opposites {
			for i, p := range sides {
				if !p.Match(folded) {
					continue
				}
				if at, named := out[name]; named && at != i {
					i = -1
				}
				out[name] = i
			}
		}
	}
	for name, side := range out {
		if side < 0 {
			delete(out, name)
		}
	}
	return out
}

// against reports whether two rules contradict each other.
func (w wish) against(other wish) bool {
	for about, side := range w.sides {
		there, named := other.sides[about]
		if named && (side == there) == (w.forbids != other.forbids) && !(w.forbids && other.forbids) {
			return true
		}
	}
	return w.forbids != other.forbids && w.object != "" && lang.HoldsKeywords(w.object, other.object) &&
		lang.HoldsKeywords(other.object, w.object)
}

// asksFor reports whether a rule asks for the thing that some words name.
func asksFor(it memory.Item, words string) bool {
	has := wishOfItem(it)
	return !has.forbids && (shared(has.sides, sidesOf(words)) || mentions(it, wishNoise.Replace(text.Fold(words), " ")))
}

// excludes reports whether a rule forbids the thing that some words name, or asks for its
// opposite.
func excludes(it memory.Item, words string) bool {
	has, named := wishOfItem(it), sidesOf(words)
	if has.forbids {
		return shared(has.sides, named) || mentions(it, wishNoise.Replace(text.Fold(words), " "))
	}
	for about, side := range named {
		if at, ok := has.sides[about]; ok && at != side {
			return true
		}
	}
	return false
}

func shared(a, b map[string]int) bool {
	for about, side := range a {
		if at, ok := b[about]; ok && at == side {
			return true
		}
	}
	return false
}

// wishNoise are words of a rule that do not name its subject.
var wishNoise = lang.Form("wishNoise")
