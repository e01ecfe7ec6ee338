package instruct

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy"
	"memoria/memory/policy/dating"
	"memoria/memory/policy/lang"
	"memoria/memory/retrieve"
)

// Contrast is a value of an item that a message puts right.
type Contrast struct {
	Item     memory.Item
	Old, New string // Old is in the item's content, New as written in the message
	// Named says that the item was found by what the message names, however long ago it was told.
	Named bool
	// Names says that the message has a word of the item besides the two values.
	Names bool

	visit bool // "he" is the visitor of a plan
}

// contrasts are the forms of data/contrasts.txt.
type contrasts struct {
	wrongBefore, saidBefore, rightLead, rightTail, takesBack, spelledWrong, movedTo pattern.Pattern
	copula, another, somebody, pronoun, isOn, dropped, droppedBefore, changedTo     pattern.Pattern
	dreamt, shifted, newDay, newDayTail, comes, gotInTouch, cannotDay               pattern.Pattern
	movedBare, tellsOf, saysComes, comesThen                                        pattern.Pattern

	visits []visits
}

// visits are the appointments of a kind, and who tells of them.
type visits struct{ tells, visit pattern.Pattern }

var contrasting = sync.OnceValue(func() contrasts {
	book, _ := blocks("contrasts.txt")
	form := func(name string) pattern.Pattern { return book.Pattern("{" + name + "}") }
	var kinds []visits
	for _, kind := range []string{"clinic", "school", "works", "salon", "driving"} {
		kinds = append(kinds, visits{form(kind + "Tells"), form(kind + "Visit")})
	}
	return contrasts{
		form("wrongBefore"), form("saidBefore"), form("rightLead"), form("rightTail"), form("takesBack"), form("spelledWrong"),
		form("movedTo"), form("copula"), form("another"), form("somebody"), form("pronoun"), form("isOn"), form("dropped"),
		form("droppedBefore"), form("changedTo"), form("dreamt"), form("shifted"), form("newDay"), form("newDayTail"),
		form("comes"), form("gotInTouch"), form("cannotDay"), form("movedBare"), form("tellsOf"), form("saysComes"),
		form("comesThen"), kinds,
	}
})

// maxContrast is the length in bytes above which a message is more than a correction.
const maxContrast = 160

// TakesBack reports whether a message is nothing but "undo" or "take that back". It is an
// instruction if something was learned from the message before it, and not about a text or a
// program.
func TakesBack(message string, spans []memory.Span) bool {
	return isOf("takeBack", message, spans) || onlySays(message, spans, "takeBack", "takeBackLast")
}

// TakesBackLast reports whether a message that [TakesBack] accepts takes back the message before, with all it taught: 刚才那句不算.
func TakesBackLast(message string, spans []memory.Span) bool {
	return onlySays(message, spans, "takeBackLast") && !BringsBack(message, spans)
}

// BringsBack reports whether a message is nothing but "undo", "restore it" or the like. It is an
// instruction right after a deletion.
func BringsBack(message string, spans []memory.Span) bool {
	if isOf("takeBack", message, spans) || isOf("bringsBack", message, spans) {
		return true
	}
	return onlySays(message, spans, "takeBack", "bringsBack")
}

// Joked reports whether a message says only that what was said before it was a joke. That takes back what the message
// before it taught.
func Joked(message string, spans []memory.Span) (found bool) {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxBytes || strings.ContainsAny(said, "?？") {
		return false
	}
	for part := range partsOf(said) {
		part = strings.TrimSpace(text.Fold(part))
		switch {
		case values().Pattern("{joked}").Match(part):
			found = true
		case part != "" && !values().Pattern("{jokedBeside}").Match(part):
			return false
		}
	}
	return found
}

// partsOf returns the parts of a message between its stops and, in Chinese, its blanks.
func partsOf(said string) iter.Seq[string] {
	return strings.FieldsFuncSeq(pauseBlanks(said), func(r rune) bool { return strings.ContainsRune(",.;:!，。；：！、…~\n", r) })
}

