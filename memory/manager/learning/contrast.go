package learning

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store"
)

const (
	// ruleContrast is the rule of an item that a message put right.
	ruleContrast = "contrast"
	// recentTurns are the turns before a message whose items a value alone may be about.
	recentTurns = 5
)

// contrasted adds to the proposals of a message what it puts right in the memory (U3): "teal,
// not green", 体检改到下周五了. It then leaves out what the rules made of the same words.
func contrasted(ctx context.Context, w *Writer, a *write.Agent, said memory.Record, found []proposal) []proposal {
	right, it, ok := contrast(ctx, w, a, said)
	if !ok {
		return found
	}
	var st policy.Statement
	_ = json.Unmarshal(right.Value, &st) // it was made by replaceValue
	same := func(p proposal) bool {
		return p.Corrects != "" || policy.AsSaid(p.Key) || p.OnlyEnds() || policy.SameSlot(p.Key, it.Key) ||
			strings.Contains(text.Fold(p.Content), text.Fold(st.Value))
	}
	return append(slices.DeleteFunc(found, same), right)
}

// contrast returns the proposal of what a message puts right, and the item.
func contrast(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) (right proposal, it memory.Item, ok bool) {
	if said.ID == "" || !instruct.MayContrast(said.Content, said.Spans) {
		return right, it, false
	}
	items, err := told(ctx, w, a, said)
	if err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("looking for what a message puts right failed", "agent", a.ID, "error", err)
		}
		return right, it, false
	}
	c, ok := instruct.FindContrast(said.Content, items, said.Timestamp.In(w.Now().Location()))
	if !ok {
		return right, it, false
	}
	right = replaceValue(said, c.Item, c.Old, c.New)
	right.Rule, right.Length = ruleContrast, len(said.Content)
	return right, c.Item, true
}

// told returns the items that a message may put right, without those made from it.
func told(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) (out instruct.Told, err error) {
	if out.All, err = w.Lookup().Remembered(ctx, a.ID); err != nil {
		return out, err
	}
	var last, recent []string
	err = w.View(ctx, func(tx *store.Tx) error {
		turns, turn := 0, said.TurnID
		for r, err := range tx.Path(a.ID, said.ID) {
			if err != nil {
				return err
			}
			if r.TurnID == turn {
				continue
			}
			if turn, turns = r.TurnID, turns+1; turns > recentTurns {
				break
			}
			changes, err := tx.TurnChanges(a.ID, turn)
			if err != nil {
				return err
			}
			if recent = withItems(recent, changes); turns == 1 {
				last = withItems(last, changes)
			}
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	shown, err := w.shownBefore(ctx, a, said, false)
	if err != nil {
		return out, err
	}
	for _, it := range shown {
		if !slices.Contains(recent, it.ID) {
			recent = append(recent, it.ID)
		}
	}
	byID := make(map[string]memory.Item, len(out.All))
	for _, it := range out.All {
		byID[it.ID] = it
	}
	of := func(ids []string) (items []memory.Item) {
		for _, id := range ids {
			if it, ok := byID[id]; ok {
				items = append(items, it)
			}
		}
		return items
	}
	out.Last, out.Recent = of(last), of(recent)
	return out, nil
}
