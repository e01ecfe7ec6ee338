package store

import (
	"memoria/kv"
	"memoria/memory"
)

// PutSummary writes a version of a session's summary. Packages may refer to it from
// then on.
func (tx *Tx) PutSummary(s memory.Summary) error {
	return summaries.Put(tx.kv, kv.Key(s.AgentID, s.SessionID, uint64(s.Version)), s)
}

// Summary returns a version of a session's summary.
func (tx *Tx) Summary(agent, session string, version int) (memory.Summary, error) {
	return summaries.Get(tx.kv, kv.Key(agent, session, uint64(version)))
}

// ItemsFromSession returns the items with evidence in a session, newest first.
func (tx *Tx) ItemsFromSession(agent, session string) ([]memory.Item, error) {
	return tx.itemsFrom(agent, []string{session}, func(ev memory.Evidence) bool { return ev.SessionID == session })
}

// summaries moves all versions of a session's summary.
func (b *bin) summaries(session string) error {
	n, err := b.takeAll(raw(summaries), kv.Prefix(b.agent, session), nil)
	if err != nil || n == 0 {
		return err
	}
	return b.tx.forget(b.agent, memory.KindSummary, session)
}

// Unsummarise deletes a session's summary after some of its words were deleted, and
// clears the title if it came from the summary. The caller writes the session.
func (tx *Tx) Unsummarise(agent string, s *memory.Session) error {
	return (&bin{tx: tx, agent: agent}).unsummarise(s)
}

// unsummarise deletes the summary of a session that loses words, and the title that
// came from it: the origin of their words is unknown. The caller sets another title and
// has the summary regenerated.
func (b *bin) unsummarise(s *memory.Session) error {
	s.Covered.Turns, s.CoveredBefore.Turns = min(s.Covered.Turns, s.Turns), min(s.CoveredBefore.Turns, s.Turns)
	if n, err := summaries.DeletePrefix(b.tx.kv, kv.Prefix(b.agent, s.ID)); err != nil || n == 0 {
		return err
	}
	if was := s.Summary; was != nil {
		if !s.Named && s.Title == was.Title {
			s.Title = ""
		}
		s.Summary = nil
	}
	if s.Memories == memory.MemoriesGenerated {
		s.Memories = memory.MemoriesGenerating
	}
	return b.tx.forget(b.agent, memory.KindSummary, s.ID)
}
