package plain

import (
	"fmt"
	"io"
	"strings"

	"memoria/ui/clean"
	"memoria/ui/words"
)

// printer writes lines. It knows whether the last one is finished, and writes
// nothing after the first error.
type printer struct {
	w     io.Writer
	words words.Words
	open  bool // something stands on the last line
	err   error
}

func (p *printer) write(s string) {
	if p.err == nil && s != "" {
		_, p.err = io.WriteString(p.w, s)
		p.open = s[len(s)-1] != '\n'
	}
}

// fresh goes to the beginning of a line.
func (p *printer) fresh() {
	if p.open {
		p.write("\n")
	}
}

// say writes a line, cleaned. Further lines of it are set in.
func (p *printer) say(format string, args ...any) {
	s, hidden := clean.Text(fmt.Sprintf(format, args...))
	p.fresh()
	p.write(setIn(strings.TrimRight(s, "\n")) + "\n")
	if hidden > 0 {
		p.write("  (" + p.words.Count(hidden, "hidden character") + ")\n")
	}
}

// prompt asks for a line.
func (p *printer) prompt(s string) {
	p.fresh()
	s, _ = clean.Text(s)
	p.write(s)
}

// entered notes that the terminal began a new line.
func (p *printer) entered() { p.open = false }

// setIn sets in all lines but the first.
func setIn(s string) string {
	lines := strings.Split(s, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = "  " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}
