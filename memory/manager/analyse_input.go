package manager

import (
	"context"
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/recall"
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
func (m *Manager) analysisInput(ctx context.Context, a *agent, j store.Job) (in learn.Input, said memory.Record, seen wasRead, err error) {
	said, reply, before, err := m.said(ctx, a, j)
	if err != nil || said.ID == "" {
		return in, said, seen, err
	}
	for _, r := range append([]memory.Record{said, reply}, before...) {
		if r.ID != "" {
			seen.records = append(seen.records, r.ID)
		}
	}
	in = learn.Input{Pasted: len(said.Foreign()) > 0, Reply: reply.Content}
	near := m.matching(a, said.Typed())
	err = m.view(ctx, func(tx *store.Tx) error {
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
		return m.known(tx, a, j, near, &in, &seen)
	})
	return in, said, seen, err
}

// known adds what the turn put before the model, and what is near to its message: that is no news when it comes back.
// Active items among it can be replaced and ended.
func (m *Manager) known(tx *store.Tx, a *agent, j store.Job, near []string, in *learn.Input, seen *wasRead) (err error) {
	p, none := tx.Package(a.id, j.TurnID) // there may be none, or it cannot be read
	if in.Shown, err = m.shownItems(tx, a, j, p, near); err != nil {
		return err
	}
	for _, s := range in.Shown {
		seen.items = append(seen.items, s.Item.ID)
	}
	if none != nil {
		return nil
	}
	for _, u := range p.Used { // what ended meanwhile is no news either
		if it, err := tx.Item(a.id, u.ItemID); u.Chosen && err == nil && !slices.Contains(seen.items, it.ID) {
			in.Known, seen.items = append(in.Known, it.Content), append(seen.items, it.ID)
		}
	}
	for _, c := range p.Citations { // words that came out of the archive are no news either
		if r, err := tx.Record(a.id, c.RecordID); err == nil {
			in.Known = append(in.Known, recall.Quotable(m.recall.Fetch(r).Content, c.Offset, c.Length))
			seen.records = append(seen.records, r.ID)
		}
	}
	in.Known = append(in.Known, m.shownBeside(tx, p, *in)...)
	return nil
}

// matched is how many active items that share words with a message an analysis may name.
const matched = 12

// matching returns the ids of items that share words with a message, the nearest first. It does not wait for the index:
// what rules have just made is found in the ledger.
func (m *Manager) matching(a *agent, typed string) (ids []string) {
	for _, c := range m.recall.Similar(m.life, a.id, typed, matched) {
		ids = append(ids, c.Head.ID)
	}
	return ids
}

// shownItems returns the active items that an analysis may replace or end (P5c): those that rules made in this turn,
// those that memory put before the model, and those near to the message, in this order.
func (m *Manager) shownItems(tx *store.Tx, a *agent, j store.Job, p memory.Package, near []string) ([]learn.Shown, error) {
	changes, err := tx.TurnChanges(a.id, j.TurnID)
	if err != nil {
		return nil, err
	}
	var fresh, ids []string
	for _, c := range changes {
		if c.Action == memory.ActionAdded || c.Action == memory.ActionSuperseded {
			fresh = append(fresh, c.ItemID)
		}
	}
	for _, u := range p.Used {
		if u.Chosen {
			ids = append(ids, u.ItemID)
		}
	}
	for _, ref := range searched(tx, p) {
		if ref.Kind == memory.KindItem {
			ids = append(ids, ref.ID)
		}
	}
	var out []learn.Shown
	for i, id := range slices.Concat(fresh, ids, near) {
		if len(out) == learn.MaxShown || slices.ContainsFunc(out, func(s learn.Shown) bool { return s.Item.ID == id }) {
			continue
		}
		if it, err := tx.Item(a.id, id); err == nil && it.State == memory.StateActive {
			out = append(out, learn.Shown{Item: it, Fresh: i < len(fresh) && it.Origin == memory.OriginTurn})
		}
	}
	return out, nil
}

// searched are the references to what the searches of a turn found.
func searched(tx *store.Tx, p memory.Package) (parts []memory.Ref) {
	for _, round := range p.Rounds {
		for _, id := range round.Calls {
			if r, err := tx.Record(p.AgentID, id); err == nil && r.Call != nil {
				parts = append(parts, r.Call.Parts...)
			}
		}
	}
	return parts
}

// shownBeside is what else a turn put before the model that is no news when it comes
// back: the profile, summaries, and what a search found. Words of this program are left
// out, and what in holds already.
func (m *Manager) shownBeside(tx *store.Tx, p memory.Package, in learn.Input) (out []string) {
	known := slices.Clone(in.Known)
	for _, s := range in.Shown {
		known = append(known, s.Item.Content)
	}
	var parts []memory.Ref
	for _, b := range p.Blocks {
		if b.Layer == memory.LayerProfile || b.Layer == memory.LayerSummaries {
			parts = append(parts, b.Parts...)
		}
	}
	for _, part := range append(parts, searched(tx, p)...) {
		if part.Kind == memory.KindText {
			continue
		}
		said, gone, err := m.resolve(tx, p.AgentID, part)
		if said = Extract(said, part); err == nil && !gone && !slices.Contains(known, said) && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}
