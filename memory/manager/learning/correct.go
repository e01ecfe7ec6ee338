package learning

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/learn"
	"memoria/memory/ledger"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store"
)

const (
	// maxCorrections is how many memories a model may replace or end in one turn; further
	// ones are held (P5c).
	maxCorrections = 3
)

// Reasons of ended memories and of held or refused corrections. They contain no text of a
// conversation.
const (
	reasonEnded     = "you said that it is over"
	reasonWithdrawn = "you took the rule back"
	reasonPassed    = "the date has passed"
	holdMany        = "more than three memories would change in one turn"
	holdLess        = "it says less than what you wrote yourself"
	whyOver         = "what it applies to is not remembered any more"
	whyChanged      = "what it applies to was changed since"
	whySince        = "you said otherwise since"
	whyUndone       = "it was undone"
)

// propose applies one proposal of an analysis. done counts the memories replaced and
// ended in the turn.
func propose(t *write.Tx, said memory.Record, p learn.Proposal, done *int) (memory.Change, error) {
	p.Candidate = policy.Dated(p.Candidate, said.Timestamp, t.Now().Location())
	one := Proposal{Candidate: p.Candidate, From: said, Origin: memory.OriginTurn, Trust: p.Trust, Hold: p.Hold, target: p.Target}
	if p.Target == nil {
		return Upsert(t, one)
	}
	if !p.Target.Fresh && *done >= maxCorrections {
		one.Hold = cmp.Or(one.Hold, holdMany)
	}
	if in := one.SaidIn(); in.Kind != "" { // P5b: statements in a frame change nothing
		one.Hold = cmp.Or(one.Hold, frame.Reason(in))
	}
	c, err := applyCorrection(t, one, p.Op)
	if err == nil && !p.Target.Fresh && (c.Action == memory.ActionEnded || c.Action == memory.ActionSuperseded) {
		*done++
	}
	return c, err
}

// applyCorrection replaces or ends the target of a proposal, or returns the reason why not.
func applyCorrection(t *write.Tx, p Proposal, op learn.Operation) (memory.Change, error) {
	it, why, err := correctionTarget(t, p, memory.StateActive)
	if err != nil || why != "" {
		return skipped(t, p, why), err
	}
	if op == learn.End {
		return endTarget(t, it, p)
	}
	standing, _, err := existingItems(t, p)
	if err != nil {
		return memory.Change{}, err
	}
	known := t.Core.Decide().PlanUpsert(p.Candidate, inForce(standing, p.Key))
	if other, err := t.Item(t.Owner.ID, known.TargetID); known.Action == policy.Update && known.TargetID != it.ID && err == nil &&
		other.State == memory.StateActive {
		return endTarget(t, it, p) // the new fact is already known
	}
	if it.Origin == memory.OriginUser && len(text.Keywords(p.Content)) < len(text.Keywords(it.Content)) {
		p.Hold = cmp.Or(p.Hold, holdLess)
	}
	return Upsert(t, p)
}

// correctionTarget returns the current target of a proposal, which must be in a state, or
// the reason why it must not change.
func correctionTarget(t *write.Tx, p Proposal, state memory.State) (it memory.Item, why string, err error) {
	it, err = t.Item(t.Owner.ID, p.target.Item.ID)
	switch {
	case lookup.Lacking(err):
		return it, whyOver, nil
	case err != nil:
		return it, "", err
	case it.State != state:
		return it, whyOver, nil
	case it.Content != p.target.Item.Content || it.Key != p.target.Item.Key:
		return it, whyChanged, nil
	case newer(it, p.From):
		return it, whySince, nil
	}
	changes, err := t.TurnChanges(t.Owner.ID, p.From.TurnID)
	if err == nil {
		err = lookup.NewLedger(t.Tx, t.Owner.ID).Annotate(changes)
	}
	if slices.ContainsFunc(changes, func(c memory.Change) bool { return c.ItemID == it.ID && c.Undone }) {
		why = whyUndone // the message is answered again
	}
	return it, why, err
}

// endTarget ends an item without a successor. If rules made it from the same message in
// place of another item, that is undone instead.
func endTarget(t *write.Tx, it memory.Item, p Proposal) (memory.Change, error) {
	switch {
	case p.Hold != "":
		return holdEnd(t, it, p)
	case p.target.Fresh && it.Supersedes != "":
		return undoAdd(t, it)
	}
	c := p.cause()
	c.Reason = p.how
	return deactivate(t, it, p.Evidence(), c)
}

