package retrieve

import (
	"regexp"
	"strings"

	"memoria/index/text"
)

// Query is a message as retrieval sees it.
type Query struct {
	// Keywords are the message's own, as the user wrote them (R2).
	Keywords []string
	// Terms, Grams and Prefixes are what the index is asked for: the folded
	// forms of the keywords, their Chinese characters and bigrams, and the
	// beginnings of words that the user marked with an asterisk (R3).
	Terms    []string
	Grams    []string
	Prefixes []string
	// TopicTerms and TopicGrams are those of the session's current topic (R6),
	// without what the message has already.
	TopicTerms []string
	TopicGrams []string
	// Preference is true when the message voices a preference (R5).
	Preference bool
}

// Empty reports whether there is nothing to look for.
func (q Query) Empty() bool {
	return len(q.Terms)+len(q.Grams)+len(q.Prefixes)+len(q.TopicTerms)+len(q.TopicGrams) == 0 && !q.Preference
}

var (
	prefixMark = regexp.MustCompile(`([\p{L}\p{N}_]+)\*`)

	voicesEnglish = regexp.MustCompile(`(?i)\b(i\s+(really\s+|also\s+|always\s+|do\s+|much\s+)*(prefer|like|love|enjoy|hate|dislike|favou?r)|i('d|\s+would)\s+rather|i\s+(don'?t|do\s+not)\s+(really\s+)?(like|enjoy|want)|i\s+can'?t\s+stand|my\s+favou?rite)\b`)
	voicesChinese = regexp.MustCompile(`我(很|真的|最|更|比较|也|還|还|特别|特別|非常|一直|都|就|不太|不|超|挺)*(喜欢|喜歡|偏好|爱|愛|讨厌|討厭|倾向|傾向|习惯用|習慣用)`)
)

// maxQuery bounds how much of a message is searched for, in bytes: a pasted
// file is a message too, and nobody means all of its words.
const maxQuery = 4 << 10

// Analyse turns a message, and the topic of its session (may be empty), into a
// query.
func Analyse(message, topic string) Query {
	message = head(message, maxQuery)
	q := Query{Preference: voicesEnglish.MatchString(message) || voicesChinese.MatchString(message)}
	plain := prefixMark.ReplaceAllStringFunc(message, func(m string) string {
		q.Prefixes = append(q.Prefixes, text.Fold(strings.TrimSuffix(m, "*")))
		return " "
	})
	q.Keywords = text.Keywords(plain)
	q.Terms, q.Grams = terms(q.Keywords)
	for _, p := range q.Prefixes {
		q.Keywords = append(q.Keywords, p+"*")
	}
	if topic != "" {
		t, g := terms(text.Keywords(head(topic, maxQuery)))
		q.TopicTerms, q.TopicGrams = without(t, q.Terms), without(g, q.Grams)
	}
	return q
}

// terms returns the distinct index forms of keywords.
func terms(keywords []string) (words, grams []string) {
	seenW, seenG := map[string]bool{}, map[string]bool{}
	for _, k := range keywords {
		for _, t := range text.QueryTerms(k) {
			if !seenW[t] {
				seenW[t] = true
				words = append(words, t)
			}
		}
		for _, g := range text.Grams(k) {
			if !seenG[g] {
				seenG[g] = true
				grams = append(grams, g)
			}
		}
	}
	return words, grams
}

func without(all, gone []string) []string {
	drop := map[string]bool{}
	for _, g := range gone {
		drop[g] = true
	}
	var out []string
	for _, s := range all {
		if !drop[s] {
			out = append(out, s)
		}
	}
	return out
}

// head returns at most n bytes of s, cut between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