// onlySays reports whether a message is a sentence of some lists of data/values.txt with nothing but a slip around it: "oh no,
// undo that", 那个 撤销一下.
func onlySays(message string, spans []memory.Span, lists ...string) bool {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxBytes || strings.ContainsAny(said, "?？") {
		return false
	}
	return saysOnly(said, func(part string) bool {
		return slices.ContainsFunc(lists, func(list string) bool { return isOf(list, part, nil) })
	})
}

// saysOnly reports whether a part of a text is one of some sentences, and the others are slips.
func saysOnly(said string, is func(part string) bool) (found bool) {
	for part := range partsOf(said) {
		switch {
		case is(part):
			found = true
		case strings.TrimSpace(part) != "" && !isOf("slip", part, nil):
			return false
		}
	}
	return found
}

// isOf reports whether a typed message is one of the sentences of data/values.txt.
func isOf(list, message string, spans []memory.Span) bool {
	said, ok := typedAlone(message, spans)
	if !ok {
		return false
	}
	said = strings.Trim(text.Fold(said), " .!。！~")
	return slices.Contains(values().Words(list), strings.Join(strings.Fields(said), " "))
}

// MayContrast reports whether [FindContrast] could find anything, without the memory.
func MayContrast(message string, spans []memory.Span) bool {
	if isOver.MatchString(message) {
		return false
	}
	said, ok := typedAlone(message, spans)
	if !ok || said == "" || len(said) > maxContrast || strings.ContainsAny(said, "?？`{}") {
		return false
	}
	if p, ok := newPlain(said, respelled()); !ok || english().never.Match(p.text) || chinese().never.Match(p.text) {
		return false
	}
	if values().Pattern("{strongDelete}").Match(said) && orders(said) {
		return false
	}
	if ChangesFact(said) {
		return true
	}
	folded := text.Fold(pauseBlanks(said))
	c := contrasting()
	if c.dreamt.Match(folded) {
		return false
	}
	first, _, _ := strings.Cut(folded, "!")
	return saysNo(folded) ||
		c.wrongBefore.Match(folded) || c.saidBefore.Match(folded) || c.takesBack.Match(folded) || c.movedTo.Match(folded) ||
		saysSuccessor(folded) != nil || c.isShifted(folded) || c.isNewDay(folded) || c.saysComes.Match(folded) ||
		measured.MatchString(strings.Trim(first, " .,")) || c.changesTo(folded) ||
		ofKind(folded)
}

// changesTo reports whether a folded text may say what happens in place of something.
func (c contrasts) changesTo(folded string) bool {
	for _, s := range clausesOf(folded) {
		if m := c.changedTo.Find(folded[s.lo:s.hi]); m != nil && m[1] > 0 {
			return true
		}
	}
	return false
}

// Told are the items that a message may put right.
type Told struct {
	// Last are those of the message before, of which a value alone may be told ("43!").
	Last []memory.Item
	// Recent are those of the last messages, newest first, and those shown to the last answer.
	Recent []memory.Item
	// All returns those of the memory. Among them the item must be named: by what the user says
	// to have said, or by the thing that has another date. It is called at most once, and only
	// for such a message.
	All func() []memory.Item
	// Alike returns those that share words with the message. Among them, too, the item must be
	// named. It is called at most once.
	Alike func() []memory.Item
}

