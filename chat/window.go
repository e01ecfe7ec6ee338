package chat

import (
	"unicode/utf8"

	"memoria/memory"
)

// Numbers of C2 and C3.
const (
	windowFloor  = 5   // messages that a budget alone never takes away
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
// applies C2: what the program said itself is left out, a message is not sent
// twice, and past limit + 2, system and new message included, the oldest round
// leaves.
func newWindow(records []memory.Record, limit int, count func(string) int) window {
	var w window
	type key struct {
		at   int64
		text string
	}
	seen := map[key]bool{}
	for _, r := range records {
		k := key{r.Timestamp.UnixNano(), r.Content}
		if r.Own() || r.Content == "" || seen[k] || r.Role != memory.RoleUser && r.Role != memory.RoleAssistant {
			continue
		}
		seen[k] = true
		w.entries = append(w.entries, entry{record: r, tokens: count(r.Content)})
	}
	const systemAndNew = 2
	for len(w.entries) > 0 && len(w.entries)+systemAndNew > limit+windowMargin {
		w.dropRound("past context_limit")
	}
	for len(w.entries) > windowTop {
		w.drop("more than 20 messages")
	}
	return w
}

func (w *window) drop(reason string) {
	w.dropped = append(w.dropped, memory.Dropped{Layer: memory.LayerWindow, What: w.entries[0].record.ID, Reason: reason})
	w.entries = w.entries[1:]
}

// dropRound drops the oldest user message with the answers to it.
func (w *window) dropRound(reason string) {
	w.drop(reason)
	for len(w.entries) > 0 && w.entries[0].record.Role == memory.RoleAssistant {
		w.drop(reason)
	}
}

func (w *window) tokens() int {
	n := 0
	for _, e := range w.entries {
		n += e.tokens
	}
	return n
}

// fit makes the window fit into a number of tokens (C3): long messages are cut,
// answers before questions and the oldest first, and only then whole messages
// are dropped, never below the floor.
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
	for w.tokens() > budget && len(w.entries) > floor {
		w.drop(reason)
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
