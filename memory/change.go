package memory

import "time"

// Action is what a process did to an item.
type Action string

// What can happen to an item.
const (
	ActionAdded      Action = "added"
	ActionConfirmed  Action = "confirmed"
	ActionEdited     Action = "edited"
	ActionSuperseded Action = "superseded"
	ActionHeld       Action = "held"
	ActionSkipped    Action = "skipped" // proposed and not stored
	ActionDeleted    Action = "deleted"
	ActionRestored   Action = "restored"
	ActionAccepted   Action = "accepted" // out of the inbox, by the user
	ActionRejected   Action = "rejected" // likewise; its words are gone
	ActionDecayed    Action = "decayed"  // less sure, or put aside, because nobody used it
	ActionExpired    Action = "expired"  // put aside because its time is over
	ActionEvicted    Action = "evicted"  // put aside because there are too many
)

// Change is one thing a process did to an item: what, why, when, by which
// process (P9).
type Change struct {
	ItemID  string    `json:"item_id,omitempty"`
	Action  Action    `json:"action"`
	Reason  string    `json:"reason"`
	Origin  Origin    `json:"origin"`
	TurnID  string    `json:"turn_id,omitempty"`
	Time    time.Time `json:"time"`
	Version int       `json:"version,omitempty"`
	// Item is the item after the change; only in events, never stored.
	Item *Item `json:"item,omitempty"`
}
