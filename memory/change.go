package memory

import (
	"strings"
	"time"
)

// Action is the kind of a change to an item.
type Action string

// The actions.
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
	ActionRejected   Action = "rejected" // likewise; its words are deleted
	ActionDecayed    Action = "decayed"  // less certain, or deactivated, because it was not used
	ActionEnded      Action = "ended"    // deactivated because the user said that it is over
	ActionExpired    Action = "expired"  // deactivated because its validity ended
	ActionEvicted    Action = "evicted"  // deactivated because there are too many
	ActionUndone     Action = "undone"   // a change was undone
	ActionRedone     Action = "redone"   // an undo was undone
	ActionRelinked   Action = "relinked" // its predecessor or successor is another item now
)

// Change is one change of an item by a process: what, why, when, by which process (P9).
type Change struct {
	ID     string `json:"id,omitempty"`
	ItemID string `json:"item_id,omitempty"`
	Action Action `json:"action"`
	Reason string `json:"reason"`
	Origin Origin `json:"origin"`
	TurnID string `json:"turn_id,omitempty"`
	// Generation is the run of a background process that made the change.
	Generation string    `json:"generation,omitempty"`
	Time       time.Time `json:"time"`
	// Version is the item's version after the change.
	Version int `json:"version,omitempty"`
	// Undo is the id of the undo that this change is part of: that of its first change.
	// Undoes are the item's undone changes. Restores is the version whose words and
	// state were restored; 0 if the item was deactivated, or only relinked.
	Undo     string   `json:"undo,omitempty"`
	Undoes   []string `json:"undoes,omitempty"`
	Restores int      `json:"restores,omitempty"`
	// Undone says that a later change undid this one; never stored.
	Undone bool `json:"undone,omitempty"`
	// Item is the item after the change, or in its current state; never stored.
	Item *Item `json:"item,omitempty"`
	// Replaced is the item that Item replaced; never stored.
	Replaced *Item `json:"replaced,omitempty"`
}

// Ended reports whether the change deactivated its item without a replacement, for a
// reason that the user gave.
func (c Change) Ended() bool {
	return c.Item != nil && c.Item.State == StateInactive && c.Item.SupersededBy == "" && c.Undo == "" &&
		(c.Action == ActionEnded || c.Action == ActionSuperseded && c.Version > 1 || c.Action == ActionExpired)
}

// Half reports whether the change is the end of a replaced item: the replacement's
// change reports both.
func (c Change) Half() bool {
	return c.Action == ActionSuperseded && strings.HasPrefix(c.Reason, replacedBy)
}

// replacedBy is the prefix of a replaced item's reason; the replacement's id follows.
const replacedBy = "superseded by "

// ReplacedBy returns the reason of an item replaced by the one with this id.
func ReplacedBy(id string) string { return replacedBy + id }

// Words describes the change and its reason for the item's history; why may be empty.
// Both a replaced item and its replacement have the action "superseded", so Words tells
// them apart.
func (c Change) Words() (what, why string) {
	switch {
	case c.Action != ActionSuperseded:
		return string(c.Action), c.Reason
	case strings.HasPrefix(c.Reason, replacedBy):
		return "replaced by a newer one", "" // which one is told with the item
	}
	return "replaces an older one", c.Reason
}
