package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/policy/lang"
)

// Action is an advice of [Policy.Forget].
type Action string

// The actions (P8), mildest first.
const (
	Keep       Action = "keep"
	Decay      Action = "decay"
	Deactivate Action = "deactivate"
	Delete     Action = "delete"
)

// Fate is the advised action for an item, with its reason. Advice changes nothing.
type Fate struct {
	Action Action
	// Confidence is the item's new confidence if Action is Decay.
	Confidence float64
	Reason     string
}

const (
	decayStep  = 0.9     // confidence × 0.9 …
	decayEvery = 7 * day // … at most once a week, the half-life of recency (R5)
)

// Forget applies P8. Ended items (expired, superseded) are deactivated. Unimportant items that are long
// unused lose confidence step by step, and are deactivated below a floor. An item is deleted only after
// being inactive for the configured time. The user's own decisions (written, muted, pending in the inbox)
// are kept.
func (p *Policy) Forget(item memory.Item, now time.Time) Fate {
	if item.State == memory.StateInactive {
		return p.forgetInactive(item, now)
	}
	unused := now.Sub(item.Head().LastTouched())
	switch {
	case item.State == memory.StateHeld:
		return Fate{Action: Keep, Reason: "waits for the user"}
	case !item.ValidTo.IsZero() && !now.Before(item.ValidTo):
		return Fate{Action: Deactivate, Reason: "expired"}
	case item.SupersededBy != "":
		return Fate{Action: Deactivate, Reason: "superseded"}
	case item.State == memory.StateMuted:
		return Fate{Action: Keep, Reason: "muted by the user"}
	case item.Origin == memory.OriginUser:
		return Fate{Action: Keep, Reason: "written by the user"}
	case item.Importance > p.cfg.ForgetImportance:
		return Fate{Action: Keep, Reason: "important"}
	case unused < p.cfg.ForgetUnused:
		return Fate{Action: Keep, Reason: "in use"}
	case now.Sub(item.UpdatedAt) < decayEvery: // first, so that repeated calls are idempotent
		return Fate{Action: Keep, Reason: "changed this week"}
	case item.Confidence*decayStep < p.cfg.ForgetFloor:
		return Fate{Action: Deactivate, Reason: "unimportant, long unused and no longer sure"}
	}
	return Fate{Action: Decay, Confidence: item.Confidence * decayStep, Reason: "unimportant and long unused"}
}

// Evict applies L5: it returns the active heads to deactivate so that no more than the configured number stay
// active, the least certain first, ties by the oldest access. It returns none if no number is configured.
func (p *Policy) Evict(heads []memory.Head) []memory.Head {
	if p.cfg.EvictionThreshold <= 0 {
		return nil
	}
	active := slices.DeleteFunc(slices.Clone(heads), func(h memory.Head) bool {
		return h.State != memory.StateActive
	})
	if len(active) <= p.cfg.EvictionThreshold {
		return nil
	}
	slices.SortFunc(active, func(a, b memory.Head) int {
		return cmp.Or(cmp.Compare(a.Confidence, b.Confidence), a.LastAccessed.Compare(b.LastAccessed), cmp.Compare(a.ID, b.ID))
	})
	return active[:len(active)-p.cfg.EvictionThreshold]
}

// Times until an unconfirmed changeable memory is asked about, and between questions (P9b).
const (
	staleAfter = 183 * day
	askEvery   = 30 * day
)

// Stale reports whether to ask the user if an active item is still true (P9b): a home, a job, a partner or a
// goal not confirmed for six months. The result changes once a month, for all items at the same moment.
func (p *Policy) Stale(item memory.Item, now time.Time) bool {
	if item.State != memory.StateActive || !changeable(item) {
		return false
	}
	confirmed := item.CreatedAt
	if item.LastConfirmedAt.After(confirmed) {
		confirmed = item.LastConfirmedAt
	}
	return confirmed.Before(now.Truncate(askEvery).Add(-staleAfter))
}

// changeable reports whether an item is of a kind that usually changes in a life.
func changeable(item memory.Item) bool {
	switch item.Key {
	case "home", "household", "job", "job/employer", "school", "study", "relationship/status":
		return true
	}
	parts := strings.Split(item.Key, "/")
	if len(parts) > 2 && parts[0] == "relation" && (parts[2] == "name" || parts[2] == "have") {
		return partners()[parts[1]]
	}
	return item.Type == memory.TypeGoal && item.ValidTo.IsZero()
}

var partners = lang.Words("partner")

func (p *Policy) forgetInactive(item memory.Item, now time.Time) Fate {
	since := item.UpdatedAt
	if item.ValidTo.After(since) && !item.ValidTo.After(now) {
		since = item.ValidTo
	}
	if since.IsZero() || now.Sub(since) < p.cfg.DeleteAfter {
		return Fate{Action: Keep, Reason: "inactive, can still be undone"}
	}
	return Fate{Action: Delete, Reason: "inactive for long"}
}
