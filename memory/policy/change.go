package policy

import (
	"fmt"
	"strings"

	"memoria/memory/pattern"
)

// change rewrites the words of an object, line by line.
type change []replacement

type replacement struct {
	old pattern.Pattern
	by  string // in the syntax of package regexp
}

// addChange parses a block "change NAME" with lines "PATTERN -> TEXT".
func (l *language) addChange(b pattern.Block) error {
	var c change
	for _, line := range b.Lines {
		old, by, ok := strings.Cut(line.Text, "->")
		if !ok {
			return fmt.Errorf("%s: change %s: want PATTERN -> TEXT, have %q", line.Where, b.Name, line.Text)
		}
		by = strings.NewReplacer("$", "$$", "<", "${", ">", "}").Replace(strings.TrimSpace(by))
		c = append(c, replacement{l.Pattern(strings.TrimSpace(old)), by})
	}
	l.changes[b.Name] = c
	return nil
}

// of returns the changed text.
func (c change) of(text string) string {
	for _, r := range c {
		text = r.old.Replace(text, r.by)
	}
	return text
}
