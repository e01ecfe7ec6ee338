package learning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/policy/subject"
	"memoria/memory/store"
)

// Corrected is the outcome of a correction that the user stated.
type Corrected struct {
	// Old and New are the wrong item and its replacement; both zero if nothing changed.
	Old, New memory.Item
	// Unclear reports that the message is about an item of the last answer but does not
	// say the right value or which item is wrong.
	Unclear bool
}

// CorrectSaid applies a correction that a message states, if it names a value of an item
// shown to the previous answer (U3). Any other message changes nothing and is not
// unclear.
func (w *Writer) CorrectSaid(ctx context.Context, said memory.Record, in instruct.Instruction) (Corrected, error) {
	a, err := w.Agent(said.AgentID)
	if err != nil {
		return Corrected{}, err
	}
	asks := in.Old != "" && !in.Guessed && strings.HasSuffix(text.Fold(strings.TrimSpace(said.Typed())), "?")
	if asks || policy.Supposes(said.Typed()) {
		return Corrected{}, nil
	}
	shown, err := w.shownBefore(ctx, a, said, instruct.IsStatement(in.New) || in.New == "")
	if err != nil {
		return Corrected{}, err
	}
	made, err := w.addedIn(ctx, a, said.TurnID)
	if err != nil {
		return Corrected{}, err
	}
	if len(shown) == 0 && !in.Guessed {
		return correctContrast(context.WithoutCancel(ctx), w, a, said, made, hasNames)
	}
	ctx = context.WithoutCancel(ctx) // several writes follow; a partial correction must not remain
	done, err := replacedWrong(ctx, w, a, said.TurnID, in)
	if err != nil || done && !slices.ContainsFunc(made, repeating(in)) {
		made = slices.DeleteFunc(made, func(it memory.Item) bool { // the right value stays, also where the words are the user's
			return it.Supersedes != "" && !instruct.Holds(it, in.Old)
		})
		return Corrected{}, errors.Join(err, w.expireQuotes(ctx, a, made, ""))
	}
	shown = slices.DeleteFunc(shown, func(it memory.Item) bool {
		return slices.Contains(IDsOf(made), it.ID) || instruct.OfAnother(said.Typed(), it, in.Old, in.New) ||
			in.Old != "" && !instruct.OfThing(in.New, in.Old, it)
	})
	holds := func(it memory.Item) bool { return instruct.Holds(it, in.Old) }
	unsaid := isFigure(in.Old) && !slices.ContainsFunc(slices.Concat(shown, made), holds) // what is called wrong, no item has
	out, err := correctContrast(ctx, w, a, said, made, inOwnWords)                        // the rest of the words stays
	if err == nil && out.New.ID == "" && !unsaid {
		out, err = w.correctShown(ctx, a, said, in, shown, made)
	}
	if err == nil && out.New.ID == "" && in.Guessed && !unsaid {
		out, err = w.correctNamed(ctx, a, said, in, made)
	}
	if err == nil && out.New.ID == "" && !w.replacedBy(ctx, a, said.TurnID) {
		out, err = correctContrast(ctx, w, a, said, made, nil)
	}
	if err == nil && (out.New.ID != "" || w.replacedBy(ctx, a, said.TurnID)) {
		err = w.expireQuotes(ctx, a, made, out.New.ID)
	}
	if err != nil {
		return Corrected{}, fmt.Errorf("correcting a memory: %w", err)
	}
	if out.New.ID == "" {
		about := instruct.Instruction{Kind: instruct.List, Object: in.Old}
		out.Unclear = in.New == "" && in.Old != "" && len(instruct.Match(about, shown)) > 0
	}
	return out, nil
}

