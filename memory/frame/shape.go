package frame

import (
	"strings"

	"memoria/memory"
)

// maxLead is the maximum offset, in bytes, of a text to work on if only its kind is named.
const maxLead = 160

// shaped returns the frame of a message without a request at its beginning: a role being played, a text being worked on,
// or the name of a kind of text, with the text after a colon or in quotation marks.
func (t message) shaped() memory.Frame {
	f := memory.Frame{Open: true, Length: len(t.all)}
	switch {
	case len(t.clauses) == 0, notTask().Has(t.s), notPlay().Has(t.s), shapeNot().Has(t.s):
		return memory.Frame{}
	case t.tells >= likelyTells && t.tells >= t.plays:
		return memory.Frame{}
	case acting().Has(t.s):
		f.Kind, f.What, f.Left = memory.FramePlay, "role", ownAfterGuess
	case material().Has(t.s), t.introduces():
		f.Kind, f.What, f.Given, f.Left = memory.FrameTask, "write", !coming().Has(t.s), TaskMessages-1
	default:
		return memory.Frame{}
	}
	return f
}

// introduces reports whether a kind of text is named before a colon, a line break or quotation marks.
func (t message) introduces() bool {
	at := strings.IndexAny(t.s, ":：\n\"“”「『‘")
	if at <= 0 || at > maxLead || at+1 >= len(strings.TrimSpace(t.s)) || !textNoun().Has(t.s[:at]) {
		return false
	}
	if t.s[at] == '\n' { // the first of several lines need not introduce the others
		_, hi, _ := textNoun().Find(t.s[:at])
		return length(t.s[hi:at]) <= 1
	}
	return true
}
