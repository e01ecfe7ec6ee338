package learning

import (
	"cmp"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store/codec"
)

// Proposal is a candidate item with its origin.
type Proposal struct {
	policy.Candidate
	From   memory.Record // the source message
	Origin memory.Origin // the proposing process
	Trust  memory.Trust  // of the source words
	wrong  []string      // items that may hold the corrected value
	// Generation is the run that proposes it, if no turn does. more are its other
	// sources.
	Generation string
	More       []memory.Evidence
	// Hold is a reason to Hold it whatever policy decides. target is the active item to
	// replace; nil if policy decides that.
	Hold   string
	target *learn.Shown
	how    string       // how the items it ends have ended
	frame  memory.Frame // the frame of some source words, if other than that of from
}

// cause returns the origin of the proposal's changes: a turn or a generation.
func (p Proposal) cause() memory.Change {
	c := memory.Change{Origin: p.Origin, Generation: p.Generation}
	if p.Generation == "" {
		c.TurnID = p.From.TurnID
	}
	return c
}

const maxEvidence = 20 // per item

// Upsert stores one proposal in the memory or the inbox, or returns the reason why not
// (P2–P5, P10).
func Upsert(t *write.Tx, p Proposal) (memory.Change, error) {
	skipped := func(reason string) (memory.Change, error) { return skipped(t, p, reason), nil }
	sayings := policy.RefusalKeys(p.Item())
	refused, err := t.RefusedAt(t.Owner.ID, sayings)
	if err != nil {
		return memory.Change{}, err
	}
	if !refused.IsZero() && (p.Trust < memory.TrustModel || !p.From.Timestamp.After(refused)) {
		return skipped("you rejected or deleted it; it comes back when you say it again")
	}
	standing, waiting, err := existingItems(t, p)
	if err != nil {
		return memory.Change{}, err
	}
	plan := t.Core.Decide().PlanUpsert(p.Candidate, inForce(standing, p.Key))
	if p.target != nil && plan.Action != policy.Update {
		plan = policy.Replacing(p.Candidate, p.target.Item)
	}
	if plan, err = sound(t, p, plan); err != nil {
		return memory.Change{}, err
	}
	if plan.Action == policy.Skip {
		return skipped(plan.Reason)
	}
	if old, got := t.Item(t.Owner.ID, plan.TargetID); got == nil && plan.Action == policy.Supersede {
		if plan.Candidate.Content, err = withName(t, plan.Candidate, old); err != nil {
			return memory.Change{}, err
		}
	}
	if plan.Action == policy.Supersede && p.Corrects != "" && plan.Candidate.ValidTo.IsZero() {
		plan.Candidate = policy.Dated(plan.Candidate, p.From.Timestamp, t.Now().Location())
	}
	admitted := t.Core.Policy().Admit(plan.Candidate, p.Trust)
	hold := plan.Hold
	if justMade(t, plan.TargetID, p.From) {
		hold = ""
	}
	if hold = cmp.Or(hold, p.Hold); admitted.Verdict == policy.Active && hold != "" {
		admitted.Verdict, admitted.Reason = policy.Held, hold
	}
	if admitted.Verdict == policy.Held && p.Origin == memory.OriginImport {
		admitted.Reason = p.Hold
	}
	admitted = p.framed(plan, admitted)
	plan.Candidate = admitted.Candidate
	reason := plan.Reason
	if p.Reason != "" {
		reason = p.Reason + "; " + reason
	}
	switch {
	case admitted.Verdict == policy.Dropped:
		return skipped(admitted.Reason)
	case plan.Action == policy.Update && p.Hold != "":
		return skipped("known already; doubtful words confirm nothing")
	case plan.Action == policy.Update && p.Trust < memory.TrustModel:
		return skipped("known already; such text confirms nothing")
	case plan.Action == policy.Update && p.SaidIn().Kind != "" && !p.Explicit:
		return skipped("known already; " + frame.Reason(p.SaidIn()))
	case plan.Action == policy.Update && learnedFrom(t, plan.TargetID, p.From.ID):
		return skipped("already learned from this message")
	case plan.Action == policy.Update:
		return confirmItem(t, plan, p, reason)
	}
	rival, err := lookup.RivalOf(t.Tx, t.Owner.ID, plan.Candidate.Item())
	if err != nil {
		return memory.Change{}, err
	}
	if since, err := saidSince(t, plan.TargetID, p.From); err != nil {
		return memory.Change{}, err
	} else if since || newer(rival, p.From) {
		return skipped(whySince)
	}
	if why, err := learnedBefore(t, plan.Candidate, p.From); err != nil || why != "" {
		c, _ := skipped(why)
		return c, err
	}
	if !refused.IsZero() { // the user restates it
		if err := t.Unrefuse(t.Owner.ID, sayings); err != nil {
			return memory.Change{}, err
		}
	}
	if admitted.Verdict == policy.Active && rival.Trust > p.Trust && (p.target == nil || rival.ID != plan.TargetID) &&
		!justMade(t, rival.ID, p.From) {
		admitted.Verdict, admitted.Reason = policy.Held, "it contradicts what you said yourself"
	}
	if admitted.Verdict == policy.Held {
		return holdItem(t, plan, admitted, p, waiting)
	}
	return insertItem(t, plan, p, reason, waiting)
}

