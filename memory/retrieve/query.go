package retrieve

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// Query is an analysed message. Lists are without duplicates, in the order of the
// message.
type Query struct {
	// Keywords are the message's own, as written (R2); a prefix ends in an asterisk
	// (R3).
	Keywords []string
	// Terms and Prefixes are searched in the index: the keywords' forms from
	// text.Words, and prefixes.
	Terms    []string
	Prefixes []string
	// Grams are the characters and pairs of every Chinese run of the message, including
	// stop words. They find text that is segmented differently, and perform better than
	// the keywords' grams alone (memdaily, R@5, 84.6 against 82.5). For a message with
	// more than 96 they are KeyGrams, which perform the same there and cost less.
	Grams []string
	// KeyGrams are the Grams within a keyword. Only these count in the Σ idf of R3a.
	KeyGrams []string
	// WordBoost is the weight of words that are not Chinese. A Chinese keyword is
	// searched by its grams and its word. In a message of both scripts the other words
	// count for correspondingly more, so that no script dominates.
	WordBoost float64
	// EverydayWeight is the weight of everyday English words relative to others.
	EverydayWeight float64
	// Distinctive are the Terms that are not everyday words, see the package comment. A
	// prefix always is distinctive.
	Distinctive []string
	// Singles are the single Chinese characters in Distinctive that name a kind of
	// thing (data/kinds_zh.txt). They also match at the end of a longer word, which in
	// Chinese names the kind: 茶 in 乌龙茶. See [endsWithSingle].
	Singles []string
	// Asked are words under which the answer is stored if the question does not name
	// them (我叫什么: 名字, name), from data/asks.txt. They are alternatives and count
	// as distinctive. The index is searched for AskedWords and AskedGrams instead.
	Asked, AskedWords, AskedGrams []string
	// Translated are the words and phrases of the message that are also searched in the
	// other language.
	Translated []Translated
	// TopicTerms, TopicGrams and TopicDistinctive are those of the session's current
	// topic (R6) that the message lacks.
	TopicTerms       []string
	TopicGrams       []string
	TopicDistinctive []string
	// TopicAlone says that the topic alone may recall an item: the message has a
	// subject, or refers back. To a greeting or everyday words the topic adds only
	// weight.
	TopicAlone bool
	// Preference says that the message voices a preference, AsksPreference that it asks
	// for the user's preference (R5).
	Preference     bool
	AsksPreference bool
	// Personal says that the message has a first-person pronoun: I, my, 我.
	Personal bool
	// AboutUser says that the message asks about the user: it has a footing in fewer words.
	AboutUser bool
	// Uncounted are the Terms that name a time: they are searched, but their idf is not
	// part of the Σ idf of R3a.
	Uncounted []string
	// When is the time that the message names (R12), as parsed by [AnalyseAt]. TimeOnly
	// says that the message asks about that time and has no other keyword, so that the
	// time alone selects: 上周我们聊了什么.
	When     Span
	TimeOnly bool
	// AsksPlans says that the message asks for plans (data/plans.txt), PlansIn for which
	// time; see [Query.Due].
	AsksPlans bool
	PlansIn   Span

	// Whose are words for the people and animals of whom the message is (data/relations.txt):
	// memories without any of them are less relevant.
	Whose Search
	// NamedOnly says that Whose has capitalised words alone, which may be the names of places, too.
	NamedOnly bool
	// OfUser says that the message is a question with a first-person pronoun that names nobody else.
	OfUser bool

	keys, topicKeys []key
	names           []string // index forms of words that begin with a capital letter inside a sentence
}

// key is one keyword in all forms that may occur in a text.
type key struct {
	folded string
	forms  []string
	prefix bool
}

// Empty reports whether there is nothing to search for. A message of stop words is
// empty, however long.
func (q Query) Empty() bool {
	n := len(q.Terms) + len(q.Prefixes) + len(q.AskedWords) + len(q.AskedGrams)
	if q.TopicAlone {
		n += len(q.TopicTerms)
	}
	return n == 0 && !q.Preference && !q.TimeOnly && !q.AsksPlans
}

// Wordless reports whether the message has no keyword, apart from words that name a
// time.
func (q Query) Wordless() bool { return len(q.keys)+len(q.AskedWords)+len(q.AskedGrams) == 0 }

