package policy

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

// addTable parses a block "table NAME" with lines "WORD, WORD -> TEXT".
func (l *language) addTable(b pattern.Block) error {
	t := map[string]string{}
	for _, line := range b.Lines {
		from, to, ok := strings.Cut(line.Text, "->")
		if !ok {
			return fmt.Errorf("%s: table %s: want WORDS -> TEXT, have %q", line.Where, b.Name, line.Text)
		}
		for _, w := range commas(from) {
			t[w] = strings.TrimSpace(to)
		}
	}
	l.tables[b.Name] = t
	return nil
}

// table returns a table of either language, or those of both merged.
func table(name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		t := map[string]string{}
		maps.Copy(t, english().tables[name])
		maps.Copy(t, chinese().tables[name])
		if len(t) == 0 {
			panic("policy: no table is called " + name)
		}
		return t
	})
}
