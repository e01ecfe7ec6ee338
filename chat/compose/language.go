package compose

import (
	"slices"
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
)

// InChinese reports whether a conversation is in Chinese: its newest message of the user that has
// words, or else the interface.
func InChinese(records []memory.Record, chinese bool) bool {
	for _, r := range slices.Backward(records) {
		if r.Role == memory.RoleUser && strings.ContainsFunc(r.Content, unicode.IsLetter) {
			return strings.ContainsFunc(r.Content, text.Han)
		}
	}
	return chinese
}
