package learn

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxStarts bounds the places tried as the start of an object.
const maxStarts = 64

// find returns the fields of the JSON object at the end of an answer, if it has a known
// field.
func find(text string, known []string) (map[string]json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
	began := false
	for i, n := 0, 0; i < len(text) && n < maxStarts; i++ {
		if text[i] != '{' {
			continue
		}
		n++
		began = true
		if end := balanced(text[i:]); end < 0 || i+end != len(text) {
			continue
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(withoutCommas(text[i:])), &fields) != nil {
			continue
		}
		if slices.ContainsFunc(known, func(name string) bool { _, ok := fields[name]; return ok }) {
			return fields, nil
		}
	}
	if began {
		return nil, &UnusableError{"it is not one whole JSON object with the fields asked for at its end"}
	}
	return nil, &UnusableError{"there is no JSON in it"}
}

// balanced returns the end of the object that s begins with, or -1.
func balanced(s string) int {
	depth := 0
	for i, in := range structure(s) {
		if !in {
			switch s[i] {
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	return -1
}

// withoutCommas removes commas before a closing bracket.
func withoutCommas(s string) string {
	var b strings.Builder
	for i, in := range structure(s) {
		if !in && s[i] == ',' {
			if rest := strings.TrimLeft(s[i+1:], " \t\r\n"); rest != "" && (rest[0] == '}' || rest[0] == ']') {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// structure yields the bytes of a JSON text, each with whether it is inside a string.
func structure(s string) func(yield func(int, bool) bool) {
	return func(yield func(int, bool) bool) {
		in, escaped := false, false
		for i := range len(s) {
			c := s[i]
			if !yield(i, in) {
				return
			}
			switch {
			case escaped:
				escaped = false
			case in && c == '\\':
				escaped = true
			case c == '"':
				in = !in
			}
		}
	}
}
