package list

import (
	"slices"
	"time"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/words"
)

// shortest is the least width of a title beside the offer to undo, in cells; where there is
// less room the offer has a line of its own.
const shortest = 12

// Removed is a deletion that can be undone until a time.
type Removed struct {
	ID    string // of the deletion
	Of    string // the id of what was deleted
	Title string // names it, in quotes
	What  string // says what it was where Title is empty
	Until time.Time
	Fixed bool // a question does not extend its time

	extended bool
}

// AnswerTime is how much longer a deletion can be undone after the first question about that, so
// that its time does not run out while the question is open.
const AnswerTime = 30 * time.Second

// extend extends the time of the newest deletion, once. ok is false where it stays.
func (r *Removals) extend() (d Removed, ok bool) {
	if d, ok = r.Newest(); !ok || d.Fixed || d.extended {
		return d, false
	}
	all := slices.Clone(*r) // panes may share it
	d.Until, d.extended = d.Until.Add(AnswerTime), true
	all[len(all)-1] = d
	*r = all
	return d, true
}

// Removals are deletions that can be undone, the newest last.
type Removals []Removed

// Add adds a deletion.
func (r *Removals) Add(d Removed) { *r = append(*r, d) }

// Drop removes a deletion that was undone.
func (r *Removals) Drop(id string) {
	*r = slices.DeleteFunc(slices.Clone(*r), func(d Removed) bool { return d.ID == id })
}

// Expire removes those whose time is over, and reports whether there were any.
func (r *Removals) Expire(now time.Time) bool {
	n := len(*r)
	*r = slices.DeleteFunc(slices.Clone(*r), func(d Removed) bool { return !d.Until.After(now) })
	return n != len(*r)
}

// Newest returns the deletion that is undone first.
func (r *Removals) Newest() (Removed, bool) {
	if len(*r) == 0 {
		return Removed{}, false
	}
	return (*r)[len(*r)-1], true
}

// Offer returns the notice about the newest deletion, which begins with did, such as deleted:
// one line, or two where the width in cells requires it; none without a deletion.
func (r *Removals) Offer(w words.Words, style Styler, did string, now time.Time, width int) []string {
	d, ok := r.Newest()
	if !ok {
		return nil
	}
	more, offer := "", w.Say("list.undo", Left(now, d.Until))
	if n := len(*r) - 1; n > 0 {
		more = w.Say("list.undo.more", n)
	}
	if d.Title == "" {
		return Wrapped(style, did+" "+d.What+more+" · "+offer, width, 1)
	}
	title := clean.Line(d.Title)
	said := func(title string) string { return w.Say("list.undo.title", did, title) + more }
	room := width - 2 - cells.Width(said(""))
	beside := room - cells.Width(" · "+offer)
	if beside >= min(cells.Width(title), shortest) {
		return []string{" " + style.Render(said(clean.Truncate(title, beside, cells.Ellipsis))+" · "+offer)}
	}
	return []string{" " + style.Render(said(clean.Truncate(title, max(4, room), cells.Ellipsis))), " " + style.Render(offer)}
}
