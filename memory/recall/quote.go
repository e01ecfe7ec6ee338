package recall

import (
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/retrieve"
)

// Quote is a piece of a message, or a memory of which no message is left.
type Quote struct {
	Record memory.Record // whole, as it is kept; no ID where there is none
	// Offset and Length are the bytes of its content that are quoted; Length 0 is
	// all of it.
	Offset, Length int
	Item           memory.Item // made from these words; no ID when words alone led here
	Title          string      // of the session
	// Bears says that the words bear on the question: they reach the footing, or a
	// recalled memory or the answer before rests on them.
	Bears bool
}

// Text is what is quoted, for a person to read.
func (q Quote) Text() string {
	if q.Record.ID == "" {
		return q.Item.Content
	}
	return Quotable(q.Record.Content, q.Offset, q.Length)
}

// Quotable is a piece of a text, with an ellipsis where it cuts a sentence; length
// 0 is all that follows.
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

// Source is the quote as the n-th citation, with its words.
func (q Quote) Source(n int) Source {
	return Source{Citation: q.Citation(n), Text: q.Text(), Title: q.Title}
}

// Citation is the quote as the n-th citation.
func (q Quote) Citation(n int) memory.Citation {
	c := memory.Citation{N: n, ItemID: q.Item.ID, Version: q.Item.Version, Time: q.Item.CreatedAt}
	if r := q.Record; r.ID != "" {
		c.Evidence = memory.Evidence{SessionID: r.SessionID, TurnID: r.TurnID, RecordID: r.ID, Offset: q.Offset, Length: q.Length}
		c.Role, c.Time = r.Role, r.Timestamp
	}
	return c
}

// cut is a quote of what evidence of an item points to.
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

// longest is how many characters of a text are quoted at most, so that the quotes fit
// their budget.
func longest(said string) int {
	han := 0
	for _, r := range said {
		if text.Han(r) {
			han++
		}
	}
	if 6*han > len(said) { // three bytes each: half of it
		return quoteChinese
	}
	return quoteLength
}

// span sets the bytes that are quoted.
func (q *Quote) span(lo, hi int) {
	if q.Offset, q.Length = lo, hi-lo; hi == len(q.Record.Content) {
		q.Length = 0
	}
}
