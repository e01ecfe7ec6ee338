package learning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// Instruction returns what a message asks of the memory, by [instruct.Read], or else by
// [instruct.Guess] with the items that the memory held when the message was first
// examined. ok is false if it asks nothing.
func (w *Writer) Instruction(ctx context.Context, said memory.Record) (in instruct.Instruction, ok bool, err error) {
	a, err := w.Agent(said.AgentID)
	if err != nil {
		return in, false, fmt.Errorf("understanding a message: %w", err)
	}
	in, ok = w.instruction(ctx, a, said)
	if err := context.Cause(ctx); err != nil { // the items may not have been read
		return instruct.Instruction{}, false, fmt.Errorf("understanding a message: %w", err)
	}
	return in, ok, nil
}

// instruction is Instruction; its result is unreliable if ctx is done. Messages in a
// frame (P5b) are not guessed. A message without typed text can only list, which changes
// nothing.
func (w *Writer) instruction(ctx context.Context, a *write.Agent, said memory.Record) (instruct.Instruction, bool) {
	if len(said.Spans) > 0 && strings.TrimSpace(said.Typed()) == "" {
		said.Spans = nil
		in, ok := w.instruction(ctx, a, said)
		return in, ok && in.Kind == instruct.List
	}
	in, ok := instruct.Read(said.Content, said.Spans)
	mayDelete := ok && in.Unsure && (in.Kind == instruct.Withdraw || in.Careful) && instruct.MayDelete(said.Content, said.Spans)
	takesBack := ok && in.Kind == instruct.Unrecorded && !in.Last && instruct.TakesBackLast(said.Content, said.Spans) // 刚说的不算 别存
	if ok && !mayDelete && !takesBack {
		return in, true
	}
	if said.Frame.Covers(0, len(said.Content)) {
		return in, ok
	}
	if mayDelete {
		if short, is := w.guess(ctx, a, said); is && short.Kind == instruct.Forget && !short.Guessed {
			return short, true
		}
		return in, true
	}
	joked := instruct.Joked(said.Content, said.Spans)
	if (joked || instruct.TakesBack(said.Content, said.Spans)) && learnedJustBefore(ctx, w, a, said) {
		return instruct.Instruction{
			Kind: instruct.Undo, Last: instruct.TakesBackLast(said.Content, said.Spans),
			Chinese: strings.ContainsFunc(said.Content, text.Han),
		}, true
	}
	return w.guess(ctx, a, said)
}

// learnedJustBefore reports whether the turn before a message taught something.
func learnedJustBefore(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) (is bool) {
	_ = w.View(ctx, func(tx *store.Tx) error {
		for r, err := range tx.Path(a.ID, said.ID) {
			if err != nil || r.TurnID == said.TurnID {
				continue
			}
			changes, err := tx.TurnChanges(a.ID, r.TurnID)
			is = err == nil && slices.ContainsFunc(changes, func(c memory.Change) bool { return c.ItemID != "" && !c.Undone })
			return err
		}
		return nil
	})
	return is
}

// guess guesses once per message, so that items learned from it do not change the result.
// The first guess may come before its session, and thus its frame, is known.
func (w *Writer) guess(ctx context.Context, a *write.Agent, said memory.Record) (instruct.Instruction, bool) {
	a.Guessing.Lock()
	defer a.Guessing.Unlock()
	if said.ID != "" && a.Guessed.Record == said.ID {
		return a.Guessed.In, a.Guessed.OK
	}
	u := write.Guess{Record: said.ID}
	if instruct.Possible(said.Content, said.Spans) || instruct.MayDelete(said.Content, said.Spans) {
		items, err := w.Lookup().Remembered(ctx, a.ID)
		if err != nil {
			if ctx.Err() == nil {
				w.Log.Warn("looking for what a message names failed", "agent", a.ID, "error", err)
			}
			return u.In, false
		}
		u.In, u.OK = instruct.Guess(said.Content, said.Spans, items)
	}
	a.Guessed = u
	return u.In, u.OK
}
