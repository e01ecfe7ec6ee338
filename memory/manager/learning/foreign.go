package learning

import (
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/quoted"
)

const (
	maxForeign      = 3        // maximum of proposals from quoted text in one message
	maxForeignBytes = 64 << 10 // maximum read of each quoted text
	foreignSure     = 0.5      // maximum confidence of quoted statements
)

// WithQuoted adds to the spans of a message the quotes of others that it contains (K9).
func WithQuoted(said string, spans []memory.Span) []memory.Span {
	found := quoted.Find(said, spans)
	if len(found) == 0 {
		return spans
	}
	return append(spans[:len(spans):len(spans)], found...)
}

// foreign returns proposals from the parts of a message that are not its author's own
// words. All are held (P10); nothing in them counts as the user's statement. From a
// message that another program sent, everything is held, unless it quotes in turn.
func foreign(p *policy.Policy, said memory.Record) (out []Proposal) {
	for _, s := range said.Foreign() {
		lo := min(max(s.Offset, 0), len(said.Content))
		hi := min(max(s.Offset+s.Length, lo), len(said.Content), lo+maxForeignBytes)
		words := said.Content[lo:hi]
		if s.Kind == memory.SpanPiped {
			words = memory.Record{Content: words, Spans: quoted.Find(words, nil)}.Typed()
		}
		seen, at := visible(words)
		for _, c := range p.Extract(seen) {
			if s.Kind != memory.SpanPiped && (!c.Explicit || len(out) == maxForeign) {
				continue
			}
			if c.OnlyEnds() {
				continue
			}
			c.Ends = nil // quoted text ends nothing
			from, to := min(max(c.Offset, 0), len(seen)), min(max(c.Offset+c.Length, 0), len(seen))
			c.Offset, c.Length = lo+at[from], 0
			if to > from { // trailing invisible characters
				c.Length = lo + at[to-1] + 1 - c.Offset
			}
			c.Source, c.Confidence = memory.SourceInferred, min(c.Confidence, foreignSure)
			out = append(out, Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: trustOf(s)})
		}
	}
	return out
}

// trustOf returns the trust of a quoted part of a message.
func trustOf(s memory.Span) memory.Trust {
	switch s.Kind {
	case memory.SpanPasted, memory.SpanQuoted:
		return memory.TrustPasted
	}
	return memory.TrustForeign
}
