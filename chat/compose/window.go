package compose

import (
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/lookup"
)

// Numbers of C2 and C3.
const (
	windowFloor  = 5    // newest messages that a budget alone never takes away
	historyFloor = 4096 // tokens that the history may have where the model's context allows it
	longMessage  = 500  // characters; longer ones may be shortened, down to these
	lastRounds   = 2    // newest rounds, shortened after all others
	windowMargin = 2    // messages above context_limit before a round leaves
	systemAndNew = 2    // messages of a request that are not in the window
)

// afterCut is what a cut leaves of n messages or tokens: about two thirds. A window that
// was cut to its very limit would be cut in every turn, and no request would begin like
// the one before it (C2).
func afterCut(n int) int { return n * 2 / 3 }

// entry is one message of the window.
type entry struct {
	record memory.Record
	cut    cut
	tokens int
	note   string
}

// cut is the part that is sent of a shortened message: bytes of its beginning and of its
// end. The zero value is the whole message.
type cut struct{ head, tail int }

// window chooses the messages that are sent before the new one (C2, C3).
type window struct {
	entries []entry
	dropped []memory.Dropped
}

// newWindow takes a session's records without the new message, oldest first, and
// applies C2. The program's own words, messages that are not for memory and a broken-off answer
// beside a complete one are left out, and a message is not sent twice. The window goes on from that of last, the package of the
// turn before, nil if there is none: it begins where that began and shortens what that
// shortened, so that the beginning of the request stays the same. When it exceeds
// limit + 2 messages, system and new message included, the oldest rounds leave until
// about two thirds remain.
func newWindow(records []memory.Record, last *memory.Package, limit int, count func(string) int) window {
	var w window
	type key struct {
		at   int64
		text string
	}
	seen := map[key]bool{}
	for _, r := range records {
		k := key{r.Timestamp.UnixNano(), r.Content}
		if r.Withheld() || r.Content == "" || seen[k] || isReplaced(r, records) ||
			r.Role != memory.RoleUser && r.Role != memory.RoleAssistant {
			continue
		}
		seen[k] = true
		w.entries = append(w.entries, entry{record: r})
	}
	w.goOn(last)
	if len(w.entries)+systemAndNew > limit+windowMargin {
		keep := max(afterCut(limit+windowMargin)-systemAndNew, min(windowFloor, limit))
		for len(w.entries) > keep && w.leave(keep, "past context_limit") {
		}
		for len(w.entries) > limit { // a round that is longer than the limit
			if !w.leave(1, "past context_limit") {
				w.drop("past context_limit")
			}
		}
	}
	for i := range w.entries {
		w.entries[i].tokens = count(w.entries[i].sent())
	}
	return w
}

// isReplaced reports whether a record is a broken-off answer of a turn that the same
// agent answered to its end (S3, F6).
func isReplaced(r memory.Record, records []memory.Record) bool {
	return r.Role == memory.RoleAssistant && r.Status != memory.StatusComplete && slices.ContainsFunc(records, func(o memory.Record) bool {
		return o.TurnID == r.TurnID && o.Role == r.Role && o.Sender == r.Sender && o.Status == memory.StatusComplete && o.ID != r.ID
	})
}

// goOn begins the window where that of a package began, and shortens what that
// shortened. A window whose messages are all gone says nothing, and one that nothing has
// left does not hold back messages whose deletion was undone.
func (w *window) goOn(last *memory.Package) {
	if last == nil {
		return
	}
	was := map[string]entry{}
	for _, b := range last.Blocks {
		for _, part := range b.Parts {
			if (b.Layer == memory.LayerWindow || b.Layer == memory.LayerMessage) && part.Kind == memory.KindRecord {
				was[part.ID] = entry{cut: cut{part.Cut, part.Tail}, note: b.Note}
			}
		}
	}
	first := slices.IndexFunc(w.entries, func(e entry) bool { _, sent := was[e.record.ID]; return sent })
	if first < 0 {
		return
	}
	left := slices.ContainsFunc(last.Dropped, func(d memory.Dropped) bool { return d.Layer == memory.LayerWindow })
	if first > 0 && left {
		w.dropped = append(w.dropped, memory.Dropped{
			Layer: memory.LayerWindow, What: "older messages", Reason: "they left in an earlier turn",
		})
		w.entries = w.entries[first:]
	}
	for i := range w.entries {
		e := &w.entries[i]
		if c := was[e.record.ID]; c.cut.head+c.cut.tail < len(e.record.Content) {
			e.cut, e.note = c.cut, c.note
		}
	}
}

