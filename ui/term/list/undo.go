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

	Longer time.Duration // how much its time was extended by
}

// AnswerTime is how much longer a deletion can be undone after the first question about that, so
// that its time does not run out while the question is open.
const AnswerTime = 30 * time.Second

// Extend extends the time of a deletion to that of an answer, once. ok is false where it stays.
func (r *Removals) Extend(id string) (d Removed, ok bool) {
	i := r.index(id)
	if i < 0 || (*r)[i].Longer >= AnswerTime {
		return d, false
	}
	all := slices.Clone(*r) // panes may share it
	d = all[i]
	d.Until, d.Longer = d.Until.Add(AnswerTime-d.Longer), AnswerTime
	all[i] = d
	*r = all
	return d, true
}

// Has reports whether a deletion can be undone.
func (r *Removals) Has(id string) bool { return r.index(id) >= 0 }

func (r *Removals) index(id string) int {
	return slices.IndexFunc(*r, func(d Removed) bool { return d.ID == id })
}

// Latest returns the newest deletion of several panes.
func Latest(panes []*Removals) (last Removed, ok bool) {
	for _, r := range panes {
		if d, has := r.Newest(); has && (!ok || d.Until.Add(-d.Longer).After(last.Until.Add(-last.Longer))) {
			last, ok = d, true
		}
	}
	return last, ok
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
