package chat

import (
	"slices"
	"unicode/utf8"

	"memoria/memory"
)

// Numbers of C2 and C3.
const (
	windowFloor  = 5   // newest messages that a budget alone never takes away
	windowTop    = 20  // messages at most
	longMessage  = 500 // characters; longer ones may be cut
	windowMargin = 2   // messages above context_limit before a round leaves
)

// entry is one message of the window.
type entry struct {
	record memory.Record
	cut    int // bytes to keep; 0 is all
	tokens int
	note   string
}

// window chooses the messages that are sent before the new one (C2, C3).
type window struct {
	entries []entry
	dropped []memory.Dropped
}

// newWindow takes a session's records without the new message, oldest first, and
// applies C2: what the program said itself and what is not for memory is left out, a message is not sent
// twice, and past limit + 2, system and new message included, the oldest round
// leaves. Of the top of C3, too, whole rounds leave.
func newWindow(records []memory.Record, limit int, count func(string) int) window {
	var w window
	type key struct {
		at   int64
		text string
	}
	seen := map[key]bool{}
	for _, r := range records {
		k := key{r.Timestamp.UnixNano(), r.Content}
		if r.Withheld() || r.Content == "" || seen[k] || r.Role != memory.RoleUser && r.Role != memory.RoleAssistant {
			continue
		}
		seen[k] = true
		w.entries = append(w.entries, entry{record: r, tokens: count(r.Content)})
	}
	const systemAndNew = 2
	for len(w.entries) > 0 && len(w.entries)+systemAndNew > limit+windowMargin {
		if !w.leave(1, "past context_limit") {
			w.drop("past context_limit")
		}
	}
	for len(w.entries) > windowTop && w.leave(windowFloor, "more than 20 messages") {
	}
	return w
}

// round returns the length of the oldest round: a user message with the answers
// to it. Answers before the first user message of a session are a round too.
func (w *window) round() int {
	n := 1
	for n < len(w.entries) && w.entries[n].record.Role == memory.RoleAssistant {
		n++
	}
	return n
}

// drop drops the oldest round. It never drops a question alone, because strict
// chat templates refuse a conversation that begins with an answer.
func (w *window) drop(reason string) { w.remove(0, w.round(), reason) }

// leave takes the oldest away and leaves at least keep messages. That is a round
// as long as enough remain; else the oldest answer of a round that has several,
// its question staying above the newest ones. It reports whether anything left.
func (w *window) leave(keep int, reason string) bool {
	if len(w.entries) == 0 {
		return false
	}
	n, question := w.round(), 0
	if w.entries[0].record.Role == memory.RoleUser {
		question = 1
	}
	switch {
	case len(w.entries)-n >= keep:
		w.drop(reason)
	case n-question > 1 && len(w.entries)-question > keep:
		w.remove(question, question+1, reason)
	default:
		return false
	}
	return true
}

func (w *window) remove(lo, hi int, reason string) {
	for _, e := range w.entries[lo:hi] {
		w.dropped = append(w.dropped, memory.Dropped{Layer: memory.LayerWindow, What: e.record.ID, Reason: reason})
	}
	w.entries = slices.Delete(w.entries, lo, hi)
}

func (w *window) tokens() int {
	n := 0
	for _, e := range w.entries {
		n += e.tokens
	}
	return n
}

// fit makes the window fit into a number of tokens (C3): long messages are cut,
// answers before questions and the oldest first, and only then rounds are
// dropped, never below the floor. At the floor the question of the oldest answer
// stays as well, so that a floor of 5 holds up to 6 messages: the window begins
// with an answer only where no question stands before it in the session.
func (w *window) fit(budget, floor int, reason string, count func(string) int) {
	for _, role := range []memory.Role{memory.RoleAssistant, memory.RoleUser} {
		for i := range w.entries {
			if w.tokens() <= budget {
				return
			}
			if w.entries[i].record.Role == role {
				w.entries[i].shorten(reason, count)
			}
		}
	}
	for w.tokens() > budget && w.leave(floor, reason) {
	}
}

func (e *entry) shorten(reason string, count func(string) int) {
	at := cutAt(e.record.Content, longMessage)
	if at == 0 || e.cut > 0 {
		return
	}
	e.cut = at
	e.tokens = count(e.record.Content[:at] + memory.TruncationMark)
	e.note = "cut to 500 characters: " + reason
}

// cutAt returns the number of bytes of the first n characters of s, or 0 when s
// is not longer.
func cutAt(s string, n int) int {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return 0
	}
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}
