package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"memoria/chat"
	"memoria/ui/clean"
	"memoria/ui/words"
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

// notify is say for what packages below the commands tell, which they do in English.
func (p *Program) notify(format string, args ...any) {
	for i, arg := range args {
		if m, ok := arg.(words.Message); ok {
			args[i] = m.In(p.lang().Language)
		}
	}
	p.say(p.lang().Translate(format), args...)
}

// tell prints a problem to stderr.
func (p *Program) tell(pr chat.Problem) {
	p.say("memoria: %s", p.lang().Translate(pr.Title))
	for _, s := range []string{pr.Text, pr.Hint} {
		if s != "" {
			p.say("  %s", p.lang().Translate(s))
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
	_, err := io.WriteString(p.out, clean.JSON(b.String()))
	return err
}
