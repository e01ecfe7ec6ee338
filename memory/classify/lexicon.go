package classify

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"memoria/index/text"
)

// Lexicon has groups of words with nearly the same meaning for a class, such as "delete", "get rid of" and 删掉. With it
// a model knows words that no example has. It is safe for concurrent use.
type Lexicon struct {
	groups  map[string]string // of a phrase, its tokens joined by blanks
	longest int               // tokens of a phrase
}

// EmbeddedLexicon returns a function that reads a lexicon of the program itself at first use.
func EmbeddedLexicon(text *string) func() *Lexicon {
	return sync.OnceValue(func() *Lexicon { return must(ReadLexicon(strings.NewReader(*text))) })
}

// EmbeddedModel is [EmbeddedLexicon] for a model, with its lexicon.
func EmbeddedModel(text *string, l func() *Lexicon) func() *Model {
	return sync.OnceValue(func() *Model { return must(Parse(*text, l())) })
}

// must panics on an error, which a test excludes.
func must[T any](v T, err error) T {
	if err != nil {
		panic("classify: " + err.Error())
	}
	return v
}

// ReadLexicon reads lines of the form "group: phrase | phrase | …"; lines that begin with # are comments, and lines that
// begin with a blank continue the one before. A phrase of one English word includes its inflected forms.
func ReadLexicon(r io.Reader) (*Lexicon, error) {
	l := &Lexicon{groups: map[string]string{}}
	lines := bufio.NewScanner(r)
	group := ""
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		phrases := line
		if !strings.HasPrefix(line, " ") {
			name, rest, ok := strings.Cut(line, ":")
			if !ok || strings.Contains(name, " ") {
				return nil, fmt.Errorf("line %d: %q does not begin with a group and a colon", n, line)
			}
			group, phrases = "="+name, rest
		}
		if group == "" {
			return nil, fmt.Errorf("line %d: phrases of no group", n)
		}
		for phrase := range strings.SplitSeq(phrases, "|") {
			l.add(tokens(phrase), group)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading a lexicon: %w", err)
	}
	return l, nil
}

func (l *Lexicon) add(phrase []string, group string) {
	if len(phrase) == 0 {
		return
	}
	l.longest = max(l.longest, len(phrase))
	l.groups[strings.Join(phrase, " ")] = group
	if len(phrase) == 1 {
		if s := stem(phrase[0]); l.groups[s] == "" {
			l.groups[s] = group
		}
	}
}

// elsewhere replaces words of no group between two groups.
const elsewhere = "…"

// outline returns the groups of the words of a text, in order, with its punctuation marks. Other words between them
// become one mark.
func (l *Lexicon) outline(tokens []string) (out []string) {
	if l == nil {
		return nil
	}
	for i := 0; i < len(tokens); {
		group, n := l.at(tokens[i:])
		switch {
		case group == "" && isMark(tokens[i]):
			group = tokens[i]
		case group == "":
			group = elsewhere
		}
		if len(out) == 0 || out[len(out)-1] != group {
			out = append(out, group)
		}
		i += n
	}
	return out
}

// at returns the group of the longest phrase that some tokens begin with, and how many it has; 1 for none.
func (l *Lexicon) at(tokens []string) (group string, n int) {
	for n := min(l.longest, len(tokens)); n > 0; n-- {
		if g := l.groups[strings.Join(tokens[:n], " ")]; g != "" {
			return g, n
		}
	}
	return l.groups[stem(tokens[0])], 1
}

// Has reports whether a word is in one of the groups, in any inflected form.
func (l *Lexicon) Has(word string) bool {
	t := tokens(word)
	if len(t) == 0 {
		return false
	}
	group, _ := l.at(t)
	return group != ""
}

// stem returns what all forms of an English word share.
func stem(word string) string {
	if words := text.Words(word); len(words) == 1 {
		return "~" + words[0]
	}
	return word
}
