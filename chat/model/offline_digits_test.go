package model

import (
	"strings"
	"testing"
	"unicode"
)

// A message without words is answered in the language of the conversation.
func TestOfflineAnswersDigits(t *testing.T) {
	for _, asked := range []string{"42", "1234", "？", "3.14 + 1", "👍"} {
		for _, chinese := range []bool{false, true} {
			answer := strings.Join(offlineAnswer(Request{Asked: asked, Chinese: chinese}), "")
			if got := strings.ContainsFunc(answer, func(r rune) bool { return unicode.Is(unicode.Han, r) }); got != chinese {
				t.Errorf("%q, Chinese %v: %s", asked, chinese, answer)
			}
		}
	}
	if answer := strings.Join(offlineAnswer(Request{Asked: "hello", Chinese: true}), ""); strings.Contains(answer, "记忆") {
		t.Errorf("English is answered in Chinese: %s", answer)
	}
}
