package retrieve

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// talk matches an earlier conversation, reminder a request to be reminded.
var (
	talk = text.LazyRegexp(`\b(previous|last|earlier|past|prior|other) (conversation|chat|discussion|session)s?\b|` +
		`\bour (conversation|chat|discussion)s?\b|\bwe (last |previously |once )?(talked|spoke|chatted|discussed)\b`)
	reminder = text.LazyRegexp(`\bremind me (again )?(again|what|what's|who|who's|which|when|where|how|why|whether)\b`)
)

// elliptical reports whether an English question has no subject of its own.
func elliptical(sentence string) bool {
	words := lowerWords(sentence)
	if len(words) == 0 || len(words) > 6 || !strings.HasSuffix(sentence, "?") || !in("asking", words[0]) {
		return false
	}
	for _, w := range words[1:] {
		if !in("pronoun", w) {
			return false
		}
	}
	return true
}

// asksPastEnglish classifies a sentence without Chinese characters.
func asksPastEnglish(sentence string) about {
	words := lowerWords(sentence)
	start := 0
	for start < len(words) && in("lead", words[start]) {
		start++
	}
	if start == len(words) || in("making", words[start]) {
		return aboutNothing
	}
	said := text.Fold(sentence)
	_, again := proofForms()
	replies := speaksOfReplies(words) && !asksMeta(words) && !again.in(said)
	recalls := replies || tellsBefore(words)
	asks := questionEnglish(sentence, words[start:])
	switch {
	case asks && talk().MatchString(said):
		return aboutTalk
	case slices.Contains(words, "remind") && reminder().MatchString(said):
		if anyIn("first", words[min(start+2, len(words)):]) {
			return aboutUser
		}
		return aboutTalk
	case in("finding", words[start]), requests(words[:start]):
		asks = recalls || in("finding", words[start]) && tellsPast(words) && anyIn("first", words[min(start+2, len(words)):])
	case !asks:
		asks = recalls && surelyTold(words)
	}
	switch {
	case !asks:
		return aboutNothing
	case replies:
		return aboutReplies
	case recalls:
		return aboutUser
	}
	return tensedEnglish(sentence, said, words)
}

// requests reports whether the leading words end in "can you", "could" or the like.
func requests(lead []string) bool {
	if len(lead) == 0 {
		return false
	}
	return slices.Contains([]string{"can", "could", "would", "will", "you"}, lead[len(lead)-1])
}

// tensedEnglish classifies a question by its tense and the people it names.
func tensedEnglish(sentence, said string, words []string) about {
	forms, advice := pastForms()
	switch {
	case advice.in(said) || computes(sentence) || asksMeta(words) || anyIn("failure", words):
		return aboutNothing
	case forms.in(said):
		return aboutUser
	}
	question := lowerWords(questionPart(sentence))
	past := tellsPast(question)
	switch {
	case past && anyIn("first", question):
		return aboutUser
	case past, asksOfNamed(sentence):
		return aboutOthers
	}
	return aboutNothing
}

// countsUp reports whether a message asks for a number, a sum or an order, which needs
// all relevant messages.
func countsUp(message string) bool {
	if strings.ContainsFunc(message, text.Han) {
		return holdsAny(text.Fold(message), "counting_zh")
	}
	return anyIn("counting", lowerWords(message))
}

// questionEnglish reports whether a sentence is a question, by its mark or a clause's
// first word.
func questionEnglish(sentence string, words []string) bool {
	if strings.ContainsAny(sentence, "?？") || in("asking", words[0]) {
		return true
	}
	for _, c := range clausesOf(sentence)[1:] {
		w := lowerWords(c) // which, who, when and where may begin a relative clause
		if len(w) > 1 && in("asking", w[0]) && !slices.Contains([]string{"which", "who", "when", "where"}, w[0]) {
			return true
		}
	}
	return false
}

// clausesOf cuts a sentence at its commas, dashes and colons.
func clausesOf(sentence string) []string {
	return strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",，:：;；—–(（)）", r) })
}

// questionPart returns the sentence from its first interrogative clause on, or all if
// there is none.
func questionPart(sentence string) string {
	all := clausesOf(sentence)
	for i, c := range all {
		words := lowerWords(c)
		for len(words) > 0 && in("lead", words[0]) {
			words = words[1:]
		}
		if len(words) > 0 && in("asking", words[0]) {
			if rest := strings.Join(all[i:], ", "); i == 0 || !elliptical(rest+"?") {
				return rest
			}
			break
		}
	}
	return sentence
}

