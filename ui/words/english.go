package words

import (
	_ "embed"
	"strconv"
	"strings"
)

// englishText is the catalogue: every message of the nouns and the actions, by its id.
//
//go:embed english.txt
var englishText string

// english are the messages by their ids.
var english = read(englishText)

// read reads a catalogue. A line is "id: text", where a text in quotes is a Go string; a
// line that begins with a tab continues the one before; others are comments.
func read(catalogue string) map[string]string {
	messages := map[string]string{}
	for l := range strings.Lines(strings.ReplaceAll(catalogue, "\n\t", " ")) {
		id, text, ok := strings.Cut(strings.TrimSuffix(l, "\n"), ": ")
		if !ok || l[0] == '#' {
			continue
		}
		if quoted, err := strconv.Unquote(text); err == nil {
			text = quoted
		}
		messages[id] = text
	}
	return messages
}
