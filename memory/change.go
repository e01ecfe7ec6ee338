package memory

import (
	"strings"
	"time"
)

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
	ActionEnded      Action = "ended"    // put aside because the user said that it is over
	ActionExpired    Action = "expired"  // put aside because its time is over
	ActionEvicted    Action = "evicted"  // put aside because there are too many
	ActionUndone     Action = "undone"   // what a change did was taken back
	ActionRedone     Action = "redone"   // what an undo did was taken back
	ActionRelinked   Action = "relinked" // what replaces it, or what it replaces, is another item now
)

// Change is one thing a process did to an item: what, why, when, by which
// process (P9).
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
	// Version is the one that the change made.
	Version int `json:"version,omitempty"`
	// Undo is the undo that this change is a part of: the id of its first change.
	// Undoes are the changes of this item that it took back, and Restores the
	// version whose words and state it brought back; 0 when the item was taken out
	// of use, or only relinked.
	Undo     string   `json:"undo,omitempty"`
	Undoes   []string `json:"undoes,omitempty"`
	Restores int      `json:"restores,omitempty"`
	// Undone says that a later change took this one back; never stored.
	Undone bool `json:"undone,omitempty"`
	// Item is the item after the change, or as it is now; never stored.
	Item *Item `json:"item,omitempty"`
	// Replaced is the item whose place Item took; never stored.
	Replaced *Item `json:"replaced,omitempty"`
}

// Ended reports whether the change put its item out of use without another in its
// place, for a reason that the user gave.
func (c Change) Ended() bool {
	return c.Item != nil && c.Item.State == StateInactive && c.Item.SupersededBy == "" && c.Undo == "" &&
		(c.Action == ActionEnded || c.Action == ActionSuperseded && c.Version > 1 || c.Action == ActionExpired)
}

// Half reports whether the change is the end of an item that another replaced: the
// change of that other tells of both.
func (c Change) Half() bool {
	return c.Action == ActionSuperseded && strings.HasPrefix(c.Reason, replacedBy)
}

// replacedBy begins the reason of an item that a newer one replaced; the newer
// one's id follows.
const replacedBy = "superseded by "

// ReplacedBy is the reason of an item that the one with this id replaced.
func ReplacedBy(id string) string { return replacedBy + id }

// Words say what was done to the item in its history, and why; why may be empty.
// Of two that replace each other both have the action "superseded", and read
// alone it would be true of only one of them.
func (c Change) Words() (what, why string) {
	switch {
	case c.Action != ActionSuperseded:
		return string(c.Action), c.Reason
	case strings.HasPrefix(c.Reason, replacedBy):
		return "replaced by a newer one", "" // which one is told with the item
	}
	return "replaces an older one", c.Reason
}
