package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"memoria/chat"
	"memoria/ui/clean"
)

// sink is standard output. It remembers the first error and writes nothing
// after it, so that a command need not look after every line.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// print prints to stdout, cleaned: what the memory and the model say is not to
// be trusted by a terminal.
func (p *Program) print(s string) {
	s, _ = clean.Text(s)
	_, _ = io.WriteString(p.out, s)
}

// say prints a line to stderr, cleaned.
func (p *Program) say(format string, args ...any) {
	s, _ := clean.Text(fmt.Sprintf(format, args...))
	_, _ = io.WriteString(p.Stderr, s+"\n")
}

// tell prints a problem to stderr.
func (p *Program) tell(pr chat.Problem) {
	p.say("memoria: %s", pr.Title)
	for _, s := range []string{pr.Text, pr.Hint} {
		if s != "" {
			p.say("  %s", s)
		}
	}
}

// remark tells a message of the catalogue on stderr.
func (p *Program) remark(id string, args ...any) { p.say("%s", p.console(nil).Say(id, args...)) }

// printJSON prints one indented JSON value. Characters that would move a
// terminal's cursor or hide from the eye are escaped.
func (p *Program) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err := io.WriteString(p.out, escapeHidden(b.String()))
	return err
}

// escapeHidden writes C1 controls, bidirectional controls and other characters
// without a form as JSON escapes. In JSON they can only stand inside strings,
// where the escape means the same; the C0 controls are escaped already.
func escapeHidden(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x7f || !hidden(r) {
			b.WriteRune(r)
			continue
		}
		if r > 0xffff {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden reports whether clean would replace or drop a character.
func hidden(r rune) bool {
	shown, n := clean.Text(string(r))
	return n > 0 || shown != string(r)
}
