package manager

import (
	"cmp"
	"slices"

	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/learn"
	"memoria/memory/policy"
)

// teach brings one proposal of rules into the memory and ends what is over by it. all are the proposals of its message:
// what one of them fills, another does not end.
func (t *tx) applyProposal(p proposal, all []proposal) ([]memory.Change, error) {
	var out []memory.Change
	var replaced *memory.Item
	if !p.OnlyEnds() {
		c, err := t.upsert(p)
		if err != nil {
			return nil, err
		}
		out, replaced = append(out, c), c.Replaced
		if c.Action == memory.ActionHeld {
			p.hold = c.Reason // what would end waits with it
		}
	}
	if len(p.Ends) == 0 {
		return out, nil
	}
	if in := p.saidIn(); in.Kind != "" {
		p.hold = cmp.Or(p.hold, frame.Reason(in))
	}
	may, err := t.ItemsWithKey(t.a.id, p.MayEnd)
	if err != nil {
		return nil, err
	}
	may = slices.DeleteFunc(may, func(it memory.Item) bool {
		return it.State != memory.StateActive || slices.ContainsFunc(all, func(o proposal) bool { return policy.SameSlot(it.Key, o.Key) })
	})
	for _, e := range policy.Ended(p.Candidate, replaced, may) {
		c, err := t.endStated(e, p)
		if err != nil {
			return nil, err
		}
		if c.Action != "" {
			out = append(out, c)
		}
	}
	return out, nil
}

// over ends an item by the words of a proposal, unless it was said or changed since.
func (t *tx) endStated(e policy.End, p proposal) (memory.Change, error) {
	p.target, p.how = &learn.Shown{Item: e.Item}, e.How
	it, why, err := t.correctionTarget(p)
	if err != nil || why != "" || t.learnedFrom(it.ID, p.from.ID) && it.CreatedAt.Equal(t.Now()) {
		return memory.Change{}, err
	}
	return t.endTarget(it, p)
}

// endContradicted ends the active rules that exclude a new one, in its favour (P4).
func (t *tx) endContradicted(c policy.Candidate, by memory.Item, p proposal) error {
	if c.Type != memory.TypeRule {
		return nil
	}
	rules, err := t.ItemsWithKey(t.a.id, c.MayEnd)
	if err != nil {
		return err
	}
	for _, r := range policy.Contradicted(c, rules) {
		if r.State != memory.StateActive || r.ID == by.Supersedes || newer(r, p.from) {
			continue
		}
		if err := t.end(r.ID, by.ID, p.cause()); err != nil {
			return err
		}
	}
	return nil
}
