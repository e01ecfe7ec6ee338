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

// translations returns the table, parsed at first use.
var translations = sync.OnceValue(func() *dictionary { return readDictionary(translationTable) })

// dictionary looks up words of the table in texts.
type dictionary struct {
	groups  []group
	lines   []listing        // linked lists of a word's groups
	english [27]initial      // by the first letter, see letterOf
	chinese map[string]int32 // head of each word's list
	longest map[rune]int     // maximum bytes of a word, by its first character
	opens   map[string]bool  // stop words that begin a phrase
}

// group is a line of the table, folded.
type group struct {
	english, chinese string // words separated by commas
	same             bool

	once  sync.Once
	words [2][]string // of the two sides, parsed on demand
}

// side returns the Chinese or the English words.
func (g *group) side(chinese bool) []string {
	g.once.Do(func() {
		for w := range listed(g.english) {
			if isEnglish(w) {
				g.words[0] = append(g.words[0], w)
			}
		}
		for w := range listed(g.chinese) {
			if isChinese(w) {
				g.words[1] = append(g.words[1], w)
			}
		}
	})
	if chinese {
		return g.words[1]
	}
	return g.words[0]
}

// listing links a word to a group and to its next listing; 0 means none.
type listing struct{ group, next int32 }

// initial holds the English words that begin with one letter. They are stemmed at first
// use, since that is most of the work of parsing the table.
type initial struct {
	once    sync.Once
	written []written
	stems   map[string][]int32 // groups of each word or phrase, by its stems joined by a space
	longest map[string]int     // maximum words of a phrase, by the stem of its first one; not for single words
}

// written is an English word or phrase of a group.
type written struct {
	text  string
	group int32
}

// readDictionary parses a table. It skips lines without a sign or without words in both
// languages, and Chinese words with other characters.
func readDictionary(table string) *dictionary {
	lines := strings.Count(table, "\n") + 1
	d := &dictionary{
		groups: make([]group, 0, lines), lines: make([]listing, 1, 2*lines),
		chinese: make(map[string]int32, 2*lines), longest: make(map[rune]int, lines/2), opens: map[string]bool{},
	}
	for line := range strings.Lines(table) {
		if hasCapital(line) { // the only difference in the table, and folding is slow
			line = Fold(line)
		}
		at := strings.IndexAny(line, "#=~")
		if at < 0 || line[at] == '#' {
			continue
		}
		d.add(strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:]), line[at] == '=')
	}
	return d
}

func (d *dictionary) add(englishSide, chineseSide string, same bool) {
	if !has(englishSide, isEnglish) || !has(chineseSide, isChinese) {
		return
	}
	id := int32(len(d.groups))
	d.groups = append(d.groups, group{english: englishSide, chinese: chineseSide, same: same})
	for w := range listed(englishSide) {
		if isEnglish(w) {
			x := &d.english[letterOf(w)]
			x.written = append(x.written, written{w, id})
			if end := strings.IndexAny(w, " -"); end > 0 {
				if first := strings.ReplaceAll(w[:end], "'", ""); stopFolded(first) {
					d.opens[first] = true
				}
			}
		}
	}
	for w := range listed(chineseSide) {
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

// letterOf returns the index of a word's initial. An irregular form and its base share
// one.
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
	var atoms []atom
	for _, w := range x.written {
		atoms = atoms[:0]
		tokens := Tokens(w.text)
		for i := range tokens {
			atoms = tokens[i].atoms(atoms)
		}
		if len(atoms) == 0 {
			continue
		}
		key := atoms[0].stemmed()
		for i := 1; i < len(atoms); i++ {
			key += " " + atoms[i].stemmed()
		}
		if groups := x.stems[key]; !slices.Contains(groups, w.group) {
			x.stems[key] = append(groups, w.group)
		}
		if len(atoms) > 1 {
			x.longest[atoms[0].stem] = max(x.longest[atoms[0].stem], len(atoms))
		}
	}
	x.written = nil
}
