package judge

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// How much of a message the rules read, in characters: what it is about is said
// at its beginning, what it wants at its end, and a pasted file in between says
// neither.
const (
	readHead = 1200
	readTail = 600
)

// said is a message as the rules see it.
type said struct {
	clauses  []clause
	words    []word
	cues     class // of all clauses
	definite bool  // it has "the" before a word that says much
	deep     bool  // a word that points back comes before any that says much
	weight   float64
}

// clause is a piece between two marks, commas among them.
type clause struct {
	words    []word
	cues     class
	asks     bool // the last one of a question
	ends     bool // the last one of a sentence
	bare     bool // nothing is left beside short answers, greetings and thanks
	definite bool
	remark   bool // it only says what its writer thinks of what was said
	mine     bool // it begins with the one who writes: I, my, 我
	deep     bool // a word that points back comes before any that says much
}

// word is a word that says something about a subject.
type word struct {
	forms  []string
	weight float64 // how much it says, 0.2 to 1.5
	fields []uint8
	name   bool // a name, a title, a number of some length, an identifier
	latin  bool
}

// read takes a message apart.
func read(s string) said {
	if utf8.RuneCountInString(s) > readHead+readTail {
		s = runes(s, readHead) + "\n" + lastRunes(s, readTail)
	}
	var m said
	for _, p := range pieces(s) {
		c := p.clause()
		m.definite = m.definite || c.definite
		own := 0.0
		for _, w := range c.words {
			own += w.weight
		}
		c.remark = own < 0.5 && c.cues&answer != 0
		m.deep = m.deep || c.deep && !c.remark && m.weight < 1
		m.weight += own
		m.clauses = append(m.clauses, c)
		m.words = append(m.words, c.words...)
		m.cues |= c.cues
	}
	return m
}

// asks reports whether something is asked near the end of the message: what
// comes after a question is often said to help with the answer.
func (m said) asks() bool {
	for _, c := range m.clauses[max(0, len(m.clauses)-3):] {
		if c.asks {
			return true
		}
	}
	return false
}

// piece is the text of a clause.
type piece struct {
	text string
	mark rune // what it ends with; 0 at the end of the message
}

// pieces cuts a text at its marks. A dot or comma inside a word or number is
// none.
func pieces(s string) (out []piece) {
	start := 0
	cut := func(i, next int, mark rune) {
		if strings.TrimSpace(s[start:i]) != "" {
			out = append(out, piece{s[start:i], mark})
		} else if len(out) > 0 && (mark == '?' || out[len(out)-1].mark == ',') {
			out[len(out)-1].mark = mark
		}
		start = next
	}
	for i, r := range s {
		next := i + utf8.RuneLen(max(r, 0))
		if r == utf8.RuneError {
			continue
		}
		switch r {
		case '?', '？':
			cut(i, next, '?')
		case '。', '！', '!', '；', ';', '\n', '…':
			cut(i, next, '.')
		case '，':
			cut(i, next, ',')
		case '.', ',', ':':
			if next == len(s) || strings.ContainsRune(" \t\r\n", rune(s[next])) {
				cut(i, next, r)
			}
		}
	}
	if strings.TrimSpace(s[start:]) != "" {
		out = append(out, piece{s[start:], 0})
	}
	return out
}

// clause reads a piece.
func (p piece) clause() clause {
	tokens := text.Tokens(p.text)
	c := clause{ends: p.mark != ',' && p.mark != ':'}
	start := c.findCues(p.text, tokens)
	c.mine = start < len(tokens) && mine[tokens[start].Text]
	c.bare = start == len(tokens)
	c.asks = p.mark == '?' || c.ends && asksWithout(p.text, tokens[start:])
	title, heavy := 0, false
	for i, t := range tokens {
		title = quoted(p.text, t, title, tokens[:i])
		if w, ok := wordOf(p.text, t, title > 0, i == 0); ok {
			c.words = append(c.words, w)
			heavy = heavy || w.weight > 0.5
			c.definite = c.definite || w.weight > 0.5 && i > 0 && tokens[i-1].Text == "the"
		}
		if !heavy && pointsBack(t.Text) {
			c.deep = true
		}
	}
	return c
}

