package judge

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// checkObject examines the object of an order to change something. With "a" the order
// is to make something, "make a plan". In English it needs a known thing ("it", "the
// title") or almost no words, since "convert 70 fahrenheit to celsius" changes nothing
// known.
func (c *clause) checkObject(tokens []text.Token) {
	if c.cues&edit == 0 {
		return
	}
	for _, t := range tokens {
		indefinite := t.Text == "a" || t.Text == "an" || strings.HasPrefix(t.Text, "一") && text.IsStop(t.Text)
		if indefinite {
			c.cues = c.cues&^edit | open
			return
		}
	}
	if tokens[0].Kind == text.Word && !c.deep && !c.definite && c.weight >= 3*much {
		c.cues &^= edit
	}
}

// pointsAhead treats references in a clause before a colon as references to the text
// after it: "fix this: …", 把这句话翻译成英文：….
func (c *clause) pointsAhead() {
	c.deep = false
	if c.cues&edit != 0 {
		c.cues |= open
	}
	c.cues &^= edit | back
}

// mine are first words of clauses about the author.
var mine = map[string]bool{
	"i": true, "i'm": true, "i've": true, "my": true, "we": true, "our": true, "我": true, "我们": true, "我家": true,
}

// thatOne reports whether the word at i is a demonstrative "that", not a conjunction:
// "I heard that …", "so that I …".
func thatOne(tokens []text.Token, i int) bool {
	if base, _, _ := strings.Cut(tokens[i].Text, "'"); base != "that" {
		return false
	}
	return (i == 0 || !slices.Contains(thinking, tokens[i-1].Text)) &&
		(i+1 == len(tokens) || !slices.Contains(subjects, tokens[i+1].Text))
}

var (
	thinking = []string{
		"think", "thought", "know", "knew", "heard", "hear", "say", "says", "said", "tell", "told", "believe", "sure", "so",
		"hope", "guess", "feel", "felt", "mean", "sad", "glad", "happy", "afraid", "sorry", "see", "read", "wish", "is", "was",
	}
	subjects = []string{"i", "you", "he", "she", "it", "we", "they", "the", "there", "my", "your"}
)

// yours are first words of clauses about the other party.
var yours = map[string]bool{"you": true, "you're": true, "you've": true, "your": true, "yours": true, "你": true, "您": true, "你们": true}

// pointsBack reports whether a folded word is in the class back.
func pointsBack(s string) bool {
	s, _, _ = strings.Cut(s, "'") // it's, they're
	first, _ := utf8.DecodeRuneInString(s)
	is := func(q cue) bool { return q.class == back && len(q.tokens) == 1 && q.tokens[0] == s }
	return slices.ContainsFunc(cueList().english[s], is) || slices.ContainsFunc(cueList().chinese[first], is)
}

// Words that mark a question without a question mark.
var (
	questionWords = []string{"什么", "谁", "哪", "几", "多少", "怎么", "有没有", "是不是", "能不能", "会不会", "如何"}
	questionHeads = []string{
		"what", "where", "when", "who", "why", "how", "which", "do", "does", "did", "is", "are", "was", "were",
		"can", "could", "would", "will", "should", "have", "has",
	}
)

// asksInWords detects a question by its words: in Chinese a question word anywhere, in
// English at the beginning.
func asksInWords(s string, tokens []text.Token) bool {
	for _, w := range questionWords {
		if strings.Contains(s, w) {
			return true
		}
	}
	return len(tokens) > 1 && slices.Contains(questionHeads, tokens[0].Text) && tokens[1].Text != "not"
}

// endsIn reports whether the last character of a text is one of these.
func endsIn(s, these string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(s, unicode.IsSpace))
	return strings.ContainsRune(these, last)
}
