package retrieve

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// Query is a message as retrieval sees it. Lists hold each entry once, in the
// order of the message.
type Query struct {
	// Keywords are the message's own, as the user wrote them (R2); a beginning
	// of a word ends in an asterisk (R3).
	Keywords []string
	// Terms and Prefixes are the words that the index is asked for: the forms of
	// the keywords that text.Words stores, and beginnings of them.
	Terms    []string
	Prefixes []string
	// Grams are the characters and pairs of every Chinese run of the message,
	// stop words included: they find what another segmentation hides, and
	// measure better than those of the keywords alone (memdaily, R@5, 84.6
	// against 82.5). Of a message with more than 96 they are KeyGrams, which
	// measures the same there and costs less.
	Grams []string
	// KeyGrams are those of Grams that lie within a keyword. Only these count in
	// the Σ idf of R3a.
	KeyGrams []string
	// WordBoost weighs the words that are not Chinese. A Chinese keyword is asked
	// for by its grams as well as by its word; in a message of both scripts the
	// others count for as much more, so that no script outweighs the other.
	WordBoost float64
	// EverydayWeight is the weight of everyday English words beside the others.
	EverydayWeight float64
	// Distinctive are those of Terms that are no everyday words, see the
	// package's comment. A prefix always is one.
	Distinctive []string
	// Singles are those of Distinctive that are one Chinese character and name a
	// kind of thing (data/kinds_zh.txt). An item holds such a one also as the end
	// of a longer word, where a Chinese word says what kind it is of: 茶 in 乌龙茶.
	// See [EndsWord].
	Singles []string
	// Asked are words under which the answer is stored when the message is a
	// question that does not name them (我叫什么: 名字, name); data/asks.txt has
	// them. Each of them is as good as the others, and counts as distinctive.
	// AskedWords and AskedGrams are what the index is asked for instead of them.
	Asked, AskedWords, AskedGrams []string
	// Translated are the words and phrases of the message that are also looked for
	// in the other language.
	Translated []Translated
	// TopicTerms, TopicGrams and TopicDistinctive are those of the session's
	// current topic (R6), without what the message has already.
	TopicTerms       []string
	TopicGrams       []string
	TopicDistinctive []string
	// TopicAlone says that an item may come back for the topic's sake alone: the
	// message has a subject, or points at what was said before. To a greeting or
	// to everyday words the topic adds only what they find themselves.
	TopicAlone bool
	// Preference is true when the message voices a preference, AsksPreference when it
	// asks what the user prefers (R5).
	Preference     bool
	AsksPreference bool
	// Personal is true when the message speaks of its writer: I, my, 我.
	Personal bool
	// Uncounted are those of Terms that name a time: they are looked for, but their
	// idf is not part of the Σ idf of R3a.
	Uncounted []string
	// When is the time that the message names (R12), as [AnalyseAt] reads it. TimeOnly
	// is true when the message asks about that time and has no other keyword, so that
	// the time alone selects: 上周我们聊了什么.
	When     Span
	TimeOnly bool

	keys, topicKeys []key
}

// key is one keyword in all the forms in which a text may hold it.
type key struct {
	folded string
	forms  []string
	prefix bool
}

// Empty reports whether there is nothing to look for. A message of stop words
// alone is empty, however many characters it has.
func (q Query) Empty() bool {
	n := len(q.Terms) + len(q.Prefixes) + len(q.AskedWords) + len(q.AskedGrams)
	if q.TopicAlone {
		n += len(q.TopicTerms)
	}
	return n == 0 && !q.Preference && !q.TimeOnly
}

// Wordless reports whether the message has no keyword, apart from words that name a
// time.
func (q Query) Wordless() bool { return len(q.keys)+len(q.AskedWords)+len(q.AskedGrams) == 0 }

// Bounds of what is searched for: a pasted file is a message too, and nobody
// means all of its words.
const (
	maxQuery    = 4 << 10 // bytes of a message that are looked at
	maxKeywords = 64      // the first ones of it
	maxGrams    = 96      // of the whole message, see Query.Grams
)

// Analyse turns a message, and the topic of its session (may be empty), into a
// query. Of each it reads the first 4 KB and takes the first 64 keywords.
func Analyse(message, topic string) Query { return AnalyseAt(message, topic, time.Time{}) }

// AnalyseAt is [Analyse] for a message sent at a moment, in whose location it names
// times.
func AnalyseAt(message, topic string, now time.Time) Query {
	message = head(message, maxQuery)
	q := Query{AsksPreference: asksPreference(message), EverydayWeight: everydayWeight}
	q.Preference = q.AsksPreference || voicesPreference(message)
	q.Personal = speaksOfWriter(message)
	rest := q.readTime(message, now)
	plain, marked := cutPrefixes(message)
	restPlain, _ := cutPrefixes(rest)
	counted := keywordSet(restPlain)
	for i, k := range text.Keywords(plain) {
		switch {
		case i >= maxKeywords:
		case counted[text.Fold(k)]:
			q.add(k)
		default:
			q.addTime(k)
		}
	}
	for _, p := range marked[:min(len(marked), maxKeywords)] {
		q.addPrefix(p)
	}
	q.addMeasures(restPlain)
	for _, list := range []*[]string{&q.Terms, &q.Prefixes, &q.KeyGrams, &q.Distinctive, &q.Uncounted} {
		*list = distinct(*list)
	}
	if q.Grams = distinct(text.Grams(plain)); len(q.Grams) > maxGrams {
		q.Grams = q.KeyGrams
	}
	q.WordBoost = q.wordBoost()
	q.addAsked(restPlain)
	q.translate(restPlain)
	for _, d := range q.Distinctive {
		if kinds()[d] {
			q.Singles = append(q.Singles, d)
		}
	}
	if topic != "" {
		q.addTopic(topic, restPlain)
	}
	q.TimeOnly = q.Wordless() && !q.When.All() && aboutBefore(message)
	return q
}