// FindContrast finds the value that a message puts right: exactly one of the items has the wrong
// value, and does not have the right one yet. said is when the message was sent.
func FindContrast(message string, told Told, said time.Time) (Contrast, bool) {
	v := lang.NewView(strings.TrimSpace(message), lang.MaxRead)
	r := contrastReader{v: v, c: contrasting(), clauses: clausesOf(v.Text), said: said}
	paused := r // with the pauses that a Chinese line has blanks for
	paused.v = lang.NewView(pauseBlanks(strings.TrimSpace(message)), lang.MaxRead)
	paused.clauses = clausesOf(paused.v.Text)
	active := func(items []memory.Item) []memory.Item {
		return slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool { return it.State != memory.StateActive })
	}
	last, all := active(told.Last), sync.OnceValue(func() []memory.Item { return active(told.All()) })
	alike := sync.OnceValue(func() []memory.Item { return active(told.Alike()) })
	denied := []func() (Contrast, bool){
		func() (Contrast, bool) { return r.denied(r.c.wrongBefore, active(told.Recent)) },
		func() (Contrast, bool) {
			if !r.c.wrongBefore.Match(v.Text) {
				return Contrast{}, false
			}
			c, ok := r.denied(r.c.wrongBefore, alike())
			c.Named = true
			return c, ok && (r.c.takesBack.Match(v.Text) || r.names(c))
		},
	}
	if r.c.saidBefore.Match(v.Text) {
		denied = []func() (Contrast, bool){
			func() (Contrast, bool) { return r.denied(r.c.wrongBefore, all()) },
			func() (Contrast, bool) { return r.denied(r.c.saidBefore, all()) },
		}
	}
	ways := append([]func() (Contrast, bool){
		func() (Contrast, bool) { return paused.shifted(last, all) },
		func() (Contrast, bool) { return r.succeeded(all) },
		func() (Contrast, bool) { return r.moved(last, all) },
		func() (Contrast, bool) { return r.rearranged(last, all) },
	}, denied...)
	for _, find := range append(ways,
		func() (Contrast, bool) { return r.bare(last) },
		func() (Contrast, bool) { return r.explicit(last) },
		func() (Contrast, bool) { return r.owner(active(told.Recent)) },
		func() (Contrast, bool) { return r.respelled(last) },
		func() (Contrast, bool) { return paused.instead(alike) },
		func() (Contrast, bool) { return r.restated(alike) },
		func() (Contrast, bool) { return r.set(all) },
	) {
		if c, ok := find(); ok && !Spoils(c.Item.Content, c.Old, c.New) &&
			c.New != "" && text.Fold(c.New) != text.Fold(c.Old) && (c.visit || !r.ofAnother(c.Item, c.Old, c.New)) && !r.forAnother(c) {
			c.Names = r.names(c)
			if strings.HasSuffix(c.Item.Key, "/name") && strings.ToLower(c.Old) != c.Old && !han(c.New) && strings.ToLower(c.New) == c.New {
				c.New = named(c.New)
			}
			return c, true
		}
	}
	return Contrast{}, false
}

type contrastReader struct {
	v       *lang.View
	c       contrasts
	clauses []span
	said    time.Time
}

// forAnother reports whether the message says of what the value is wrong, and the item is about something else: "Isla, not
// Rory, for the nits".
func (r contrastReader) forAnother(c Contrast) bool {
	_, rest, ok := strings.Cut(r.v.Text, strings.ToLower(text.Fold(c.Old)))
	m := forWhat.FindStringSubmatch(rest)
	if !ok || m == nil {
		return false
	}
	has := text.Words(c.Item.Content)
	return !slices.ContainsFunc(text.QueryTerms(m[1]), func(w string) bool { return slices.Contains(has, w) })
}

var forWhat = regexp.MustCompile(`^[\s,]*(?:for|with|about) (?:the |my |his |her |our )?([a-z]+)`)

// span is a part of the folded message.
type span struct{ lo, hi int }

// clausesOf returns the parts of a folded text between pauses.
func clausesOf(s string) (out []span) {
	lo := 0
	for i, r := range s + "." {
		if strings.ContainsRune(",;:!.—–\n", r) && !(r == '.' && i+1 < len(s) && unicode.IsDigit(rune(s[i+1]))) {
			out = append(out, unpunctuated(s, lo, min(i, len(s)))...)
			lo = i + utf8.RuneLen(r)
		}
	}
	return out
}

// unpunctuated returns a clause, or the two that somebody wrote without a pause: "not penicillin its amoxicillin".
func unpunctuated(s string, lo, hi int) (out []span) {
	ends := []int{lo, hi}
	if m := rightAfterWrong.FindStringSubmatchIndex(s[lo:hi]); m != nil {
		ends = []int{lo, lo + m[2], hi}
	}
	for n := range len(ends) - 1 {
		if a, b := lang.TrimBlank(s, ends[n], ends[n+1]); a < b {
			out = append(out, span{a, b})
		}
	}
	return out
}

