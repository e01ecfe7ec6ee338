package memory

import (
	"slices"
	"strconv"
	"time"
)

// Section is a part of the profile (W5). Its name is also the source label of its lines
// in a prompt.
type Section string

// The sections of a profile, in their order.
const (
	SectionNone       Section = "" // the user's text above the first heading
	SectionReply      Section = "reply style"
	SectionLanguage   Section = "language habits"
	SectionBackground Section = "background"
)

// Sections lists the sections with a heading, in order.
func Sections() []Section {
	return []Section{SectionReply, SectionLanguage, SectionBackground}
}

// Place returns the section's position in the document.
func (s Section) Place() int { return slices.Index(Sections(), s) }

// ProfileLine is one line of a profile. It is the user's or derived from an item.
type ProfileLine struct {
	Section Section `json:"section"`
	// Text is the line in the document, without line break. It is never stored for a
	// derived line: deleting the item deletes it everywhere.
	Text string `json:"text,omitempty"`
	// ItemID is the item of a derived line, at ItemVersion; empty for a line of the
	// user.
	ItemID      string  `json:"item_id,omitempty"`
	ItemVersion int     `json:"item_version,omitempty"`
	Importance  float64 `json:"importance,omitempty"`
	// Hidden lines are not in the document: there is no room, or the user's own words
	// say the same. They return when that ends.
	Hidden bool `json:"hidden,omitempty"`
	// Forgotten says that the item was deleted or is unreadable; never stored.
	Forgotten bool `json:"forgotten,omitempty"`
}

// Derived reports whether the line is derived from an item.
func (l ProfileLine) Derived() bool { return l.ItemID != "" }

// Profile is one version of the short document about the user that the user and the
// program edit together (W5).
type Profile struct {
	AgentID string        `json:"agent_id"`
	Version int           `json:"version"` // from 1; 0 is a profile never written
	Lines   []ProfileLine `json:"lines"`
	// Removed are the items whose lines the user deleted: they do not return.
	Removed []string `json:"removed,omitempty"`

	// Who made this version, why and when (P9). Reason contains no words of an item.
	Origin Origin    `json:"origin,omitempty"`
	Reason string    `json:"reason,omitempty"`
	Time   time.Time `json:"time,omitzero"`
	// Items are the items whose change made this version; TurnID and Generation locate
	// that change.
	Items      []string `json:"items,omitempty"`
	TurnID     string   `json:"turn_id,omitempty"`
	Generation string   `json:"generation,omitempty"`
	// Undoes is the version that this one undoes; 0 for none.
	Undoes int `json:"undoes,omitempty"`
}

// Shown returns the visible lines.
func (p Profile) Shown() []ProfileLine {
	return slices.DeleteFunc(slices.Clone(p.Lines), func(l ProfileLine) bool { return l.Hidden })
}

// ProfileID returns the id of a profile version in a package.
func ProfileID(version int) string { return strconv.Itoa(version) }