// tellsPast reports whether words are in a past or perfect tense.
func tellsPast(words []string) bool {
	for i, w := range words {
		switch {
		case in("auxiliary", w), in("irregular", w), in("said", w):
			return true
		case in("perfect", w): // "have to" is not a perfect
			if i+1 < len(words) && words[i+1] != "to" && (i > 0 || !slices.Contains(words, "any")) {
				return true
			}
		case len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed"):
			return true
		}
	}
	return false
}

// adverbs may come between a subject and its verb.
var adverbs = strings.Fields(`ever already also just once first last originally really actually
	have had had've not n't been specifically kindly previously`)

// speaksOfReplies reports whether words ask about the model's words: "did you
// recommend", "the list you wrote".
func speaksOfReplies(words []string) bool { return saysOf(words, "you", "saying", "said") }

// tellsBefore reports whether words refer to what the user told the model.
func tellsBefore(words []string) bool {
	for _, who := range []string{"i", "we"} {
		if saysOf(words, who, "telling", "told") {
			return true
		}
	}
	return false
}

// saysOf reports whether who says something: a base form after "did", otherwise a past
// form.
func saysOf(words []string, who, base, past string) bool {
	for i, w := range words {
		if w != who && !strings.HasPrefix(w, who+"'") {
			continue
		}
		next := i + 1
		for next < len(words) && slices.Contains(adverbs, words[next]) {
			next++
		}
		if next == len(words) {
			continue
		}
		if in(past, words[next]) {
			return true
		}
		if i > 0 && (words[i-1] == "did" || words[i-1] == "didn't") && in(base, words[next]) && (next+1 < len(words) || i > 1) {
			return true
		}
	}
	return false
}

// surelyTold reports whether a statement asks for something told: "I know I mentioned".
func surelyTold(words []string) bool {
	if !tellsBefore(words) && !speaksOfReplies(words) {
		return false
	}
	joined := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(sure, func(s string) bool { return strings.Contains(joined, " "+s+" ") })
}

var sure = []string{
	"i know i", "i know we", "i know you", "i'm sure i", "i'm sure you", "pretty sure i", "pretty sure you", "i think i", "i thought i",
	"sworn i", "i believe i", "i forgot", "i forget", "can't remember", "don't remember", "can't recall", "somewhere",
}

// asksMeta reports whether words ask about this conversation: "did you understand my
// question".
func asksMeta(words []string) bool { return in("meta", wordAfter(words, "did", "you")) }

func wordAfter(words []string, first, second string) string {
	for i := range len(words) - 2 {
		if words[i] == first && words[i+1] == second {
			return words[i+2]
		}
	}
	return ""
}

// asksOfNamed reports whether a question in the present asks about a named person:
// "where does Ana work", "what is Ana's job". It excludes "the capital of France".
func asksOfNamed(sentence string) bool {
	fields := strings.Fields(sentence)
	for i, f := range fields {
		if i == 0 || !hasName("x "+f) {
			continue
		}
		before := text.Fold(fields[i-1])
		if strings.Contains(text.Fold(f), "'s") || slices.Contains([]string{"does", "is", "has", "doesn't", "isn't", "and"}, before) {
			return true
		}
	}
	return false
}

// hasName reports whether a sentence has a capitalised word after its beginning that is
// not a day, month or abbreviation.
func hasName(sentence string) bool { return len(names(sentence)) > 0 }

// names returns the capitalised words of an English sentence after its beginning,
// folded.
func names(sentence string) (out []string) {
	begins := true
	for _, t := range strings.Fields(sentence) {
		word := strings.TrimFunc(t, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		r, n := utf8.DecodeRuneInString(word)
		if was := begins; word == "" || was || !unicode.IsUpper(r) || !strings.ContainsFunc(word[n:], unicode.IsLower) {
			begins = strings.HasSuffix(t, ":")
			continue
		}
		folded, _, _ := strings.Cut(text.Fold(word), "'")
		if !everyday()[folded] && !in("first", folded) {
			out = append(out, folded)
		}
	}
	return out
}
