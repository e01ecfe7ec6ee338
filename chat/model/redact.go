package model

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

const (
	maxMessageRunes = 400 // of what is kept of a server's text
	keyWindow       = 8   // so many characters of the key in a row count as the key
)

// keyLike matches what is a key by its look, also when the server has masked its middle.
var keyLike = regexp.MustCompile(`(?i)\b(?:sk|pk|rk|gsk|xai|key)-[\w*.\-]{6,}|bearer\s+[^\s"',;]{4,}|[\w\-]{2,}\*{3,}[\w\-]*`)

// redactor makes a text from outside fit for errors, logs and screens: without the key, on one line, short.
type redactor func(string) string

// newRedactor keeps the key in the closure, out of reach of %+v.
func newRedactor(key string) redactor {
	var whole []string
	var word *regexp.Regexp
	switch {
	case len(key) >= keyWindow:
		whole = []string{key, url.QueryEscape(key), base64.StdEncoding.EncodeToString([]byte(key))}
	case key != "": // a placeholder such as "ollama", which may be an ordinary word of the message
		word = regexp.MustCompile(`(^|[^\w])` + regexp.QuoteMeta(key) + `($|[^\w])`)
	}
	return func(s string) string {
		for _, k := range whole {
			s = strings.ReplaceAll(s, k, "[key]")
		}
		if word != nil {
			s = word.ReplaceAllString(s, "${1}[key]${2}")
		}
		s = keyLike.ReplaceAllString(s, "[key]")
		s = maskPieces(s, key)
		return shorten(oneLine(s), maxMessageRunes)
	}
}

// maskPieces removes every word that contains keyWindow characters of the key in a row, such as a cut-off key.
func maskPieces(s, key string) string {
	if len(key) < keyWindow || len(s) < keyWindow {
		return s
	}
	windows := make(map[string]bool, len(key))
	for i := 0; i+keyWindow <= len(key); i++ {
		windows[key[i:i+keyWindow]] = true
	}
	var b strings.Builder
	done := 0
	for i := 0; i+keyWindow <= len(s); i++ {
		if !windows[s[i:i+keyWindow]] {
			continue
		}
		end := i + keyWindow
		for end < len(s) && windows[s[end-keyWindow+1:end+1]] {
			end++
		}
		b.WriteString(s[done:i] + "[key]")
		done, i = end, end-1
	}
	return b.String() + s[done:]
}

// oneLine turns every run of spaces and line breaks into one space and drops what is not printable.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// shorten cuts s to n characters, the last one being an ellipsis when something was cut.
func shorten(s string, n int) string {
	i := 0
	for at := range s {
		if i == n-1 && len(s)-at > 0 {
			if rest := []rune(s[at:]); len(rest) > 1 {
				return s[:at] + "…"
			}
			return s
		}
		i++
	}
	return s
}
