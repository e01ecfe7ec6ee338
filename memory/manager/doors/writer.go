package doors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// Writer holds proposals. It is safe for concurrent use.
type Writer struct{ *write.Core }

// New returns a writer for a data folder.
func New(c *write.Core) *Writer { return &Writer{c} }

// MaxProposals is how many proposals of one program may be pending for an agent.
const MaxProposals = 50

// MaxPending is how many proposals of all programs may be pending for an agent. A program
// chooses its name, so [MaxProposals] alone bounds nothing.
const MaxPending = 200

// Bounds of a proposal that the user's own items do not have.
const (
	maxProgram  = 64 // characters of a program's name
	maxTags     = 20
	maxTagBytes = 200
	maxValue    = 4 << 10 // bytes
)

// Errors of [Writer.Propose] and [Writer.ProposeEdit].
var (
	// ErrTooManyProposals reports that a program has [MaxProposals] pending, or all programs
	// have [MaxPending].
	ErrTooManyProposals = fmt.Errorf("%d proposals of this program wait for the user's approval", MaxProposals)
	// ErrRefused reports that the user deleted or rejected this, or that the settings do
	// not allow it. Asking again does not help.
	ErrRefused = errors.New("refused")
)

// Proposal is the answer to a program that proposed an item.
type Proposal struct {
	// Item is the held item. If Known, it is the item that says this already; its fields
	// are empty if programs may not see it.
	Item  memory.Item
	Known bool
}

// Propose holds an item that another program wants remembered (P10). program names it in
// the inbox: "rest", "mcp:claude-desktop". Only Content is required; defaults and set are
// those of [learning.Writer.AddItem]. A known item is not stored again.
//
// The error is [memory.ErrInvalid], which a secret is too, [ErrRefused] or
// [ErrTooManyProposals].
func (w *Writer) Propose(
	ctx context.Context, agentID, program string, it memory.Item, set ...func(*memory.Item),
) (Proposal, error) {
	it.Type = cmp.Or(it.Type, memory.TypeFact)
	it.Confidence = cmp.Or(it.Confidence, memory.DefaultImportance)
	it.Importance = cmp.Or(it.Importance, memory.DefaultImportance)
	for _, f := range set {
		f(&it)
	}
	it.Metadata = memory.ItemMetadata{}
	return w.propose(ctx, agentID, program, func(*write.Tx) (_, _ memory.Item, _ error) {
		out := it
		out.Tags, out.Value = slices.Clone(it.Tags), slices.Clone(it.Value)
		return out, memory.Item{}, nil
	})
}

// ProposeEdit is [Writer.Propose] for a change of an active item, which stays in use until
// the user accepts the change. Then the changed item supersedes it. The error is
// [lookup.ErrNotFound] if programs may not see the item; id must be complete.
func (w *Writer) ProposeEdit(ctx context.Context, agentID, program, id string, edit func(*memory.Item)) (Proposal, error) {
	return w.propose(ctx, agentID, program, func(t *write.Tx) (it, old memory.Item, err error) {
		old, err = t.Item(t.Owner.ID, id)
		if err == nil && !old.Recallable(t.Now()) {
			err = lookup.ErrNotFound
		}
		if err != nil {
			return it, old, fmt.Errorf("memory %s: %w", id, err)
		}
		it = old
		it.Tags, it.Value = slices.Clone(old.Tags), slices.Clone(old.Value)
		edit(&it)
		it.State = memory.StateActive
		it = learning.Edited(old, it, t.Now())
		it.Metadata = memory.ItemMetadata{WouldReplace: old.ID}
		return it, old, nil
	})
}

// propose checks the item that read returns and holds it. old is the item that it changes,
// if any.
func (w *Writer) propose(
	ctx context.Context, agentID, program string, read func(*write.Tx) (it, old memory.Item, err error),
) (out Proposal, err error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return out, err
	}
	program = programName(program)
	err = w.Update(ctx, a, func(t *write.Tx) error {
		if err := t.RefuseGroup(); err != nil {
			return err
		}
		it, old, err := read(t)
		if err == nil && old.ID != "" && sameFields(old, it) {
			out = Proposal{Item: old, Known: true}
			return nil
		}
		if err == nil {
			it, err = proposed(t, it, program)
		}
		if err == nil {
			out, err = alreadyKnown(t, it)
		}
		if err != nil || out.Known || out.Item.ID != "" {
			return err
		}
		if err := roomFor(t, program); err != nil {
			return err
		}
		out.Item = it
		return t.Put(it, memory.Change{Action: memory.ActionHeld, Reason: "proposed by " + program, Origin: memory.OriginAPI})
	})
	if err != nil {
		return Proposal{}, fmt.Errorf("proposing a memory: %w", err)
	}
	return out, nil
}

