package learning

import (
	"cmp"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// applyProposal stores one proposal of rules and ends the items that it contradicts. all
// are the proposals of its message: an item in a slot that one of them fills is not ended
// by another. What waits in the inbox ends at once, unless it is doubtful that the words are
// a statement of the user: nothing recalls it.
func applyProposal(t *write.Tx, p Proposal, all []Proposal) ([]memory.Change, error) {
	var out []memory.Change
	sure := p.Hold == "" && p.Doubt == "" && p.Trust >= memory.TrustUser && p.SaidIn().Kind == ""
	var replaced *memory.Item
	if !p.OnlyEnds() {
		c, err := Upsert(t, p)
		if err != nil {
			return nil, err
		}
		out, replaced = append(out, c), c.Replaced
		if c.Action == memory.ActionHeld {
			p.Hold = c.Reason // its endings are held too
		} else if c.Item != nil && c.Item.State == memory.StateHeld {
			p.Hold = cmp.Or(c.Reason, "waits for your approval")
		}
	}
	if len(p.Ends) == 0 {
		return out, nil
	}
	if in := p.SaidIn(); in.Kind != "" {
		p.Hold = cmp.Or(p.Hold, frame.Reason(in))
	}
	may, err := t.ItemsWithKey(t.Owner.ID, "", p.MayEnd)
	if err != nil {
		return nil, err
	}
	may = slices.DeleteFunc(may, func(it memory.Item) bool {
		filled := func(o Proposal) bool { return policy.SameSlot(it.Key, o.Key) }
		return it.State == memory.StateInactive || bool(it.Metadata.WouldEnd) || slices.ContainsFunc(all, filled)
	})
	if slices.ContainsFunc(p.Ends, endsAnything) { // "Whitby's off" ends no home
		may = slices.DeleteFunc(may, func(it memory.Item) bool {
			return instruct.OutlastsPlans(it, p.From.Typed()) || sharesDatesOnly(it, p.From.Typed())
		})
	}
	end := func(state memory.State) error {
		items := slices.DeleteFunc(slices.Clone(may), func(it memory.Item) bool { return it.State != state })
		for _, e := range policy.Ended(p.Candidate, replaced, items) {
			c, err := endStated(t, e, p)
			if err != nil {
				return err
			}
			if c.Action != "" {
				out = append(out, c)
			}
		}
		return nil
	}
	if err := end(memory.StateActive); err != nil || !sure {
		return out, err
	}
	p.Hold = ""
	return out, end(memory.StateHeld)
}

// sharesDatesOnly reports whether all that an item has in common with a message are dates: a divorce in March ends nothing
// else that has to do with March.
func sharesDatesOnly(it memory.Item, said string) bool {
	has := text.Words(said)
	for _, w := range text.Keywords(it.Content) {
		forms := text.Words(w)
		if len(forms) > 0 && slices.Contains(has, forms[0]) && !dateWord.Match(text.Fold(w)) {
			return false
		}
	}
	return !strings.ContainsFunc(it.Content, text.Han)
}

var dateWord = patternOf("^", "date", "$")

// endsAnything reports whether an ending includes every item that shares words with it.
func endsAnything(e policy.Ending) bool { return e.Shared != "" && slices.Contains(e.Keys, "*") }

// endStated ends an item that a proposal says is over, unless it was stated or changed
// since.
func endStated(t *write.Tx, e policy.End, p Proposal) (memory.Change, error) {
	p.target, p.how = &learn.Shown{Item: e.Item}, e.How
	it, why, err := correctionTarget(t, p, e.Item.State)
	if err != nil || why != "" || learnedFrom(t, it.ID, p.From.ID) && it.CreatedAt.Equal(t.Now()) {
		return memory.Change{}, err
	}
	return endTarget(t, it, p)
}

// endContradicted ends the active rules that a new one excludes, in its favour (P4).
func endContradicted(t *write.Tx, c policy.Candidate, by memory.Item, p Proposal) error {
	if c.Type != memory.TypeRule {
		return nil
	}
	rules, err := t.ItemsWithKey(t.Owner.ID, "", c.MayEnd)
	if err != nil {
		return err
	}
	for _, r := range policy.Contradicted(c, rules) {
		if r.State != memory.StateActive || r.ID == by.Supersedes || newer(r, p.From) {
			continue
		}
		if err := EndItem(t, r.ID, by.ID, p.cause()); err != nil {
			return err
		}
	}
	return nil
}
