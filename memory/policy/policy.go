package policy

import (
	"time"

	"memoria/memory"
	"memoria/memory/policy/sensitive"
)

// Decider makes the five decisions about memory (P1). [Policy] makes them by rules; a better
// implementation can wrap one and override methods. All methods are pure.
type Decider interface {
	// Route returns the memories that a message goes to.
	Route(e Event) Route
	// ShouldEmbed reports whether an item gets a vector.
	ShouldEmbed(item memory.Item) Decision
	// ShouldConsolidate reports whether to consolidate a session now. covered is the number of its
	// turns that an earlier consolidation has read.
	ShouldConsolidate(s memory.Session, covered int) Decision
	// PlanUpsert plans how a candidate joins the related active items.
	PlanUpsert(c Candidate, existing []memory.Item) Plan
	// Forget advises on an item as time passes.
	Forget(item memory.Item, now time.Time) Fate
}

// Decision is a yes or no with its reason.
type Decision struct {
	Yes    bool
	Reason string
}

// Policy makes all decisions by rules, in Chinese and English, without a model (P6). It is immutable and
// safe for concurrent use.
type Policy struct {
	cfg Config
}

var _ Decider = (*Policy)(nil)

// New returns a policy with a validated configuration.
func New(cfg Config) *Policy { return &Policy{cfg: cfg} }

// minEmbedRunes is the length below which a vector adds nothing to an item's words.
const minEmbedRunes = 2

// ShouldEmbed accepts every recallable item with words. Inactive and held items are never searched, so a
// vector would only leak their content (R7, R9). An item with a secret, which the user may have written by
// hand, is never sent.
func (p *Policy) ShouldEmbed(item memory.Item) Decision {
	switch {
	case item.State != memory.StateActive:
		return Decision{Reason: "the item is not active"}
	case len([]rune(sameForm(item.Content))) < minEmbedRunes:
		return Decision{Reason: "the item has too few words"}
	case len(sensitive.Secrets(item.Content)) > 0 || len(sensitive.Secrets(item.Title)) > 0:
		return Decision{Reason: "the item holds a secret"}
	}
	return Decision{Yes: true, Reason: "the item can be recalled"}
}

// ShouldConsolidate accepts once at a session's end, and while it runs whenever more than the configured
// number of turns are not covered (P7).
func (p *Policy) ShouldConsolidate(s memory.Session, covered int) Decision {
	open := s.Turns - covered
	switch {
	case open <= 0:
		return Decision{Reason: "every turn is covered"}
	case s.State != memory.SessionActive && s.Generation != "":
		return Decision{Reason: "the session was consolidated"}
	case s.State != memory.SessionActive:
		return Decision{Yes: true, Reason: "the session has ended"}
	case p.cfg.ConsolidateTurns > 0 && open > p.cfg.ConsolidateTurns:
		return Decision{Yes: true, Reason: "many turns are not yet consolidated"}
	}
	return Decision{Reason: "the session goes on"}
}
