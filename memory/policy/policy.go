package policy

import (
	"time"

	"memoria/memory"
)

// Decider is the five decisions about memory (P1). [Policy] makes them by rules; whoever has better
// judgement to offer wraps one and replaces what it knows better. All methods are pure.
type Decider interface {
	// Route says which memories a message goes to.
	Route(e Event) Route
	// ShouldEmbed says whether an item gets a vector.
	ShouldEmbed(item memory.Item) Decision
	// ShouldConsolidate says whether a session's content should be condensed into items now. covered is
	// the number of its turns that an earlier consolidation has read.
	ShouldConsolidate(s memory.Session, covered int) Decision
	// PlanUpsert says how a candidate joins the active items it may concern.
	PlanUpsert(c Candidate, existing []memory.Item) Plan
	// Forget says what becomes of an item as time passes.
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

// New returns a policy with the given configuration, which the caller has validated.
func New(cfg Config) *Policy { return &Policy{cfg: cfg} }

// minEmbedRunes is the length below which an item says too little for a vector to add anything to words.
const minEmbedRunes = 2

// ShouldEmbed says yes to every item that can come back and has words; what is inactive or waits in the
// inbox is never searched, so its vector would only leak what it says (R7, R9). What holds a secret, which the
// user may have written down by hand, is sent nowhere.
func (p *Policy) ShouldEmbed(item memory.Item) Decision {
	switch {
	case item.State != memory.StateActive || !item.IsActive:
		return Decision{Reason: "the item is not active"}
	case len([]rune(sameForm(item.Content))) < minEmbedRunes:
		return Decision{Reason: "the item has too few words"}
	case len(Secrets(item.Content)) > 0 || len(Secrets(item.Title)) > 0:
		return Decision{Reason: "the item holds a secret"}
	}
	return Decision{Yes: true, Reason: "the item can be recalled"}
}

// ShouldConsolidate says yes once at a session's end, and while it runs whenever more than the configured
// number of turns are not yet covered (P7).
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
