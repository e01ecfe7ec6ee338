package model

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"memoria/index/text"
)

const (
	maxMessageRunes = 400 // of a server's text
	keyWindow       = 8   // this many consecutive characters of the key count as the key
)

// keyLike matches text that looks like a key, even if the server has masked its middle.
var keyLike = text.LazyRegexp(`(?i)\b(?:sk|pk|rk|gsk|xai|key)-[\w*.\-]{6,}|bearer\s+[^\s"',;]{4,}|[\w\-]{2,}\*{3,}[\w\-]*`)

// redactor prepares a text from outside for errors, logs and screens: without the key, on one line, short.
type redactor func(string) string

// newRedactor returns a redactor. It keeps the key in the closure, out of reach of %+v.
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
		s = keyLike().ReplaceAllString(s, "[key]")
		s = maskPieces(s, key)
		return shorten(oneLine(s), maxMessageRunes)
	}
}

// maskPieces removes every word that contains keyWindow consecutive characters of the key, such as a cut-off
// key.
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

// oneLine turns every run of spaces and line breaks into one space and drops unprintable characters.
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

// shorten cuts s to n characters; an ellipsis is the last one if it cut something.
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
