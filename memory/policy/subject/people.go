package subject

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

// Person is a person or an animal of the user's, known by name.
type Person struct {
	Name     string // as written: "Piotr", 糖糖
	Relation string // what the user calls them, in either language: "flatmate", 女儿
	// Given is the name without the family name: 朵朵 of 陈朵朵. It is empty if there is none.
	Given string
	// Shared says that slots of the relation may be those of another known by name: two of three cats.
	Shared bool
	// Fresh says that the message itself brings in the name.
	Fresh bool
}

// Forms of people.txt.
var (
	kinNamed   = lang.FormEach("kinNamed")   // before a name: "their cat is called"
	namedKin   = lang.FormEach("namedKin")   // after a name: "is my stepson"
	calledKin  = lang.Form("calledKin")      // around a name: 叫阿福的柴犬
	nameJoin   = lang.Form("nameJoin")       // between names
	nameEnds   = lang.Form("nameEnds")       // ends a Chinese name
	nobodys    = lang.Form("nobodys")        // fiction, a translation, a public figure
	says       = lang.FormEach("nameSays")   // what a clause says of somebody, after the name
	lives      = lang.FormEach("livingSays") // the same, if the name is a word, too
	isAnimal   = lang.Form("isAnimal")
	isRelation = lang.Form("isRelation") // a whole word for a relation
	namesNot   = lang.Form("namesNot")   // begins what is no name
	notMine    = lang.Form("notMine")    // before a relation of another's: "her", "my son has a"
	oneOnly    = lang.Form("oneOnly")    // a relation that only one has: husband

	alsoWord = lang.Words("alsoWord") // names that are words, or names of places and public figures
	noName   = lang.Words("noName")   // capitalised words that are no names
	notName  = lang.Words("nationality")

	mateOf = lang.Table("mateOf") // with whom one shares what
)

// maxNames bounds the names of one item.
const maxNames = 8

// People returns the people and animals that a memory names, with their relation to the user.
func People(content string) []Person {
	v, language := lang.NewView(content, lang.MaxRead), 0
	if lang.HasHan(content) {
		language = 1
	}
	var out []Person
	for at := 0; at < len(v.Text) && len(out) < maxNames; {
		m := kinNamed[language].Groups(v.Text[at:])
		if m == nil || m[1] == 0 {
			break
		}
		if ofAnother(v.Text[:at+m[0]]) {
			at += m[1]
			continue
		}
		out = append(out, namesAt(v, at+m[1], firstGroup(v.Text[at:], m))...)
		at += m[1]
	}
	for at := 0; at < len(v.Text) && len(out) < maxNames; {
		m := namedKin[language].Groups(v.Text[at:])
		if m == nil {
			break
		}
		whose := strings.HasPrefix(v.Text[at+m[1]:], "'") // my son's girlfriend
		if !whose {
			out = append(out, namesBefore(v, at+m[0], relationOf(firstGroup(v.Text[at:], m)))...)
		}
		at += m[1]
	}
	if m := calledKin.Groups(v.Text); m != nil && isName(v.Raw(m[2], m[3])) {
		out = append(out, Person{Name: v.Raw(m[2], m[3]), Relation: v.Text[m[4]:m[5]]})
	}
	for i, p := range out {
		out[i].Shared = slices.ContainsFunc(out, func(o Person) bool { return o.Relation == p.Relation && o.Name != p.Name })
	}
	for _, p := range out {
		if name := byFamilyName(p); name != "" {
			out = append(out, Person{Name: name, Relation: p.Relation, Shared: p.Shared})
		}
	}
	return Together(out)
}

// ofAnother reports whether the person or animal after some words is not the user's: "Tom has a girlfriend",
// "his brother".
func ofAnother(before string) bool {
	before = before[strings.LastIndexAny(before, ".;:!?\n")+1:]
	return !lang.HasHan(before) && notMine.Match(before)
}

// firstGroup returns the first capture of a match that took part.
func firstGroup(s string, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return s[m[i]:m[i+1]]
		}
	}
	return ""
}