var rightAfterWrong = regexp.MustCompile(`\b(?:not|(?:is|was|does|do)n'?t) (?:[^\s]+ ){1,5}?` +
	`((?:it'?s|it is|he'?s|she'?s|they'?re|(?:he|she|they|i) (?:lives?|works?|comes?|drives?)) [^\s]+)`)

func (r contrastReader) text(s span) string { return r.v.Text[s.lo:s.hi] }

// denied reads "Y, not X" and "not X, Y" where X is in one of the items. What stands before "not" must be
// about the item, too.
func (r contrastReader) denied(before pattern.Pattern, items []memory.Item) (Contrast, bool) {
	for n, s := range r.clauses {
		m := before.Find(r.text(s))
		if m == nil {
			continue
		}
		it, old, length, ok := holder(r.v.Text[s.lo+m[1]:s.hi], items)
		if !ok || noLonger.MatchString(r.v.Text[s.lo+m[1]+length:s.hi]) { // "not moving any more" is no contrast
			continue
		}
		if c, ok := r.newWorkplace(n, it, old); ok {
			return c, true
		}
		for _, p := range r.around(n, s.lo+m[0], s.lo+m[1]+length) {
			if p.lo == s.lo && p.hi == s.lo+m[0] && isSubject(r.text(p), r.v.Text[s.lo+m[0]:s.lo+m[1]]) {
				continue
			}
			if p.lo >= s.hi || p.hi <= s.lo { // what stands before "not" says what it is about
				if before := r.trimmed(span{s.lo, s.lo + m[0]}); before.lo < before.hi && !sameThing(r.text(before), old, it) {
					continue
				}
			}
			if value := r.value(p, old, it); value != "" {
				return Contrast{Item: it, Old: old, New: value}, true
			}
		}
	}
	return Contrast{}, false
}

// around returns where the right value may be, in order: before and behind the wrong one, which
// is in clause n. What follows "I said Anders yesterday" in its clause is none.
func (r contrastReader) around(n, lo, hi int) (out []span) {
	s := r.clauses[n]
	if !r.c.saidBefore.Match(r.text(s)) || r.c.wrongBefore.Match(r.text(s)) {
		out = append(out, span{s.lo, lo})
		if n > 0 {
			out = append(out, r.clauses[n-1])
		}
		if m := r.c.rightLead.Find(strings.TrimSpace(r.v.Text[hi:s.hi])); m != nil && m[1] > 0 { // "but Y"
			out = append(out, span{hi, s.hi})
		}
	}
	if n+1 < len(r.clauses) {
		out = append(out, r.clauses[n+1])
	}
	return out
}

// value returns what a part of the message says in place of an item's words, as written.
func (r contrastReader) value(s span, old string, it memory.Item) string {
	s = r.trimmed(s)
	if s.lo >= s.hi {
		return ""
	}
	if m := r.c.copula.FindAll(r.text(s)); len(m) > 0 { // "the Skoda is red"
		is := m[len(m)-1]
		if !sameThing(r.v.Text[s.lo:s.lo+is[0]], old, it) {
			return ""
		}
		s.lo += is[1]
	}
	said := r.v.Raw(s.lo, s.hi)
	if p, ok := newPlain(said, respelled()); !ok || english().notNew.Match(p.text) || chinese().notNew.Match(p.text) {
		return ""
	}
	value := RightValue(said, old, it.Content)
	value = withShared(said, value, old)
	if value == "" || HoldsBeside(it, old, value) || len(text.Words(value))+len(text.Grams(value)) == 0 ||
		afterwards.MatchString(text.Fold(value)) {
		return ""
	}
	if value = withoutArticle(value); size(value) > size(old)+longer || !sameThing(strings.Replace(said, value, " ", 1), old, it) {
		return ""
	}
	return value
}

