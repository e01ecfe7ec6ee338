package memory

import (
	"encoding/json"
	"slices"
	"time"
)

// Type is the kind of conclusion of an item (L1).
type Type string

// The types of a recall item.
const (
	TypePreference   Type = "preference"
	TypeFact         Type = "fact"
	TypePattern      Type = "pattern"
	TypeRelationship Type = "relationship"
	TypeGoal         Type = "goal"
	TypeRule         Type = "rule"
	TypeSummary      Type = "summary"
	TypeEpisode      Type = "episode"
)

// Types lists every type in display order.
func Types() []Type {
	return []Type{TypePreference, TypeFact, TypePattern, TypeRelationship, TypeGoal, TypeRule, TypeSummary, TypeEpisode}
}

// Valid reports whether t is one of [Types].
func (t Type) Valid() bool { return slices.Contains(Types(), t) }

// Source says how certain the origin of an item is (L1).
type Source string

// The sources of an item.
const (
	SourceUserStated Source = "user_stated"
	SourceInferred   Source = "inferred"
	SourceSystem     Source = "system"
)

// Origin names the process that wrote an item or a version of it (L1).
type Origin string

// The processes that write items.
const (
	OriginTurn       Origin = "turn"
	OriginSessionEnd Origin = "session_end"
	OriginJournal    Origin = "journal"
	OriginUser       Origin = "user"
	OriginImport     Origin = "import"
	OriginAPI        Origin = "api"
	OriginSystem     Origin = "system" // the program's own housekeeping
)

// State is the visible condition of an item (L1).
type State string

// The states of an item. Only an active item is ever recalled.
const (
	StateActive   State = "active"
	StateHeld     State = "held"     // in the inbox, pending
	StateMuted    State = "muted"    // kept and listed, never recalled
	StateInactive State = "inactive" // superseded, expired or forgotten
)

// Evidence points from an item to its source words (L1, A4).
type Evidence struct {
	SessionID string `json:"session_id"`
	TurnID    string `json:"turn_id"`
	RecordID  string `json:"record_id"`
	// Offset and Length are bytes of the record's content. Length 0 means the whole
	// record.
	Offset int `json:"offset"`
	Length int `json:"length,omitempty"`
}

// Item is a recall item: one conclusion worth acting on later (L1).
type Item struct {
	ID        string `json:"id"`
	AgentID   string `json:"agent_id"`
	SessionID string `json:"session_id,omitempty"`
	Type      Type   `json:"type"`
	// Key names the slot of the item, e.g. "name" or "preference/tea". Two active items
	// of one agent never share a key: the later one confirms or supersedes the earlier
	// (P4).
	Key   string `json:"key"`
	Title string `json:"title,omitempty"`
	// Value is the conclusion as data, any JSON.
	Value json.RawMessage `json:"value,omitempty"`
	// Content is the conclusion as a sentence for use in a prompt.
	Content    string   `json:"content"`
	Tags       []string `json:"tags,omitempty"`
	Confidence float64  `json:"confidence"` // 0–1
	Importance float64  `json:"importance"` // 0–1
	Source     Source   `json:"source"`
	Origin     Origin   `json:"origin"`
	// ValidFrom and ValidTo bound the item's validity; zero means open. ValidTo is
	// exclusive.
	ValidFrom       time.Time    `json:"valid_from,omitzero"`
	ValidTo         time.Time    `json:"valid_to,omitzero"`
	CreatedAt       time.Time    `json:"created_at"`
	UpdatedAt       time.Time    `json:"updated_at"`
	LastAccessed    time.Time    `json:"last_accessed,omitzero"`
	AccessCount     int          `json:"access_count"`
	LastConfirmedAt time.Time    `json:"last_confirmed_at,omitzero"`
	Evidence        []Evidence   `json:"evidence,omitempty"`
	Supersedes      string       `json:"supersedes,omitempty"`
	SupersededBy    string       `json:"superseded_by,omitempty"`
	Generation      string       `json:"generation,omitempty"`
	Trust           Trust        `json:"trust"`
	State           State        `json:"state"`
	Metadata        ItemMetadata `json:"metadata,omitzero"`
	// Version counts the changes of the item's content, from 1. Use does not create a
	// version.
	Version int `json:"version"`
}

// DefaultImportance is the importance of an item without an explicit one (L1).
const DefaultImportance = 0.5

// IsActive reports whether the item is active (L1).
func (it Item) IsActive() bool { return it.State == StateActive }

// Recallable reports whether the item may be recalled at time now: it is active and within
// its validity (R7).
func (it Item) Recallable(now time.Time) bool {
	return it.Head().Recallable(now)
}

// Head holds the scoring fields of an item. The heads of all items are in memory (L3).
type Head struct {
	ID              string
	Type            Type
	State           State
	Confidence      float64
	Importance      float64
	ValidFrom       time.Time
	ValidTo         time.Time
	CreatedAt       time.Time
	LastAccessed    time.Time
	LastConfirmedAt time.Time
	AccessCount     int
	// ContentHash is a 64-bit hash of the folded content; equal hashes mark
	// duplicates (R8).
	ContentHash uint64
}

// Head returns the scoring fields of the item. The caller sets ContentHash, since it
// knows the folding.
func (it Item) Head() Head {
	return Head{
		ID: it.ID, Type: it.Type, State: it.State,
		Confidence: it.Confidence, Importance: it.Importance,
		ValidFrom: it.ValidFrom, ValidTo: it.ValidTo,
		CreatedAt: it.CreatedAt, LastAccessed: it.LastAccessed, LastConfirmedAt: it.LastConfirmedAt,
		AccessCount: it.AccessCount,
	}
}

// Recallable is [Item.Recallable] for a head.
func (h Head) Recallable(now time.Time) bool {
	switch {
	case h.State != StateActive:
		return false
	case !h.ValidFrom.IsZero() && now.Before(h.ValidFrom):
		return false
	case !h.ValidTo.IsZero() && !now.Before(h.ValidTo):
		return false
	}
	return true
}

// In reports whether the item was learned or last confirmed in [from, to). A zero bound
// is open.
func (h Head) In(from, to time.Time) bool {
	has := func(at time.Time) bool {
		return !at.IsZero() && (from.IsZero() || !at.Before(from)) && (to.IsZero() || at.Before(to))
	}
	return has(h.CreatedAt) || has(h.LastConfirmedAt)
}

// LastTouched returns the latest of created, accessed and confirmed, the base of
// recency (R5).
func (h Head) LastTouched() time.Time {
	t := h.CreatedAt
	if h.LastAccessed.After(t) {
		t = h.LastAccessed
	}
	if h.LastConfirmedAt.After(t) {
		t = h.LastConfirmedAt
	}
	return t
}