// byFamilyName returns what people call the one of a relation by the family name: 老郝 of 郝庆国.
func byFamilyName(p Person) string {
	runes := []rune(p.Name)
	if len(runes) < 2 || len(runes) > 3 || !lang.HasHan(p.Name) || !familyNamesZH().Words[string(runes[:1])] || !oneOnly.Match(p.Relation) {
		return ""
	}
	return "老" + string(runes[:1])
}

// vague is the relation of somebody of whom a memory tells no other: "is married to".
const vague = "partner"

// Together removes doubles, and names of more than one person, from a list. Of doubles it keeps the first.
func Together(people []Person) (out []Person) {
	for i, p := range people {
		other := func(o Person) bool {
			return o.Name == p.Name && o.Relation != p.Relation && (o.Relation != vague || p.Relation == vague)
		}
		same := func(o Person) bool { return o.Name == p.Name }
		if !slices.ContainsFunc(people, other) && !slices.ContainsFunc(people[:i], same) {
			out = append(out, p)
		}
	}
	return out
}

// namesBefore returns those named alone before a position: "Ben and Marcus" are.
func namesBefore(v *lang.View, end int, relation string) (out []Person) {
	lo := strings.LastIndexAny(v.Text[:end], ".;:!?\n") + 1
	for lo < end {
		lo += len(v.Text[lo:end]) - len(strings.TrimLeft(v.Text[lo:end], " "))
		to := wordEnd(v.Text, lo)
		if to == lo || to > end || !isName(v.Raw(lo, to)) {
			return nil
		}
		out = append(out, Person{Name: v.Raw(lo, to), Relation: relation})
		m := nameJoin.Find(v.Text[to:end])
		if m == nil || m[0] > 0 {
			lo = to
			break
		}
		lo = to + m[1]
	}
	if lo != end {
		return nil
	}
	return out
}

// relationOf returns the word for one of a relation.
func relationOf(w string) string {
	if mate := mateOf()[w]; mate != "" {
		return mate
	}
	one, ok := strings.CutSuffix(w, "s")
	if ok && isRelation.Match(one) {
		return one
	}
	return w
}

// namesAt returns those named from a position on: "Miso, Tofu and Ponzu".
func namesAt(v *lang.View, at int, relation string) (out []Person) {
	if lang.HasHan(relation) {
		end := at + max(partyNameZH(v.Text[at:]), ahName(v.Text[at:]), rareNameZH(v.Text[at:]))
		if called := lang.HasHan(v.Text[:at]) && strings.HasSuffix(v.Text[:at], "叫") ||
			strings.HasSuffix(v.Text[:at], "是") && isMate(relation); called {
			if end = len(v.Text); nameEnds.Match(v.Text[at:]) {
				end = at + nameEnds.Find(v.Text[at:])[0]
			}
		}
		if name := v.Raw(at, end); isName(name) {
			return []Person{{Name: name, Given: givenName(name), Relation: relationOf(relation)}}
		}
		return nil
	}
	for at < len(v.Text) {
		end := wordEnd(v.Text, at)
		if next := end + 1; end < len(v.Text) && v.Text[end] == ' ' && lang.Capitalised(v.Raw(next, wordEnd(v.Text, next))) {
			end = wordEnd(v.Text, next) // Mr Pym
		}
		if end == at || !isName(v.Raw(at, end)) {
			break
		}
		out = append(out, Person{Name: v.Raw(at, end), Relation: relationOf(relation)})
		m := nameJoin.Find(v.Text[end:])
		if m == nil || m[0] > 0 {
			break
		}
		at = end + m[1]
	}
	return out
}

// ahName returns the bytes of a name like 阿健 at the beginning of a text.
func ahName(s string) int {
	if runes := []rune(s); len(runes) > 1 && runes[0] == '阿' && text.Han(runes[1]) {
		return len(string(runes[:2]))
	}
	return 0
}

// isMate reports whether a word tells what one shares: 合租的是.
func isMate(relation string) bool { return mateOf()[relation] != "" }