// withShared extends a value by the words before it that the old one has, too: December 14 in place of December 12.
func withShared(said, value, old string) string {
	at := strings.Index(said, value)
	if value == "" || at < 0 || han(value) {
		return value
	}
	words := text.Words(old)
	for at > 0 {
		before := strings.TrimRight(said[:at], " ")
		w := before[strings.LastIndexByte(before, ' ')+1:]
		if forms := text.Words(w); w == "" || len(forms) == 0 || !slices.Contains(words, forms[0]) {
			break
		}
		end := at + len(value)
		at = len(before) - len(w)
		value = said[at:end]
	}
	return value
}

// HoldsDose reports whether an item has an amount of a drug behind some words: another drug has another one.
func HoldsDose(it memory.Item, words string) bool {
	_, hi, ok := lang.FoldedIndex(it.Content, words)
	return ok && dose.MatchString(it.Content[hi:])
}

var dose = regexp.MustCompile(`(?i)^[\s,，]*(?:\d+(?:\.\d+)?|[一二两三四五六七八九十半]+)\s?` +
	`(?:(?:mg|mcg|µg|ug|g|ml|iu|units?|tablets?|pills?|capsules?|puffs?)\b|毫克|毫升|微克|片|粒|颗)`)

// HoldsBeside reports whether an item has a value beside the words of an old one, so that it cannot
// take their place: 猫 in 猫叫年糕 beside 年糕.
func HoldsBeside(it memory.Item, old, value string) bool {
	content := it.Content
	if lo, hi, ok := lang.FoldedIndex(content, old); ok {
		content = content[:lo] + " " + content[hi:]
	}
	return lang.ContainsWords(content, value)
}

// afterwards are words that say that something is over, and no values.
var afterwards = regexp.MustCompile(`^(?:any ?more|any longer|now|at all|either|yet|today|yesterday|again|really|ok(?:ay)?)\b` +
	`|^(?:了|现在|已经|以后|今天|昨天)`)

// noLonger follows what was so until now.
var noLonger = regexp.MustCompile(`^\s*(?:any ?more|any longer)\b`)

// longer is how many words, or pairs of characters, a right value may have more than the wrong one.
const longer = 2

func size(s string) int {
	if strings.ContainsFunc(s, text.Han) {
		return (utf8.RuneCountInString(s) + 1) / 2
	}
	return len(strings.Fields(s))
}

// sameThing reports whether the words around a right value are about an item: it has them all.
func sameThing(around, old string, it memory.Item) bool {
	has := holds(it, old)
	return !slices.ContainsFunc(text.Keywords(around), func(w string) bool { return !has(w) })
}

// holds returns a function that reports whether an item has a word, or old words have it.
func holds(it memory.Item, old string) func(word string) bool {
	said := text.Fold(it.Content + " " + it.Title + " " + strings.NewReplacer("/", " ", "-", " ").Replace(it.Key) + " " + old)
	held := withImplied(said)
	words := text.Words(held)
	return func(w string) bool {
		folded := text.Fold(w)
		if han(folded) {
			return strings.Contains(held, folded)
		}
		forms := text.Words(w)
		return len(forms) == 0 || slices.Contains(words, forms[0])
	}
}

// withImplied adds to a folded text what its words imply.
func withImplied(said string) string {
	all := said
	for word, also := range implied() {
		if lang.ContainsWords(said, word) {
			all += " " + also
		}
	}
	return all
}

// implied maps words to others for the thing that they speak of: who drives something has a car.
var implied = sync.OnceValue(func() map[string]string { return maps.Collect(entries("implied.txt", "=>")) })

// OfAnother reports whether what a message says with some values is about somebody whom an item is not about: "my
// neighbour's car is red". Without values the whole message counts.
func OfAnother(message string, it memory.Item, values ...string) bool {
	v := lang.NewView(strings.TrimSpace(message), lang.MaxRead)
	return contrastReader{v: v, c: contrasting(), clauses: clausesOf(v.Text)}.ofAnother(it, values...)
}

// OfThing reports whether what a clause says of a thing can be about an item: "the sofa is red" is not about a car.
func OfThing(clause, old string, it memory.Item) bool {
	folded := text.Fold(clause)
	m := contrasting().copula.FindAll(folded)
	return len(m) == 0 || sameThing(folded[:m[len(m)-1][0]], old, it)
}

