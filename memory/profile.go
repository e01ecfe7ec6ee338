package memory

import (
	"slices"
	"strconv"
	"time"
)

// Section is a part of the profile (W5). Its name is also the source in brackets
// before each of its lines in a prompt.
type Section string

// The sections of a profile, in their order.
const (
	SectionNone       Section = "" // what the user wrote above the first heading
	SectionReply      Section = "reply style"
	SectionLanguage   Section = "language habits"
	SectionBackground Section = "background"
)

// Sections lists those with a heading, in their order.
func Sections() []Section {
	return []Section{SectionReply, SectionLanguage, SectionBackground}
}

// Place is the section's place in the document.
func (s Section) Place() int { return slices.Index(Sections(), s) }

// ProfileLine is one line of a profile. It is the user's, or it follows an item.
type ProfileLine struct {
	Section Section `json:"section"`
	// Text is the line as it stands in the document, without its end. Of a line that
	// follows an item it is never stored: deleting the item deletes it everywhere.
	Text string `json:"text,omitempty"`
	// ItemID is the item that the line follows, at ItemVersion; empty: the line is
	// the user's.
	ItemID      string  `json:"item_id,omitempty"`
	ItemVersion int     `json:"item_version,omitempty"`
	Importance  float64 `json:"importance,omitempty"`
	// Hidden lines are not in the document: there is no room, or the user says the
	// same in his own words. They come back when that ends.
	Hidden bool `json:"hidden,omitempty"`
	// Forgotten says that the item was deleted since, or cannot be read; never stored.
	Forgotten bool `json:"forgotten,omitempty"`
}

// Derived reports whether the line follows an item.
func (l ProfileLine) Derived() bool { return l.ItemID != "" }

// Profile is one version of the short document about the user that he and the
// program keep together (W5).
type Profile struct {
	AgentID string        `json:"agent_id"`
	Version int           `json:"version"` // from 1; 0 is a profile that was never written
	Lines   []ProfileLine `json:"lines"`
	// Removed are the items whose lines the user took out: they do not come back.
	Removed []string `json:"removed,omitempty"`

	// Who made this version, why and when (P9). Reason holds no words of an item.
	Origin Origin    `json:"origin,omitempty"`
	Reason string    `json:"reason,omitempty"`
	Time   time.Time `json:"time,omitzero"`
	// Items are those whose change made it; TurnID and Generation are where that
	// change belongs.
	Items      []string `json:"items,omitempty"`
	TurnID     string   `json:"turn_id,omitempty"`
	Generation string   `json:"generation,omitempty"`
	// Undoes is the version that this one takes back; 0 for none.
	Undoes int `json:"undoes,omitempty"`
}

// Shown are the lines of the document.
func (p Profile) Shown() []ProfileLine {
	return slices.DeleteFunc(slices.Clone(p.Lines), func(l ProfileLine) bool { return l.Hidden })
}

// ProfileID is the id by which a package names a version of the profile.
func ProfileID(version int) string { return strconv.Itoa(version) }