// rareNameZH returns the bytes of a name of two characters without a family name that is no word, before what
// somebody does: 春晓在首尔.
func rareNameZH(s string) int {
	runes := []rune(s)
	if len(runes) < 4 || !text.Han(runes[0]) || !text.Han(runes[1]) || actsZH(s) || namesNot.Match(s) ||
		isRelation.Match(string(runes[:2])) {
		return 0
	}
	two := string(runes[:2])
	tokens := text.Tokens(s)
	word := len(tokens) == 0 || tokens[0].End > len(two) || tokens[0].End == len(two) && !rareZH(two)
	if word || !actsZH(s[len(two):]) {
		return 0
	}
	return len(two)
}

// givenName returns the name of three characters without its family name.
func givenName(name string) string {
	runes := []rune(name)
	if len(runes) != 3 || !familyNamesZH().Words[string(runes[:1])] {
		return ""
	}
	return string(runes[1:])
}

// wordEnd returns the end of the Latin word at a position.
func wordEnd(s string, at int) int {
	for i, r := range s[at:] {
		if !lang.Latin(r) && r != '-' {
			return at + i
		}
	}
	return len(s)
}

// isName reports whether a text looks like a name.
func isName(name string) bool {
	runes := []rune(name)
	if lang.HasHan(name) {
		return len(runes) >= 2 && len(runes) <= 4 && !strings.ContainsAny(name, " ,;") && !isRelation.Match(name) &&
			!text.IsStop(name)
	}
	first, _, _ := strings.Cut(text.Fold(name), " ")
	return len(runes) >= 2 && lang.Capitalised(name) && !text.IsStop(first) && !noName()[first] && !notName()[first] &&
		!isRelation.Match(first)
}

// Told is a message in which the relation stands before the names of people that the memory knows: "Piotr
// is vegan" is "My flatmate Piotr is vegan". Those are read like any others of the user's. Names in lower case are
// capitalised, and a pronoun that means somebody of the previous message is replaced. Chinese sentences without
// punctuation have commas in it.
type Told struct {
	Text string
	// steps are the changes to the message, each in the text that it made; the last one put in relations.
	steps [][]insertion
}

// insertion is a change: size bytes at a position, in place of cut bytes.
type insertion struct {
	at, size, cut int
	person        Person
}

// tellsRelation matches what says the relation itself, after the name: "Tunde is my husband".
var tellsRelation = text.LazyRegexp(`^(?:'s| is| was) (?:my|our)\b`)

// Tell puts relations before the names with which clauses of a message begin, if they say something of
// that person. Names of public figures, in fiction and in quotations are left alone. before is the user's previous
// message, or empty.
func Tell(message string, people []Person, before string) Told {
	t := pauses(message)
	if nobodys.Match(lang.NewView(t.Text, lang.MaxRead).Text) {
		return t
	}
	t.change(meantEdits(t.Text, before, people))
	t.change(kinEdits(t.Text))
	t.change(nameEdits(t.Text))
	t.change(relationEdits(t.Text, people, before))
	return t
}

// change makes some edits, in order, to the text.
func (t *Told) change(edits []edit) {
	var in []insertion
	t.Text, in = edited(t.Text, edits)
	t.steps = append(t.steps, in)
}

// relationEdits puts relations before known names.
func relationEdits(message string, people []Person, before string) (out []edit) {
	v := lang.NewView(message, lang.MaxRead)
	for _, at := range clauseStarts(v) {
		for _, p := range people {
			lead, lacks, ok := p.begins(v, at)
			if !ok || tellsRelation().MatchString(strings.TrimPrefix(v.Text[at:], text.Fold(p.Name))) {
				continue
			}
			from, _ := v.Source(at, at+1)
			if from == 0 && !lang.HasHan(lead) {
				lead = "M" + lead[1:]
			}
			e := edit{at: from, with: lead, person: p}
			if rest := message[from:]; len(rest) >= len(p.Name) && strings.EqualFold(rest[:len(p.Name)], p.Name) { // in lower case, perhaps
				e.cut, e.with = len(p.Name), lead+p.Name
			}
			out = append(out, e)
			after := v.Text[at:]
			if end := from + len(p.Name); lacks {
				out = append(out, edit{at: end, with: "'"})
				if isOnDay.Match(after[len(p.Name):]) && ofBirthday.Match(text.Fold(before)) {
					out = append(out, edit{at: end + len("s"), with: " birthday"})
				}
			}
			break
		}
	}
	return out
}

