package model

import (
	"regexp"
	"strings"
	"unicode"
)

// noVariable is what is said to somebody who put a key where the name of its variable
// belongs. It does not repeat it.
const noVariable = "is not the name of a variable: put the key into an environment variable and name that here; a key that lies in a file had better be made anew"

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// longRun is from how many letters and digits in a row on something may be a key.
const longRun = 16

// NamesVariable reports whether s can be the name of an environment variable and does not
// look like a key: no variable is called by a long row of digits, capital and small letters.
func NamesVariable(s string) bool {
	if !variableName.MatchString(s) {
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
