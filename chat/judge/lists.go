package judge

import (
	_ "embed"
	"strings"
	"sync"

	"memoria/index/text"
)

//go:embed data/cues.txt
var cueTable string

//go:embed data/fields.txt
var fieldTable string

//go:embed data/thin.txt
var thinTable string

// class is a set of the classes of data/cues.txt.
type class uint16

const (
	shift class = 1 << iota
	turn
	goOn
	answer
	greet
	closing
	open
	ask
	edit
	link
	mirror
	want
	offer
	back
)

var classNames = map[string]class{
	"shift": shift, "turn": turn, "continue": goOn, "answer": answer,
	"greet": greet, "close": closing, "open": open, "ask": ask, "edit": edit,
	"link": link, "mirror": mirror, "want": want, "offer": offer, "back": back,
}

// anchored classes occur only at the beginning of a clause.
const anchored = answer | greet | closing

// cue is one phrase of data/cues.txt.
type cue struct {
	class       class
	tokens      []string // folded; a Chinese phrase is a single token
	first, last bool     // ^ and $
}

// cues indexes phrases: English ones by their first word, Chinese ones by their first
// character.
type cues struct {
	english map[string][]cue
	chinese map[rune][]cue
}

var cueList = sync.OnceValue(func() cues {
	list := cues{map[string][]cue{}, map[rune][]cue{}}
	var now class
	for line := range lines(cueTable) {
		if name, ok := strings.CutPrefix(line, "["); ok {
			now = classNames[strings.TrimSuffix(name, "]")]
			continue
		}
		for phrase := range strings.SplitSeq(line, "|") {
			list.add(now, strings.TrimSpace(phrase))
		}
	}
	return list
})

func (l cues) add(of class, phrase string) {
	phrase, first := strings.CutPrefix(phrase, "^")
	phrase, last := strings.CutSuffix(phrase, "$")
	phrase = text.Fold(phrase)
	c := cue{class: of, first: first || of&anchored != 0, last: last}
	if r := []rune(phrase)[0]; text.Han(r) {
		c.tokens = []string{phrase}
		l.chinese[r] = append(l.chinese[r], c)
		return
	}
	for _, t := range text.Tokens(phrase) {
		c.tokens = append(c.tokens, t.Text)
	}
	l.english[c.tokens[0]] = append(l.english[c.tokens[0]], c)
}

// fieldIndex maps each word, in the form of text.Words, to the numbers of its fields.
var fieldIndex = sync.OnceValue(func() map[string][]uint8 {
	index := map[string][]uint8{}
	var n uint8
	for line := range lines(fieldTable) {
		for w := range strings.FieldsSeq(line) {
			key := form(w)
			if of := index[key]; len(of) == 0 || of[len(of)-1] != n {
				index[key] = append(of, n)
			}
		}
		n++
	}
	return index
})

// thin holds the words of data/thin.txt, in the form of text.Words.
var thin = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for line := range lines(thinTable) {
		for w := range strings.FieldsSeq(line) {
			set[form(w)] = true
		}
	}
	return set
})

// form returns the longest form of a word from text.Words.
func form(word string) string {
	folded := text.Fold(word)
	if forms := text.Words(folded); len(forms) > 0 {
		return forms[0]
	}
	return folded // a stop word
}

// lines yields the lines of a table without comments.
func lines(table string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(table) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !yield(line) {
				return
			}
		}
	}
}