// Limits of a search: a pasted file is a message too, but only its beginning is
// searched.
const (
	maxQuery    = 4 << 10 // bytes of a message that are read
	maxKeywords = 64      // first keywords of a message
	maxGrams    = 96      // of the whole message, see Query.Grams
)

// Analyse turns a message, and its session's topic (may be empty), into a query. It
// reads the first 4 KB of each and takes the first 64 keywords.
func Analyse(message, topic string) Query { return AnalyseAt(message, topic, time.Time{}) }

// AnalyseAt is [Analyse] for a message sent at now, whose location is that of the named
// times.
func AnalyseAt(message, topic string, now time.Time) Query {
	message = spelt(message)
	q := Query{AsksPreference: asksPreference(message), EverydayWeight: everydayWeight}
	q.Preference = q.AsksPreference || voicesPreference(message)
	q.Personal = speaksOfWriter(message)
	q.AboutUser = q.Personal && asksPast(message) >= aboutUser
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
	q.addAsked(asMeant(restPlain))
	q.addWhose(restPlain)
	for _, name := range capitalised(message) {
		q.names = append(q.names, text.QueryTerms(name)...)
	}
	q.translate(restPlain)
	for _, d := range q.Distinctive {
		if kinds()[d] {
			q.Singles = append(q.Singles, d)
		}
	}
	if topic != "" {
		q.addTopic(topic, restPlain)
	}
	q.readPlans(message, now)
	q.TopicAlone = q.TopicAlone && len(q.Asked) == 0 && !q.AsksPlans // it has a subject of its own
	q.TimeOnly = !q.AsksPlans && q.Wordless() && !q.When.All() && aboutBefore(message)
	return q
}

// addTopic adds the topic of the session (R6).
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

// speaksOfWriter reports whether a message has a first-person pronoun.
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

// keywordSet returns the keywords of a text, folded.
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

// everydayWeight is the default of Query.EverydayWeight. It was tried from 1 to 0.1 on
// the open sets: R@5 with ages rose from 47.7 to 52.4 (a child's life) and from 46.1 to
// 51.6 (preferences), and fell again below 0.3. Chinese, which is mostly scored by
// characters and pairs, gains nothing.
const everydayWeight = 0.3

// Boost returns the weight of a term or prefix of the query.
func (q Query) Boost(term string) float64 {
	switch {
	case text.CJK(first(term)):
		return 1
	case everyday()[term]:
		return q.WordBoost * q.EverydayWeight
	}
	return q.WordBoost
}

// add adds a keyword.
func (q *Query) add(keyword string) {
	forms := text.QueryTerms(keyword)
	q.Keywords = append(q.Keywords, keyword)
	q.Terms = append(q.Terms, forms...)
	q.KeyGrams = append(q.KeyGrams, text.Grams(keyword)...)
	q.Distinctive = append(q.Distinctive, distinctive(keyword, forms)...)
	q.keys = append(q.keys, key{folded: text.Fold(keyword), forms: forms})
}

// addTime adds a keyword that only names a time: it is searched, but does not count.
func (q *Query) addTime(keyword string) {
	forms := text.QueryTerms(keyword)
	q.Keywords = append(q.Keywords, keyword)
	q.Terms = append(q.Terms, forms...)
	q.Uncounted = append(q.Uncounted, forms...)
}

// addPrefix adds a prefix. Words are indexed by their stems, so the query uses the
// common prefix of the written word and its stem (deploying* → deploy); if that is
// empty, it also uses the stem (went* → go).
func (q *Query) addPrefix(written string) {
	folded := text.Fold(written)
	prefix, forms := folded, []string(nil)
	if stems := text.QueryTerms(written); len(stems) > 0 { // for a compound, the first is the whole word
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

// cutPrefixes removes the words that end in an asterisk from a message: Pyth*, 机器*.
// An asterisk for emphasis, multiplication or a pointer (*bold*, 2*3, *p) does not
// count.
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
		goesOn := rest != "" && !text.CJK(next) && (unicode.IsDigit(next) || unicode.IsLetter(next))
		if goesOn || next == '*' || strings.HasSuffix(message[:t.Start], "*") {
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

// common returns the longest common prefix.
func common(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return head(a, n)
}

// distinct removes duplicates from list, in place.
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
