package store

import (
	"memoria/kv"
	"memoria/memory"
)

// PutSummary writes a version of a session's summary; a package may refer to it
// from then on.
func (tx *Tx) PutSummary(s memory.Summary) error {
	return summaries.Put(tx.kv, kv.Key(s.AgentID, s.SessionID, uint64(s.Version)), s)
}

// Summary returns a version of a session's summary.
func (tx *Tx) Summary(agent, session string, version int) (memory.Summary, error) {
	return summaries.Get(tx.kv, kv.Key(agent, session, uint64(version)))
}

// ItemsFromSession returns the items that have evidence in a session, the newest
// first.
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

// Unsummarise destroys the summary of a session in which words are no longer to
// stand, and leaves its title empty where that was the summary's. The caller writes
// the session.
func (tx *Tx) Unsummarise(agent string, s *memory.Session) error {
	return (&bin{tx: tx, agent: agent}).unsummarise(s)
}

// unsummarise destroys the summary of a session that loses words which may stand
// in it, and the title that was its: nobody can say which of its words came from
// where. Whoever deletes gives another title and lets another summary be made.
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
