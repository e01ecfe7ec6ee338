package judge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// Parts of a message read by the rules, in characters: its beginning has the topic, its
// end the request, and a pasted file between them neither.
const (
	readHead = 1200
	readTail = 600
)

// said is a message analysed by the rules.
type said struct {
	clauses  []clause
	words    []word
	weight   float64 // of all words
	cues     class   // of all clauses
	deep     bool    // it refers back before naming its own subject
	definite bool    // as in clause
}

// clause is the text between two marks, including commas.
type clause struct {
	words    []word
	weight   float64 // of the words
	cues     class
	asks     bool // the last clause of a question
	bare     bool // only short answers, greetings and thanks
	mine     bool // it begins with the author: I, my, 我
	yours    bool // a statement about the other party: you, your, 你
	deep     bool // a reference back precedes any weighty word
	definite bool // "the" precedes a weighty word
	fragment bool // a question without a verb: "and for Windows?"
}

// much is the minimum weight of a possible subject: lighter words are in any talk.
const much = 0.5

// reader reads messages and caches words: those of one conversation repeat. It serves
// one judgement.
type reader struct {
	met map[string]entry
}

func newReader() *reader { return &reader{met: map[string]entry{}} }

// words returns only the words of a message, which suffices for all but the last
// message.
func (r *reader) words(s string) []word {
	var c clause
	s = excerpt(s)
	r.subject(&c, s, text.Tokens(s))
	return c.words
}

// frame reads the beginning and the end of a message.
func (r *reader) frame(s string) (m said) {
	all := pieces(excerpt(s))
	if n := len(all); n > nearEnd+1 {
		all = append(all[:1:1], all[n-nearEnd:]...)
	}
	for _, p := range all {
		c := r.clause(p)
		m.clauses = append(m.clauses, c)
		m.cues |= c.cues
	}
	return m
}

// excerpt returns the part of a message that is read.
func excerpt(s string) string {
	if len(s) <= readHead+readTail {
		return s
	}
	head := runes(s, readHead)
	tail := lastRunes(s[len(head):], readTail)
	return head + "\n" + tail
}

// read analyses a message.
func (r *reader) read(s string) said {
	var m said
	all := pieces(excerpt(s))
	for i, p := range all {
		c := r.clause(p)
		if p.mark == ':' && i+1 < len(all) {
			c.pointsAhead()
		}
		m.deep = m.deep || c.deep && !c.remark() && m.weight < 2*much
		m.definite = m.definite || c.definite
		m.clauses = append(m.clauses, c)
		m.words = append(m.words, c.words...)
		m.weight += c.weight
		m.cues |= c.cues
	}
	return m
}

// remark reports a clause that only comments on previous messages ("that is great"):
// people also say so before changing the subject.
func (c clause) remark() bool { return c.weight < much && c.cues&answer != 0 }

// nearEnd is the number of final clauses with a message's request.
const nearEnd = 3

// asks reports whether there is a question near the end of the message: text after a
// question often helps to answer it. An offer of help is reported separately.
func (m said) asks() (asks, offers bool) {
	for _, c := range m.clauses[max(0, len(m.clauses)-nearEnd):] {
		switch {
		case c.cues&offer != 0:
			offers = true
		case c.asks || c.cues&want != 0:
			asks = true
		}
	}
	return asks, offers
}

// piece is the text of a clause.
type piece struct {
	text string
	mark rune // final mark: one of ?.,: or a line break, or 0 at the end of the message
}

// pieces splits a text at its marks. A dot, comma or colon inside a word or number is
// not a mark.
func pieces(s string) (out []piece) {
	start := 0
	for i, r := range s {
		mark := markOf(s, i, r)
		if mark == 0 {
			continue
		}
		if one := s[start:i]; strings.TrimSpace(one) != "" {
			out = append(out, piece{one, mark})
		} else if n := len(out); n > 0 && (mark == '?' || out[n-1].mark == ',') {
			out[n-1].mark = mark // "what ?!", "so , ?"
		}
		start = i + utf8.RuneLen(r)
	}
	if one := s[start:]; strings.TrimSpace(one) != "" {
		out = append(out, piece{one, 0})
	}
	return out
}

// markOf returns the mark of the character at i, or 0.
func markOf(s string, i int, r rune) rune {
	switch r {
	case '?', '？':
		return '?'
	case '。', '！', '!', '；', ';', '…':
		return '.'
	case '，':
		return ','
	case '：':
		return ':'
	case '\n':
		return r
	case '.', ',', ':':
		if i+1 < len(s) && !unicode.IsSpace(rune(s[i+1])) {
			return 0
		}
		return r
	}
	return 0
}

// clause analyses a piece.
func (r *reader) clause(p piece) clause {
	var c clause
	tokens := text.Tokens(p.text)
	start := c.findCues(tokens)
	own := tokens[start:] // without short answers
	c.bare = len(own) == 0
	c.mine = !c.bare && mine[own[0].Text]
	c.yours = !c.bare && yours[own[0].Text]
	words := asksInWords(p.text, own)
	unmarked := p.mark == 0 || p.mark == '\n'
	particle := endsIn(p.text, "吗嘛么呢")
	c.asks = p.mark == '?' || unmarked && words || p.mark != ',' && particle
	c.fragment = (p.mark == '?' || unmarked && particle) && len(own) < 5 && !words &&
		(!particle || endsIn(p.text, "呢")) && c.cues&(open|ask|turn|shift) == 0
	r.subject(&c, p.text, tokens)
	c.checkObject(tokens)
	return c
}

// subject reads the subject of a clause.
func (r *reader) subject(c *clause, s string, tokens []text.Token) {
	c.words = make([]word, 0, len(tokens))
	title, from, subject := 0, 0, false
	for i, t := range tokens {
		gap := s[from:t.Start]
		title, from = title+titles(gap), t.End
		first := i == 0 || strings.ContainsAny(gap, ".!?:;\n")
		known := r.entry(t)
		c.deep = c.deep || !subject && (known.back || thatOne(tokens, i))
		if known.stop {
			continue
		}
		w := known.word
		if title > 0 || t.Kind == text.Word && identifier(s[t.Start:t.End], first) {
			w.name, w.weight = true, weightName
		}
		c.words = append(c.words, w)
		c.weight += w.weight
		if w.weight > much {
			subject = true
			c.definite = c.definite || i > 0 && tokens[i-1].Text == "the"
		}
	}
}

// titles returns the number of opening minus closing marks of titles and code, such as
// 《》.
func titles(between string) (n int) {
	for _, r := range between {
		switch r {
		case '《', '「', '『':
			n++
		case '》', '」', '』':
			n--
		}
	}
	return n
}
