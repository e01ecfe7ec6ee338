package compose

import (
	"slices"
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
)

// InChinese reports whether a conversation is in Chinese: its newest message of the user that has
// more than one word, or else the interface. A single word ("ok", "pnpm?") is at home in every language.
func InChinese(records []memory.Record, chinese bool) bool {
	for _, r := range slices.Backward(records) {
		if r.Role != memory.RoleUser {
			continue
		}
		if strings.ContainsFunc(r.Content, text.Han) {
			return true
		}
		if words := strings.FieldsFunc(r.Content, func(r rune) bool { return !unicode.IsLetter(r) }); len(words) > 1 {
			return false
		}
	}
	return chinese
}
