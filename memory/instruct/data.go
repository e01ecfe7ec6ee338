package instruct

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/pattern"
)

//go:embed data/*.txt
var files embed.FS

// language is what one language's files say.
type language struct {
	code  string
	lists map[string]string
	kinds []*rules
	bags  []*bag
	// before and after are what may stand around an instruction.
	before, after *regexp.Regexp
}

// rules are the sentences of one kind in one language, compiled when a message first may be one of them.
type rules struct {
	kind Kind
	lang *language
	// when are words of which a message has to hold one.
	when  []string
	lines []string

	once   sync.Once
	never  []*regexp.Regexp
	always []sentence
}

type sentence struct {
	re      *regexp.Regexp
	meaning meaning
}

// meaning is what stands behind "=>".
type meaning struct {
	all, again, either, unsure bool
	kindOf                     string // a type of items
}

// english and chinese are made at first use.
var (
	english = sync.OnceValue(func() *language { return newLanguage("en") })
	chinese = sync.OnceValue(func() *language { return newLanguage("zh") })
)

// respelled are the words that are changed before anything is compared.
var respelled = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, line := range lines("spelling.txt") {
		if from, to, ok := strings.Cut(line, "="); ok {
			for word := range strings.SplitSeq(from, "|") {
				out[strings.TrimSpace(word)] = strings.TrimSpace(to)
			}
		}
	}
	return out
})

// lines are those of a file that are no comments.
func lines(name string) []string {
	b, err := files.ReadFile("data/" + name)
	if err != nil {
		panic("instruct: " + err.Error()) // it is embedded
	}
	return pattern.Lines(string(b))
}

func newLanguage(code string) *language {
	l := &language{code: code, lists: listsOf(code + "_words.txt")}
	polite := listsOf(code + "_polite.txt")
	l.before = regexp.MustCompile(`^(?:` + l.expression(polite["before"]) + `)(?:[,.] )*`)
	l.before.Longest()
	l.after = regexp.MustCompile(`^(?:(?:` + l.expression(polite["after"]) + `)(?:[,.] )*)*$`)
	l.bags = bags(code + "_bags.txt")
	for _, k := range Kinds() {
		l.kinds = append(l.kinds, newRules(l, k))
	}
	return l
}

// expression returns that of a sentence, which must be right.
func (l *language) expression(sentence string) string {
	e := expression{lists: l.lists}
	re, err := e.of(sentence)
	if err != nil {
		panic(fmt.Sprintf("instruct: %s: %v", l.code, err))
	}
	return re
}

// listsOf reads lines of "name: words"; a name may come again.
func listsOf(file string) map[string]string {
	out := map[string]string{}
	for _, line := range lines(file) {
		name, words, ok := strings.Cut(line, ":")
		if !ok {
			panic(fmt.Sprintf("instruct: %s: %q has no name", file, line))
		}
		if name = strings.TrimSpace(name); out[name] != "" {
			words = out[name] + " | " + words
		}
		out[name] = strings.TrimSpace(words)
	}
	return out
}

func newRules(l *language, k Kind) *rules {
	r := &rules{kind: k, lang: l}
	for _, line := range lines(l.code + "_" + string(k) + ".txt") {
		words, ok := strings.CutPrefix(line, "when:")
		if !ok {
			r.lines = append(r.lines, line)
			continue
		}
		for w := range strings.SplitSeq(words, "|") {
			r.when = append(r.when, strings.ReplaceAll(text.Fold(strings.TrimSpace(w)), "'", ""))
		}
	}
	return r
}

func (r *rules) compile() {
	for _, line := range r.lines {
		line, means, _ := strings.Cut(line, "=>")
		body, never := strings.CutPrefix(strings.TrimSpace(line), "!")
		whole := regexp.MustCompile(`^(?:` + r.lang.expression(body) + `)(?:[,.] )*$`)
		if never {
			r.never = append(r.never, whole)
			continue
		}
		r.always = append(r.always, sentence{whole, meant(means)})
	}
}

func meant(words string) (m meaning) {
	fields := strings.Fields(words)
	for i, w := range fields {
		switch w {
		case "all":
			m.all = true
		case "either":
			m.either = true
		case "again":
			m.again = true
		case "unsure":
			m.unsure = true
		case "type":
			m.kindOf = strings.Join(fields[i+1:], " ")
			return m
		default:
			panic(fmt.Sprintf("instruct: => %q means nothing", w))
		}
	}
	return m
}

// bodies returns the parts of a plain text that are left without politeness, the longest first: pairs of its bytes.
func (l *language) bodies(plain string) (out [][2]int) {
	starts, ends := []int{0}, []int{len(plain)}
	for i := 0; i < len(starts) && len(starts) < maxPolite; i++ {
		if m := l.before.FindStringIndex(plain[starts[i]:]); m != nil && m[1] > 0 {
			starts = append(starts, starts[i]+m[1])
		}
	}
	for at := len(plain) - 1; at > 0 && len(ends) < maxPolite; at-- {
		if r := plain[at-1]; (r == ' ' || r >= utf8.RuneSelf) && utf8.RuneStart(plain[at]) && l.after.MatchString(plain[at:]) {
			ends = append(ends, at)
		}
	}
	for _, lo := range starts {
		for _, hi := range ends {
			if lo < hi {
				out = append(out, [2]int{lo, hi})
			}
		}
	}
	return out
}

// maxPolite bounds how many words of politeness are looked at on either side.
const maxPolite = 12

// may reports whether a message holds one of the words that the kind needs; of English ones the beginning of a word.
func (r *rules) may(plain string) bool {
	for _, w := range r.when {
		if han(w) && strings.Contains(plain, w) || strings.HasPrefix(plain, w) || strings.Contains(plain, " "+w) {
			return true
		}
	}
	return false
}