// deactivate makes an item inactive because it is no longer true. c gives the origin and
// the reason. The words that ended it are added to its evidence.
func deactivate(t *write.Tx, it memory.Item, ev memory.Evidence, c memory.Change) (memory.Change, error) {
	it.State, it.ValidTo, it.UpdatedAt = memory.StateInactive, t.Now(), t.Now()
	if ev.RecordID != "" && !slices.Contains(it.Evidence, ev) && len(it.Evidence) < maxEvidence {
		it.Evidence = append(slices.Clone(it.Evidence), ev)
	}
	it.Version++
	if c.Reason = cmp.Or(c.Reason, reasonEnded); it.Type == memory.TypeRule {
		c.Reason = reasonWithdrawn
	}
	it.Metadata.Ended = c.Reason
	c.ID, c.ItemID, c.Action, c.Time, c.Version, c.Item = t.NewID(), it.ID, memory.ActionEnded, t.Now(), it.Version, &it
	return c, t.Put(it, c)
}

// undoAdd undoes the creation of an item, so that the item it replaced is restored.
func undoAdd(t *write.Tx, it memory.Item) (memory.Change, error) {
	changes, err := t.Changes(t.Owner.ID, it.ID)
	if err != nil || len(changes) == 0 {
		return memory.Change{}, err
	}
	l := lookup.NewLedger(t.Tx, t.Owner.ID)
	plan, err := l.PlanOf(changes[0])
	if err != nil {
		return memory.Change{}, err
	}
	done, err := ApplyPlan(t, plan, memory.OriginTurn)
	for _, c := range done.Did {
		if c.ItemID == it.ID {
			return c, err
		}
	}
	return memory.Change{Action: memory.ActionSkipped, Reason: leftWhy(plan), Time: t.Now()}, err
}

func leftWhy(p ledger.Plan) string {
	if len(p.Left) > 0 {
		return p.Left[0].Why
	}
	return whyOver
}

// holdEnd asks the user in the inbox whether an item has ended.
func holdEnd(t *write.Tx, it memory.Item, p Proposal) (memory.Change, error) {
	p.Type, p.Key, p.Title, p.Value, p.Content = it.Type, "end/"+it.ID, it.Title, nil, "No longer: "+it.Content
	if strings.ContainsFunc(it.Content, text.Han) {
		p.Content = "不再成立：" + it.Content
	}
	_, waiting, err := existingItems(t, p)
	if err != nil || len(waiting) > 0 {
		return skipped(t, p, "it waits for you already"), err
	}
	ask := newItem(t, policy.Plan{Candidate: p.Candidate}, p)
	ask.State = memory.StateHeld
	ask.Metadata.WouldReplace, ask.Metadata.WouldEnd = it.ID, true
	change := changeOf(t, ask, memory.ActionHeld, p.Hold, p)
	if err := Check(t.Core, &ask); err != nil {
		return unfit(t, change, err)
	}
	change.ID, change.Item = t.NewID(), &ask
	return change, t.Put(ask, change)
}

// acceptEnd ends the item that a held question is about, and the question.
func acceptEnd(t *write.Tx, ask memory.Item) (memory.Item, error) {
	id := ask.Metadata.WouldReplace
	ask.State, ask.UpdatedAt, ask.ValidTo = memory.StateInactive, t.Now(), t.Now()
	ask.Metadata.WouldReplace, ask.Metadata.WouldEnd = "", false
	ask.Version++
	err := t.Put(ask, memory.Change{Action: memory.ActionAccepted, Reason: "accepted by the user", Origin: memory.OriginUser})
	if err != nil {
		return ask, err
	}
	it, err := t.Item(t.Owner.ID, id)
	if errors.Is(err, lookup.ErrNotFound) || store.Unreadable(err) || err == nil && it.State != memory.StateActive {
		return ask, nil
	}
	if err != nil || len(ask.Evidence) == 0 {
		return ask, err
	}
	_, err = deactivate(t, it, ask.Evidence[0], ByUser)
	return ask, err
}

// skipped returns the change of a proposal that is not stored.
func skipped(t *write.Tx, p Proposal, why string) memory.Change {
	c := p.cause()
	c.Action, c.Reason, c.Time = memory.ActionSkipped, why, t.Now()
	return c
}
