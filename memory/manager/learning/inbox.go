package learning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

const (
	// acceptedSure is the minimum confidence of an accepted item, as for plain statements
	// of the user (L2).
	acceptedSure = 0.9
)

// Shown identifies an item in the version that was shown to the user, so that only that
// version is accepted or rejected. ID may be partial, as for [lookup.Reader.Item].
type Shown struct {
	ID      string
	Version int
}

// supersedeRivals ends the rivals of a newly active item and links them to it (P4).
func supersedeRivals(t *write.Tx, it *memory.Item) error {
	if it.State != memory.StateActive {
		return nil
	}
	rivals, err := lookup.RivalsOf(t.Tx, t.Owner.ID, *it)
	if err != nil {
		return err
	}
	for i, r := range rivals {
		if i == 0 {
			it.Supersedes = r.ID
		}
		if err := EndItem(t, r.ID, it.ID, ByUser); err != nil {
			return err
		}
	}
	it.Metadata.WouldReplace, it.Metadata.WouldEnd = "", false
	return nil
}

// heldAsShown returns a held item if its version is the one shown.
func heldAsShown(t *write.Tx, s Shown) (memory.Item, error) {
	it, err := lookup.FindItem(t.Tx, t.Owner.ID, s.ID)
	switch {
	case err != nil:
		return it, fmt.Errorf("memory %s: %w", s.ID, err)
	case it.State != memory.StateHeld:
		return it, fmt.Errorf("memory %s: %w: it does not wait in the inbox", s.ID, ErrChanged)
	case it.Version != s.Version:
		return it, fmt.Errorf("memory %s: %w", s.ID, ErrChanged)
	}
	return it, nil
}

// Accept activates held items in one write, all or none, exactly as they were shown;
// otherwise the error is ErrChanged. Accepted items supersede those they contradict. Of
// several for the same slot the newest stays active. It returns the items' new states.
func (w *Writer) Accept(ctx context.Context, agentID string, shown ...Shown) ([]memory.Item, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return nil, err
	}
	var out []memory.Item
	err = w.Update(ctx, a, func(t *write.Tx) error {
		out = nil
		held, err := HeldItems(t, shown)
		for _, it := range held {
			if err == nil {
				it, err = acceptItem(t, it)
				out = append(out, it)
			}
		}
		if err != nil {
			return err
		}
		for i := range out { // an item may have ended another
			if out[i], err = t.Item(a.ID, out[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("accepting: %w", err)
	}
	return out, nil
}

// HeldItems returns the named items, each once, oldest first.
func HeldItems(t *write.Tx, shown []Shown) (out []memory.Item, err error) {
	for _, s := range shown {
		it, err := heldAsShown(t, s)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(o memory.Item) bool { return o.ID == it.ID }) {
			out = append(out, it)
		}
	}
	slices.SortFunc(out, func(x, y memory.Item) int { return cmp.Compare(x.ID, y.ID) })
	return out, nil
}

func acceptItem(t *write.Tx, it memory.Item) (memory.Item, error) {
	if it.Metadata.WouldEnd {
		return acceptEnd(t, it)
	}
	if it.Metadata.StillTrue != "" {
		return acceptStill(t, it)
	}
	it.State = memory.StateActive
	it.Source, it.Confidence = memory.SourceUserStated, max(it.Confidence, acceptedSure)
	it.UpdatedAt, it.LastConfirmedAt = t.Now(), t.Now()
	it.Version++
	if err := supersedeRivals(t, &it); err != nil {
		return it, err
	}
	return it, t.Put(it, memory.Change{Action: memory.ActionAccepted, Reason: "accepted by the user", Origin: memory.OriginUser})
}

// AcceptEdited is [Writer.EditItem] for a held item: it is accepted as edited, if it was
// unchanged since it was shown.
func (w *Writer) AcceptEdited(ctx context.Context, agentID string, shown Shown, edit func(*memory.Item)) (memory.Item, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return memory.Item{}, err
	}
	var out memory.Item
	err = w.Update(ctx, a, func(t *write.Tx) error {
		old, err := heldAsShown(t, shown)
		if err == nil {
			out, err = editItem(t, old, edit)
		}
		return err
	})
	if err != nil {
		return memory.Item{}, fmt.Errorf("accepting: %w", err)
	}
	return out, nil
}

func isInvalid(err error) bool { return errors.Is(err, memory.ErrInvalid) }

// ErrChanged reports that an item differs from the version shown to the user.
var ErrChanged = errors.New("it has changed since it was shown")
