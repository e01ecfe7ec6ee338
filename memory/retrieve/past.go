package retrieve

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"memoria/index/text"
)

//go:embed data/tense.txt
var tenseTable string

// about says how a message asks about the past.
type about int

const (
	aboutNothing about = iota
	// aboutOthers asks about events, or about a named person. Only an archive that
	// mentions them can answer.
	aboutOthers
	// aboutUser asks about the user, or about earlier conversations.
	aboutUser
	// aboutTalk asks about both sides' words in an earlier conversation.
	aboutTalk
	// aboutReplies asks about the model's words.
	aboutReplies
)

// wordClasses maps the names of the lists of data/tense.txt to the lists.
var wordClasses = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(tenseTable) {
		if name, list, ok := strings.Cut(line, "<"); ok && !strings.HasPrefix(line, "#") {
			out[strings.TrimSpace(name)] = strings.Fields(text.Fold(list))
		}
	}
	return out
})

// sets holds the same lists as sets.
var sets = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for name, list := range wordClasses() {
		set := make(map[string]bool, len(list))
		for _, w := range list {
			set[w] = true
		}
		out[name] = set
	}
	return out
})

// quoted matches quotations.
var quoted = text.LazyRegexp("“[^”]*”|\"[^\"\n]*\"|「[^」]*」|『[^』]*』|`[^`]*`")

// coded matches program text.
var coded = text.LazyRegexp(`[{}]|;\s*$|\w\(\)|[=!<>]=|\w+\s=\s\S|->|=>`)

// asksPast reports how a message asks about the past: the maximum over its sentences.
// An elliptical sentence refers to the previous one: "I was choosing between two
// schools. Which one?"
func asksPast(message string) about {
	plain := spelt(message)
	if strings.ContainsAny(plain, "“\"「『`") {
		plain = quoted().ReplaceAllString(plain, " ")
	}
	if strings.ContainsAny(plain, "{}();=>") && coded().MatchString(plain) {
		return aboutNothing
	}
	out, before := aboutNothing, ""
	for _, s := range sentences(plain) {
		one := plain[s.lo:s.hi]
		got := asksPastIn(one)
		if got <= aboutOthers && before != "" && elliptical(one) {
			got = max(got, asksPastIn(strings.TrimRight(before, ".。!！?？ ")+"?"))
		}
		out, before = max(out, got), one
	}
	return out
}

func asksPastIn(sentence string) about {
	if strings.ContainsFunc(sentence, text.Han) {
		return asksPastChinese(sentence)
	}
	return asksPastEnglish(sentence)
}

// AsksWhatWas reports whether a message asks how something was: what is no longer true answers
// it, too.
func AsksWhatWas(message string) bool {
	message = spelt(message)
	if strings.ContainsFunc(message, text.Han) {
		return tellsPastChinese(text.Fold(message))
	}
	words := slices.DeleteFunc(lowerWords(message), func(w string) bool { return in("perfect", w) }) // "do I have a dog"
	return tellsPast(words)
}

// in reports whether a word is in a class of data/tense.txt.
func in(class, word string) bool { return sets()[class][word] }

func anyIn(class string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return in(class, w) })
}

// lowerWords returns the Latin words of a text, folded, without surrounding signs.
func lowerWords(s string) []string {
	return strings.FieldsFunc(text.Fold(s), func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// computes reports whether a sentence contains numbers for a computation: two or more,
// outside the clause that asks.
func computes(sentence string) bool {
	all := clausesOf(strings.ReplaceAll(sentence, ",0", "0"))
	n := 0
	for _, c := range all[:max(0, len(all)-1)] {
		inNumber := false
		for _, r := range c {
			number := unicode.IsDigit(r) || strings.ContainsRune(chineseNumerals, r)
			if number && !inNumber {
				n++
			}
			inNumber = number
		}
	}
	return n > 1
}

const chineseNumerals = "零一二三四五六七八九十百千万"
