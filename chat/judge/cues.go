package judge

import (
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// particles may follow the end of a Chinese clause.
const particles = "吗嘛呢啊呀吧了呐哦呵的么"

// findCues records the classes of the phrases in a clause and returns the number of
// initial tokens that are short answers, greetings and thanks.
func (c *clause) findCues(tokens []text.Token) (start int) {
	for start < len(tokens) {
		n, of := c.opening(tokens[start:])
		if n == 0 {
			break
		}
		start += n
		c.cues |= of
	}
	c.english(tokens, start)
	c.han(joined(tokens))
	return start
}

// opening returns the length in tokens of the longest anchored phrase at the start, and
// its class.
func (c *clause) opening(tokens []text.Token) (n int, of class) {
	for _, q := range cueList().english[tokens[0].Text] {
		if q.class&anchored == 0 || len(q.tokens) > len(tokens) || !same(tokens, q.tokens) {
			continue
		}
		switch {
		case len(q.tokens) > n:
			n, of = len(q.tokens), q.class
		case len(q.tokens) == n:
			of |= q.class
		}
	}
	if n > 0 || tokens[0].Kind != text.Chinese {
		return n, of
	}
	// Chinese phrases may be segmented differently from the message.
	r, _ := utf8.DecodeRuneInString(tokens[0].Text)
	head := ""
	for k, t := range tokens[:min(len(tokens), 4)] {
		head += t.Text
		for _, q := range cueList().chinese[r] {
			if q.class&anchored != 0 && q.tokens[0] == head {
				n, of = k+1, of|q.class
			}
		}
	}
	return n, of
}

func same(tokens []text.Token, phrase []string) bool {
	for i, w := range phrase {
		if tokens[i].Text != w {
			return false
		}
	}
	return true
}

// english records the phrases among tokens; ^ means token 0 or start.
func (c *clause) english(tokens []text.Token, start int) {
	for i, t := range tokens {
		for _, q := range cueList().english[t.Text] {
			if q.class&anchored != 0 || len(q.tokens) > len(tokens)-i || !same(tokens[i:], q.tokens) {
				continue
			}
			if q.first && i != 0 && i != start || q.last && i+len(q.tokens) != len(tokens) {
				continue
			}
			c.cues |= q.class
		}
		if base, _, ok := strings.Cut(t.Text, "'"); ok { // it's, that's, they're
			for _, q := range cueList().english[base] {
				if q.class == back && len(q.tokens) == 1 {
					c.cues |= back
				}
			}
		}
	}
}

// han records the Chinese phrases in a clause, whose words are joined.
func (c *clause) han(s string) {
	for i, r := range s {
		for _, q := range cueList().chinese[r] {
			if q.class&anchored != 0 || q.first && i > 0 || !strings.HasPrefix(s[i:], q.tokens[0]) {
				continue
			}
			if q.last {
				rest := s[i+len(q.tokens[0]):]
				if strings.Trim(rest, particles) != "" {
					continue
				}
			}
			c.cues |= q.class
		}
	}
}

// joined returns the words of a clause without separators.
func joined(tokens []text.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}
