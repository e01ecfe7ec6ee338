package words

import (
	"fmt"
	"regexp"
)

// Say returns a message of the catalogue with its arguments, which follow the rules of
// fmt.Sprintf. An unknown id is returned as it is, so that a mistake is seen and not lost.
func Say(id string, args ...any) string { return SayTo(nil, id, args...) }

// action is the name of an action in a message.
var action = regexp.MustCompile(`\{([a-z-]+)\}`)

// SayTo is [Say] for a message that names actions in braces; typed returns what the user
// types for one. Braces in arguments stay as they are.
func SayTo(typed func(action string) string, id string, args ...any) string {
	text, ok := english[id]
	if !ok {
		return id
	}
	if typed != nil {
		text = action.ReplaceAllStringFunc(text, func(s string) string { return typed(s[1 : len(s)-1]) })
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Has reports whether the catalogue has a message.
func Has(id string) bool {
	_, ok := english[id]
	return ok
}