// correctContrast corrects the item that has a value which a message contrasts with the right one. What the rules
// made of the same words ends before, so that the correction is the last change, which "undo" undoes.
func correctContrast(
	ctx context.Context, w *Writer, a *write.Agent, said memory.Record, made []memory.Item, must condition,
) (out Corrected, err error) {
	p, it, ok := contrast(ctx, w, a, said, must)
	if !ok {
		return out, nil
	}
	value := valueOf(memory.Item{Value: p.Value})
	err = w.Update(ctx, a, func(t *write.Tx) error {
		for _, repeated := range made {
			if !stated(repeated) || !instruct.Holds(repeated, value) || repeated.Supersedes != "" {
				continue
			}
			if _, err := expireItem(t, repeated, memory.Change{Reason: itCorrects, Origin: memory.OriginTurn}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	return w.correct(ctx, a, p, []memory.Item{it})
}

// isStatement reports whether a message is no question, thought or quotation.
func isStatement(w *Writer, said memory.Record) bool {
	src := w.Policy().Source(said.Typed(), said.Typed())
	return src.Reason == "" || src.Passing
}

// rightsEarlier reports whether a correction is about a value that no item has which was shown to the previous
// answer.
func rightsEarlier(ctx context.Context, w *Writer, a *write.Agent, said memory.Record, in instruct.Instruction) bool {
	if in.Old == "" {
		return false
	}
	shown, err := w.shownBefore(ctx, a, said, true)
	return err == nil && !slices.ContainsFunc(shown, func(it memory.Item) bool {
		return it.State == memory.StateActive && instruct.Holds(it, in.Old)
	})
}

// correctShown corrects one of the shown items: with what the rules find in the message,
// with items they made from it, or with the right value in place of the wrong one.
func (w *Writer) correctShown(
	ctx context.Context, a *write.Agent, said memory.Record, in instruct.Instruction, shown, made []memory.Item,
) (Corrected, error) {
	if at := slices.IndexFunc(made, repeating(in)); at >= 0 {
		return restate(ctx, w, a, said, in.New, made[at])
	}
	wrong, ok := wrongItem(in, shown)
	stated := func(it memory.Item) bool {
		return it.State == memory.StateActive && !policy.AsSaid(it.Key) && it.ID != wrong.ID
	}
	// An item in the user's own words is replaced only if it holds the wrong value: the new item may be about something else.
	may := ok && (instruct.Holds(wrong, in.Old) || !policy.AsSaid(wrong.Key))
	if at := slices.IndexFunc(made, stated); may && at >= 0 {
		return Corrected{Old: wrong, New: made[at]}, w.Update(ctx, a, func(t *write.Tx) error {
			return EndItem(t, wrong.ID, made[at].ID, memory.Change{Origin: memory.OriginTurn, TurnID: said.TurnID})
		})
	}
	if !ok && in.Old == "" {
		if old, now, found := sameKind(said, shown, made); found {
			return Corrected{Old: old, New: now}, w.Update(ctx, a, func(t *write.Tx) error {
				return EndItem(t, old.ID, now.ID, memory.Change{Origin: memory.OriginTurn, TurnID: said.TurnID})
			})
		}
	}
	if turned, err := turnRound(ctx, w, a, said, in, shown); err != nil || turned.New.ID != "" {
		return turned, err
	}
	for _, p := range w.corrections(ctx, a, said, in, shown) {
		if out, err := w.correct(ctx, a, p, shown); err != nil || out.New.ID != "" {
			return out, err
		}
	}
	if !ok || in.New == "" {
		return Corrected{}, nil
	}
	old := in.Old
	if !instruct.Holds(wrong, old) {
		old = valueOf(wrong)
	}
	value := instruct.RightValue(in.New, old, wrong.Content)
	if old == "" || value == "" || instruct.HoldsBeside(wrong, old, value) || instruct.HoldsDose(wrong, old) && !isFigure(value) {
		return Corrected{}, nil
	}
	return w.correct(ctx, a, replaceValue(said, wrong, old, value), shown)
}

// sameKind returns the only shown item of the kind that a correction restates, such as
// another allergy, and the item that the rules made from it. Messages that add something,
// or only state a fact, correct nothing.
func sameKind(said memory.Record, shown, made []memory.Item) (old, now memory.Item, ok bool) {
	if adds.Match(text.Fold(said.Typed())) {
		return old, now, false
	}
	for _, n := range made {
		kind, _, _ := strings.Cut(n.Key, "/")
		if n.State != memory.StateActive || !slices.Contains([]string{"allergy", "diet", "language", "use", "study"}, kind) {
			continue
		}
		var same []memory.Item
		for _, it := range shown {
			if it.State == memory.StateActive && strings.HasPrefix(it.Key, kind+"/") {
				same = append(same, it)
			}
		}
		if len(same) == 1 {
			return same[0], n, true
		}
	}
	return old, now, false
}

var adds = patternOf("", "adds", "")

// restate replaces an item by what the rules learn of its type from a statement. The outcome is
// zero if that is nothing, or waits for approval.
func restate(
	ctx context.Context, w *Writer, a *write.Agent, said memory.Record, statement string, old memory.Item,
) (out Corrected, err error) {
	for _, c := range w.Policy().Extract(statement) {
		if c.OnlyEnds() || c.Type != old.Type {
			continue
		}
		c.Correction, c.Offset, c.Length = true, 0, 0
		p := Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser, target: &learn.Shown{Item: old}}
		err = w.Update(ctx, a, func(t *write.Tx) error {
			change, err := Upsert(t, p)
			if err == nil && change.Item != nil && change.Item.State == memory.StateActive {
				out = Corrected{Old: old, New: *change.Item}
			}
			return err
		})
		break
	}
	return out, err
}

// wrongItem returns the shown item that contains the value called wrong, or else the only
// shown item that touches it.
func wrongItem(in instruct.Instruction, shown []memory.Item) (memory.Item, bool) {
	if in.Old == "" {
		return memory.Item{}, false
	}
	var found []memory.Item
	for _, it := range shown {
		if it.State == memory.StateActive && instruct.Holds(it, in.Old) {
			found = append(found, it)
		}
	}
	if len(found) == 0 {
		for _, it := range shown {
			if it.State == memory.StateActive && instruct.Touches(it, in.Old) {
				found = append(found, it)
			}
		}
	}
	if len(found) != 1 {
		return memory.Item{}, false
	}
	return found[0], true
}

// replaceValue proposes a new value in place of words of an item.
func replaceValue(said memory.Record, wrong memory.Item, old, value string) Proposal {
	st, _ := json.Marshal(policy.Statement{Value: value}) // strings always encode
	c := policy.Candidate{
		Type: wrong.Type, Key: "correction/" + text.Fold(old), Value: st, Content: value, Corrects: old, Confidence: 0.95,
		Importance: wrong.Importance, Source: memory.SourceUserStated, Explicit: true, Correction: true,
	}
	return Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser, wrong: []string{wrong.ID}}
}

// addedIn returns the current items that a turn added, unless inactive.
func (w *Writer) addedIn(ctx context.Context, a *write.Agent, turn string) (out []memory.Item, err error) {
	err = w.View(ctx, func(tx *store.Tx) error {
		changes, err := tx.TurnChanges(a.ID, turn)
		for _, c := range changes {
			if err != nil {
				break
			}
			if c.Action != memory.ActionAdded && c.Action != memory.ActionSuperseded && c.Action != memory.ActionHeld {
				continue
			}
			it, got := tx.Item(a.ID, c.ItemID)
			if got == nil && it.State != memory.StateInactive {
				out = append(out, it)
			} else if !lookup.Lacking(got) {
				err = got
			}
		}
		return err
	})
	return out, err
}

// repeating returns a function that reports whether the rules made an item of a correction with the wrong value in
// it: "studies zoology, not botany".
func repeating(in instruct.Instruction) func(memory.Item) bool {
	return func(it memory.Item) bool { return instruct.Holds(it, in.Old) && !policy.AsSaid(it.Key) }
}

// replacedWrong reports whether the rules replaced an item with the value called wrong in a turn.
func replacedWrong(ctx context.Context, w *Writer, a *write.Agent, turn string, in instruct.Instruction) (is bool, err error) {
	if in.Old == "" {
		return false, nil
	}
	err = w.View(ctx, func(tx *store.Tx) error {
		changes, err := tx.TurnChanges(a.ID, turn)
		for _, c := range changes {
			if err != nil || c.Action != memory.ActionSuperseded {
				continue
			}
			old, got := tx.Item(a.ID, c.ItemID)
			if got == nil && old.State == memory.StateInactive && instruct.Holds(old, in.Old) {
				is = true
			} else if !lookup.Lacking(got) {
				err = got
			}
		}
		return err
	})
	return is, err
}

// replacedBy reports whether the rules replaced an item in a turn.
func (w *Writer) replacedBy(ctx context.Context, a *write.Agent, turn string) bool {
	var changes []memory.Change
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		changes, err = tx.TurnChanges(a.ID, turn)
		return err
	})
	return err == nil && slices.ContainsFunc(changes, func(c memory.Change) bool { return c.Action == memory.ActionSuperseded })
}

