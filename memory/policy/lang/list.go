package lang

import (
	"iter"
	"strings"
	"sync"

	"memoria/index/text"
)

// List is a list of words and phrases of data/lists: lines that begin with # are comments, entries are
// separated by commas and line ends.
type List struct {
	Words   map[string]bool // folded
	stems   map[string]bool // of single-word entries
	longest int             // characters
}

// Listed returns the list in data/lists/name.txt, read once.
func Listed(name string) func() List {
	return sync.OnceValue(func() List {
		out := List{Words: map[string]bool{}, stems: map[string]bool{}}
		for line := range listLines(name) {
			for _, w := range line {
				out.add(strings.TrimSpace(text.Fold(w)))
			}
		}
		return out
	})
}

// ListedForms returns the words in data/lists/name.txt, each with all words of its line, read once.
func ListedForms(name string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		out := map[string][]string{}
		for line := range listLines(name) {
			for _, w := range line {
				out[w] = line
			}
		}
		return out
	})
}

// listLines yields the entries of each line of data/lists/name.txt.
func listLines(name string) iter.Seq[[]string] {
	file, err := data.ReadFile("data/lists/" + name + ".txt")
	if err != nil {
		panic("lang: " + err.Error()) // the binary is broken
	}
	return func(yield func([]string) bool) {
		for line := range strings.Lines(string(file)) {
			entries := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == '，' || r == '\n' })
			for i, w := range entries {
				entries[i] = strings.TrimSpace(w)
			}
			if !strings.HasPrefix(line, "#") && !yield(entries) {
				return
			}
		}
	}
}

func (l *List) add(w string) {
	if w == "" {
		return
	}
	l.Words[w] = true
	l.longest = max(l.longest, len([]rune(w)))
	if !strings.Contains(w, " ") && !HasHan(w) {
		l.stems[stemOf(w)] = true
	}
}

// Has reports whether the list has a folded word, in any inflected form.
func (l List) Has(w string) bool {
	return w != "" && (l.Words[w] || !HasHan(w) && l.stems[stemOf(w)])
}

// Prefix returns the longest entry at the beginning of a Chinese text; "" for none.
func (l List) Prefix(s string) string {
	runes := []rune(s)
	for n := min(l.longest, len(runes)); n > 0; n-- {
		if w := string(runes[:n]); l.Words[w] {
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

// HasHan reports whether a text has a Chinese character.
func HasHan(s string) bool { return strings.ContainsFunc(s, text.Han) }
