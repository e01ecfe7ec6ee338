package text

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// translationTable is the table of English and Chinese words; its first lines describe the format.
//
//go:embed data/translations.txt
var translationTable string

// translations is the table, read at first use.
var translations = sync.OnceValue(func() *dictionary { return readDictionary(translationTable) })

// Translation is a word or phrase of a text that the table of translations has.
type Translation struct {
	Start, End int      // the bytes [Start, End) of the text
	Words      []string // its words in the other language, folded
	// Same holds all words, of both languages, that name the same thing, the word itself included. It is empty
	// for a word that only stands for others, such as sister for 姐姐.
	Same []string
}

// Translate finds the English and Chinese words and phrases of a text that the table of translations has, in
// their order and without overlaps. Of several that begin at one place it takes the longest. English words are
// found in any inflected form, Chinese words also as a part of a longer word and over the boundaries of words,
// but a single character only as a word, and nothing that breaks two words apart (学生 in 大学|生活).
func Translate(s string) []Translation { return translations().translate(s) }

// Translations returns the words of the other language for a word or phrase, folded; nil when the table of
// translations does not have it.
func Translations(word string) []string {
	found := Translate(word)
	if len(found) != 1 || strings.TrimSpace(word[:found[0].Start]+word[found[0].End:]) != "" {
		return nil
	}
	return found[0].Words
}

// dictionary finds words of the table in texts.
type dictionary struct {
	groups  []group
	lines   []listing        // chains of the groups that words are in
	english [27]initial      // by the first letter, see letterOf
	chinese map[string]int32 // the chain of each word
	longest map[rune]int     // the most bytes of a word, by its first character
}

// group is a line of the table, folded.
type group struct {
	english, chinese string // words separated by commas
	same             bool
}

// listing says that a word is in a group, and where the next such listing is; 0 is none.
type listing struct{ group, next int32 }

// initial holds the English words that begin with one letter. They are stemmed at first use, since that is most
// of the work of reading the table.
type initial struct {
	once    sync.Once
	written []written
	stems   map[string][]int32 // the groups of each word or phrase, by its stems joined by a space
	longest map[string]int     // the most words of a phrase, by the stem of its first one; not for single words
}

// written is an English word or phrase of a group.
type written struct {
	text  string
	group int32
}

// readDictionary reads a table. It leaves out lines without a sign or without words in both languages, and
// Chinese words that have anything but Chinese characters.
func readDictionary(table string) *dictionary {
	lines := strings.Count(table, "\n") + 1
	d := &dictionary{
		groups: make([]group, 0, lines), lines: make([]listing, 1, 2*lines),
		chinese: make(map[string]int32, 2*lines), longest: make(map[rune]int, lines/2),
	}
	for line := range strings.Lines(table) {
		if hasCapital(line) { // the only difference that the table may have, and folding is slow
			line = Fold(line)
		}
		at := strings.IndexAny(line, "#=~")
		if at < 0 || line[at] == '#' {
			continue
		}
		d.add(group{english: strings.TrimSpace(line[:at]), chinese: strings.TrimSpace(line[at+1:]), same: line[at] == '='})
	}
	return d
}

func (d *dictionary) add(g group) {
	if !has(g.english, isEnglish) || !has(g.chinese, isChinese) {
		return
	}
	id := int32(len(d.groups))
	d.groups = append(d.groups, g)
	for w := range listed(g.english) {
		if isEnglish(w) {
			x := &d.english[letterOf(w)]
			x.written = append(x.written, written{w, id})
		}
	}
	for w := range listed(g.chinese) {
		if isChinese(w) {
			first, _ := utf8.DecodeRuneInString(w)
			d.lines = append(d.lines, listing{id, d.chinese[w]})
			d.chinese[w] = int32(len(d.lines) - 1)
			d.longest[first] = max(d.longest[first], len(w))
		}
	}
}

// groupsOf returns the groups of a Chinese word in their order.
func (d *dictionary) groupsOf(word string) (groups []int32) {
	for at := d.chinese[word]; at != 0; at = d.lines[at].next {
		groups = append(groups, d.lines[at].group)
	}
	slices.Reverse(groups)
	return groups
}

// listed yields the words of one side of a group.
func listed(side string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for w := range strings.SplitSeq(side, ",") {
			if w = strings.TrimSpace(w); w != "" && !yield(w) {
				return
			}
		}
	}
}

// has reports whether a side of a group has a word of its language.
func has(side string, is func(string) bool) bool {
	for w := range listed(side) {
		if is(w) {
			return true
		}
	}
	return false
}