// names reports whether the message has a word of the item that it puts right, besides its values.
func (r contrastReader) names(c Contrast) bool {
	rest := r.v.Text
	for _, value := range []string{c.Old, c.New} {
		rest = strings.ReplaceAll(rest, text.Fold(value), " ")
	}
	return slices.ContainsFunc(text.Keywords(rest), holds(c.Item, ""))
}

// ofAnother reports whether the clauses that have some values are about somebody whom an item is not about: "my
// neighbour's car is red". Without values all clauses count.
func (r contrastReader) ofAnother(it memory.Item, values ...string) bool {
	someone := strings.HasPrefix(it.Key, "relation") || r.c.somebody.Match(text.Fold(it.Content))
	return slices.ContainsFunc(r.clauses, func(s span) bool {
		said := r.text(s)
		if len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return v != "" && strings.Contains(said, text.Fold(v)) }) {
			return false
		}
		if m := r.c.another.Find(said); m != nil && !sameThing(said[m[0]:m[1]], "", it) {
			return true
		}
		return !someone && r.c.pronoun.Match(said)
	})
}

// trimmed leaves out what leads to a value and follows it.
func (r contrastReader) trimmed(s span) span {
	for s.lo < s.hi {
		m := r.c.rightLead.Find(r.text(s))
		if m == nil || m[0] > 0 || m[1] == 0 {
			break
		}
		s.lo += m[1]
	}
	if s.lo < s.hi {
		if m := r.c.rightTail.Find(r.text(s)); m != nil {
			s.hi = s.lo + m[0]
		}
	}
	s.lo, s.hi = lang.TrimBlank(r.v.Text, s.lo, s.hi)
	return s
}

// withoutArticle drops the article of a value: the item has one where it needs one.
func withoutArticle(value string) string {
	article, rest, ok := strings.Cut(value, " ")
	if ok && slices.Contains([]string{"a", "an", "the"}, strings.ToLower(article)) {
		return rest
	}
	return value
}

// holder returns the only item that has the words at the beginning of a text, the words in
// it, and the length of them in the text: as many as any item has.
func holder(said string, items []memory.Item) (it memory.Item, old string, length int, ok bool) {
	ends := wordEnds(said)
	for n := len(ends) - 1; n >= 0; n-- {
		words := strings.TrimSpace(said[:ends[n]])
		if !telling(words) {
			continue
		}
		var found []memory.Item
		var held string
		for _, i := range items {
			if in, is := heldAs(words, i.Content); is {
				found, held = append(found, i), in
			}
		}
		if len(found) == 1 {
			return found[0], held, ends[n], true
		}
		if len(found) > 1 {
			return ofValue(found, held, ends[n])
		}
	}
	return memory.Item{}, "", 0, false
}

// ofValue returns the only one of several items whose value the words are, or nothing.
func ofValue(found []memory.Item, held string, length int) (memory.Item, string, int, bool) {
	found = slices.DeleteFunc(found, func(it memory.Item) bool {
		st, _ := policy.StatementOf(it.Value)
		return text.Fold(st.Value) != text.Fold(held)
	})
	if len(found) != 1 {
		return memory.Item{}, "", 0, false
	}
	return found[0], held, length, true
}

// heldAs returns a content's own form of some words, if it has them; 12th is 12 in "June 12".
func heldAs(words, content string) (string, bool) {
	for _, w := range []string{words, ordinal.ReplaceAllString(words, "$1"), inHan(words)} {
		if lo, hi, ok := lang.FoldedIndex(content, w); ok {
			return content[lo:hi], true
		}
	}
	return "", false
}

// inHan is a figure up to 99 in Chinese characters, and other words as they are: 八十二 for 82.
func inHan(words string) string {
	n, err := strconv.Atoi(words)
	if err != nil || n < 1 || n > 99 {
		return words
	}
	digits := []rune("零一二三四五六七八九")
	out := ""
	if n >= 10 {
		if n >= 20 {
			out = string(digits[n/10])
		}
		out += "十"
	}
	if n%10 > 0 {
		out += string(digits[n%10])
	}
	return out
}