// itCorrects is the reason of what the rules made of a correction and that ended.
const itCorrects = "it was a correction"

// expireQuotes ends the verbatim items that the rules kept of a correction, except the
// item but.
func (w *Writer) expireQuotes(ctx context.Context, a *write.Agent, made []memory.Item, but string) error {
	made = slices.DeleteFunc(slices.Clone(made), func(it memory.Item) bool { return !policy.AsSaid(it.Key) || it.ID == but })
	if len(made) == 0 {
		return nil
	}
	return w.Update(ctx, a, func(t *write.Tx) error {
		for _, it := range made {
			now, err := t.Item(a.ID, it.ID)
			if err == nil {
				_, err = expireItem(t, now, memory.Change{Reason: itCorrects, Origin: memory.OriginTurn})
			}
			if err != nil && !lookup.Lacking(err) {
				return err
			}
		}
		return nil
	})
}

// shownBefore returns the items shown to the previous answer, and those that its turn and
// the turns directly before it reported as learned. Items of the profile, which every
// answer has, are included only if all is set.
func (w *Writer) shownBefore(ctx context.Context, a *write.Agent, said memory.Record, all bool) (out []memory.Item, err error) {
	var ids []string
	err = w.View(ctx, func(tx *store.Tx) error {
		turn := ""
		for r, err := range tx.Path(a.ID, said.ID) {
			if err != nil {
				return err
			}
			if r.TurnID == said.TurnID || r.TurnID == turn {
				continue
			}
			learned, err := tx.TurnChanges(a.ID, r.TurnID)
			if err != nil {
				return err
			}
			if turn == "" { // without a package the answer saw nothing
				p, err := tx.Package(a.ID, r.TurnID)
				if err != nil && !lookup.Lacking(err) {
					return err
				}
				ids = itemsShown(p, all)
			}
			if ids = withItems(ids, learned); len(learned) == 0 {
				break
			}
			turn = r.TurnID
		}
		for _, id := range ids {
			it, err := tx.Item(a.ID, id)
			if err == nil {
				out = append(out, it)
			} else if !lookup.Lacking(err) {
				return err
			}
		}
		return nil
	})
	return out, err
}

