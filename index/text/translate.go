package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Translation is a word or phrase of a text that is in the table of translations. Its
// lists are shared and must not be changed.
type Translation struct {
	Start, End int      // the bytes [Start, End) of the text
	Terms      []string // its QueryTerms
	Words      []string // its words in the other language, folded
	// Parts are words of a phrase whose translation is part of the phrase's: birthday
	// in "birthday party" (生日派对), but not dog in "hot dog" (热狗, single characters
	// do not count).
	Parts []Translation

	of            *dictionary
	groups, sames []int32 // sames are the groups of words for the same thing
}

// Same returns all words, of both languages, that name the same thing, including the
// word itself. It is empty for a word that only represents others, such as sister for
// 姐姐.
func (t Translation) Same() (out []string) {
	for _, id := range t.sames {
		for chinese := range 2 {
			out = appendNew(out, t.of.groups[id].side(chinese == 1))
		}
	}
	return out
}

// Akin reports whether two words, of one language or two, correspond: sister and 姐姐.
func (t Translation) Akin(other Translation) bool { return meet(t.groups, other.groups) }

// Names reports whether two words, of one language or two, name the same thing: cat and
// 小猫, but not sister and 姐姐.
func (t Translation) Names(other Translation) bool { return meet(t.sames, other.sames) }

func meet(a, b []int32) bool {
	return slices.ContainsFunc(a, func(g int32) bool { return slices.Contains(b, g) })
}

// Translate finds the words and phrases of a text that are in the table of
// translations, in order and without overlaps. At each position it takes the longest.
// English words match in any inflected form. Chinese words also match as a part of a
// longer word and across word boundaries. But a single character matches only as a
// word, and a match never splits two words (学生 in 大学|生活).
func Translate(s string) []Translation { return translations().translate(s) }

// Translations returns the folded words of the other language for a word or phrase, or
// nil if the table lacks it.
func Translations(word string) []string {
	found := Translate(word)
	if len(found) != 1 || strings.TrimSpace(word[:found[0].Start]+word[found[0].End:]) != "" {
		return nil
	}
	return found[0].Words
}

// IsCommon reports whether the index form of an English word is that of a word in the table of
// translations, so that it is hardly a misspelling.
func IsCommon(term string) bool {
	if term == "" || term[0] < 'a' || term[0] > 'z' {
		return false
	}
	x := &translations().english[letterOf(term)]
	x.once.Do(x.index)
	return x.stems[term] != nil
}

func (d *dictionary) translate(s string) []Translation {
	var out []Translation
	tokens := Tokens(s)
	for i := 0; i < len(tokens); {
		j := i + 1
		if tokens[i].Kind == Chinese {
			for j < len(tokens) && tokens[j].Kind == Chinese && tokens[j].Start == tokens[j-1].End {
				j++
			}
			out = d.inRun(out, tokens[i:j])
		} else {
			for j < len(tokens) && tokens[j].Kind != Chinese && adjoin(s[tokens[j-1].End:tokens[j].Start]) {
				j++
			}
			out = d.inWords(out, tokens[i:j])
		}
		i = j
	}
	return out
}

// adjoin reports whether the words on both sides of a gap can form one phrase.
func adjoin(gap string) bool { return strings.Trim(gap, " -'’\n\t") == "" }

// atom is one word of an English run, or a part of a compound (left-handed).
type atom struct {
	text, stem string // computed on demand
	of         *Token
}

func (a *atom) stemmed() string {
	if a.stem == "" {
		a.stem = stem(a.text)
	}
	return a.stem
}

// atoms appends the words of a token for phrase matching.
func (t *Token) atoms(out []atom) []atom {
	word := possessive(t.Text)
	if !strings.ContainsFunc(word, func(r rune) bool { return !letter(r) }) {
		return append(out, atom{text: word, of: t})
	}
	for _, p := range strings.FieldsFunc(word, func(r rune) bool { return !letter(r) && r != '\'' }) {
		if p = strings.ReplaceAll(p, "'", ""); p != "" {
			out = append(out, atom{text: p, of: t})
		}
	}
	return out
}

// inWords appends the translations in a run of English words.
func (d *dictionary) inWords(out []Translation, tokens []Token) []Translation {
	atoms := make([]atom, 0, len(tokens))
	for i := range tokens {
		atoms = tokens[i].atoms(atoms)
	}
	for i := 0; i < len(atoms); {
		n, groups := d.phrase(atoms[i:])
		if n == 0 {
			i++
			continue
		}
		t := d.ofWords(atoms[i:i+n], groups)
		for j := i; n > 1 && j < i+n; j++ {
			most := i + n
			if j == i {
				most-- // not the phrase itself
			}
			if m, groups := d.phrase(atoms[j:most]); m > 0 {
				t.addPart(d.ofWords(atoms[j:j+m], groups))
				j += m - 1
			}
		}
		out = append(out, t)
		i += n
	}
	return out
}

