package inspect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// needle is a word or phrase to look for.
type needle struct {
	forms  [][]byte // in bytes: lower-case, and as JSON writes them
	folded string
	parts  []string // in an index: a document with the needle has all of them
}

func newNeedle(word string) needle {
	n := needle{folded: text.Fold(word)}
	for _, form := range []string{word, strings.ToLower(word), strings.ToUpper(word)} {
		escaped, err := json.Marshal(form)
		if err == nil {
			n.add(string(escaped[1 : len(escaped)-1]))
		}
		var plain bytes.Buffer
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		if e.Encode(form) == nil {
			n.add(strings.Trim(strings.TrimSpace(plain.String()), `"`))
		}
		n.add(form)
	}
	n.parts = append(text.Words(word), text.Grams(word)...)
	slices.Sort(n.parts)
	n.parts = slices.Compact(n.parts)
	return n
}

func (n *needle) add(form string) {
	b := lower([]byte(form))
	if len(b) > 0 && !slices.ContainsFunc(n.forms, func(f []byte) bool { return bytes.Equal(f, b) }) {
		n.forms = append(n.forms, b)
	}
}

// lower makes the Latin capitals of b small, in place.
func lower(b []byte) []byte {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// in reports whether a decoded string holds the needle.
func (n needle) in(s string) bool {
	if len(s) == 0 {
		return false
	}
	b := lower([]byte(s))
	if slices.ContainsFunc(n.forms, func(f []byte) bool { return bytes.Contains(b, f) }) {
		return true
	}
	return !ascii(s) && strings.Contains(text.Fold(s), n.folded)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// partIn reports whether a term of an index holds a part: an exact part of a phrase, or a
// longer one that is within the term.
func partIn(part, term string) bool {
	return part == term || utf8.RuneCountInString(part) >= 3 && strings.Contains(term, part)
}

// name makes a file's name comparable: names of the journal join words with hyphens.
func name(s string) string { return strings.NewReplacer("-", " ", "_", " ").Replace(s) }

// hide replaces the needles in a name, which the report must not repeat.
func (s *search) hide(name string) string {
	for _, n := range s.needles {
		for _, form := range append(slices.Clip(n.forms), []byte(n.folded)) { // names have no accents
			for _, form := range [...]string{string(form), strings.ReplaceAll(string(form), " ", "-")} {
				for at := 0; form != ""; {
					i := strings.Index(string(lower([]byte(name[at:]))), form)
					if i < 0 {
						break
					}
					name = name[:at+i] + hidden + name[at+i+len(form):]
					at += i + len(hidden)
				}
			}
		}
	}
	return name
}

const hidden = "…"
