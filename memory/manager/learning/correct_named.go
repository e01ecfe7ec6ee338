package learning

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// correctNamed corrects the one item that a message names, where only a model recognised
// a correction. It uses the item that the rules made from the message, or a new value in
// place of the wrong one, or the user's words.
func (w *Writer) correctNamed(
	ctx context.Context, a *write.Agent, said memory.Record, in instruct.Instruction, made []memory.Item,
) (Corrected, error) {
	wrong, ok, err := w.oneNamed(ctx, a, in, made)
	if err != nil || !ok || w.replacedBy(ctx, a, said.TurnID) || instruct.OfAnother(said.Typed(), wrong) {
		return Corrected{}, err
	}
	if slices.ContainsFunc(made, func(it memory.Item) bool { return stated(it) && policy.Compatible(wrong.Key, it.Key) }) {
		return Corrected{}, nil // the message says something else of the same thing
	}
	words := instruct.RightWords(said.Typed(), wrong)
	if old := valueOf(wrong); old != "" && words != "" && !slices.ContainsFunc(made, stated) {
		if value := instruct.RightValue(words, old, wrong.Content); instruct.TakesPlace(value, old, words) {
			out, err := w.correct(ctx, a, replaceValue(said, wrong, old, value), []memory.Item{wrong})
			if err != nil || out.New.ID != "" {
				return out, err
			}
		}
	}
	if right, ok := successor(wrong, made); ok {
		return Corrected{Old: wrong, New: right}, w.Update(ctx, a, func(t *write.Tx) error {
			return EndItem(t, wrong.ID, right.ID, memory.Change{Origin: memory.OriginTurn, TurnID: said.TurnID})
		})
	}
	if words == "" || !instruct.OfThing(words, valueOf(wrong), wrong) {
		return Corrected{}, nil
	}
	return w.replaceWithWords(ctx, a, said, wrong, words)
}

// oneNamed returns the only item that a message names, except those made from it.
func (w *Writer) oneNamed(ctx context.Context, a *write.Agent, in instruct.Instruction, made []memory.Item) (memory.Item, bool, error) {
	all, err := w.Lookup().Remembered(ctx, a.ID)
	if err != nil {
		return memory.Item{}, false, err
	}
	named := slices.DeleteFunc(all, func(it memory.Item) bool {
		return it.State != memory.StateActive || !slices.Contains(IDsOf(in.Named), it.ID) || slices.Contains(IDsOf(made), it.ID)
	})
	if len(named) != 1 {
		return memory.Item{}, false, nil
	}
	return named[0], true, nil
}

func stated(it memory.Item) bool { return it.State == memory.StateActive && !policy.AsSaid(it.Key) }

// successor selects the item that replaces a wrong one: items found by a rule before
// verbatim ones, and among them one of the same type.
func successor(wrong memory.Item, made []memory.Item) (memory.Item, bool) {
	made = slices.DeleteFunc(slices.Clone(made), func(it memory.Item) bool { return it.State != memory.StateActive })
	if len(made) == 0 {
		return memory.Item{}, false
	}
	rank := func(it memory.Item) (n int) {
		if !stated(it) {
			n = 2
		}
		if it.Type != wrong.Type {
			n++
		}
		return n
	}
	return slices.MinFunc(made, func(x, y memory.Item) int { return cmp.Compare(rank(x), rank(y)) }), true
}

// replaceWithWords replaces an item with words of the user.
func (w *Writer) replaceWithWords(
	ctx context.Context, a *write.Agent, said memory.Record, wrong memory.Item, words string,
) (out Corrected, err error) {
	value, _ := json.Marshal(policy.Statement{Value: words}) // strings always encode
	c := policy.Candidate{
		Type: wrong.Type, Key: wrong.Key, Value: value, Content: words, Tags: wrong.Tags, Confidence: 0.95, Importance: wrong.Importance,
		Source: memory.SourceUserStated, Correction: true, Rule: "correction",
	}
	p := Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser, target: &learn.Shown{Item: wrong}}
	err = w.Update(ctx, a, func(t *write.Tx) error {
		change, err := Upsert(t, p)
		if err == nil && change.Item != nil && change.Item.State == memory.StateActive {
			out = Corrected{Old: wrong, New: *change.Item}
		}
		return err
	})
	return out, err
}