var ordinal = regexp.MustCompile(`\b(\d{1,2})(st|nd|rd|th)\b`)

// wordEnds returns where the first words, or Chinese characters, of a text end.
func wordEnds(s string) (out []int) {
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if text.Han(r) || !wordRune(next) && wordRune(r) {
			out = append(out, i+utf8.RuneLen(r))
		}
		if len(out) == maxNamed {
			break
		}
	}
	return out
}

// maxNamed is the greatest number of words, or characters, of a wrong value.
const maxNamed = 8

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.Han(r)
}

// telling reports whether words can be a value: not only stop words, and not one character.
func telling(words string) bool {
	if han(words) {
		return utf8.RuneCountInString(words) > 1
	}
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return !text.IsStop(w) })
}

// measured is a number, and what it counts: 15号线, 43, 三年级.
var measured = regexp.MustCompile(`^(?:\d+(?:[.:]\d+)?|[一二两三四五六七八九十]{1,3})(\p{Han}{0,3}|[a-z]{0,3})$`)

// bare reads a correction that is only a number. The message takes something back, or begins with
// a number and its unit; exactly one number of the items has that unit.
func (r contrastReader) bare(items []memory.Item) (Contrast, bool) {
	back := r.c.takesBack.Match(r.v.Text)
	for n, s := range r.clauses {
		s = r.trimmed(s)
		m := measured.FindStringSubmatch(r.v.Text[s.lo:max(s.lo, s.hi)])
		if m == nil || !back && (n > 0 || m[1] == "") {
			continue
		}
		var found []Contrast
		for _, it := range items {
			for _, at := range counted(m[0], m[1]).FindAllString(text.Fold(unlabelled(it.Content)), -1) {
				if lo, hi, ok := lang.FoldedIndex(it.Content, at); ok {
					found = append(found, Contrast{Item: it, Old: it.Content[lo:hi], New: r.v.Raw(s.lo, s.hi)})
				}
			}
		}
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Contrast{}, false
}

// unlabelled returns a content without its parts in brackets, such as an added date.
func unlabelled(content string) string { return inBrackets.ReplaceAllString(content, " ") }

var inBrackets = regexp.MustCompile(`\([^)]*\)|（[^）]*）`)

// counted matches numbers of a unit, or without one numbers that are written as another.
func counted(like, unit string) *regexp.Regexp {
	if unit == "" && han(like) {
		return regexp.MustCompile(`[一二两三四五六七八九十]{1,3}`)
	}
	if unit == "" {
		return regexp.MustCompile(`\d+(?:[.:]\d+)?`)
	}
	return regexp.MustCompile(`(?:\d+(?:[.:]\d+)?|[一二两三四五六七八九十]{1,3})` + regexp.QuoteMeta(unit))
}

// respelled reads a value of which the items have a word that differs in a letter or two.
func (r contrastReader) respelled(items []memory.Item) (Contrast, bool) {
	if !r.c.spelledWrong.Match(r.v.Text) {
		return Contrast{}, false
	}
	for _, s := range r.clauses {
		if s = r.trimmed(s); s.lo >= s.hi {
			continue
		}
		right := r.v.Text[s.lo:s.hi]
		if n := utf8.RuneCountInString(right); strings.Contains(right, " ") || n < 2 || n > 20 {
			continue
		}
		var found []Contrast
		for _, it := range items {
			for _, word := range alike(right, text.Fold(it.Content)) {
				if lo, hi, ok := lang.FoldedIndex(it.Content, word); ok {
					found = append(found, Contrast{Item: it, Old: it.Content[lo:hi], New: r.v.Raw(s.lo, s.hi)})
				}
			}
		}
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Contrast{}, false
}

// alike returns the words of a text, or in Chinese the runs of as many characters, that
// nearly are the given word.
func alike(word, in string) (out []string) {
	near := func(w string) bool {
		d := text.Distance(w, word)
		return d > 0 && (d == 1 || d == 2 && utf8.RuneCountInString(word) > 5)
	}
	if !han(word) {
		for _, w := range strings.FieldsFunc(in, func(r rune) bool { return !wordRune(r) }) {
			if near(w) {
				out = append(out, w)
			}
		}
		return out
	}
	runes, size := []rune(in), utf8.RuneCountInString(word)
	first, _ := utf8.DecodeRuneInString(word)
	for i := 0; i+size <= len(runes); i++ {
		if w := string(runes[i : i+size]); runes[i] == first && near(w) {
			out = append(out, w)
		}
	}
	return out
}

// set reads another value for what the message names, 把预算改成五万: the only amount of the only item that has its words,
// or that item's value.
func (r contrastReader) set(all func() []memory.Item) (Contrast, bool) {
	what, value, ok := changedFact(r.v.Text)
	if !ok {
		return Contrast{}, false
	}
	named := retrieve.Analyse(what, "").Distinctive
	if len(named) == 0 {
		named = append(text.Words(what), text.Grams(what)...)
	}
	found := keepBest(slices.Clone(all()), named)
	if len(found) != 1 {
		return Contrast{}, false
	}
	it := found[0]
	raw := value
	if lo, hi, ok := lang.FoldedIndex(r.v.Raw(0, len(r.v.Text)), value); ok {
		raw = r.v.Raw(0, len(r.v.Text))[lo:hi]
	}
	if m := amount.FindString(value); m != "" && strings.HasPrefix(value, m) {
		amounts := amount.FindAllStringIndex(it.Content, -1)
		if len(amounts) != 1 {
			return Contrast{}, false
		}
		at := amounts[0]
		if unit := value[len(m):]; unit != "" && strings.HasPrefix(it.Content[at[1]:], unit) {
			at[1] += len(unit)
		}
		return Contrast{Item: it, Old: it.Content[at[0]:at[1]], New: raw, Named: true}, true
	}
	held, _ := policy.StatementOf(it.Value)
	if held.Value != "" && Holds(it, held.Value) && !Touches(memory.Item{Content: held.Value}, what) {
		return Contrast{Item: it, Old: held.Value, New: raw, Named: true}, true
	}
	return Contrast{}, false
}

// amount is a number: 五万, 7000, 3.5万.
var amount = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?[十百千万亿]*|[一二两三四五六七八九]?[十百千万亿][零一二两三四五六七八九十百千万亿]*`)

// keepBest returns the items that have the most of some words, at least one.
func keepBest(items []memory.Item, words []string) (out []memory.Item) {
	most := 1
	for _, it := range items {
		n := 0
		held := append(text.Words(withImplied(text.Fold(it.Content))), text.Grams(it.Content)...)
		for _, w := range words {
			if slices.Contains(held, w) {
				n++
			}
		}
		if n > most {
			most, out = n, nil
		}
		if n == most {
			out = append(out, it)
		}
	}
	return out
}

// dated is where the first words that name a date begin and end, and where the time of day
// behind them ends.
type dated struct{ lo, date, time int }

func datePhrase(s string, said time.Time) (dated, bool) {
	at, ok := text.Resolve(s, said, said.Location(), true)
	if !ok {
		return dated{}, false
	}
	if full, ok := dating.Resolve(s, said, said.Location(), true); ok && beforeDate(s, full.Start) < full.Start {
		at = full // with the date behind the day of the week
		at.Start = beforeDate(s, full.Start)
	}
	return dated{at.Start, at.End, at.End + len(timeOfDay.FindString(s[at.End:]))}, true
}

// timeOfDay also matches the date in brackets that was put between.
var timeOfDay = regexp.MustCompile(`^(?: \([^)]*\)|（[^）]*）)?(?:(?: at)? \d{1,2}(?::\d\d)? ?(?:am|pm)?\b` +
	`|的?(?:早上|上午|中午|下午|傍晚|晚上|晚)?[0-9一二两三四五六七八九十]{1,3}点(?:半|整|钟|[0-9一二三四五六七八九十]{1,3}分)?| in the (?:morning|afternoon|evening))`)