func hasCapital(s string) bool {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

func isEnglish(w string) bool { return w[0] < utf8.RuneSelf && asciiClasses[w[0]]&inWord != 0 }

func isChinese(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !Han(r) })
}

// letterOf returns the number of the initial that a word belongs to. An irregular form and its base share one.
func letterOf(word string) int {
	first, _, _ := strings.Cut(word, " ")
	if base, ok := irregular()[first]; ok {
		word = base
	}
	if c := word[0]; c >= 'a' && c <= 'z' {
		return int(c - 'a')
	}
	return 26
}

// index stems the words.
func (x *initial) index() {
	x.stems, x.longest = make(map[string][]int32, len(x.written)), map[string]int{}
	for _, w := range x.written {
		var stems []string
		for _, t := range Tokens(w.text) {
			stems = t.atoms(stems)
		}
		if len(stems) == 0 {
			continue
		}
		key := strings.Join(stems, " ")
		if groups := x.stems[key]; !slices.Contains(groups, w.group) {
			x.stems[key] = append(groups, w.group)
		}
		if len(stems) > 1 {
			x.longest[stems[0]] = max(x.longest[stems[0]], len(stems))
		}
	}
	x.written = nil
}

// atoms appends the stems that a token counts as in a phrase: one, or those of its parts (left-handed).
func (t Token) atoms(out []string) []string {
	word := possessive(t.Text)
	if !strings.ContainsFunc(word, func(r rune) bool { return !letter(r) }) {
		return append(out, stem(word))
	}
	for _, p := range strings.FieldsFunc(word, func(r rune) bool { return !letter(r) && r != '\'' }) {
		out = append(out, stem(strings.ReplaceAll(p, "'", "")))
	}
	return out
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

// adjoin reports whether the words on both sides of a gap can belong to one phrase.
func adjoin(gap string) bool { return strings.Trim(gap, " -'’\n\t") == "" }

// atom is one stem of an English run, and the token that it is of.
type atom struct {
	stem string
	of   *Token
}

// inWords appends the translations in a run of English words.
func (d *dictionary) inWords(out []Translation, tokens []Token) []Translation {
	atoms := make([]atom, 0, len(tokens))
	var stems []string
	for i := range tokens {
		for _, s := range tokens[i].atoms(stems[:0]) {
			atoms = append(atoms, atom{s, &tokens[i]})
		}
	}
	for i := 0; i < len(atoms); {
		n, groups := d.phrase(atoms[i:])
		if n == 0 {
			i++
			continue
		}
		out = append(out, d.make(atoms[i].of.Start, atoms[i+n-1].of.End, groups, true))
		i += n
	}
	return out
}

// phrase returns the groups of the longest phrase that the atoms begin with, and how many atoms it has.
func (d *dictionary) phrase(atoms []atom) (n int, groups []int32) {
	first := atoms[0].stem
	if first == "" {
		return 0, nil
	}
	x := &d.english[letterOf(first)]
	x.once.Do(x.index)
	if g := x.stems[first]; g != nil {
		n, groups = 1, g
	}
	key := first
	for i := 1; i < min(x.longest[first], len(atoms)); i++ {
		key += " " + atoms[i].stem
		if g := x.stems[key]; g != nil {
			n, groups = i+1, g
		}
	}
	return n, groups
}

// han is one character of a Chinese run: where it is in the text, and the number of its token.
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
		n, groups := d.word(run, i)
		if n == 0 {
			i++
			continue
		}
		out = append(out, d.make(run[i].start, run[i+n-1].end, groups, false))
		i += n
	}
	return out
}

// word returns the groups of the longest word that begins at i, and how many characters it has.
func (d *dictionary) word(run []han, i int) (n int, groups []int32) {
	var b strings.Builder
	most := d.longest[run[i].r]
	for j := i; j < len(run) && b.Len() < most; j++ {
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

// make returns the translation of a word of some groups.
func (d *dictionary) make(start, end int, groups []int32, english bool) Translation {
	t := Translation{Start: start, End: end}
	for _, id := range groups {
		g := d.groups[id]
		other := g.english
		if english {
			other = g.chinese
		}
		t.Words = appendNew(t.Words, other)
		if g.same {
			t.Same = appendNew(appendNew(t.Same, g.english), g.chinese)
		}
	}
	return t
}

// appendNew appends the words of one side of a group that are not in the list.
func appendNew(list []string, side string) []string {
	for w := range listed(side) {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}
