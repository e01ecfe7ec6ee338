package subject

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

var (
	partiesZH      = lang.Listed("subject_people_zh")
	subjectLeadsZH = lang.Listed("subject_leads_zh")
	subjectVerbsZH = lang.Listed("subject_verbs_zh")
	familyNamesZH  = lang.Listed("subject_surnames_zh")

	// Forms of subjects.txt.
	timeLead       = lang.Form("timeLead")
	beginsWithMe   = lang.Form("beginsWithMe")
	beginsWithOurs = lang.Form("beginsWithOurs")
	beginsWithThem = lang.Form("beginsWithThem")
	beginsWithYou  = lang.Form("beginsWithYou")
	beginsWithThis = lang.Form("beginsWithThis")
	someone        = lang.Form("someone")
	bringsOurs     = lang.Form("bringsOurs")
	ownThing       = lang.Form("ownThing")
	byTitle        = lang.Form("byTitle")
	andMe          = lang.Form("andMe")
	meSaid         = lang.Form("meSaid")
	kinOfMine      = lang.Form("kinOfMine")
)

// chineseSubject parses the subject of a clause.
func chineseSubject(raw string) saidSubject {
	s := strings.TrimLeft(strings.TrimSpace(raw), `"'“「『`)
	s = skipLeadsZH(s)
	out := subjectAtZH(s)
	if thing := ownThing.Groups(text.Fold(s)); thing != nil && out.who != Another {
		out = saidSubject{who: Thing, name: text.Fold(s)[thing[0]:thing[1]]}
	}
	out.brings = broughtZH(text.Fold(s))
	out.own = meSaid.Match(raw)
	out.mentions = mentionedZH(raw)
	return out
}

// skipLeadsZH removes words that may precede a subject.
func skipLeadsZH(s string) string {
	for s != "" {
		if m := timeLead.Find(text.Fold(s)); m != nil && len(text.Fold(s)) == len(s) {
			s = s[m[1]:]
			continue
		}
		w := subjectLeadsZH().Prefix(text.Fold(s))
		rest, ok := strings.CutPrefix(s, w)
		verb := subjectVerbsZH().Prefix(s)
		if w == "" || !ok || rest == "" || utf8.RuneCountInString(w) == 1 && verb != "" && verb != w {
			return s
		}
		s = strings.TrimLeft(rest, " ,，、~!！")
	}
	return s
}

func subjectAtZH(s string) saidSubject {
	f := text.Fold(s)
	switch {
	case f == "":
		return saidSubject{form: fragment}
	case beginsWithMe.Match(f):
		return ourSubjectZH(f)
	case beginsWithThem.Match(f):
		return saidSubject{who: Another, form: pronoun}
	case beginsWithYou.Match(f):
		return saidSubject{who: Listener}
	}
	if w := cmp.Or(partyAtZH(f), byTitle.Text(f)); w != "" {
		return saidSubject{who: Another, name: w}
	}
	if m := someone.Find(f); m != nil {
		if w := cmp.Or(partyAtZH(f[m[1]:]), byTitle.Text(f[m[1]:])); w != "" {
			return saidSubject{who: Another, name: f[:m[1]] + w}
		}
	}
	if beginsWithThis.Match(f) {
		return saidSubject{who: Thing, form: pointing}
	}
	if n := partyNameZH(s); n > 0 && actsZH(s[n:]) {
		return saidSubject{who: Another, name: strings.TrimSpace(s[:n])}
	}
	if actsZH(s) {
		return saidSubject{form: omitted}
	}
	return saidSubject{form: fragment}
}

// ourSubjectZH parses a clause that begins with 我: 我妈 and 我家的猫 are others, 我妈和我 are
// not.
func ourSubjectZH(f string) saidSubject {
	m := beginsWithOurs.Find(f)
	if m == nil {
		return saidSubject{who: Self}
	}
	for _, at := range []int{m[1], ownEnd(f)} {
		w := partiesZH().Prefix(f[at:])
		if w != "" && !begunBy(w, f[at:]) && !andMe.Match(f[at+len(w):]) {
			return saidSubject{who: Another, name: f[:at] + w}
		}
	}
	return saidSubject{who: Self}
}

