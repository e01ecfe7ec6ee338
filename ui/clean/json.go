package clean

import (
	"fmt"
	"strings"
)

// JSON returns encoded JSON in which no character would move a terminal's cursor or hide
// from the eye: C1 controls, bidirectional controls and others without a form become JSON
// escapes. They occur only inside strings, where the escape means the same. The C0 controls
// must be escaped already, as every encoder does.
func JSON(s string) string {
	at := strings.IndexFunc(s, veiled)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	b.WriteString(s[:at])
	for _, r := range s[at:] {
		if !veiled(r) {
			b.WriteRune(r)
			continue
		}
		if r > 0xffff {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// veiled reports whether [Text] would replace or drop a character beyond ASCII.
func veiled(r rune) bool {
	if r < 0x7f || r >= 0x4e00 && r <= 0x9fff { // ASCII and Han are plain, and frequent
		return false
	}
	shown, n := Text(string(r))
	return n > 0 || shown != string(r)
}
