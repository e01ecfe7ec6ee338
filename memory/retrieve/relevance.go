package retrieve

import (
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

const (
	// topicWeight is the relevance added by a full match of the topic's words: the
	// message has priority over the topic.
	topicWeight = 0.5
	// onTopicShare is the minimum share of the topic's Σ idf, or keywords, for an item
	// to be about the topic and get R6's boost.
	onTopicShare = 0.3
)

// BM25 is a score with its limit for a full match: Σ idf (R3a).
type BM25 struct {
	Score, IDF float64
}

// Or returns the score that is nearer to a full match, for a message that can be
// answered by its own words or by [Query.AskedWords].
func (b BM25) Or(other BM25) BM25 {
	if other.share() > b.share() || b.IDF <= 0 {
		return other
	}
	return b
}

func (b BM25) share() float64 {
	if b.IDF <= 0 {
		return 0
	}
	return min(1, b.Score/b.IDF)
}

// Relevance returns the absolute relevance of an item found by the index, 0–1, and
// whether the item is about the session's topic. said is min(1, BM25 / Σ idf of the
// message's keywords) (R3a). Its score counts all Query.Grams, its Σ idf only
// Query.KeyGrams and no Query.Uncounted. The topic's keywords are added to the query
// (R6) at half weight, or at full weight if the message has none.
func Relevance(said, about BM25) (absolute float64, onTopic bool) {
	return relevance(said.share(), about.share(), said.IDF > 0)
}

func relevance(said, about float64, says bool) (absolute float64, onTopic bool) {
	weight := topicWeight
	if !says {
		weight = 1
	}
	return min(1, said+weight*about), about >= onTopicShare
}

// Match is the result of matching an item in a scan.
type Match struct {
	Keyword     float64 // 0–1
	Topic       float64 // the part of Keyword only from the topic's words
	OnTopic     bool
	Distinctive bool // contains a distinctive word, see Found
	Own         bool // contains one of the message's own
}

// Share replaces the index (R4): the keyword score is the share of the message's
// keywords in said, as a word in any form or as a part of the folded text. Irregular
// and inflected English forms match (went, go). Chinese matches anywhere. A prefix must
// begin a word.
func Share(q Query, said string) Match { return newScanned(said).match(q, nil) }

// match matches a query, counting the given translated words too.
func (s scanned) match(q Query, translated []Translated) Match {
	found, distinctive := s.count(q.keys, q.Distinctive)
	more, says := s.countTranslated(q.keys, translated)
	found, distinctive = found+more, distinctive || says
	about, topical := s.count(q.topicKeys, q.TopicDistinctive)
	own, asks := share(found, len(q.keys)), len(q.keys) > 0
	if s.answers(q) {
		own, asks, distinctive = 1, true, true
	}
	distinctive = distinctive || len(q.Singles) > 0 && endsWord(s.tokens, q.Singles)
	keyword, onTopic := relevance(own, share(about, len(q.topicKeys)), asks)
	return Match{
		Keyword: keyword, Topic: keyword - own, OnTopic: onTopic,
		Distinctive: distinctive || topical, Own: distinctive,
	}
}

// endsWithSingle reports whether a word of the text ends in, or is, one of the characters: 茶
// names the kind in 红茶 and 乌龙茶, but not in 茶几.
func endsWithSingle(said string, singles []string) bool {
	return endsWord(text.Tokens(said), singles)
}

func endsWord(tokens []text.Token, singles []string) bool {
	for _, t := range tokens {
		if t.Kind != text.Chinese {
			continue
		}
		for _, s := range singles {
			if strings.HasSuffix(t.Text, s) {
				return true
			}
		}
	}
	return false
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// scanned is a text prepared for matching.
type scanned struct {
	folded string
	words  map[string]bool
	tokens []text.Token
}

func newScanned(said string) scanned {
	s := scanned{folded: text.Fold(said), words: map[string]bool{}}
	for _, w := range text.Words(said) {
		s.words[w] = true
	}
	s.tokens = text.Tokens(said)
	return s
}

// count returns the number of keywords in the text, and whether one is distinctive.
func (s scanned) count(keys []key, distinctive []string) (n int, found bool) {
	for _, k := range keys {
		if s.holds(k) {
			n++
			found = found || k.prefix
		}
	}
	for _, d := range distinctive {
		found = found || s.words[d] || loose(d) && strings.Contains(s.folded, d)
	}
	return n, found
}

// answers reports whether the text has a word under which the answer is stored.
func (s scanned) answers(q Query) bool {
	for _, w := range q.AskedWords {
		if s.words[w] {
			return true
		}
	}
	for _, g := range q.AskedGrams {
		if strings.Contains(s.folded, g) {
			return true
		}
	}
	return false
}

func (s scanned) holds(k key) bool {
	for _, f := range k.forms {
		if s.words[f] {
			return true
		}
	}
	if k.prefix {
		for _, t := range s.tokens {
			if strings.HasPrefix(t.Text, k.folded) {
				return true
			}
		}
		return text.CJK(first(k.folded)) && strings.Contains(s.folded, k.folded)
	}
	return loose(k.folded) && strings.Contains(s.folded, k.folded)
}

// loose reports whether a word may match inside others: Chinese, and alphabetic words
// too long to occur by chance.
func loose(word string) bool {
	return text.CJK(first(word)) || utf8.RuneCountInString(word) >= 4
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
