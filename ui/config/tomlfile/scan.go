package tomlfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// errForm says that a text is not written as the scanner expects. The parser has
// accepted it before, so it is a gap of the scanner.
var errForm = errors.New("it is written in a way that cannot be edited here")

// span is a part of the text, from its first byte to the one after its last.
type span struct{ from, to int }

// entry is a setting with its value.
type entry struct {
	path  []string // from the root
	own   int      // how many of them stand in the setting's own key
	whole span     // key and value
	value span
	in    int   // the section
	table *span // the inline table around it, with its braces; nil for none
}

// section is what belongs to one header, or to none.
type section struct {
	path   []string
	array  bool // [[…]]
	header span // its line, with its end; empty for the first
}

// document is what stands where in a text.
type document struct {
	text     string
	entries  []entry
	sections []section
	tables   []entry // settings whose value is an inline table
}

// scanner reads a text that is valid TOML.
type scanner struct {
	document
	at int
}

// scan finds every setting of a valid text.
func scan(text string) (_ document, err error) {
	s := &scanner{document: document{text: text, sections: []section{{}}}}
	s.at = len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	for {
		s.blank()
		switch {
		case s.at >= len(s.text):
			return s.document, nil
		case s.text[s.at] == '[':
			err = s.header()
		default:
			err = s.setting(nil, len(s.sections)-1, nil)
		}
		if err != nil {
			return document{}, err
		}
	}
}

// blank passes white space, ends of lines and comments.
func (s *scanner) blank() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '#':
			s.line()
		default:
			return
		}
	}
}

// space passes white space within a line.
func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

// line goes to the end of the line.
func (s *scanner) line() {
	if n := strings.IndexByte(s.text[s.at:], '\n'); n >= 0 {
		s.at += n
		return
	}
	s.at = len(s.text)
}

func (s *scanner) take(mark string) bool {
	if !strings.HasPrefix(s.text[s.at:], mark) {
		return false
	}
	s.at += len(mark)
	return true
}

func (s *scanner) wrong() error {
	return fmt.Errorf("line %d: %w", 1+strings.Count(s.text[:min(s.at, len(s.text))], "\n"), errForm)
}

func (s *scanner) header() error {
	from := lineStart(s.text, s.at)
	array := s.take("[[")
	if !array {
		s.at++
	}
	path, err := s.key()
	if err != nil {
		return err
	}
	if !s.take("]") || array && !s.take("]") {
		return s.wrong()
	}
	s.line()
	to := min(s.at+1, len(s.text))
	s.sections = append(s.sections, section{path: path, array: array, header: span{from, to}})
	return nil
}

// key reads a dotted key and the white space around it.
func (s *scanner) key() (path []string, err error) {
	for {
		s.space()
		from := s.at
		if s.at >= len(s.text) {
			return nil, s.wrong()
		}
		if q := s.text[s.at]; q == '"' || q == '\'' {
			if err := s.quoted(); err != nil {
				return nil, err
			}
			var decoded struct{ X string }
			if _, err := toml.Decode("X = "+s.text[from:s.at], &decoded); err != nil {
				return nil, s.wrong()
			}
			path = append(path, decoded.X)
		} else {
			for s.at < len(s.text) && !strings.ContainsRune(" \t\r\n.=]#\"',{}", rune(s.text[s.at])) {
				s.at++
			}
			if s.at == from {
				return nil, s.wrong()
			}
			path = append(path, s.text[from:s.at])
		}
		s.space()
		if !s.take(".") {
			return path, nil
		}
	}
}

// setting reads a key and its value; table is the inline table it stands in.
func (s *scanner) setting(above []string, in int, table *span) error {
	from := s.at
	key, err := s.key()
	if err != nil {
		return err
	}
	if !s.take("=") {
		return s.wrong()
	}
	s.space()
	if above == nil {
		above = s.sections[in].path
	}
	e := entry{path: append(append([]string(nil), above...), key...), own: len(key), in: in, table: table}
	e.value.from = s.at
	if strings.HasPrefix(s.text[s.at:], "{") {
		around := &span{from: s.at}
		if err := s.inline(e.path, in, around); err != nil {
			return err
		}
		around.to = s.at
		e.value.to, e.whole = s.at, span{from, s.at}
		s.tables = append(s.tables, e)
		return nil
	}
	if err := s.skip(); err != nil {
		return err
	}
	e.value.to, e.whole = s.at, span{from, s.at}
	s.entries = append(s.entries, e)
	return nil
}

// inline reads the settings of an inline table.
func (s *scanner) inline(path []string, in int, around *span) error {
	s.at++
	for {
		s.blank()
		if s.take("}") {
			return nil
		}
		if err := s.setting(path, in, around); err != nil {
			return err
		}
		s.blank()
		if !s.take(",") && !strings.HasPrefix(s.text[s.at:], "}") {
			return s.wrong()
		}
	}
}

// skip passes a value.
func (s *scanner) skip() error {
	if s.at >= len(s.text) {
		return s.wrong()
	}
	switch s.text[s.at] {
	case '"', '\'':
		return s.quoted()
	case '[':
		return s.list("]")
	case '{':
		return s.list("}")
	}
	from := s.at
	for s.at < len(s.text) && !strings.ContainsRune("\r\n#,]}", rune(s.text[s.at])) {
		s.at++
	}
	s.at = from + len(strings.TrimRight(s.text[from:s.at], " \t")) // a date may hold a blank
	if s.at == from {
		return s.wrong()
	}
	return nil
}

// list passes an array, or an inline table within one.
func (s *scanner) list(end string) error {
	s.at++
	for {
		s.blank()
		switch {
		case s.at >= len(s.text):
			return s.wrong()
		case s.take(end):
			return nil
		case s.take(","):
			continue
		case end == "}":
			if _, err := s.key(); err != nil {
				return err
			}
			if !s.take("=") {
				return s.wrong()
			}
			s.space()
		}
		if err := s.skip(); err != nil {
			return err
		}
	}
}

// quoted passes a string of any of the four forms.
func (s *scanner) quoted() error {
	quote := s.text[s.at : s.at+1]
	if s.take(quote + quote + quote) {
		for s.at < len(s.text) {
			switch {
			case quote == `"` && s.text[s.at] == '\\':
				s.at += 2
			case s.take(quote + quote + quote):
				for s.at < len(s.text) && s.text[s.at:s.at+1] == quote { // up to two belong to the text
					s.at++
				}
				return nil
			default:
				s.at++
			}
		}
		return s.wrong()
	}
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\' && quote == `"`:
			s.at++
		case c == quote[0]:
			s.at++
			return nil
		case c == '\n':
			return s.wrong()
		}
	}
	return s.wrong()
}

// comments are the comments within a part of the text that holds one value.
func comments(text string) (out []string) {
	s := &scanner{document: document{text: text}}
	for s.at < len(text) {
		switch text[s.at] {
		case '#':
			from := s.at
			s.line()
			out = append(out, strings.TrimRight(text[from:s.at], " \t\r"))
		case '"', '\'':
			if s.quoted() != nil {
				return out
			}
		default:
			s.at++
		}
	}
	return out
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }
