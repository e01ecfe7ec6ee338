package words

import (
	"slices"
	"strings"

	"memoria/memory"
)

// Lesson is one thing that a turn did to the memory (U6).
type Lesson struct {
	// Who learned it, in a group; empty elsewhere.
	Who []string
	// Text says it in a line: "Remembered: Likes tea."
	Text   string
	ItemID string
	Slot   string // the key of the item, such as "name"
	// Waits says that the item is held for the user's approval, Undone that the change
	// was undone. Both are false while the change is in force.
	Waits, Undone bool
}

// Line is the text, in a group after the names of the agents that learned it.
func (l Lesson) Line() string {
	if len(l.Who) == 0 {
		return l.Text
	}
	return strings.Join(l.Who, ", ") + ": " + l.Text
}

// Lessons are the lines about changes. What needs no text has none: a proposal that was
// not stored, the end of an item that another line says was replaced, the confirmation of
// an item that the same turn taught.
func (w Words) Lessons(changes []memory.Change) []Lesson { return w.Taught(nil, "", changes) }

// Taught adds to lessons those of more changes. who made them, in a group; what several
// learned is one lesson.
func (w Words) Taught(lessons []Lesson, who string, changes []memory.Change) []Lesson {
	for _, c := range changes {
		text := w.Learned(c)
		if text == "" {
			continue
		}
		if i := slices.IndexFunc(lessons, func(l Lesson) bool { return l.Text == text }); i >= 0 {
			if who != "" && !slices.Contains(lessons[i].Who, who) {
				lessons[i].Who = append(slices.Clip(lessons[i].Who), who)
			}
			continue
		}
		known := slices.ContainsFunc(lessons, func(l Lesson) bool { return l.ItemID == c.ItemID })
		if c.Action == memory.ActionConfirmed && known {
			continue
		}
		l := Lesson{Text: text, ItemID: c.ItemID, Slot: c.Item.Key, Waits: waits(c), Undone: c.Undone}
		if who != "" {
			l.Who = []string{who}
		}
		lessons = append(lessons, l)
	}
	return lessons
}

// Learned says in a line what a change did to the memory; "" when nothing needs to be
// said. The item may have changed since: an approved one is said to be accepted.
func (w Words) Learned(c memory.Change) string {
	if c.Item == nil || c.Undo != "" || c.Half() {
		return ""
	}
	said := c.Item.Content
	switch {
	case c.Undone:
		return w.Say("learned.undone", said)
	case c.Ended():
		return w.Say("learned.ended", said)
	}
	switch c.Action {
	case memory.ActionAdded:
		return w.Say("learned.added", said)
	case memory.ActionSuperseded:
		if c.Replaced != nil {
			return w.Say("learned.replaced", c.Replaced.Content, said)
		}
		return w.Say("learned.replaced-older", said)
	case memory.ActionConfirmed:
		if c.Item.State == memory.StateHeld {
			return w.Say("learned.still-held", said)
		}
		return w.Say("learned.confirmed", said)
	case memory.ActionHeld:
		return held(w, c)
	}
	return ""
}

// held says what became of an item that the change held.
func held(w Words, c memory.Change) string {
	switch c.Item.State {
	case memory.StateHeld:
		line := w.Say("learned.held", c.Item.Content)
		if c.Reason != "" {
			line += w.Say("learned.why", w.Translate(c.Reason))
		}
		return line
	case memory.StateActive:
		return w.Say("learned.accepted", c.Item.Content)
	}
	return ""
}

func waits(c memory.Change) bool {
	return (c.Action == memory.ActionHeld || c.Action == memory.ActionConfirmed) && !c.Undone && c.Item.State == memory.StateHeld
}

// OneLine is all lessons in one line, for output that has no place of its own for them;
// "" when there are none.
func OneLine(lessons []Lesson) string {
	var lines []string
	for _, l := range lessons {
		lines = append(lines, l.Line())
	}
	return strings.Join(lines, " · ")
}

// Waiting are the ids of the items that wait for the user's approval.
func Waiting(lessons []Lesson) (ids []string) {
	for _, l := range lessons {
		if l.Waits {
			ids = append(ids, l.ItemID)
		}
	}
	return ids
}
