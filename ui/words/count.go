package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Count writes a number of things: Count(2, "memory") is "2 memories". what is a noun,
// which a verb may follow: Count(2, "turn is") is "2 turns are".
func (l Language) Count(n int, what string) string {
	if l == Chinese {
		if noun, ok := chinese["count."+what]; ok {
			return strconv.Itoa(n) + " " + noun
		}
	}
	return strconv.Itoa(n) + " " + Plural(n, what)
}

// Plural is the English form of a noun, and of the verb that may follow it, for n things.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	noun, verb := what, ""
	more := map[string]string{"is": "are", "was": "were", "has": "have", "waits": "wait", "matches": "match"}
	if last := strings.LastIndexByte(what, ' '); last > 0 && more[what[last+1:]] != "" {
		noun, verb = what[:last], " "+more[what[last+1:]]
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "a") {
		return stem + "ies" + verb
	}
	return noun + "s" + verb
}

// Bytes writes a number of bytes with two or three figures: "1.3 MB".
func Bytes(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, unit := float64(n), 0
	for ; f >= 999.5 && unit < 4; unit++ {
		f /= 1000
	}
	if f < 9.95 {
		return fmt.Sprintf("%.1f %cB", f, " kMGT"[unit])
	}
	return fmt.Sprintf("%.0f %cB", f, " kMGT"[unit])
}