// ofWords returns the translation of a phrase.
func (d *dictionary) ofWords(atoms []atom, groups []int32) Translation {
	t := d.make(atoms[0].of.Start, atoms[len(atoms)-1].of.End, groups, true)
	var last *Token
	for i := range atoms {
		switch a := &atoms[i]; {
		case a.of == last || a.of.stop():
		case a.text == possessive(a.of.Text):
			t.Terms = append(t.Terms, a.stemmed())
		default:
			t.Terms = a.of.forms(t.Terms)
		}
		last = atoms[i].of
	}
	return t
}

// addPart adds the translation of a word of a phrase if the phrase's translation
// includes it.
func (t *Translation) addPart(part Translation) {
	for _, w := range part.Words {
		if utf8.RuneCountInString(w) > 1 && slices.ContainsFunc(t.Words, func(whole string) bool { return holdsWord(whole, w) }) {
			t.Parts = append(t.Parts, part)
			return
		}
	}
}

// holdsWord reports whether a phrase of the table holds a word: anywhere in Chinese, as
// whole words in English.
func holdsWord(phrase, word string) bool {
	if len(phrase) == len(word) || !isEnglish(word) {
		return len(phrase) > len(word) && strings.Contains(phrase, word)
	}
	return strings.Contains(" "+phrase+" ", " "+word+" ")
}

// phrase returns the groups of the longest phrase at the start of atoms, and its number
// of atoms.
func (d *dictionary) phrase(atoms []atom) (n int, groups []int32) {
	if w := atoms[0].text; stopFolded(w) && !d.opens[w] {
		return 0, nil
	}
	first := atoms[0].stemmed()
	x := &d.english[letterOf(first)]
	x.once.Do(x.index)
	if g := x.stems[first]; g != nil {
		n, groups = 1, g
	}
	key := first
	for i := 1; i < min(x.longest[first], len(atoms)); i++ {
		key += " " + atoms[i].stemmed()
		if g := x.stems[key]; g != nil {
			n, groups = i+1, g
		}
	}
	return n, groups
}

// han is one character of a Chinese run, with its position in the text and the number
// of its token.
type han struct {
	r              rune
	start, end, of int
}

// inRun appends the translations in a run of Chinese words.
func (d *dictionary) inRun(out []Translation, tokens []Token) []Translation {
	var run []han
	for i, t := range tokens {
		at, same := t.Start, len(t.Text) == t.End-t.Start
		for _, r := range t.Text {
			c := han{r, t.Start, t.End, i}
			if same {
				c.start, c.end = at, at+utf8.RuneLen(r)
			}
			run, at = append(run, c), c.end
		}
	}
	for i := 0; i < len(run); {
		n, groups := d.word(run, i, len(run))
		if n == 0 {
			i++
			continue
		}
		t := d.ofRun(run, i, i+n, tokens, groups)
		for j := i; n > 2 && j < i+n; j++ {
			most := i + n
			if j == i {
				most-- // not the word itself
			}
			if m, groups := d.word(run, j, most); m > 1 {
				t.addPart(d.ofRun(run, j, j+m, tokens, groups))
				j += m - 1
			}
		}
		out = append(out, t)
		i += n
	}
	return out
}

// ofRun returns the translation of the characters [i, j) of a run.
func (d *dictionary) ofRun(run []han, i, j int, tokens []Token, groups []int32) Translation {
	t := d.make(run[i].start, run[j-1].end, groups, false)
	from, to := run[i].of, run[j-1].of
	if i > 0 && run[i-1].of == from || j < len(run) && run[j].of == to { // a part of a word
		var b strings.Builder
		for _, c := range run[i:j] {
			b.WriteRune(c.r)
		}
		t.Terms = QueryTerms(b.String())
		return t
	}
	for _, word := range tokens[from : to+1] {
		if !word.stop() {
			t.Terms = word.forms(t.Terms)
		}
	}
	return t
}

// word returns the groups of the longest word in [i, limit), and its number of
// characters.
func (d *dictionary) word(run []han, i, limit int) (n int, groups []int32) {
	var b strings.Builder
	most := d.longest[run[i].r]
	for j := i; j < limit && b.Len() < most; j++ {
		b.WriteRune(run[j].r)
	}
	text, last := b.String(), i+utf8.RuneCountInString(b.String())-1
	begins := i == 0 || run[i-1].of != run[i].of
	for ; text != ""; last-- {
		ends := last+1 == len(run) || run[last+1].of != run[last].of
		if begins && ends || last > i && run[i].of == run[last].of {
			if groups = d.groupsOf(text); groups != nil {
				return last - i + 1, groups
			}
		}
		text = text[:len(text)-utf8.RuneLen(run[last].r)]
	}
	return 0, nil
}

// make returns the translation for a word's groups.
func (d *dictionary) make(start, end int, groups []int32, english bool) Translation {
	t := Translation{Start: start, End: end, of: d, groups: groups, sames: groups}
	if len(groups) == 1 {
		g := &d.groups[groups[0]]
		if t.Words = g.side(english); !g.same {
			t.sames = nil
		}
		return t
	}
	t.sames = nil
	for _, id := range groups {
		g := &d.groups[id]
		t.Words = appendNew(t.Words, g.side(english))
		if g.same {
			t.sames = append(t.sames, id)
		}
	}
	return t
}

// appendNew appends the words that are not yet in the list.
func appendNew(list, words []string) []string {
	for _, w := range words {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}
