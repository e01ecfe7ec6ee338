package learning

import (
	"context"
	"errors"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// sound returns a plan that replaces no item by words that are no sentence, say the same twice, or are only a part of it: then
// the plan is skipped. A preference of one thing over another is turned round instead (U3).
func sound(t *write.Tx, p Proposal, plan policy.Plan) (policy.Plan, error) {
	if plan.Action != policy.Supersede || plan.TargetID == "" || p.Trust < memory.TrustUser {
		return plan, nil
	}
	old, err := t.Item(t.Owner.ID, plan.TargetID)
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		return plan, nil
	case err != nil:
		return plan, err
	}
	if p.Corrects != "" {
		value := valueOf(memory.Item{Value: p.Value})
		if turned := instruct.Swapped(old.Content, p.Corrects, value); turned != "" {
			for _, c := range t.Core.Policy().Extract(turned) {
				c.Correction, c.Offset, c.Length = true, p.Offset, p.Length
				return policy.Replacing(c, old), nil
			}
		}
		if instruct.Spoils(old.Content, p.Corrects, value) {
			return policy.Plan{Action: policy.Skip, Reason: whySpoils}, nil
		}
	}
	if instruct.SaysLess(plan.Candidate.Content, old.Content) {
		return policy.Plan{Action: policy.Skip, Reason: whySpoils}, nil
	}
	return plan, nil
}

// turnRound turns the only shown preference of one thing over another round, if a correction has both: "coffee, not tea".
func turnRound(
	ctx context.Context, w *Writer, a *write.Agent, said memory.Record, in instruct.Instruction, shown []memory.Item,
) (Corrected, error) {
	for _, it := range shown {
		if turned := instruct.Swapped(it.Content, in.Old, in.New); turned != "" && it.State == memory.StateActive {
			return restate(ctx, w, a, said, turned, it)
		}
	}
	return Corrected{}, nil
}

// whySpoils is the reason of a replacement that is left.
const whySpoils = "it would leave no sentence"

// withoutCorrections removes the proposals that are only the words of a correction which puts nothing right: "165, not 155.",
// "I meant to say green bins". They would say nothing on their own.
func withoutCorrections(found []Proposal) (out []Proposal) {
	for _, p := range found {
		loose := strings.HasPrefix(p.Key, "correction/") && len(p.wrong) == 0 && p.Corrects != "" && !strings.Contains(p.Content, " is ")
		raw := policy.AsSaid(p.Key) && leadsCorrection.Match(strings.TrimSpace(text.Fold(p.Content)))
		if loose && hanOrFigure(p.Content) || raw {
			continue
		}
		out = append(out, p)
	}
	return out
}

// hanOrFigure reports whether a content begins with a number, or is Chinese.
func hanOrFigure(content string) bool {
	return isFigure(content) || strings.ContainsFunc(content, text.Han)
}

// leadsCorrection begins words that only put something right.
var leadsCorrection = patternOf("^", "leads", "")