// existingItems returns the items that a proposal is planned against: current ones, and those
// in the inbox.
func existingItems(t *write.Tx, p Proposal) (standing, waiting []memory.Item, err error) {
	all, err := t.ItemsLike(t.Owner.ID, p.Key, p.Content)
	if err == nil {
		all, err = withTranslated(t, all, p.Key)
	}
	if err == nil && p.Corrects != "" {
		var more []memory.Item
		more, err = itemsHolding(t, p)
		all = append(all, more...)
	}
	if err == nil && p.Key == policy.NicknameKey {
		var name []memory.Item
		name, err = t.ItemsLike(t.Owner.ID, "name", p.Content)
		other := func(it memory.Item) bool { return it.Key != "name" || it.State != memory.StateActive }
		all = append(all, slices.DeleteFunc(name, other)...)
	}
	for _, it := range all {
		if it.State == memory.StateHeld {
			waiting = append(waiting, it)
		} else {
			standing = append(standing, it)
		}
	}
	return standing, waiting, err
}

// inForce removes the inactive items of a slot if it has an active one, which is to be
// confirmed or superseded.
func inForce(items []memory.Item, key string) []memory.Item {
	fills := func(it memory.Item) bool { return policy.SameSlot(it.Key, key) }
	counts := func(it memory.Item) bool { return it.State == memory.StateActive && fills(it) }
	if key == "" || !slices.ContainsFunc(items, counts) {
		return items
	}
	return slices.DeleteFunc(items, func(it memory.Item) bool { return fills(it) && !counts(it) })
}

// saidSince reports whether an item has sources later than the message. A message learned
// late must not end such an item.
func saidSince(t *write.Tx, id string, from memory.Record) (bool, error) {
	if id == "" {
		return false, nil
	}
	it, err := t.Item(t.Owner.ID, id)
	return err == nil && newer(it, from), err
}

// newer reports whether an item was stated after a message, or edited by the user since.
// Ids grow with time.
func newer(it memory.Item, than memory.Record) bool {
	if it.Origin == memory.OriginUser {
		return it.UpdatedAt.After(than.Timestamp)
	}
	return slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID > than.ID })
}

// justMade reports whether an item is unchanged since the rules made it from this message
// alone. Then a model that analyses the same message may correct it (L2, P5c).
func justMade(t *write.Tx, id string, from memory.Record) bool {
	if id == "" {
		return false
	}
	it, err := t.Item(t.Owner.ID, id)
	return err == nil && it.Origin == memory.OriginTurn && it.Version == 1 && it.Generation == "" &&
		!slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID != from.ID })
}

// learnedBefore returns the reason why a message that is answered again does not teach
// the same again: it was undone, or the user changed it.
func learnedBefore(t *write.Tx, c policy.Candidate, from memory.Record) (why string, err error) {
	changes, err := t.TurnChanges(t.Owner.ID, from.TurnID)
	if err != nil || len(changes) == 0 {
		return "", err
	}
	err = lookup.NewLedger(t.Tx, t.Owner.ID).Annotate(changes)
	if allUndone(changes) {
		return "it was undone", err
	}
	for _, old := range changes {
		if old.Item == nil || old.Version != 1 {
			continue
		}
		first, verr := t.ItemVersion(t.Owner.ID, old.ItemID, 1)
		if verr != nil {
			continue // trimmed
		}
		if old.Undone && old.Item.State == memory.StateInactive && quotes(first, from.ID, c) {
			return "it was undone", err
		}
		if first.Key != c.Key || codec.HashContent(first.Content) != codec.HashContent(c.Content) {
			continue // a different item
		}
		switch {
		case old.Undone && old.Item.State == memory.StateInactive:
			return "it was undone", err
		case old.Item.Origin == memory.OriginUser && old.Item.SupersededBy == "":
			return "you changed what was learned from it", err
		}
	}
	return "", err
}

