package recall

import (
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/retrieve"
)

// Quote is a part of a message, or an item whose messages are gone.
type Quote struct {
	Record memory.Record // complete; without an ID if there is none
	// Offset and Length are the quoted bytes of its content; Length 0 means all that
	// follow.
	Offset, Length int
	Item           memory.Item // learned from the quote; without an ID if found by words
	Title          string      // of the session
	// Bears says that the quote bears on the question: it has enough of its words, or is
	// the source of a recalled item or of the previous answer.
	Bears bool
}

// Text returns the quoted words, for display.
func (q Quote) Text() string {
	if q.Record.ID == "" {
		return q.Item.Content
	}
	return Quotable(q.Record.Content, q.Offset, q.Length)
}

// Quotable returns a part of a text, with an ellipsis where it cuts a sentence. Length 0
// means all that follows.
func Quotable(said string, from, length int) string {
	from = min(max(from, 0), len(said))
	to := len(said)
	if length > 0 {
		to = min(from+length, to)
	}
	begins, ends := retrieve.Whole(said, from, to)
	s := strings.ToValidUTF8(said[from:to], "")
	if !begins {
		s = memory.OmissionMark + s
	}
	if !ends {
		s += memory.OmissionMark
	}
	return s
}

// Source returns the quote as the n-th citation, with its words.
func (q Quote) Source(n int) Source {
	return Source{Citation: q.Citation(n), Text: q.Text(), Title: q.Title}
}

// Citation returns the quote as the n-th citation.
func (q Quote) Citation(n int) memory.Citation {
	c := memory.Citation{N: n, ItemID: q.Item.ID, Version: q.Item.Version, Time: q.Item.CreatedAt}
	if r := q.Record; r.ID != "" {
		c.Evidence = memory.Evidence{SessionID: r.SessionID, TurnID: r.TurnID, RecordID: r.ID, Offset: q.Offset, Length: q.Length}
		c.Role, c.Time = r.Role, r.Timestamp
	}
	return c
}

// cut returns the quote for one evidence of an item.
func cut(r memory.Record, ev memory.Evidence, it memory.Item) Quote {
	q := Quote{Record: r, Item: it, Bears: true}
	lo, hi := ev.Offset, ev.Offset+ev.Length
	if ev.Length > 0 && lo >= 0 && hi <= len(r.Content) {
		lo, hi = retrieve.Sentence(r.Content, lo, hi, longest(r.Content))
	} else {
		lo, hi = retrieve.Excerpt(retrieve.Analyse(it.Content, ""), r.Content, longest(r.Content))
	}
	q.span(lo, hi)
	return q
}

// longest returns the maximum number of quoted characters, so that the quotes fit their
// budget.
func longest(said string) int {
	han := 0
	for _, r := range said {
		if text.Han(r) {
			han++
		}
	}
	if 6*han > len(said) { // three bytes each: half the text
		return quoteChinese
	}
	return quoteLength
}

// span sets the quoted bytes.
func (q *Quote) span(lo, hi int) {
	if q.Offset, q.Length = lo, hi-lo; hi == len(q.Record.Content) {
		q.Length = 0
	}
}
