package quoted

import (
	"strings"
	"unicode/utf8"
)

// forwarded takes what follows a line as "Forwarded message" or "On Monday, Anna wrote:".
func (f *finder) forwarded() {
	for i := range f.lines {
		s := strings.Trim(f.line(i), "-–—=_*# \t>")
		if n := forwarded().Ahead(s); n > 0 && n >= len(s)-1 && i+1 < len(f.lines) {
			f.take(f.lines[i].lo, len(f.s))
			return
		}
	}
}

// mails takes a mail with its header, to the end of the message. Two fields make a header, or the one
// that only mails have, before a paragraph.
func (f *finder) mails() {
	for i := range f.lines {
		first := f.header(f.line(i))
		if first == "" {
			continue
		}
		names := map[string]bool{}
		j := i
		for ; f.header(f.line(j)) != ""; j++ {
			for _, name := range f.headersIn(f.line(j)) {
				names[name] = true
			}
		}
		alone := strong().Ahead(first) == len(first) && j < len(f.lines) && strings.TrimSpace(f.s[f.lines[j].lo:]) != ""
		if len(names) > 1 || alone {
			f.take(f.lines[i].lo, len(f.s))
			return
		}
	}
}

// header returns the field with which a line begins, folded; empty when it begins with none.
func (f *finder) header(line string) string {
	line = strings.TrimLeft(line, "*_ ")
	n := headers().Ahead(line)
	if n == 0 || labelEnd(line[n:]) == 0 {
		return ""
	}
	return strings.ToLower(line[:n])
}

// headersIn returns the fields in a line: a mail that lost its line ends has several.
func (f *finder) headersIn(line string) (out []string) {
	for at := 0; at < len(line); {
		lo, hi, ok := headers().Find(line[at:])
		if !ok {
			break
		}
		before := strings.TrimRight(line[:at+lo], "*_ ")
		if n := labelEnd(line[at+hi:]); n > 0 && (before == "" || len(before) < at+lo) {
			out = append(out, strings.ToLower(line[at+lo:at+hi]))
		}
		at += hi
	}
	return out
}

// labelEnd is the length of the colon with which s begins, blanks and stars before it included, or 0.
func labelEnd(s string) int {
	t := strings.TrimLeft(s, "*_ \t\u3000")
	r, size := utf8.DecodeRuneInString(t)
	if r != ':' && r != '：' {
		return 0
	}
	return len(s) - len(t) + size
}

const (
	maxSignature = 6  // lines under a farewell
	maxName      = 60 // characters of a line
)

// letters takes a letter to several people: from the line that greets them to the end, where a farewell ends it.
func (f *finder) letters() {
	for i := range f.lines {
		if !f.greets(f.line(i)) {
			continue
		}
		for j := i + 1; j < len(f.lines); j++ {
			if f.farewell(j) {
				f.take(f.lines[i].lo, len(f.s))
				return
			}
		}
	}
}

// greets reports whether a text begins with a greeting to others than the assistant.
func (f *finder) greets(s string) bool { return greetings().Ahead(s) > 0 }

// farewell reports whether line i is only a farewell, before a few short lines.
func (f *finder) farewell(i int) bool {
	s := strings.TrimRight(f.line(i), ",.!，。！~ ")
	if s == "" || farewells().Ahead(s) != len(s) {
		return false
	}
	n := 0
	for j := i + 1; j < len(f.lines); j++ {
		switch s := f.line(j); {
		case s == "":
		case utf8.RuneCountInString(s) > maxName:
			return false
		default:
			n++
		}
	}
	return n > 0 && n <= maxSignature
}

// signatures takes the name under a letter, and the text after a line of two dashes.
func (f *finder) signatures() {
	for i := range f.lines {
		s := f.line(i)
		dashes := (s == "--" || s == "—" || s == "——") && i > 0 && len(f.lines)-i <= 2*maxSignature
		if (dashes || f.farewell(i)) && strings.TrimSpace(f.s[:f.lines[i].lo]) != "" {
			f.take(f.lines[i].lo, len(f.s))
			return
		}
	}
}
