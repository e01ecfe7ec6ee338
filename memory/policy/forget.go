package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memoria/memory"
)

// Action names what [Policy.Forget] advises.
type Action string

// What can become of an item (P8), mildest first.
const (
	Keep       Action = "keep"
	Decay      Action = "decay"
	Deactivate Action = "deactivate"
	Delete     Action = "delete"
)

// Fate is what should become of an item, and why. Nothing is done by saying it.
type Fate struct {
	Action Action
	// Confidence is the item's new confidence when Action is Decay.
	Confidence float64
	Reason     string
}

const (
	decayStep  = 0.9     // confidence × 0.9 …
	decayEvery = 7 * day // … at most once a week, the half-life of recency (R5)
)

// Forget applies P8. What has ended (expired, superseded) is deactivated; what is unimportant and was not
// touched for a long time first loses confidence, step by step, and is deactivated below a floor; an item
// is deleted only after it was inactive for the configured time. What the user decided himself (wrote,
// muted, has not yet judged in the inbox) is kept.
func (p *Policy) Forget(item memory.Item, now time.Time) Fate {
	if item.State == memory.StateInactive || !item.IsActive && item.State != memory.StateHeld {
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
	case now.Sub(item.UpdatedAt) < decayEvery: // before all that follows, so that deciding twice is deciding once
		return Fate{Action: Keep, Reason: "changed this week"}
	case item.Confidence*decayStep < p.cfg.ForgetFloor:
		return Fate{Action: Deactivate, Reason: "unimportant, long unused and no longer sure"}
	}
	return Fate{Action: Decay, Confidence: item.Confidence * decayStep, Reason: "unimportant and long unused"}
}

// Evict applies L5: of the active among heads it names those to put aside so that no more than the configured
// number stay active, the least sure first, of equally sure ones the one that was accessed longest ago. It
// names none when no number is configured.
func (p *Policy) Evict(heads []memory.Head) []memory.Head {
	if p.cfg.EvictionThreshold <= 0 {
		return nil
	}
	active := slices.DeleteFunc(slices.Clone(heads), func(h memory.Head) bool {
		return !h.IsActive || h.State != memory.StateActive
	})
	if len(active) <= p.cfg.EvictionThreshold {
		return nil
	}
	slices.SortFunc(active, func(a, b memory.Head) int {
		return cmp.Or(cmp.Compare(a.Confidence, b.Confidence), a.LastAccessed.Compare(b.LastAccessed), cmp.Compare(a.ID, b.ID))
	})
	return active[:len(active)-p.cfg.EvictionThreshold]
}

// How long a memory of a kind that changes may go unconfirmed before the user is asked, and how often that is (P9b).
const (
	staleAfter = 183 * day
	askEvery   = 30 * day
)

// Stale reports whether the user is to be asked if an active item is still true (P9b): a home, a job, a partner or a
// goal that nothing has confirmed for six months. The answer changes once a month, for all items at the same moment.
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

// changeable reports whether an item is of a kind that ends by itself in a life.
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

var partners = words("partner")

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
