package model

import (
	"strings"
	"testing"
	"unicode"
)

// P6: a message without words, or with a single one, is answered in the language of the conversation.
func TestOfflineAnswersDigits(t *testing.T) {
	for _, asked := range []string{"42", "1234", "？", "3.14 + 1", "👍", "ok", "pnpm?"} {
		for _, chinese := range []bool{false, true} {
			answer := strings.Join(offlineAnswer(Request{Asked: asked, Chinese: chinese}), "")
			if got := strings.ContainsFunc(answer, func(r rune) bool { return unicode.Is(unicode.Han, r) }); got != chinese {
				t.Errorf("%q, Chinese %v: %s", asked, chinese, answer)
			}
		}
	}
	if answer := strings.Join(offlineAnswer(Request{Asked: "hello there", Chinese: true}), ""); strings.Contains(answer, "记下") {
		t.Errorf("English is answered in Chinese: %s", answer)
	}
}
