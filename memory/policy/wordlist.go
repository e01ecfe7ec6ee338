package policy

import (
	"strings"
	"sync"

	"memoria/index/text"
)

// wordList is a list of words and phrases of data/lists: lines that begin with # are comments, entries are
// separated by commas and line ends.
type wordList struct {
	words   map[string]bool // folded
	stems   map[string]bool // of single-word entries
	longest int             // characters
}

// listed returns the list in data/lists/name.txt, read once.
func listed(name string) func() wordList {
	return sync.OnceValue(func() wordList {
		file, err := data.ReadFile("data/lists/" + name + ".txt")
		if err != nil {
			panic("lang: " + err.Error()) // the binary is broken
		}
		out := wordList{words: map[string]bool{}, stems: map[string]bool{}}
		for line := range strings.Lines(string(file)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == '，' || r == '\n' }) {
				out.add(strings.TrimSpace(text.Fold(w)))
			}
		}
		return out
	})
}

func (l *wordList) add(w string) {
	if w == "" {
		return
	}
	l.words[w] = true
	l.longest = max(l.longest, len([]rune(w)))
	if !strings.Contains(w, " ") && !han(w) {
		l.stems[stemOf(w)] = true
	}
}

// has reports whether the list has a folded word, in any inflected form.
func (l wordList) has(w string) bool {
	return w != "" && (l.words[w] || !han(w) && l.stems[stemOf(w)])
}

// prefix returns the longest entry at the beginning of a Chinese text; "" for none.
func (l wordList) prefix(s string) string {
	runes := []rune(s)
	for n := min(l.longest, len(runes)); n > 0; n-- {
		if w := string(runes[:n]); l.words[w] {
			return w
		}
	}
	return ""
}

// stemOf returns the common form of an English word's inflections; a stop word is its own.
func stemOf(w string) string {
	if forms := text.Words(w); len(forms) > 0 {
		return forms[0]
	}
	return w
}

func han(s string) bool { return strings.ContainsFunc(s, text.Han) }
