package words

import "fmt"

// Say returns a message of the catalogue with its arguments, which follow the rules of
// fmt.Sprintf. An unknown id is returned as it is, so that a mistake is seen and not lost.
func Say(id string, args ...any) string {
	text, ok := english[id]
	switch {
	case !ok:
		return id
	case len(args) == 0:
		return text
	}
	return fmt.Sprintf(text, args...)
}
