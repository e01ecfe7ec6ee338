package policy

import "memoria/memory/classify"

// Reason says why something waits in a message of a class.
func Reason(class string) string { return doubts[class] }

// ClassOf is the most probable class of a message.
func ClassOf(message string, signs ...string) string {
	return classify.Best(gists().Probabilities(message, signs...))
}
