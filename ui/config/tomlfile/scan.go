package tomlfile

import (
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// span is a part of the text, from its first byte to the one after its last.
type span struct{ from, to int }

// entry is a setting with its value.
type entry struct {
	path   []string // from the root
	whole  span     // key and value
	value  span
	in     int  // its section
	table  int  // the entry of the inline table around it; -1 for none
	inline bool // its value is an inline table
}

// section is what belongs to one header, or to none.
type section struct {
	path   []string
	array  bool // [[…]]
	header span // its line, with its end; empty for the first
}

// document is the structure of a text. Its entries are in the order of their keys.
type document struct {
	text     string
	entries  []entry
	sections []section
}

// scanner reads a text that is valid TOML. It reports no errors, because [Edit]
// verifies what is made with its results.
type scanner struct {
	document
	at int
}

// scan finds every setting of a valid text.
func scan(text string) document {
	s := &scanner{document: document{text: text, sections: []section{{}}}}
	for s.blank(); s.at < len(text); s.blank() {
		from := s.at
		if s.peek("[") {
			s.header()
		} else {
			s.setting(s.sections[len(s.sections)-1].path, -1)
		}
		s.at = max(s.at, from+1)
	}
	return s.document
}

func (s *scanner) peek(mark string) bool { return strings.HasPrefix(s.text[s.at:], mark) }

func (s *scanner) take(mark string) bool {
	found := s.peek(mark)
	if found {
		s.at += len(mark)
	}
	return found
}

// pass passes the bytes of set.
func (s *scanner) pass(set string) { s.at = len(s.text) - len(strings.TrimLeft(s.text[s.at:], set)) }

// until goes to the next byte of set, or to the end.
func (s *scanner) until(set string) {
	if n := strings.IndexAny(s.text[s.at:], set); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
}

// blank passes white space, ends of lines and comments.
func (s *scanner) blank() {
	for s.pass(" \t\r\n"); s.peek("#"); s.pass(" \t\r\n") {
		s.until("\n")
	}
}

func (s *scanner) header() {
	from := lineStart(s.text, s.at)
	s.take("[")
	array := s.take("[")
	path := s.key()
	s.until("\n")
	s.sections = append(s.sections, section{path: path, array: array, header: span{from, min(s.at+1, len(s.text))}})
}

// key reads a dotted key and the white space around it.
func (s *scanner) key() []string {
	from := s.at
	for s.until("=]\"'\n"); s.quoted(); s.until("=]\"'\n") {
		continue
	}
	var decoded map[string]any
	md, err := toml.Decode(s.text[from:s.at]+"= 1", &decoded)
	if err != nil {
		return nil
	}
	return slices.MaxFunc(md.Keys(), func(a, b toml.Key) int { return len(a) - len(b) })
}

// setting reads a key and its value. table is the entry of the inline table around it.
func (s *scanner) setting(above []string, table int) {
	n, from := len(s.entries), s.at
	e := entry{path: slices.Concat(above, s.key()), in: len(s.sections) - 1, table: table}
	s.take("=")
	s.pass(" \t")
	e.value.from, e.inline = s.at, s.peek("{")
	s.entries = append(s.entries, e)
	if e.inline {
		s.inlineTable(e.path, n)
	} else {
		s.skip()
	}
	s.entries[n].value.to, s.entries[n].whole = s.at, span{from, s.at}
}

// inlineTable reads the settings of the inline table that is the value of entry n.
func (s *scanner) inlineTable(path []string, n int) {
	s.take("{")
	for s.blank(); s.at < len(s.text) && !s.take("}"); s.blank() {
		from := s.at
		s.setting(path, n)
		s.blank()
		s.take(",")
		s.at = max(s.at, from+1)
	}
}

// skip passes a value.
func (s *scanner) skip() {
	from := s.at
	for depth := 0; s.at < len(s.text) && (depth > 0 || !strings.ContainsRune("\r\n#,]}", rune(s.text[s.at]))); {
		switch c := s.text[s.at]; {
		case c == '#':
			s.until("\n")
		case s.quoted():
		default:
			if c == '[' || c == '{' {
				depth++
			} else if c == ']' || c == '}' {
				depth--
			}
			s.at++
		}
	}
	s.at = from + len(strings.TrimRight(s.text[from:s.at], " \t"))
}

// quoted passes a string of any of the four forms, if there is one.
func (s *scanner) quoted() bool {
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		if !s.take(quote) {
			continue
		}
		for s.at < len(s.text) && !s.take(quote) {
			if s.text[s.at] == '\\' && quote[0] == '"' {
				s.at++
			}
			s.at++
		}
		s.at = min(s.at, len(s.text))
		if len(quote) == 3 && s.take(quote[:1]) { // up to two belong to the text
			s.take(quote[:1])
		}
		return true
	}
	return false
}

// comments returns the comments within a part of the text that holds one value.
func comments(text string) (out []string) {
	s := &scanner{document: document{text: text}}
	for s.at < len(text) {
		from := s.at
		if s.peek("#") {
			s.until("\n")
			out = append(out, strings.TrimRight(text[from:s.at], " \t\r"))
		} else if !s.quoted() {
			s.at++
		}
	}
	return out
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }
