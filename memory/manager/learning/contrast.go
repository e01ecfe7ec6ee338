package learning

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/policy/dating"
	"memoria/memory/policy/subject"
	"memoria/memory/store"
)

// recentTurns is the number of turns before a message whose items it may put right.
const recentTurns = 5

// contrasted adds to the proposals of a message what it puts right in the memory (U3): "teal,
// not green", 体检改到下周五了. It then leaves out what the rules made of the same words.
func contrasted(ctx context.Context, w *Writer, a *write.Agent, said memory.Record, found []Proposal, must condition) []Proposal {
	right, it, ok := contrast(ctx, w, a, said, must)
	corrects := func(p Proposal) bool { // a rule read it, too
		return p.Corrects != "" && p.Corrects == right.Corrects ||
			p.Rule == "change-day" && p.MayEnd(it.Key) && !strings.Contains(p.Content, ", not ") &&
				(strings.HasSuffix(right.Content, "了") ||
					policy.SameSlot(p.Key, it.Key) && hasWords(p.Content, right.Content))
	}
	if !ok || slices.ContainsFunc(found, corrects) {
		return found
	}
	var st policy.Statement
	_ = json.Unmarshal(right.Value, &st) // it was made by replaceValue
	same := func(p Proposal) bool {
		return p.Corrects != "" || policy.AsSaid(p.Key) || p.OnlyEnds() || p.Rule == "change-day" || policy.SameSlot(p.Key, it.Key) ||
			strings.Contains(text.Fold(p.Content), text.Fold(st.Value))
	}
	return append(slices.DeleteFunc(found, same), right)
}

// hasWords reports whether a content has all words of a value, in which dates may have been put.
func hasWords(content, value string) bool {
	return !slices.ContainsFunc(strings.Fields(text.Fold(value)), func(w string) bool {
		return !strings.Contains(text.Fold(content), w)
	})
}

// condition is what a contrast must meet in addition.
type condition func(instruct.Contrast) bool

func isNamed(c instruct.Contrast) bool  { return c.Named }
func hasNames(c instruct.Contrast) bool { return c.Names }

// inOwnWords reports whether the item is kept in the user's words, which may say more.
func inOwnWords(c instruct.Contrast) bool { return policy.AsSaid(c.Item.Key) }

// quotesOld returns a condition: the message has the wrong value of an item that a rule made, and denies it.
func quotesOld(said memory.Record) condition {
	return func(c instruct.Contrast) bool {
		return !policy.AsSaid(c.Item.Key) && strings.Contains(text.Fold(said.Typed()), text.Fold(c.Old))
	}
}

// contrast returns the proposal of what a message puts right, and the item. It must meet a condition, unless that
// is nil.
func contrast(
	ctx context.Context, w *Writer, a *write.Agent, said memory.Record, must condition,
) (right Proposal, it memory.Item, ok bool) {
	if said.ID == "" || !instruct.MayContrast(said.Content, said.Spans) || policy.Supposes(said.Typed()) {
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
	if must != nil && !must(c) || (c.Named || must != nil) && !isStatement(w, said) {
		return right, it, false
	}
	if !mayChange(said.Typed(), c) {
		return right, it, false
	}
	right = replaceValue(said, c.Item, c.Old, c.New)
	right.Length = len(said.Content)
	return right, c.Item, true
}

// isFigure reports whether a value begins with a number.
func isFigure(value string) bool { return value != "" && unicode.IsDigit(rune(value[0])) }

// mayChange reports whether a message can change the value of an item: not an age that somebody reaches later, nor
// a drug whose dose would stay, nor one of several people in the user's words that the message does not quote.
func mayChange(typed string, c instruct.Contrast) bool {
	if strings.HasSuffix(c.Item.Key, "age") && dating.NotYet(typed) || instruct.HoldsDose(c.Item, c.Old) && !isFigure(c.New) {
		return false
	}
	return !policy.AsSaid(c.Item.Key) || strings.Contains(text.Fold(typed), text.Fold(c.Old)) || subject.Parties(c.Item.Content) < 2
}

// told returns the items that a message may put right, without those made from it.
func told(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) (out instruct.Told, err error) {
	shown, err := w.shownBefore(ctx, a, said, false)
	if err != nil {
		return out, err
	}
	err = w.View(ctx, func(tx *store.Tx) error {
		var last, recent []string
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
		for _, id := range recent {
			it, err := tx.Item(a.ID, id)
			switch {
			case err == nil:
				out.Recent = append(out.Recent, it)
			case !lookup.Lacking(err):
				return err
			}
		}
		out.Last = among(out.Recent, last)
		return nil
	})
	for _, it := range shown {
		if !slices.Contains(IDsOf(out.Recent), it.ID) {
			out.Recent = append(out.Recent, it)
		}
	}
	earlier := func(all []memory.Item, err error) []memory.Item {
		if err != nil {
			w.Log.Warn("looking for what a message puts right failed", "agent", a.ID, "error", err)
		}
		return slices.DeleteFunc(all, func(it memory.Item) bool {
			return slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID == said.ID })
		})
	}
	out.All = func() []memory.Item { return earlier(w.Lookup().Remembered(ctx, a.ID)) }
	out.Alike = func() []memory.Item { return earlier(alike(ctx, w, a, said.Typed())) }
	return out, err
}

// alike returns the items that share words with a text, and the others about those whom they name; all items while
// the index is behind.
func alike(ctx context.Context, w *Writer, a *write.Agent, said string) (out []memory.Item, err error) {
	if !settle(w.Core, a, turnWait) { // just opened, or a busy machine
		return w.Lookup().Remembered(ctx, a.ID)
	}
	near := w.Recall().Similar(ctx, a.ID, said, corrected)
	err = w.View(ctx, func(tx *store.Tx) error {
		var called []string // the keys of those whose names are said
		for _, c := range near {
			it, err := tx.Item(a.ID, c.Head.ID)
			switch {
			case lookup.Lacking(err):
				continue
			case err != nil:
				return err
			}
			out = append(out, it)
			if who, is := strings.CutSuffix(it.Key, "/name"); is && strings.HasPrefix(who, "relation/") {
				called = append(called, who+"/")
			}
		}
		if len(called) == 0 {
			return nil
		}
		more, err := tx.ItemsWithKey(a.ID, "", func(key string) bool {
			return slices.ContainsFunc(called, func(who string) bool { return strings.HasPrefix(key, who) })
		})
		for _, it := range more {
			if !slices.Contains(IDsOf(out), it.ID) {
				out = append(out, it)
			}
		}
		return err
	})
	return out, err
}

// among returns the items with one of some ids.
func among(items []memory.Item, ids []string) (out []memory.Item) {
	for _, it := range items {
		if slices.Contains(ids, it.ID) {
			out = append(out, it)
		}
	}
	return out
}