// addTopic takes in the topic of the session (R6).
func (q *Query) addTopic(topic, message string) {
	t := Analyse(strings.ReplaceAll(head(topic, maxQuery), "*", " "), "")
	q.TopicTerms = without(t.Terms, q.Terms)
	q.TopicGrams = without(t.KeyGrams, q.Grams)
	q.TopicDistinctive = without(t.Distinctive, q.Terms)
	q.topicKeys = t.keys
	q.TopicAlone = hasSubject(q.Distinctive) || len(q.Prefixes) > 0 || refersBack(message)
}

var writer = map[string]bool{
	"i": true, "me": true, "my": true, "mine": true, "myself": true, "we": true, "us": true, "our": true, "ours": true,
}

// speaksOfWriter reports whether a message has a pronoun of the first person.
func speaksOfWriter(message string) bool {
	if strings.ContainsAny(message, "我咱俺") {
		return true
	}
	for _, t := range text.Tokens(message) {
		base, _, _ := strings.Cut(t.Text, "'") // I'm
		if writer[base] {
			return true
		}
	}
	return false
}

// keywordSet holds the keywords of a text, folded.
func keywordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, k := range text.Keywords(s) {
		set[text.Fold(k)] = true
	}
	return set
}

// wordBoost is one more than the number of grams for each Chinese keyword.
func (q Query) wordBoost() float64 {
	chinese := 0
	for _, k := range q.keys {
		if text.CJK(first(k.folded)) {
			chinese++
		}
	}
	if chinese == 0 {
		return 1
	}
	return 1 + float64(len(q.KeyGrams))/float64(chinese)
}

// everydayWeight is the default of Query.EverydayWeight. It was
// tried from 1 to 0.1 on the open sets: R@5 with ages rose from 47.7 to 52.4 (a child's
// life) and from 46.1 to 51.6 (preferences), and fell again below 0.3. Chinese, which is
// mostly scored by characters and pairs, gains nothing.
const everydayWeight = 0.3

// Boost is the weight of a term or prefix of the query.
func (q Query) Boost(term string) float64 {
	switch {
	case text.CJK(first(term)):
		return 1
	case everyday()[term]:
		return q.WordBoost * q.EverydayWeight
	}
	return q.WordBoost
}

// add takes in a keyword.
func (q *Query) add(keyword string) {
	forms := text.QueryTerms(keyword)
	q.Keywords = append(q.Keywords, keyword)
	q.Terms = append(q.Terms, forms...)
	q.KeyGrams = append(q.KeyGrams, text.Grams(keyword)...)
	q.Distinctive = append(q.Distinctive, distinctive(keyword, forms)...)
	q.keys = append(q.keys, key{folded: text.Fold(keyword), forms: forms})
}

// addTime takes in a keyword that only names a time: it is looked for, and counts
// for nothing else.
func (q *Query) addTime(keyword string) {
	forms := text.QueryTerms(keyword)
	q.Keywords = append(q.Keywords, keyword)
	q.Terms = append(q.Terms, forms...)
	q.Uncounted = append(q.Uncounted, forms...)
}

// addPrefix takes in the beginning of a word. Words are indexed by their stems,
// so what is asked for is what the beginning and its stem have in common
// (deploying* → deploy); where that is nothing, the stem is asked for as well
// (went* → go).
func (q *Query) addPrefix(written string) {
	folded := text.Fold(written)
	prefix, forms := folded, []string(nil)
	if stems := text.QueryTerms(written); len(stems) > 0 { // of a compound, the first is the whole
		if c := common(stems[0], folded); utf8.RuneCountInString(c) > 1 {
			prefix = c
		} else {
			forms = stems[:1]
		}
	}
	q.Keywords = append(q.Keywords, written+"*")
	q.Prefixes = append(q.Prefixes, prefix)
	q.Terms = append(q.Terms, forms...)
	q.Distinctive = append(q.Distinctive, forms...)
	q.keys = append(q.keys, key{folded: prefix, forms: forms, prefix: true})
}

// cutPrefixes takes the words that end in an asterisk out of a message: Pyth*,
// 机器*. An asterisk that stands for emphasis, multiplication or a pointer's
// name (*bold*, 2*3, *p) is none.
func cutPrefixes(message string) (plain string, prefixes []string) {
	if !strings.Contains(message, "*") {
		return message, nil
	}
	var b strings.Builder
	from := 0
	for _, t := range text.Tokens(message) {
		rest, ok := strings.CutPrefix(message[t.End:], "*")
		if !ok || t.Start < from || utf8.RuneCountInString(t.Text) < 2 && t.Kind != text.Chinese {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest)
		if next == '*' || strings.HasSuffix(message[:t.Start], "*") || rest != "" && !text.CJK(next) && (unicode.IsDigit(next) || unicode.IsLetter(next)) {
			continue
		}
		b.WriteString(message[from:t.Start])
		b.WriteByte(' ')
		prefixes = append(prefixes, message[t.Start:t.End])
		from = t.End + 1
	}
	b.WriteString(message[from:])
	return b.String(), prefixes
}

// common returns the longest common beginning.
func common(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return head(a, n)
}

// distinct leaves out of list, in place, what was in it before.
func distinct(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		if seen[s] {
			return true
		}
		seen[s] = true
		return false
	})
}

func without(all, gone []string) []string {
	drop := make(map[string]bool, len(gone))
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
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
