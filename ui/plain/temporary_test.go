package plain

import (
	"testing"

	"memoria/chat/model/modeltest"
)

// U5: /temp begins a temporary chat, says what it keeps, and ends it; what was said is
// not in the archive, and nothing was learned.
func TestTemporary(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("I prefer tea.").hear("Remembered: Prefers tea.", "end of answer", "you: ")
	k.say("/temp").hear("temporary chat: nothing is kept; memories may be read")
	k.say("My name is Xanthippe.").hear("luna: My name is Xanthippe.", "end of answer", "you: ")
	k.say("/new").hear("error: this chat is temporary and nothing of it is kept; /temp ends it")
	k.say("/临时").hear("the temporary chat has ended; nothing of it is kept", "continued: ")
	k.say("/archive Xanthippe").hear("no message")
	k.say("/memories").hear("1. preference, just now: Prefers tea.\n1 memory in all")
}
