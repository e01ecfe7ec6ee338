package retrieve

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
)

//go:embed data/proof.txt
var proofTable string

//go:embed data/past.txt
var pastTable string

// Reasons for a turn to search the archive (A2).
const (
	// TriggerProof says that the message asks when something was said, in what words,
	// or how it is known (data/proof.txt).
	TriggerProof = "proof"
	// TriggerSparse says that the message asks about the user or the past (data/past.txt,
	// data/tense.txt), and recall found almost nothing, or that it asks for a number or
	// an order, for which memories are not enough.
	TriggerSparse = "sparse"
	// TriggerUnsure says that the message asks so, and recall found only low
	// confidence.
	TriggerUnsure = "unsure"
	// TriggerMentioned says that the message asks about events or a named person, and
	// recall found almost nothing. It applies only if the archive mentions them.
	TriggerMentioned = "mentioned"
)

// Triggers returns all triggers in order of precedence.
func Triggers() []string {
	return []string{TriggerProof, TriggerSparse, TriggerUnsure, TriggerMentioned}
}

// TriggerWords describes why a turn searched the archive.
func TriggerWords(trigger string) string {
	switch trigger {
	case TriggerProof:
		return "the message asks for proof"
	case TriggerSparse:
		return "recall found too little for a question about before"
	case TriggerUnsure:
		return "recall found only what is not sure"
	case TriggerMentioned:
		return "the archive mentions what the message asks about"
	}
	return ""
}

// Limits below which recall does not answer a question about the past.
const (
	sparseBelow = 0.33 // share of the message's keywords in the best memory
	unsureBelow = 0.6  // confidence: inferred, not stated
)

// Trigger returns why a turn searches the archive, or "". chosen is recall's result for
// the message, on are the enabled triggers.
func Trigger(message string, chosen []Scored, on []string) string {
	if len(on) == 0 {
		return ""
	}
	message = spelt(message)
	if slices.Contains(on, TriggerProof) {
		if _, ok := proofIn(text.Fold(message)); ok {
			return TriggerProof
		}
	}
	how := asksPast(message)
	if how >= aboutTalk {
		if slices.Contains(on, TriggerProof) {
			return TriggerProof // recall knows the user, not the model's answers
		}
		how = aboutUser
	}
	switch {
	case how == aboutNothing:
	case how == aboutUser && slices.Contains(on, TriggerSparse) && (countsUp(message) || sparse(message, chosen)):
		return TriggerSparse
	case how == aboutUser && slices.Contains(on, TriggerUnsure) && unsure(chosen):
		return TriggerUnsure
	case how == aboutOthers && slices.Contains(on, TriggerMentioned) && sparse(message, chosen):
		return TriggerMentioned
	}
	return ""
}

// sparse reports whether no chosen memory answers the message. It uses the share of
// keywords, not the keyword score, which is unreliable with few memories: then words
// that occur in none weigh the most.
func sparse(message string, chosen []Scored) bool {
	if len(chosen) == 0 {
		return true
	}
	q := Analyse(message, "")
	for _, s := range chosen {
		if q.Preference && s.Item.Type == memory.TypePreference {
			return false
		}
		match := Share(q, s.Item.Content+"\n"+s.Item.Title+"\n"+strings.Join(s.Item.Tags, " "))
		if match.Keyword >= sparseBelow {
			return false
		}
	}
	return true
}

func unsure(chosen []Scored) bool {
	for _, s := range chosen {
		if s.Item.Confidence >= unsureBelow {
			return false
		}
	}
	return len(chosen) > 0
}

// Owners of the words that a message asks for.
const (
	WordsAny   = "any"
	WordsMine  = "mine"  // the user's
	WordsYours = "yours" // the model's
)

// Wanted describes the proof that a message asks for.
type Wanted struct {
	Whose string // WordsAny, WordsMine or WordsYours
	// Rest is the folded message without the asking words.
	Rest string
	// Back says that the rest names nothing, so the message asks about the previous
	// answer ("how do you know that?").
	Back bool
}

// Wants parses what a message asks about. If it does not ask for proof, Rest is the
// whole message.
func Wants(message string) Wanted {
	said := text.Fold(spelt(message))
	w, ok := proofIn(said)
	if !ok {
		return Wanted{Whose: whoseWords(message), Rest: said}
	}
	// Unlike a message of everyday words, which is still searched.
	q := Analyse(w.Rest, "")
	w.Back = len(q.Distinctive)+len(q.Prefixes) == 0 && (len(q.Terms) == 0 || refersBack(w.Rest))
	return w
}

// AsksForProof reports whether a message asks what was said, or how something is known (A2).
func AsksForProof(message string) bool {
	_, ok := proofIn(text.Fold(spelt(message)))
	return ok
}

