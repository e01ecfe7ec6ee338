package manager

import (
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/store"
)

// wasRead is what an analysis was made of, but for what a search or the profile
// showed.
type wasRead struct {
	records, items []string
	silenced       []memory.Evidence
}

// stands reports whether nothing was deleted of what an analysis was made of: the
// topic of a conversation must not have its words (D2).
func (t *tx) stands(j store.Job, r wasRead) (bool, error) {
	s, err := t.Session(t.a.id, j.SessionID)
	if err != nil && !lacking(err) || err == nil && !slices.Equal(s.Silenced, r.silenced) {
		return false, err
	}
	for _, id := range r.records {
		if there, err := t.HasRecord(t.a.id, id); err != nil || !there {
			return false, err
		}
	}
	for _, id := range r.items {
		switch _, err := t.Item(t.a.id, id); {
		case errors.Is(err, ErrNotFound):
			return false, nil
		case err != nil && !lacking(err):
			return false, err
		}
	}
	return true, nil
}

// analysisInput gathers what an analysis may read.
func (m *Manager) analysisInput(a *agent, j store.Job) (in learn.Input, said memory.Record, seen wasRead, err error) {
	said, reply, before, err := m.said(a, j)
	if err != nil || said.ID == "" {
		return in, said, seen, err
	}
	for _, r := range append([]memory.Record{said, reply}, before...) {
		if r.ID != "" {
			seen.records = append(seen.records, r.ID)
		}
	}
	in = learn.Input{Pasted: len(said.Foreign()) > 0, Reply: reply.Content}
	err = m.store.View(func(tx *store.Tx) error {
		s, err := tx.Session(a.id, j.SessionID)
		if err != nil && !lacking(err) {
			return err
		}
		// A memory of some of the words was deleted: a message that is answered again
		// does not bring it back in other words (D2).
		seen.silenced = s.Silenced
		in.Said = silenced(said, s.Silenced)
		for _, r := range slices.Backward(before) {
			in.Before = append(in.Before, silenced(r, s.Silenced))
		}
		if w, err := tx.Working(a.id, j.SessionID); err == nil {
			in.Topic, in.Variables = w.CurrentTopic, w.ContextVariables
		}
		p, err := tx.Package(a.id, j.TurnID)
		if err != nil {
			return nil // there was none, or it cannot be read
		}
		for _, u := range p.Used {
			if it, err := tx.Item(a.id, u.ItemID); u.Chosen && err == nil {
				in.Known, seen.items = append(in.Known, it.Content), append(seen.items, it.ID)
			}
		}
		for _, c := range p.Citations { // words that came out of the archive are no news either
			if r, err := tx.Record(a.id, c.RecordID); err == nil {
				in.Known = append(in.Known, quotable(m.fetch(r).Content, c.Offset, c.Length))
				seen.records = append(seen.records, r.ID)
			}
		}
		in.Known = append(in.Known, m.shownBeside(tx, p, in.Known)...)
		return nil
	})
	return in, said, seen, err
}

// shownBeside is what else a turn put before the model that is no news when it comes
// back: the profile, summaries, and what a search found. Words of this program are left
// out, and what stands in known.
func (m *Manager) shownBeside(tx *store.Tx, p memory.Package, known []string) (out []string) {
	var parts []memory.Ref
	for _, b := range p.Blocks {
		if b.Layer == memory.LayerProfile || b.Layer == memory.LayerSummaries {
			parts = append(parts, b.Parts...)
		}
	}
	for _, round := range p.Rounds {
		for _, id := range round.Calls {
			if r, err := tx.Record(p.AgentID, id); err == nil && r.Call != nil {
				parts = append(parts, r.Call.Parts...)
			}
		}
	}
	for _, part := range parts {
		if part.Kind == memory.KindText {
			continue
		}
		said, gone, err := m.resolve(tx, p.AgentID, part)
		if said = Extract(said, part.From, part.Cut); err == nil && !gone && !slices.Contains(known, said) && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}