// proposed returns an item as it would be held for a program, or the reason why it is not.
func proposed(t *write.Tx, it memory.Item, program string) (memory.Item, error) {
	c := policy.Candidate{
		Type: it.Type, Key: it.Key, Title: it.Title, Value: it.Value, Content: it.Content, Tags: it.Tags,
		Confidence: it.Confidence, Importance: it.Importance, Source: memory.SourceInferred, ValidTo: it.ValidTo,
	}
	if err := write.WithoutSecrets("a memory", "", write.ItemTexts(it)...); err != nil {
		return it, err
	}
	admitted := t.Core.Policy().Admit(c, memory.TrustForeign)
	if admitted.Verdict == policy.Dropped {
		return it, fmt.Errorf("%w: %s", ErrRefused, admitted.Reason)
	}
	out := admitted.Candidate.Item()
	out.ID, out.AgentID = t.NewID(), t.Owner.ID
	out.Key = cmp.Or(out.Key, "note/"+out.ID)
	out.Metadata.WouldReplace, out.Metadata.Program = it.Metadata.WouldReplace, program
	out.Origin, out.Trust, out.State, out.Version = memory.OriginAPI, memory.TrustForeign, memory.StateHeld, 1
	out.CreatedAt, out.UpdatedAt, out.LastConfirmedAt, out.ValidFrom = t.Now(), t.Now(), t.Now(), it.ValidFrom
	if err := errors.Join(learning.Check(t.Core, &out), checkSize(out)); err != nil {
		return out, err
	}
	refused, err := t.RefusedAt(t.Owner.ID, policy.RefusalKeys(out))
	if err == nil && !refused.IsZero() {
		err = fmt.Errorf("%w: the user deleted or rejected it", ErrRefused)
	}
	return out, err
}

// checkSize checks the bounds of what a program sends.
func checkSize(it memory.Item) error {
	long := func(tag string) bool { return len(tag) > maxTagBytes || !utf8.ValidString(tag) }
	switch {
	case len(it.Tags) > maxTags || slices.ContainsFunc(it.Tags, long):
		return fmt.Errorf("%w: at most %d tags of %d bytes", memory.ErrInvalid, maxTags, maxTagBytes)
	case len(it.Value) > maxValue:
		return fmt.Errorf("%w: the value is longer than %d bytes", memory.ErrInvalid, maxValue)
	}
	return nil
}

// alreadyKnown returns the item that says what a proposal says, if there is one: an active
// or muted item, or a pending one. A change of an item is known only if it is pending.
func alreadyKnown(t *write.Tx, it memory.Item) (out Proposal, err error) {
	like, err := existing(t, it)
	if err != nil {
		return out, err
	}
	var standing []memory.Item
	for _, other := range like {
		switch {
		case other.State != memory.StateHeld:
			if it.Metadata.WouldReplace == "" && other.State != memory.StateInactive {
				standing = append(standing, other)
			}
		case other.Metadata.WouldReplace == it.Metadata.WouldReplace && sameFields(other, it):
			if other.Metadata.Program == it.Metadata.Program {
				return Proposal{Item: other}, nil
			}
			return Proposal{Known: true}, nil
		}
	}
	c := policy.Candidate{Type: it.Type, Key: it.Key, Value: it.Value, Content: it.Content, Source: it.Source}
	plan := t.Core.Decide().PlanUpsert(c, standing)
	if plan.Action != policy.Update && plan.Action != policy.Skip {
		return out, nil
	}
	out.Known = true
	for _, other := range standing {
		if other.ID == plan.TargetID && other.Recallable(t.Now()) {
			out.Item = other
		}
	}
	return out, nil
}

// existing returns the items with the key, in either language, or the words of an item.
func existing(t *write.Tx, it memory.Item) (out []memory.Item, err error) {
	for _, key := range policy.SlotKeys(it.Key) {
		like, err := t.ItemsLike(t.Owner.ID, key, it.Content)
		if err != nil {
			return nil, err
		}
		out = append(out, like...)
	}
	return out, nil
}

// sameFields reports whether two items have the same fields that a program can write.
func sameFields(a, b memory.Item) bool {
	return a.Content == b.Content && a.Type == b.Type && (a.Key == b.Key || isNote(a.Key) && isNote(b.Key)) &&
		a.Title == b.Title && string(a.Value) == string(b.Value) && slices.Equal(a.Tags, b.Tags) &&
		a.Confidence == b.Confidence && a.Importance == b.Importance
}

// isNote reports whether a key names no slot.
func isNote(key string) bool { return strings.HasPrefix(key, "note/") }

// roomFor returns ErrTooManyProposals if as many are pending as may be.
func roomFor(t *write.Tx, program string) error {
	held, err := t.HeldItems(t.Owner.ID, 0, 0)
	own, all := 0, 0
	for _, it := range held {
		if it.Metadata.Program != "" {
			all++
		}
		if it.Metadata.Program == program {
			own++
		}
	}
	if err == nil && (own >= MaxProposals || all >= MaxPending) {
		err = ErrTooManyProposals
	}
	return err
}

// programName returns the name of a program as it is stored: on one line, of printable
// characters, bounded.
func programName(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if r := []rune(s); len(r) > maxProgram {
		s = string(r[:maxProgram])
	}
	return cmp.Or(s, "another program")
}