// whoseWords reports whose words answer a message that asks for no proof. The model's
// words prove nothing about the user.
func whoseWords(message string) string {
	switch asksPast(message) {
	case aboutReplies:
		return WordsYours
	case aboutUser:
		return WordsMine
	}
	return WordsAny
}

// proofForms returns the forms of data/proof.txt and their exceptions.
var proofForms = sync.OnceValues(func() (forms, not phrases) {
	forms, not = phrases{}, phrases{}
	for line := range strings.Lines(proofTable) {
		if other, ok := strings.CutPrefix(line, "!"); ok {
			not.add(readPhrases(other)...)
			continue
		}
		whose, list, ok := strings.Cut(line, "<")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, p := range readPhrases(list) {
			p.whose = strings.TrimSpace(whose)
			forms.add(p)
		}
	}
	return forms, not
})

// proofIn finds the longest form in a folded message that asks for proof.
func proofIn(said string) (w Wanted, ok bool) {
	forms, not := proofForms()
	from, to, size := 0, 0, 0
	forms.each(said, func(p phrase, lo, hi int) bool {
		if len(p.runes) > size && (!p.asks || asksSomething(said)) {
			from, to, size, w.Whose = lo, hi, len(p.runes), p.whose
		}
		return true
	})
	if size == 0 || not.in(said) || inQuotation(said, from, to) {
		return Wanted{}, false
	}
	w.Rest = strings.TrimSpace(said[:from] + " " + said[to:])
	return w, true
}

// pastForms returns the forms of data/past.txt, and those of requests.
var pastForms = sync.OnceValues(func() (about, not phrases) {
	about, not = phrases{}, phrases{}
	for line := range strings.Lines(pastTable) {
		switch other, isNot := strings.CutPrefix(line, "!"); {
		case isNot:
			not.add(readPhrases(other)...)
		case !strings.HasPrefix(line, "#"):
			about.add(readPhrases(line)...)
		}
	}
	return about, not
})

// aboutBefore reports whether a message asks about the user or the past.
func aboutBefore(message string) bool { return asksPast(message) != aboutNothing }

// inQuotation reports whether [lo, hi) of a text is inside quotation marks.
func inQuotation(said string, lo, hi int) bool {
	for _, q := range quoted().FindAllStringIndex(said, -1) {
		if q[0] <= lo && hi <= q[1] {
			return true
		}
	}
	return false
}

// Words that begin a question without a mark or, in Chinese, occur in one.
var (
	asksFirst = strings.Fields(`what what's who who's whom whose which when when's where where's why how
		do does did is are am was were have has had can could will would should remember`)
	asksZH = strings.Fields("什么 谁 哪 几 多少 多久 多大 多高 多远 怎么 怎样 为何 如何 是不是 有没有 是否 还记得 记不记得 啥")
)

// asksSomething reports whether a folded text is a question, by its mark, particle or
// words.
func asksSomething(said string) bool {
	if strings.Contains(said, "?") {
		return true
	}
	end := strings.TrimRight(said, " \t\n.。!~")
	if r, _ := utf8.DecodeLastRuneInString(end); r == '吗' || r == '呢' || r == '嘛' {
		return true
	}
	for _, w := range asksZH {
		if strings.Contains(said, w) {
			return true
		}
	}
	for i, c := range clauses(said) {
		if f := strings.Fields(c.words); len(f) > 0 && slices.Contains(asksFirst, f[0]) && !statesLike(f, i == 0) {
			return true
		}
	}
	return false
}

// auxiliaries begin a question before a subject: "is it", "has the". Without one they may go on with what was said: "the
// deposit is 300, has to be paid by May"; and "were going to Rome" lacks its apostrophe.
var (
	auxiliaries = wordSet("is are was were am has have had")
	subjects    = wordSet("i you u he she it we they there this that these those the a an my your his her our their " +
		"any anyone anybody someone")
)

// statesLike reports whether a clause that begins with the word of a question states something.
func statesLike(words []string, first bool) bool {
	switch {
	case !auxiliaries[words[0]] || len(words) < 2:
		return false
	case words[0] == "were" && (strings.HasSuffix(words[1], "ing") || words[1] == "off" || words[1] == "gonna"):
		return true
	case words[1] == "to":
		return true
	}
	return !first && !subjects[words[1]]
}

// OnlyAsks reports whether every sentence of a message is a question. Such a message
// proves nothing.
func OnlyAsks(message string) bool {
	message = spelt(message)
	for _, s := range sentences(message) {
		if said := text.Fold(message[s.lo:s.hi]); strings.TrimSpace(said) != "" && !asksSomething(said) {
			return false
		}
	}
	return true
}