// sent is the text of the message as it is sent.
func (e entry) sent() string {
	return lookup.Extract(e.record.Content, memory.Ref{Cut: e.cut.head, Tail: e.cut.tail})
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

// fit makes the window fit into a number of tokens (C3): long messages are shortened,
// answers before questions and the oldest first, then those of the last two rounds, and
// only then rounds are dropped, never below the floor. At the floor the question of the
// oldest answer stays as well, so that a floor of 5 holds up to 6 messages: the window
// begins with an answer only if the session has no question before it. Once
// something has to go, so much goes that the next turns fit as well (C2); but nothing
// more than needed of the last two rounds.
func (w *window) fit(budget, floor int, reason string, count func(string) int) {
	if w.tokens() <= budget {
		return
	}
	for i := range w.longest(0, w.lastRounds()) {
		if w.tokens() <= afterCut(budget) {
			return
		}
		w.entries[i].shorten(reason, count)
	}
	for i := range w.longest(w.lastRounds(), len(w.entries)) {
		if w.tokens() <= budget {
			return
		}
		w.entries[i].keepEnds(w.entries[i].tokens-(w.tokens()-budget), reason, count)
	}
	if w.tokens() <= budget {
		return
	}
	for w.tokens() > afterCut(budget) && w.leave(floor, reason) {
	}
}

// longest walks the messages from lo to hi that can be shortened, in the order of C3.
func (w *window) longest(lo, hi int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, role := range []memory.Role{memory.RoleAssistant, memory.RoleUser} {
			for i := lo; i < hi; i++ {
				if e := w.entries[i]; e.record.Role == role && e.kept() > longMessage && !yield(i) {
					return
				}
			}
		}
	}
}

// lastRounds is where the newest rounds begin that are shortened last.
func (w *window) lastRounds() int {
	i := len(w.entries)
	for n := 0; i > 0 && n < lastRounds; {
		if i--; w.entries[i].record.Role == memory.RoleUser && w.entries[i].record.Sender == "" {
			n++
		}
	}
	return i
}

// kept is how many characters of a message are sent.
func (e entry) kept() int {
	if e.cut == (cut{}) {
		return utf8.RuneCountInString(e.record.Content)
	}
	s := e.record.Content
	return utf8.RuneCountInString(s[:e.cut.head]) + utf8.RuneCountInString(s[len(s)-e.cut.tail:])
}

// shorten keeps the first 500 characters of a message.
func (e *entry) shorten(reason string, count func(string) int) {
	e.keep(cut{head: cutAt(e.record.Content, longMessage)}, reason, count)
}

// keepEnds keeps as much of the beginning and of the end of a message as fits into a
// number of tokens, together at least 500 characters.
func (e *entry) keepEnds(tokens int, reason string, count func(string) int) {
	s := e.record.Content
	n := utf8.RuneCountInString(s)
	for keep := n * max(tokens, 0) / max(count(s), 1); ; keep = keep * 9 / 10 {
		keep = max(keep, longMessage)
		tail := len(s) - cutAt(s, n-keep/2)
		e.keep(cut{head: cutAt(s, keep-keep/2), tail: tail}, reason, count)
		if e.tokens <= tokens || keep == longMessage {
			return
		}
	}
}

func (e *entry) keep(c cut, reason string, count func(string) int) {
	e.cut = c
	e.tokens = count(e.sent())
	e.note = fmt.Sprintf("shortened to %d of %d characters: %s", e.kept(), utf8.RuneCountInString(e.record.Content), reason)
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
