package model

import "strings"

// masker takes the next piece of an answer and returns the text to pass on, without the key. It holds back a
// possible beginning of the key until more arrives or end is true.
type masker func(piece string, end bool) string

// newMaskers makes maskers for a server that knows the key and may repeat it. A key shorter than keyWindow is
// not masked, because it may be an ordinary word. The key stays in the closure.
func newMaskers(key string) func() masker {
	return func() masker {
		held := ""
		return func(piece string, end bool) string {
			if len(key) < keyWindow {
				return piece
			}
			s := strings.ReplaceAll(held+piece, key, "[key]")
			held = ""
			if end {
				return s
			}
			for n := min(len(key)-1, len(s)); n > 0; n-- {
				if strings.HasPrefix(key, s[len(s)-n:]) {
					s, held = s[:len(s)-n], s[len(s)-n:]
					break
				}
			}
			return s
		}
	}
}
