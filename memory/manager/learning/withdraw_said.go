package learning

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// withdrawn is the reason of a rule that the user withdrew.
const withdrawn = "you withdrew it"

// WithdrawSaid ends the rules that a message withdraws (U4, P4) and returns the changes,
// with the rules' current states, including those that ended when the message was
// learned. It returns none if no rule matches.
func (w *Writer) WithdrawSaid(ctx context.Context, said memory.Record, in instruct.Instruction) ([]memory.Change, error) {
	a, err := w.Agent(said.AgentID)
	if err != nil {
		return nil, err
	}
	items, err := w.Lookup().Remembered(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("withdrawing a rule: %w", err)
	}
	meant := slices.DeleteFunc(instruct.Withdrawn(in, items), func(it memory.Item) bool { // "don't call me Jo, call me Al"
		return len(it.Evidence) > 0 && it.Evidence[0].RecordID == said.ID
	})
	before, err := w.endedBy(ctx, a, said.TurnID)
	if err != nil {
		return nil, fmt.Errorf("withdrawing a rule: %w", err)
	}
	if len(meant) == 0 {
		return before, nil
	}
	var out []memory.Change
	err = w.Update(ctx, a, func(t *write.Tx) error {
		out = slices.Clone(before)
		for _, it := range meant {
			now, err := t.Item(a.ID, it.ID)
			if lookup.Lacking(err) || err == nil && now.State != memory.StateActive {
				continue
			}
			if err != nil {
				return err
			}
			// If the rule is deleted, what was made of the request is deleted too (D2).
			ev := memory.Evidence{SessionID: said.SessionID, TurnID: said.TurnID, RecordID: said.ID}
			if !slices.Contains(now.Evidence, ev) && len(now.Evidence) < maxEvidence {
				now.Evidence = append(slices.Clone(now.Evidence), ev)
			}
			c, err := expireItem(t, now, memory.Change{Reason: withdrawn, Origin: memory.OriginTurn, TurnID: said.TurnID})
			if err != nil {
				return err
			}
			out = append(out, c)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("withdrawing a rule: %w", err)
	}
	return out, nil
}

// endedBy returns the changes by which rules ended in a turn.
func (w *Writer) endedBy(ctx context.Context, a *write.Agent, turn string) (out []memory.Change, err error) {
	err = w.View(ctx, func(tx *store.Tx) error {
		if out, err = tx.TurnChanges(a.ID, turn); err != nil {
			return err
		}
		return lookup.NewLedger(tx, a.ID).Annotate(out)
	})
	return slices.DeleteFunc(out, func(c memory.Change) bool {
		return c.Action != memory.ActionEnded || c.Undone || c.Item == nil || c.Item.Type != memory.TypeRule
	}), err
}

// expireItem ends an item without a successor; cause gives the reason.
func expireItem(t *write.Tx, it memory.Item, cause memory.Change) (memory.Change, error) {
	it.State, it.ValidTo, it.UpdatedAt = memory.StateInactive, t.Now(), t.Now()
	it.Metadata.Ended = cause.Reason
	it.Version++
	cause.ID, cause.ItemID, cause.Action, cause.Time, cause.Version = t.NewID(), it.ID, memory.ActionExpired, t.Now(), it.Version
	cause.Item = &it
	return cause, t.Put(it, cause)
}
