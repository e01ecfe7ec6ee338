package words

import "strings"

// Secret says that a message holds secrets of these kinds and that they are not remembered (P5a). How to erase
// the message depends on the front end.
func Secret(kinds []string) string {
	what := "a secret"
	if len(kinds) > 1 {
		what = "secrets"
	}
	return "not remembered: the message holds " + what + " (" + strings.Join(kinds, ", ") + ")"
}