// allUndone reports whether a turn had taught something and all of it was undone.
func allUndone(changes []memory.Change) bool {
	undone := 0
	for _, c := range changes {
		switch {
		case c.Item == nil || c.Undo != "" || c.Origin != memory.OriginTurn:
		case !c.Undone:
			return false
		default:
			undone++
		}
	}
	return undone > 0
}

// quotes reports whether an item and a candidate share words of a message.
func quotes(it memory.Item, record string, c policy.Candidate) bool {
	return slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool {
		return ev.RecordID == record && ev.Offset < c.Offset+c.Length && c.Offset < ev.Offset+ev.Length
	})
}

// learnedFrom reports whether a record is evidence of an item. Analysing a message again
// does not confirm the item.
func learnedFrom(t *write.Tx, id, record string) bool {
	it, err := t.Item(t.Owner.ID, id)
	return err == nil && slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID == record })
}

// itemsHolding returns the active items that contain the value called wrong.
func itemsHolding(t *write.Tx, p Proposal) ([]memory.Item, error) {
	want := strings.TrimSpace(text.Fold(p.Corrects))
	var out []memory.Item
	for _, id := range p.wrong {
		it, err := t.Item(t.Owner.ID, id)
		switch {
		case lookup.Lacking(err):
		case err != nil:
			return nil, err
		case it.State == memory.StateActive && want != "" && strings.Contains(text.Fold(it.Content), want):
			out = append(out, it)
		}
	}
	return out, nil
}

// Evidence returns the place of the words that a proposal rests on.
func (p Proposal) Evidence() memory.Evidence {
	return memory.Evidence{
		SessionID: p.From.SessionID, TurnID: p.From.TurnID, RecordID: p.From.ID, Offset: p.Offset, Length: p.Length,
	}
}

// newItem returns the new item that a plan asks for.
func newItem(t *write.Tx, plan policy.Plan, p Proposal) memory.Item {
	it := plan.Candidate.Item()
	it.ID, it.AgentID, it.SessionID = t.NewID(), t.Owner.ID, p.From.SessionID
	it.Origin, it.Trust, it.Version = p.Origin, p.Trust, 1
	it.CreatedAt, it.UpdatedAt, it.LastConfirmedAt, it.ValidFrom = t.Now(), t.Now(), t.Now(), t.Now()
	it.Evidence = append([]memory.Evidence{p.Evidence()}, p.More...)
	it.Generation = p.Generation
	it.State = memory.StateActive
	if rule := plan.Candidate.Rule; rule != "" {
		it.Metadata.Rule = rule
	}
	return it
}

// insertItem writes a new active item. It ends the item that it supersedes, and the held ones
// for the same slot, which the new statement answers.
func insertItem(t *write.Tx, plan policy.Plan, p Proposal, reason string, waiting []memory.Item) (memory.Change, error) {
	it := newItem(t, plan, p)
	change := changeOf(t, it, memory.ActionAdded, reason, p)
	if err := Check(t.Core, &it); err != nil {
		return unfit(t, change, err)
	}
	if plan.Action == policy.Supersede {
		it.Supersedes = plan.TargetID
		change.Action = memory.ActionSuperseded
		old, err := t.Item(t.Owner.ID, plan.TargetID)
		if err == nil {
			change.Replaced, err = &old, EndItem(t, plan.TargetID, it.ID, p.cause())
		}
		if err != nil {
			return change, err
		}
	}
	for _, w := range waiting {
		if p.Trust < memory.TrustUser {
			break
		}
		if newer(w, p.From) {
			continue
		}
		if err := EndItem(t, w.ID, it.ID, p.cause()); err != nil {
			return change, err
		}
	}
	if err := endOther(t, it, p); err != nil { // a correction may lead to an occupied slot
		return change, err
	}
	if err := endContradicted(t, plan.Candidate, it, p); err != nil {
		return change, err
	}
	if err := endQuotes(t, it, p); err != nil {
		return change, err
	}
	change.ID, change.Item = t.NewID(), &it
	return change, t.Put(it, change)
}