// mine are the words by which somebody begins to speak of himself.
var mine = map[string]bool{"i": true, "i'm": true, "i've": true, "my": true, "we": true, "our": true, "我": true, "我们": true, "我家": true}

// pointsBack reports whether a folded word is one of the class back.
func pointsBack(s string) bool {
	s, _, _ = strings.Cut(s, "'") // it's, they're
	r, _ := utf8.DecodeRuneInString(s)
	for _, q := range slices.Concat(cueList().english[s], cueList().chinese[r]) {
		if q.class == back && len(q.tokens) == 1 && q.tokens[0] == s {
			return true
		}
	}
	return false
}

// quoted counts the open brackets of titles 《》 before a token.
func quoted(s string, t text.Token, depth int, before []text.Token) int {
	from := 0
	if len(before) > 0 {
		from = before[len(before)-1].End
	}
	for _, r := range s[from:t.Start] {
		switch r {
		case '《', '「', '『', '`':
			depth++
		case '》', '」', '』':
			depth--
		}
	}
	return max(0, depth)
}

// asksWithout reports a question without its mark: a particle at the end in
// Chinese, a question word at the beginning in English.
func asksWithout(s string, tokens []text.Token) bool {
	if len(tokens) == 0 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(s, unicode.IsSpace))
	if strings.ContainsRune("吗嘛么呢", last) {
		return true
	}
	for _, w := range []string{"什么", "谁", "哪", "几", "多少", "怎么", "为什么", "有没有", "是不是", "能不能", "会不会", "如何"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	switch tokens[0].Text {
	case "what", "where", "when", "who", "why", "how", "which", "do", "does", "did", "is", "are", "was", "were", "can", "could", "would", "will", "should", "have", "has":
		return len(tokens) > 1 && tokens[1].Text != "not"
	}
	return false
}

// wordOf weighs a token; stop words are none.
func wordOf(s string, t text.Token, title, first bool) (w word, ok bool) {
	if text.IsStop(t.Text) {
		return w, false
	}
	w.forms = text.Words(t.Text)
	if len(w.forms) == 0 {
		return w, false
	}
	for _, f := range w.forms {
		for _, n := range fieldIndex()[f] {
			if !contains(w.fields, n) {
				w.fields = append(w.fields, n)
			}
		}
	}
	switch t.Kind {
	case text.Chinese:
		w.chinese(t.Text)
	case text.Number:
		w.weight, w.name = 0.4, len(t.Text) > 3
	default:
		w.latin = true
		w.weight = 1
		if thin()[w.forms[0]] {
			w.weight = 0.35
		}
		w.name = identifier(s[t.Start:t.End], first)
	}
	if title {
		w.name = true
	}
	if w.name {
		w.weight = 1.5
	}
	return w, true
}

// chinese weighs a Chinese word by how rare it is: a word that stands two
// hundred times in a million words says little, one that stands there twice
// says much, and one that the dictionary does not have is a name.
func (w *word) chinese(s string) {
	f, n := text.Frequency(s), utf8.RuneCountInString(s)
	switch {
	case f == 0 && n > 1:
		w.weight, w.name = 1.5, true
	case n == 1:
		w.weight = 0.3
	default:
		w.weight = min(1, max(0.25, 1-(math.Log10(max(f, 0.01))-0.3)/2.7))
	}
	if len(w.fields) == 0 && n > 1 {
		_, size := utf8.DecodeLastRuneInString(s)
		w.fields = fieldIndex()[s[len(s)-size:]]
	}
}

// identifier reports whether a Latin word is a name: it has a capital that does
// not only begin the sentence, digits, or marks inside.
func identifier(s string, first bool) bool {
	capitals, others := 0, 0
	for i, r := range s {
		switch {
		case unicode.IsUpper(r):
			if i > 0 || !first {
				capitals++
			}
		case unicode.IsDigit(r), strings.ContainsRune("_./@#+", r):
			others++
		}
	}
	return len(s) > 1 && (capitals > 0 || others > 0)
}

func contains(of []uint8, n uint8) bool {
	for _, x := range of {
		if x == n {
			return true
		}
	}
	return false
}