// withItems adds the items of changes to ids, each once.
func withItems(ids []string, changes []memory.Change) []string {
	for _, c := range changes {
		if c.ItemID != "" && !slices.Contains(ids, c.ItemID) {
			ids = append(ids, c.ItemID)
		}
	}
	return ids
}

// itemsShown returns the items whose words a package contains, each once; those of the
// profile only if profile is set.
func itemsShown(p memory.Package, profile bool) (ids []string) {
	for _, b := range p.Blocks {
		if b.Layer == memory.LayerProfile && !profile {
			continue
		}
		for _, part := range b.Parts {
			if part.Kind == memory.KindItem && !slices.Contains(ids, part.ID) {
				ids = append(ids, part.ID)
			}
		}
	}
	return ids
}

// corrections returns the proposals that a message may replace an item with: those that
// the rules find in it, and the item with another value.
func (w *Writer) corrections(
	ctx context.Context, a *write.Agent, said memory.Record, in instruct.Instruction, shown []memory.Item,
) (out []Proposal) {
	for _, words := range []string{said.Typed(), in.New, aboutShown(in.New, shown)} {
		for _, c := range w.Policy().Extract(words) {
			c.Correction = true
			if words != said.Typed() {
				c.Offset, c.Length = 0, 0
			}
			out = append(out, Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser})
		}
	}
	w.findWrong(ctx, a, out, turnWait)
	if in.Old == "" && len(out) == 0 && isName(in.New) {
		if named := w.namedBefore(ctx, a, said, shown); len(named) == 1 {
			in.Old = valueOf(named[0])
		}
	}
	if c, ok := withRightValue(in, shown); ok {
		out = append(out, Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser})
	}
	return out
}

