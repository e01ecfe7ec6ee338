package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Level is the set of sequences that a text may contain.
type Level uint8

// The levels. Each one includes the one before it.
const (
	Plain  Level = iota // newlines and tabs: pipes and files
	Styled              // colours and weights: SGR sequences
	Screen              // the complete stream of a program on the screen
)

// Fault is a sequence or character that the level does not allow.
type Fault struct {
	Offset int // in bytes
	What   string
}

// String returns the fault and its offset.
func (f Fault) String() string { return fmt.Sprintf("%s at byte %d", f.What, f.Offset) }

// Check fails the test if out has faults, and reports the first three.
func Check(t testing.TB, l Level, out string) {
	t.Helper()
	faults := Faults(l, out)
	for i, f := range faults {
		if i == 3 {
			t.Errorf("and %d more", len(faults)-i)
			break
		}
		t.Errorf("%s: %+q", f, out[max(0, f.Offset-20):min(len(out), f.Offset+20)])
	}
}

// Faults returns the faults of out at level l, in order.
func Faults(l Level, out string) []Fault {
	r := reader{level: l, in: out}
	for r.at < len(out) {
		r.step()
	}
	return r.faults
}

// reader scans a stream once.
type reader struct {
	level  Level
	in     string
	at     int
	text   text
	faults []Fault
}

func (r *reader) fault(at int, what string) { r.faults = append(r.faults, Fault{at, what}) }

// step reads one rune or one sequence.
func (r *reader) step() {
	from := r.at
	if r.in[from] != 0x1b {
		c, size := utf8.DecodeRuneInString(r.in[from:])
		r.at += size
		if what := r.text.add(c, size, r.level, r.in[r.at:]); what != "" {
			r.fault(from, what)
		}
		return
	}
	kind, body := r.sequence()
	if what := judge(r.level, kind, body); what != "" {
		r.fault(from, what)
	}
	if kind != '[' || !strings.HasSuffix(body, "m") {
		r.text = text{elsewhere: true}
	}
}

// sequence consumes an escape sequence. kind is the byte after ESC, or 0 at the end of
// input. The body of a string sequence excludes its terminator; an unterminated one
// ends in ESC.
func (r *reader) sequence() (kind byte, body string) {
	rest := r.in[r.at+1:]
	if rest == "" {
		r.at = len(r.in)
		return 0, ""
	}
	kind, rest = rest[0], rest[1:]
	n := 0
	switch kind {
	case '[':
		for n < len(rest) && rest[n] >= 0x20 && rest[n] < 0x40 {
			n++
		}
		n = min(n+1, len(rest))
		r.at += 2 + n
		return kind, rest[:n]
	case ']', 'P', 'X', '^', '_':
		n, end, ok := ending(rest)
		r.at += 2 + end
		if !ok {
			return kind, rest[:n] + "\x1b"
		}
		return kind, rest[:n]
	case ' ', '#', '%', '(', ')', '*', '+':
		n = min(1, len(rest))
	}
	r.at += 2 + n
	return kind, rest[:n]
}

// ending returns the end of a string's content and the end of its terminator. ok is
// false for an unterminated string, which ends at the next ESC or swallows the rest.
func ending(s string) (content, end int, ok bool) {
	for i := range len(s) {
		switch {
		case s[i] == 0x07:
			return i, i + 1, true
		case s[i] == 0x1b && strings.HasPrefix(s[i:], "\x1b\\"):
			return i, i + 2, true
		case s[i] == 0x1b, s[i] == 0x18, s[i] == 0x1a:
			return i, i, false
		}
	}
	return len(s), len(s), false
}

// judge returns the fault of a sequence, or "".
func judge(l Level, kind byte, body string) string {
	switch {
	case kind == '[' && l >= Styled && isSGR(body):
		return ""
	case kind == '[' && l >= Screen && isScreenCSI(body):
		return ""
	case kind == ']' && l >= Screen && isScreenOSC(body):
		return ""
	case l >= Screen && body == "" && strings.IndexByte("78=>M", kind) >= 0:
		return "" // save and restore the cursor, keypad modes, one row up
	}
	name := map[byte]string{0: "a lone ESC", '[': "CSI", ']': "OSC", 'P': "DCS", 'X': "SOS", '^': "PM", '_': "APC"}[kind]
	if name == "" {
		name = "ESC " + string(rune(kind))
	}
	return fmt.Sprintf("%s %.40q", name, body)
}

// isSGR reports whether body sets colours and weights, but does not hide text.
func isSGR(body string) bool {
	params, ok := strings.CutSuffix(body, "m")
	if !ok || strings.Trim(params, "0123456789;:") != "" {
		return false
	}
	fields := strings.Split(params, ";")
	return !slices.Contains(fields, "8") || slices.Contains(fields, "38") || slices.Contains(fields, "48")
}

// modes are those that Bubble Tea sets: cursor keys, wrapping, cursor visibility and
// blinking, mouse, focus, alternate screen, paste, synchronized output, width of
// clusters, colour scheme and size reports.
var modes = []int{1, 7, 12, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2027, 2031, 2048}

func isScreenCSI(body string) bool {
	if body == "" {
		return false
	}
	params, final := body[:len(body)-1], body[len(body)-1]
	switch {
	case strings.IndexByte("ABCDEFGHIJKLMPSTXZ@`abdefrsu", final) >= 0 && strings.Trim(params, "0123456789;") == "":
		return true
	case (final == 'h' || final == 'l') && strings.HasPrefix(params, "?"):
		return areModes(params[1:])
	case final == 'p' && strings.HasPrefix(params, "?") && strings.HasSuffix(params, "$"):
		return areModes(strings.Trim(params, "?$"))
	case final == 'u', final == 'm' && strings.HasPrefix(params, ">4"): // keyboard
		return strings.Trim(params, "0123456789;<>=?") == ""
	case final == 'q': // cursor shape; query of the terminal's name
		return strings.HasSuffix(params, " ") || params == ">" || params == ">0"
	case final == 'c': // query of the terminal's kind
		return params == "" || params == "0" || params == ">"
	}
	return false
}

func areModes(s string) bool {
	for field := range strings.SplitSeq(s, ";") {
		n, err := strconv.Atoi(field)
		if err != nil || !slices.Contains(modes, n) {
			return false
		}
	}
	return true
}

// isScreenOSC allows a title that is itself clean, the clipboard with base64 content,
// and querying and resetting the screen's colours.
func isScreenOSC(body string) bool {
	command, rest, _ := strings.Cut(body, ";")
	switch command {
	case "0", "2":
		return len(Faults(Plain, rest)) == 0 && !strings.ContainsAny(rest, "\n\t")
	case "10", "11", "12":
		return rest == "?"
	case "110", "111", "112":
		return rest == ""
	case "52":
		which, content, ok := strings.Cut(rest, ";")
		return ok && (which == "c" || which == "p") && content != "?" &&
			strings.Trim(content, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
	}
	return false
}