// broughtZH returns the person whom a clause about the user brings in: 哥 of 我有个哥叫周建国.
func broughtZH(f string) string {
	m := bringsOurs.Find(f)
	if m == nil {
		return ""
	}
	if w := partiesZH().Prefix(f[m[1]:]); w != "" && !isAnimal.Match(w) {
		return w
	}
	return ""
}

// begunBy reports whether a one-character party is the beginning of another word: 公 of 公司.
func begunBy(party, s string) bool {
	tokens := text.Tokens(s)
	return utf8.RuneCountInString(party) == 1 && len(tokens) > 0 && tokens[0].End > len(party)
}

// ownEnd returns the end of the shortest 我, 我家 or 我的 at the beginning of a clause.
func ownEnd(f string) int {
	_, n := utf8.DecodeRuneInString(f)
	for _, w := range []string{"家的", "家", "的", "们"} {
		if strings.HasPrefix(f[n:], w) {
			return n + len(w)
		}
	}
	return n
}

// partyAtZH returns the party that a clause begins with. A single character is a party only if it names an
// animal.
func partyAtZH(f string) string {
	w := partiesZH().Prefix(f)
	if utf8.RuneCountInString(w) == 1 && w != "猫" && w != "狗" {
		return ""
	}
	return w
}

// partyNameZH returns the number of bytes of a name at the beginning of a clause: 小李,
// 老王, 王强, 豆豆, Nube.
func partyNameZH(s string) int {
	tokens := text.Tokens(s)
	if len(tokens) == 0 || tokens[0].Start != 0 {
		return 0
	}
	t := tokens[0]
	if t.Kind == text.Word {
		if len(text.Translations(t.Text)) > 0 || text.IsStop(t.Text) || unicode.IsDigit(rune(s[0])) {
			return 0
		}
		return t.End
	}
	runes := []rune(s)
	if t.Kind != text.Chinese || len(runes) < 3 {
		return 0
	}
	two, surname := string(runes[:2]), func(r rune) bool { return familyNamesZH().Words[string(r)] }
	switch {
	case strings.ContainsRune("小老阿", runes[0]) && surname(runes[1]):
		return len(two)
	case runes[0] == runes[1] && text.Frequency(two) == 0:
		return len(two)
	case surname(runes[0]) && len(tokens) > 1 && t.End == len(string(runes[:1])) && tokens[1].End == len(two):
		if len(tokens) > 2 && len(runes) > 3 && tokens[2].End == len(string(runes[:3])) && !actsZH(string(runes[2:])) {
			return tokens[2].End // a given name of two characters
		}
		return len(two)
	case surname(runes[0]) && len(tokens) > 1 && t.End == len(string(runes[:1])) && tokens[1].End == len(string(runes[:3])) &&
		rareZH(tokens[1].Text) && (len(runes) == 3 || actsZH(string(runes[3:]))): // 刘彩霞
		return tokens[1].End
	case surname(runes[0]) && t.End >= len(two) && t.End <= len(string(runes[:3])) && rareZH(t.Text):
		return t.End
	}
	return 0
}

// rareName is the frequency per million words below which a word is probably a name.
const rareName = 8

// rareZH reports whether a word is probably a name.
func rareZH(w string) bool { return text.Frequency(w) < rareName && len(text.Translations(w)) == 0 }

// actsZH reports whether a text begins, after adverbs and times, with a person's action or
// possession.
func actsZH(s string) bool {
	return subjectVerbsZH().Prefix(text.Fold(skipLeadsZH(strings.TrimSpace(s)))) != ""
}

// mentionedZH returns a party named anywhere in a clause.
func mentionedZH(raw string) string {
	f := text.Fold(raw)
	if m := kinOfMine.Text(f); m != "" {
		return m
	}
	for i := range f {
		if w := partiesZH().Prefix(f[i:]); utf8.RuneCountInString(w) > 1 {
			return w
		}
	}
	return ""
}