// aboutShown returns a statement with the only person that the shown items are about in place of its
// pronoun: "my sister lives in Bonn" for "she lives in Bonn". It is empty if there is none.
func aboutShown(statement string, shown []memory.Item) string {
	var parties []string
	for _, it := range shown {
		party := "my " + strings.ToLower(it.Title)
		if strings.ContainsFunc(it.Title, text.Han) {
			party = "我" + it.Title
		}
		of := it.State == memory.StateActive && it.Type == memory.TypeRelationship && subject.PartyOf(party) == party
		if of && !slices.Contains(parties, party) {
			parties = append(parties, party)
		}
	}
	pronoun, ok := subject.GoesOnAbout(statement)
	if !ok || len(parties) != 1 || !subject.MayMean(statement[:pronoun], parties[0], "") {
		return ""
	}
	lead, n := subject.Instead(statement, parties[0], pronoun)
	return lead + statement[n:]
}

// isName reports whether s looks like a bare value: "Bonn", 34, 波恩.
func isName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return len(strings.Fields(s)) <= 3 && utf8.RuneCountInString(s) <= 30 &&
		(unicode.IsUpper(first) || unicode.IsDigit(first) || text.Han(first))
}

// namedBefore returns the shown items whose value the previous answer names.
func (w *Writer) namedBefore(ctx context.Context, a *write.Agent, said memory.Record, shown []memory.Item) (out []memory.Item) {
	answer := ""
	err := w.View(ctx, func(tx *store.Tx) error {
		for r, err := range tx.Path(a.ID, said.ID) {
			if err != nil || r.TurnID != said.TurnID {
				answer = w.Recall().Fetch(r).Content
				return err
			}
		}
		return nil
	})
	for _, it := range shown {
		if err == nil && valueOf(it) != "" && instruct.Mentions(answer, it) {
			out = append(out, it)
		}
	}
	return out
}

// withRightValue returns a candidate with the right value for the shown item that has the
// wrong value, or fills the slot that the correction names.
func withRightValue(in instruct.Instruction, shown []memory.Item) (c policy.Candidate, ok bool) {
	if in.New == "" || in.Old == "" || instruct.IsStatement(in.New) {
		return c, false
	}
	var meant []memory.Item
	for _, it := range shown {
		if value := valueOf(it); it.State == memory.StateActive && value != "" && text.Fold(value) == text.Fold(in.Old) {
			meant = append(meant, it)
		}
	}
	if len(meant) == 0 {
		meant = instruct.Match(instruct.Instruction{Kind: instruct.List, Object: in.Old}, shown)
	}
	if len(meant) != 1 || valueOf(meant[0]) == "" || !strings.Contains(meant[0].Content, valueOf(meant[0])) ||
		instruct.Spoils(meant[0].Content, valueOf(meant[0]), in.New) {
		return c, false
	}
	it := meant[0]
	value, err := json.Marshal(policy.Statement{Value: in.New})
	if err != nil {
		return c, false
	}
	return policy.Candidate{
		Type: it.Type, Key: it.Key, Value: value, Content: strings.Replace(it.Content, valueOf(it), in.New, 1), Tags: it.Tags,
		Confidence: 0.95, Importance: it.Importance, Source: memory.SourceUserStated, Explicit: true, Correction: true,
	}, true
}

func valueOf(it memory.Item) string {
	var st policy.Statement
	_ = json.Unmarshal(it.Value, &st) // without a statement there is no value
	return st.Value
}

// correct stores a proposal if it replaces a shown item.
func (w *Writer) correct(ctx context.Context, a *write.Agent, p Proposal, shown []memory.Item) (out Corrected, err error) {
	err = w.Update(ctx, a, func(t *write.Tx) error {
		out = Corrected{}
		standing, _, err := existingItems(t, p)
		if err != nil {
			return err
		}
		plan := t.Core.Decide().PlanUpsert(p.Candidate, inForce(standing, p.Key))
		at := slices.IndexFunc(shown, func(it memory.Item) bool { return it.ID == plan.TargetID })
		if plan.Action != policy.Supersede || at < 0 {
			return nil
		}
		change, err := Upsert(t, p)
		if err == nil && change.Item != nil && change.Item.State == memory.StateActive {
			out = Corrected{Old: shown[at], New: *change.Item}
		}
		return err
	})
	return out, err
}
