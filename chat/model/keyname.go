package model

import (
	"strings"
	"unicode"

	"memoria/index/text"
)

// noVariable tells the user that a key was given instead of a variable name. It does not repeat the key.
const noVariable = "is not the name of a variable: put the key into an environment variable and name that here; " +
	"replace a key that was stored in a file"

var variableName = text.LazyRegexp(`^[A-Za-z_][A-Za-z0-9_]*$`)

// longRun is the length from which a run of letters and digits may be a key.
const longRun = 16

// NamesVariable reports whether s can name an environment variable and does not look like a key: no variable
// name is a long run of digits, capital and small letters.
func NamesVariable(s string) bool {
	if !variableName().MatchString(s) {
		return false
	}
	for part := range strings.SplitSeq(s, "_") {
		if len(part) >= longRun && strings.ContainsFunc(part, unicode.IsDigit) &&
			strings.ContainsFunc(part, unicode.IsUpper) && strings.ContainsFunc(part, unicode.IsLower) {
			return false
		}
	}
	return true
}