// Said returns the bytes of the message that bytes of Text come from.
func (t Told) Said(offset, length int) (int, int) {
	lo, hi := offset, offset+length
	for _, in := range slices.Backward(t.steps) {
		lo, hi = without(in, lo), without(in, hi)
	}
	return lo, hi - lo
}

// without returns the place of a place in a text without changes.
func without(all []insertion, at int) int {
	shift := 0
	for _, in := range all {
		switch {
		case at >= in.at+in.size:
			shift += in.size - in.cut
		case at > in.at:
			return in.at - shift
		}
	}
	return at - shift
}

// About returns the person known by name that some bytes of Text begin with.
func (t Told) About(offset int) (Person, bool) {
	for i, step := range slices.Backward(t.steps) {
		for _, in := range step {
			if in.at == offset && in.person.Name != "" {
				return in.person, true
			}
		}
		if i == len(t.steps)-1 {
			offset = without(step, offset)
		}
	}
	return Person{}, false
}

// clauseStarts returns the positions where clauses begin, after introductory words.
func clauseStarts(v *lang.View) (out []int) {
	for a, b := range clauses(v) {
		clause := v.Text[a:b]
		if lang.HasHan(clause) {
			out = append(out, b-len(skipLeadsZH(clause)))
			continue
		}
		words := strings.Split(clause, " ")
		if n := leadWords(words); n < len(words) {
			out = append(out, b-len(strings.Join(words[n:], " ")))
		}
	}
	return out
}

// begins reports whether the text at a position says something of a person, and returns the words for the
// relation that then precede the name. lacks says that an apostrophe is missing after the name: "alfies birthday".
func (p Person) begins(v *lang.View, at int) (lead string, lacks, ok bool) {
	said := p.Name
	if p.Given != "" && !strings.HasPrefix(v.Text[at:], text.Fold(said)) {
		said = p.Given
	}
	name := text.Fold(said)
	rest, found := strings.CutPrefix(v.Text[at:], name)
	if !found {
		return "", false, false
	}
	rest, lacks = possessive(name, rest)
	raw := v.Raw(at, at+len(name))
	if raw != said && !p.writtenAs(raw) {
		return "", false, false
	}
	i := 0
	if lang.HasHan(rest) && strings.ContainsAny(rest[:1], " ") || !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "'") {
		i = 1
		rest = strings.TrimPrefix(rest, " ")
	}
	relation, ok := p.relationIn(i == 1)
	if !ok || !p.saidBy(name, rest, i) {
		return "", false, false
	}
	if raw != said && isAnimal.Match(relation) && !alive(rest, i) { // ponzu is a sauce
		return "", false, false
	}
	switch {
	case i == 1 && isAnimal.Match(relation):
		return "我家" + relation, false, true
	case i == 1:
		return "我" + relation, false, true
	}
	return "my " + relation + " ", lacks, true
}

// writtenAs reports whether some words are the name as it is written, or in lower case, if it is no word then.
func (p Person) writtenAs(said string) bool {
	if said == p.Name {
		return true
	}
	low := strings.ToLower(p.Name)
	return said == low && len(low) == len(p.Name) && !lang.HasHan(low) && !isWord(low)
}

// Among returns the person as one of those known: with the same name as known, otherwise sharing slots with others of
// the relation. Another name of an only animal is its new name.
func (p Person) Among(known []Person) Person {
	for _, o := range known {
		switch {
		case o.Name == p.Name && o.Relation == p.Relation:
			return o
		case o.Relation == p.Relation && !oneOnly.Match(p.Relation) && (o.Shared || !isAnimal.Match(p.Relation)):
			p.Shared = true
		}
	}
	return p
}

