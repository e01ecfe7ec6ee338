package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/ui/clean"
)

// maxHeld bounds how long a text without an end of a sentence is held back, in
// bytes.
const maxHeld = 600

// answer makes whole sentences of what arrives, so that a screen reader never
// begins in the middle of one. Together they are the text, cleaned, without empty
// lines around it.
type answer struct {
	stream clean.Stream
	held   string
	begun  bool
	all    int // bytes that came
	spoken int // bytes that were said
	// thought says that what the model thinks came first.
	thought bool
}

// add takes a piece and returns what can be said by now.
func (a *answer) add(piece string) string {
	a.all += len(piece)
	a.held += a.stream.Add(piece)
	return a.take(sentences(a.held))
}

// end returns the rest.
func (a *answer) end() string {
	a.held = strings.TrimRightFunc(a.held+a.stream.End(), unicode.IsSpace)
	return a.take(len(a.held))
}

func (a *answer) take(n int) string {
	ready := a.held[:n]
	a.held = a.held[n:]
	if !a.begun {
		ready = strings.TrimLeft(ready, "\n")
		a.begun = ready != ""
	}
	return ready
}

// sentences is the length of the beginning of s that is whole sentences or
// lines. The line feed after it is left to what follows, since nothing may.
func sentences(s string) int {
	end := 0
	ended := false // a sentence may end here, if a space follows
	for i, r := range s {
		switch {
		case r == '\n':
			end, ended = i, false
		case strings.ContainsRune("。！？；", r):
			end, ended = i+utf8.RuneLen(r), false
		case strings.ContainsRune(".!?;:", r):
			ended = true
		case ended && r == ' ':
			end, ended = i+1, false
		case strings.ContainsRune(`"'”’»)]*_`+"`", r): // belongs to what ends
		default:
			ended = false
		}
	}
	if end == 0 && len(s) > maxHeld {
		end = strings.LastIndexByte(s, ' ') + 1
		if end == 0 {
			_, last := utf8.DecodeLastRuneInString(s)
			end = len(s) - last
		}
	}
	return end
}
