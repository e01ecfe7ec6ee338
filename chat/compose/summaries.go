package compose

import (
	"context"
	"time"

	"memoria/memory"
	"memoria/prompts"
)

// gatherSummaries takes what the sessions before this one were about (C1).
func (b *builder) gatherSummaries(ctx context.Context) {
	ended, total, err := b.Memory.Lookup().Summaries(ctx, b.Agent.ID, b.MemoryConfig.SummaryLimit, b.Turn.Session.ID)
	if err != nil { // a memory that fails must not take the conversation down
		b.Log.Warn("summaries were not read", "error", err)
		return
	}
	b.ended, b.endedOf = ended, total
}

// summaries is the section of the summaries, the latest first; none when there are none.
func (b *builder) summaries() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, e := range b.ended {
		refs = append(refs, memory.Ref{
			Kind: memory.KindSummary, ID: e.SessionID, Version: e.Version, Form: memory.FormFence,
			Source: e.LastMessageAt.Format(time.DateOnly), Cut: cutAt(e.Line(), longHit),
		})
		said = append(said, e.Line())
	}
	return b.data(memory.LayerSummaries, prompts.SummariesHeader, b.endedOf, refs, said)
}
