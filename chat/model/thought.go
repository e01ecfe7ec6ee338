package model

import "strings"

// Marks around a model's reasoning at the beginning of an answer (C9).
const (
	thinkBegins = "<think>"
	thinkEnds   = "</think>"
	blanks      = " \t\r\n"
)

// maxReasoning is the reasoning kept in a reply, in bytes; the rest is only passed on.
const maxReasoning = 256 << 10

// thoughts separates reasoning from answer in the text of one answer. Some models begin reasoning with a mark;
// others only end it with one, because their template contains the first mark.
type thoughts struct {
	held  string // the end of the text so far, perhaps the beginning of a mark
	state thinking
	code  codeSpans // of the text so far
}

type thinking int

const (
	mayThink thinking = iota // only blanks so far
	thinks                   // after the opening mark
	unmarked                 // text, unless a mark ends it
	resumes                  // after the reasoning, only blanks so far
	answers                  // everything from here is text
)

// piece is a part of the answer. back says that all earlier text was reasoning.
type piece struct {
	text, thought string
	back          bool
}

// add takes the next piece of the text.
func (t *thoughts) add(s string) (out piece) {
	if t.state >= resumes {
		return piece{text: t.resumed(s)}
	}
	s = t.held + s
	t.held = ""
	if t.state == mayThink {
		rest := strings.TrimLeft(s, blanks)
		switch {
		case strings.HasPrefix(rest, thinkBegins):
			t.state, s = thinks, rest[len(thinkBegins):]
		case strings.HasPrefix(thinkBegins, rest):
			t.held = s
			return piece{}
		default:
			t.state = unmarked
		}
	}
	if t.state == thinks {
		thought, answer, found := strings.Cut(s, thinkEnds)
		if !found {
			n := begun(s, thinkEnds)
			t.held = s[len(s)-n:]
			return piece{thought: s[:len(s)-n]}
		}
		t.state = resumes
		return piece{thought: thought, text: t.resumed(answer)}
	}
	for from := 0; ; {
		i := strings.Index(s[from:], thinkEnds)
		if i < 0 {
			n := begun(s, thinkEnds)
			t.held = s[len(s)-n:]
			t.code.add(s[:len(s)-n])
			return piece{text: s[:len(s)-n]}
		}
		at := from + i
		code := t.code
		if code.add(s[:at]); code.open() { // the answer is about such marks
			from = at + len(thinkEnds)
			continue
		}
		t.state = resumes
		return piece{thought: s[:at], back: true, text: t.resumed(s[at+len(thinkEnds):])}
	}
}

// resumed returns the text after the reasoning, without the blanks between them.
func (t *thoughts) resumed(s string) string {
	if t.state == resumes {
		if s = strings.TrimLeft(s, blanks); s != "" {
			t.state = answers
		}
	}
	return s
}

// end flushes the held text.
func (t *thoughts) end() piece {
	s := t.held
	t.held = ""
	if t.state == thinks {
		return piece{thought: s}
	}
	return piece{text: s}
}

// begun returns how many bytes at the end of s may begin the mark.
func begun(s, mark string) int {
	for n := min(len(mark)-1, len(s)); n > 0; n-- {
		if strings.HasSuffix(s, mark[:n]) {
			return n
		}
	}
	return 0
}

// codeSpans tracks backticks in a text that comes in pieces, to find code spans.
type codeSpans struct {
	ticks int // backticks at the end of the text so far
	width int // width of the run that opened the span; 0: none is open
}

func (c *codeSpans) add(s string) {
	for i := range len(s) {
		if s[i] == '`' {
			c.ticks++
			continue
		}
		c.settle()
		if s[i] == '\n' && c.width > 0 && c.width < 3 { // one or two backticks, not closed in their line
			c.width = 0
		}
	}
}

func (c *codeSpans) settle() {
	switch {
	case c.ticks == 0:
	case c.width == 0:
		c.width = c.ticks
	case c.ticks >= c.width:
		c.width = 0
	}
	c.ticks = 0
}

func (c *codeSpans) open() bool {
	c.settle()
	return c.width > 0
}