// Slot returns the key of a slot of the person's relation. Of several with one relation each has slots of its
// own.
func (p Person) Slot(key string) string {
	parts := strings.Split(key, "/")
	if !p.Shared || len(parts) < 3 || parts[0] != "relation" {
		return key
	}
	parts[1] = strings.TrimSuffix(parts[1], p.suffix()) + p.suffix()
	return strings.Join(parts, "/")
}

// Alone reports whether a key is that of a name in the slot of the relation, not in one of the person's own.
func (p Person) Alone(key string) bool {
	who, named := strings.CutSuffix(key, "/name")
	return named && strings.HasPrefix(who, "relation/") && !strings.HasSuffix(who, p.suffix())
}

func (p Person) suffix() string { return "-" + strings.ReplaceAll(text.Fold(p.Name), " ", "-") }

// Named puts the name into a conclusion that has only the relation: "Flatmate Piotr moved out."
func (p Person) Named(content string) string {
	if strings.Contains(content, p.Name) || p.Given != "" && strings.Contains(content, p.Given) {
		return content
	}
	name := " " + p.Name
	if lang.HasHan(p.Relation) {
		name = p.Name
	}
	if n := len(p.Relation); len(content) >= n && strings.EqualFold(content[:n], p.Relation) {
		return content[:n] + name + content[n:]
	}
	return strings.Replace(content, p.Relation, p.Relation+name, 1)
}

// saidBy reports whether the text after a folded name says something of that person, in English (0) or Chinese (1).
func (p Person) saidBy(name, rest string, language int) bool {
	if alive(rest, language) {
		return true
	}
	if language == 1 {
		known := !lang.HasHan(name) || rareZH(name) || name != text.Fold(p.Name) && twice(name)
		return known && (says[1].Match(rest) || actsZH(rest))
	}
	if isWord(name) {
		return false
	}
	words := strings.Fields(rest)
	return says[0].Match(rest) || strings.HasPrefix(rest, " ") && len(words) > 0 && pastOrThird(words[0])
}

// twice reports whether a name is one character twice: 朵朵.
func twice(name string) bool {
	runes := []rune(name)
	return len(runes) == 2 && runes[0] == runes[1]
}

// isWord reports whether a folded name is a word, too.
func isWord(name string) bool {
	return alsoWord()[name] || text.IsStop(name) || len(text.Translations(name)) > 0
}

// alive reports whether a text after a name says what only a person or an animal is or does.
func alive(rest string, language int) bool {
	m := lives[language].Find(rest)
	return m != nil && m[0] == 0
}

// relationIn returns the relation in one of the languages.
func (p Person) relationIn(chinese bool) (string, bool) {
	if lang.HasHan(p.Relation) == chinese {
		return p.Relation, true
	}
	for _, w := range text.Translations(p.Relation) {
		if lang.HasHan(w) == chinese && isRelation.Match(w) {
			return w, true
		}
	}
	return "", false
}

// Starts returns the folded beginnings of the clauses of a message that may begin with a name: a capitalised
// or unusual word, or two Chinese characters.
func Starts(message string) (out []string) {
	v := lang.NewView(message, lang.MaxRead)
	for _, at := range clauseStarts(v) {
		if runes := []rune(v.Text[at:min(len(v.Text), at+16)]); len(runes) > 2 && text.Han(runes[0]) && text.Han(runes[1]) {
			out = append(out, string(runes[:2]))
		} else if end := wordEnd(v.Text, at); end > at+1 && !text.IsStop(v.Text[at:end]) {
			w := v.Text[at:end]
			if lang.Capitalised(v.Raw(at, end)) {
				out = append(out, w)
			} else if name, _ := strings.CutSuffix(w, "s"); len(name) > 2 && !isWord(name) && !subjectVerbsEN().Has(w) { // alfies
				out = append(out, name)
			}
		}
	}
	return out
}
