package text

import (
	_ "embed"
	"strings"
	"sync"
)

// The lists hold words separated by white space; lines that begin with # are comments.
// In the English list a line that begins with > is one phrase, whose words are stop
// words only together.
//
//go:embed data/stop_en.txt
var stopEnglish string

//go:embed data/stop_zh.txt
var stopChinese string

type stopList struct {
	words   map[string]struct{}
	phrases map[string][][]string // by first word
}

var stops = sync.OnceValue(func() *stopList {
	list := &stopList{words: make(map[string]struct{}, 1024), phrases: map[string][][]string{}}
	for line := range strings.Lines(stopEnglish + stopChinese) {
		if phrase, ok := strings.CutPrefix(line, ">"); ok {
			words := strings.Fields(phrase)
			list.phrases[words[0]] = append(list.phrases[words[0]], words)
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			list.words[Fold(w)] = struct{}{}
		}
	}
	return list
})

// IsStop reports whether a word says nothing about the topic of a text: articles,
// pronouns, particles, auxiliary and very general verbs, and words that refer to a
// conversation ("remember", "you said", 上次, 记得). Any spelling that Fold unifies is
// accepted.
func IsStop(word string) bool {
	return stopFolded(word) || stopFolded(Fold(word))
}

// stopFolded is IsStop for a folded word.
func stopFolded(word string) bool {
	list := stops().words
	if _, ok := list[word]; ok {
		return true
	}
	return contraction(word, list) || quantifier(word)
}

// quantifier reports whether a word is an unspecific number with a measure word: 一杯, 几家, 这张.
func quantifier(word string) bool {
	const (
		han     = len("一") // every character of both lists has three bytes
		numbers = "一几这那每某哪"
		classes = "个只条张位次件杯本家名种些点块片场座把份项部篇段句道类步级层套群辆株棵支瓶碗盒袋双对首顿趟回遍"
	)
	if len(word) != 2*han {
		return false
	}
	number, class := word[:han], word[han:]
	return strings.Contains(numbers, number) && strings.Contains(classes, class)
}

// contraction reports whether a word with an apostrophe consists of stop words: I'm,
// don't, who's. A noun's possessive does not: john's.
func contraction(word string, list map[string]struct{}) bool {
	base, tail, ok := strings.Cut(word, "'")
	if !ok {
		return false
	}
	if tail == "t" && strings.HasSuffix(base, "n") {
		return true
	}
	_, stop := list[base]
	return stop
}

// stopPhrase returns the number of tokens in the stop phrase at the start, or 0.
func stopPhrase(tokens []Token) int {
	longest := 0
	for _, phrase := range stops().phrases[tokens[0].Text] {
		if len(phrase) > longest && len(phrase) <= len(tokens) && samePhrase(tokens, phrase) {
			longest = len(phrase)
		}
	}
	return longest
}

func samePhrase(tokens []Token, phrase []string) bool {
	for i, w := range phrase {
		if tokens[i].Text != w {
			return false
		}
	}
	return true
}