// endQuotes ends the verbatim items of the words that a new item interprets (P5c).
func endQuotes(t *write.Tx, it memory.Item, p Proposal) error {
	if policy.AsSaid(it.Key) {
		return nil
	}
	changes, err := t.TurnChanges(t.Owner.ID, p.From.TurnID)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Action != memory.ActionAdded || !justMade(t, c.ItemID, p.From) {
			continue
		}
		old, err := t.Item(t.Owner.ID, c.ItemID)
		if err != nil {
			return err
		}
		if policy.AsSaid(old.Key) && old.State == memory.StateActive && quotes(old, p.From.ID, p.Candidate) {
			if err := EndItem(t, old.ID, it.ID, p.cause()); err != nil {
				return err
			}
		}
	}
	return nil
}

// endOther ends another active item in the slot of a new one (P4).
func endOther(t *write.Tx, it memory.Item, p Proposal) error {
	rival, err := lookup.RivalOf(t.Tx, t.Owner.ID, it)
	if err != nil || rival.ID == "" {
		return err
	}
	return EndItem(t, rival.ID, it.ID, p.cause())
}

// holdItem puts a proposal into the inbox. An equal held item is confirmed. A different one
// is removed, unless its trust is higher.
func holdItem(t *write.Tx, plan policy.Plan, admitted policy.Admission, p Proposal, waiting []memory.Item) (memory.Change, error) {
	it := newItem(t, plan, p)
	it.State = memory.StateHeld
	if plan.Action == policy.Supersede {
		it.Metadata.WouldReplace = plan.TargetID
	}
	change := changeOf(t, it, memory.ActionHeld, admitted.Reason, p)
	if err := Check(t.Core, &it); err != nil {
		return unfit(t, change, err)
	}
	among := t.Core.Decide().PlanUpsert(plan.Candidate, waiting)
	switch {
	case among.Action == policy.Update && learnedFrom(t, among.TargetID, p.From.ID):
		change.ItemID, change.Action, change.Reason = "", memory.ActionSkipped, "already learned from this message"
		return change, nil
	case among.Action == policy.Update:
		among.Candidate.Confidence = plan.Candidate.Confidence // waiting adds no confidence
		return confirmItem(t, among, p, "said again, waits for you")
	case among.Action == policy.Supersede:
		old, err := t.Item(t.Owner.ID, among.TargetID)
		if err != nil {
			return change, err
		}
		if p.Origin == memory.OriginImport && newer(old, p.From) { // imports come in any order
			change.ItemID, change.Action, change.Reason = "", memory.ActionSkipped, whySince
			return change, nil
		}
		if old.Trust <= p.Trust {
			if err := EndItem(t, old.ID, it.ID, p.cause()); err != nil {
				return change, err
			}
		}
	}
	change.ID, change.Item = t.NewID(), &it
	return change, t.Put(it, change)
}

func changeOf(t *write.Tx, it memory.Item, action memory.Action, reason string, p Proposal) memory.Change {
	c := p.cause()
	c.ItemID, c.Action, c.Reason, c.Time, c.Version = it.ID, action, reason, t.Now(), it.Version
	return c
}

// unfit returns a skipped change for an item that cannot be stored.
func unfit(t *write.Tx, change memory.Change, err error) (memory.Change, error) {
	if !isInvalid(err) {
		return change, err
	}
	change.ItemID, change.Action, change.Reason = "", memory.ActionSkipped, err.Error()
	return change, nil
}

// confirmItem strengthens the item that a proposal repeats (P4).
func confirmItem(t *write.Tx, plan policy.Plan, p Proposal, reason string) (memory.Change, error) {
	it, err := t.Item(t.Owner.ID, plan.TargetID)
	if err != nil {
		return memory.Change{}, err
	}
	it.Confidence, it.Importance = plan.Candidate.Confidence, plan.Candidate.Importance
	it.LastConfirmedAt, it.UpdatedAt = t.Now(), t.Now()
	for _, ev := range append([]memory.Evidence{p.Evidence()}, p.More...) {
		if !slices.Contains(it.Evidence, ev) && len(it.Evidence) < maxEvidence {
			it.Evidence = append(it.Evidence, ev)
		}
	}
	it.Version++
	c := changeOf(t, it, memory.ActionConfirmed, reason, p)
	c.ID, c.Item = t.NewID(), &it
	return c, t.Put(it, c)
}
