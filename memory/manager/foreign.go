package manager

import (
	"memoria/memory"
	"memoria/memory/quoted"
)

const (
	maxForeign      = 3        // proposals that one message brings in from the text of others
	maxForeignBytes = 64 << 10 // of each such text that is read
	foreignSure     = 0.5      // confidence at most: somebody said so
)

// withQuoted adds to the given spans of a message the parts that were typed and quote somebody else (K9).
func withQuoted(said string, spans []memory.Span) []memory.Span {
	found := quoted.Find(said, spans)
	if len(found) == 0 {
		return spans
	}
	return append(spans[:len(spans):len(spans)], found...)
}

// foreign returns what the parts of a message that are not its author's own words ask to remember. All of it
// waits for the user (P10), and nothing else in them is a statement of the user's. A message that another
// program sent is different: whatever it would teach waits, unless it quotes in turn.
func (m *Manager) foreign(said memory.Record) (out []proposal) {
	for _, s := range said.Foreign() {
		lo := min(max(s.Offset, 0), len(said.Content))
		hi := min(max(s.Offset+s.Length, lo), len(said.Content), lo+maxForeignBytes)
		words := said.Content[lo:hi]
		if s.Kind == memory.SpanPiped {
			words = memory.Record{Content: words, Spans: quoted.Find(words, nil)}.Typed()
		}
		seen, at := visible(words)
		for _, c := range m.policy().Extract(seen) {
			if s.Kind != memory.SpanPiped && (!c.Explicit || len(out) == maxForeign) {
				continue
			}
			if c.OnlyEnds() {
				continue
			}
			c.Ends = nil // such text ends nothing
			from, to := min(max(c.Offset, 0), len(seen)), min(max(c.Offset+c.Length, 0), len(seen))
			c.Offset, c.Length = lo+at[from], 0
			if to > from { // invisible characters behind the words do not belong to them
				c.Length = lo + at[to-1] + 1 - c.Offset
			}
			c.Source, c.Confidence = memory.SourceInferred, min(c.Confidence, foreignSure)
			out = append(out, proposal{Candidate: c, from: said, origin: memory.OriginTurn, trust: trustOf(s)})
		}
	}
	return out
}

// trustOf is the trust of a part of a message that is not its author's own words.
func trustOf(s memory.Span) memory.Trust {
	switch s.Kind {
	case memory.SpanPasted, memory.SpanQuoted:
		return memory.TrustPasted
	}
	return memory.TrustForeign
}
