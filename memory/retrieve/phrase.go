package retrieve

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// phrase is a form of one of the tables that is looked for in a whole message
// and taken out of it: see data/proof.txt.
type phrase struct {
	runes []rune // folded; between Chinese characters the message may have spaces
	last  bool   // $: it must end its clause
	asks  bool   // ?: the message must be a question
	whose string // see Wanted
}

// readPhrase takes one form of a table.
func readPhrase(form string) phrase {
	form = strings.TrimSpace(form)
	form, asks := strings.CutSuffix(form, "?")
	form, last := strings.CutSuffix(form, "$")
	return phrase{runes: []rune(text.Fold(strings.TrimSpace(form))), last: last, asks: asks}
}

// readPhrases takes the forms of a line.
func readPhrases(line string) (out []phrase) {
	for form := range strings.SplitSeq(line, "|") {
		if p := readPhrase(form); len(p.runes) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// particles may stand behind what ends a clause.
const particles = "吗嘛呢啊呀吧了呐哦呵的 "

// phrases are forms by the character they begin with, so that a message is gone
// through once.
type phrases map[rune][]phrase

func (all phrases) add(list ...phrase) {
	for _, p := range list {
		all[p.runes[0]] = append(all[p.runes[0]], p)
	}
}

// each calls found for every place of a folded message where a phrase stands, by
// its bytes, until that returns false.
func (all phrases) each(said string, found func(p phrase, lo, hi int) bool) {
	before := ' '
	for lo, r := range said {
		if inWord(before) && inWord(r) {
			continue // in the middle of a word
		}
		before = r
		for _, p := range all[r] {
			if hi, ok := p.at(said, lo); ok && !found(p, lo, hi) {
				return
			}
		}
	}
}

// in reports whether a folded message has one of the phrases.
func (all phrases) in(said string) (yes bool) {
	all.each(said, func(phrase, int, int) bool {
		yes = true
		return false
	})
	return yes
}

// at reports whether the phrase begins at byte lo, where a word begins.
func (p phrase) at(said string, lo int) (hi int, ok bool) {
	chinese := text.CJK(p.runes[0])
	at := lo
	for i, want := range p.runes {
		r, n := utf8.DecodeRuneInString(said[at:])
		for chinese && i > 0 && r != want && unicode.IsSpace(r) {
			at += n
			r, n = utf8.DecodeRuneInString(said[at:])
		}
		if want == ' ' && unicode.IsSpace(r) {
			at += n
			for at < len(said) && (said[at] == ' ' || said[at] == '\t') {
				at++
			}
			continue
		}
		if r != want || n == 0 {
			return 0, false
		}
		at += n
	}
	after, _ := utf8.DecodeRuneInString(said[at:])
	if !chinese && at < len(said) && inWord(after) {
		return 0, false
	}
	return at, !p.last || endsClause(said[at:])
}

// inWord reports whether a character goes on with a word in Latin letters.
func inWord(r rune) bool {
	return r != utf8.RuneError && !text.CJK(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'')
}

func endsClause(rest string) bool {
	rest = strings.TrimLeft(rest, particles)
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
