package learning

import (
	"context"
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/reread"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/store/queue"
)

// analysisSources lists the data that an analysis was made from, except search results
// and the profile.
type analysisSources struct {
	records, items []string
	silenced       []memory.Evidence
}

// sourcesUnchanged reports whether all sources of an analysis still exist. A topic must
// not keep words of deleted ones (D2).
func sourcesUnchanged(t *write.Tx, j queue.Job, r analysisSources) (bool, error) {
	s, err := t.Session(t.Owner.ID, j.SessionID)
	if err != nil && !lookup.Lacking(err) || err == nil && !slices.Equal(s.Silenced, r.silenced) {
		return false, err
	}
	for _, id := range r.records {
		if there, err := t.HasRecord(t.Owner.ID, id); err != nil || !there {
			return false, err
		}
	}
	for _, id := range r.items {
		switch _, err := t.Item(t.Owner.ID, id); {
		case errors.Is(err, lookup.ErrNotFound):
			return false, nil
		case err != nil && !lookup.Lacking(err):
			return false, err
		}
	}
	return true, nil
}

// analysisInput collects the input of an analysis.
func (w *Writer) analysisInput(
	ctx context.Context, a *write.Agent, j queue.Job,
) (in learn.Input, said memory.Record, seen analysisSources, err error) {
	said, reply, before, _, err := w.said(ctx, a, j)
	if err != nil || said.ID == "" {
		return in, said, seen, err
	}
	for _, r := range append([]memory.Record{said, reply}, before...) {
		if r.ID != "" {
			seen.records = append(seen.records, r.ID)
		}
	}
	in = learn.Input{Pasted: len(said.Foreign()) > 0, Reply: reply.Content}
	var near []string
	for _, c := range w.Recall().Similar(w.Life, a.ID, said.Typed(), matched) {
		near = append(near, c.Head.ID)
	}
	err = w.View(ctx, func(tx *store.Tx) error {
		s, err := tx.Session(a.ID, j.SessionID)
		if err != nil && !lookup.Lacking(err) {
			return err
		}
		// Words of deleted memories are left out: an answer to the same message must not
		// restore them in other words (D2).
		seen.silenced = s.Silenced
		in.Said = reread.Without(said, s.Silenced)
		for _, r := range slices.Backward(before) {
			in.Before = append(in.Before, reread.Without(r, s.Silenced))
		}
		if w, err := tx.Working(a.ID, j.SessionID); err == nil {
			in.Topic, in.Variables = w.CurrentTopic, w.ContextVariables
		}
		return w.addKnown(tx, a, j, near, &in, &seen)
	})
	return in, said, seen, err
}

// addKnown adds what the turn sent to the model and items related to its message, so that
// repeating them teaches nothing. The analysis may replace and end the active items among
// them.
func (w *Writer) addKnown(tx *store.Tx, a *write.Agent, j queue.Job, near []string, in *learn.Input, seen *analysisSources) (err error) {
	p, none := tx.Package(a.ID, j.TurnID) // may be missing or unreadable
	if in.Shown, err = w.shownItems(tx, a, j, p, near); err != nil {
		return err
	}
	for _, s := range in.Shown {
		seen.items = append(seen.items, s.Item.ID)
	}
	if none != nil {
		return nil
	}
	for _, u := range p.Used { // also those that ended meanwhile
		if it, err := tx.Item(a.ID, u.ItemID); u.Chosen && err == nil && !slices.Contains(seen.items, it.ID) {
			in.Known, seen.items = append(in.Known, it.Content), append(seen.items, it.ID)
		}
	}
	for _, c := range p.Citations { // quotes from the archive are known too
		if r, err := tx.Record(a.ID, c.RecordID); err == nil {
			in.Known = append(in.Known, recall.Quotable(w.Recall().Fetch(r).Content, c.Offset, c.Length))
			seen.records = append(seen.records, r.ID)
		}
	}
	in.Known = append(in.Known, shownBeside(w.Lookup(), tx, p, *in)...)
	return nil
}

// matched bounds the related active items that an analysis may name.
const matched = 12

// shownItems returns the active items that an analysis may replace or end (P5c): items
// made by rules in this turn, items sent to the model, and items related to the message,
// in this order.
func (w *Writer) shownItems(tx *store.Tx, a *write.Agent, j queue.Job, p memory.Package, near []string) ([]learn.Shown, error) {
	changes, err := tx.TurnChanges(a.ID, j.TurnID)
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
		if it, err := tx.Item(a.ID, id); err == nil && it.State == memory.StateActive {
			out = append(out, learn.Shown{Item: it, Fresh: i < len(fresh) && it.Origin == memory.OriginTurn})
		}
	}
	return out, nil
}

// searched returns references to the search results of a turn.
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

// shownBeside returns other content that a turn sent to the model and that teaches
// nothing when repeated: the profile, summaries and search results. The program's own
// texts and content already in in are left out.
func shownBeside(r *lookup.Reader, tx *store.Tx, p memory.Package, in learn.Input) (out []string) {
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
		said, gone, err := r.Resolve(tx, p.AgentID, part)
		if said = lookup.Extract(said, part); err == nil && !gone && !slices.Contains(known, said) && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}
