package list

import (
	"slices"

	"memoria/ui/term/cells"
)

// Paged is the beginning of a long list that is read page by page.
type Paged[I any] struct {
	Items  []I
	Total  int
	Loaded bool   // Items is an answer
	Failed string // why more could not be read

	reading bool
	same    func(a, b I) bool
}

// NewPaged returns an empty list. same reports whether two items are the same one.
func NewPaged[I any](same func(a, b I) bool) Paged[I] { return Paged[I]{same: same} }

// Set replaces the list by the first of total items.
func (p *Paged[I]) Set(items []I, total int) {
	p.Items, p.Total = slices.Clone(items), max(total, len(items))
	p.Loaded, p.reading, p.Failed = true, false, ""
}

// Append adds the items from offset on. An answer that does not continue the list is
// dropped, and so are items that it has.
func (p *Paged[I]) Append(offset int, items []I, total int) {
	if p.reading, p.Failed = false, ""; offset != len(p.Items) {
		return
	}
	for _, it := range items {
		if !slices.ContainsFunc(p.Items[:offset], func(o I) bool { return p.same(o, it) }) {
			p.Items = append(p.Items, it)
		}
	}
	p.Loaded, p.Total = true, max(total, len(p.Items))
	if len(items) == 0 { // there is no more, whatever was counted
		p.Total = len(p.Items)
	}
}

// Stale says that the items are out of date; they stay until the next Set.
func (p *Paged[I]) Stale() { p.Loaded, p.reading, p.Failed = false, false, "" }

// Fail stores why the list could not be read.
func (p *Paged[I]) Fail(text string) { p.reading, p.Failed = false, text }

// Drop removes items and returns how many.
func (p *Paged[I]) Drop(gone func(I) bool) (n int) {
	n = len(p.Items)
	p.Items = slices.DeleteFunc(slices.Clone(p.Items), gone)
	n -= len(p.Items)
	p.Total -= n
	return n
}

// Next returns the offset of the items to read next. ok is false when there are none, or
// when they are being read.
func (p *Paged[I]) Next() (offset int, ok bool) {
	if p.reading || p.Loaded && len(p.Items) >= p.Total {
		return 0, false
	}
	p.reading, p.Failed = true, ""
	return len(p.Items), true
}

// Rest adds how many items follow, or why they could not be read.
func Rest[T, A, I any](p *Base[T, A], l *Paged[I]) {
	switch {
	case l.Failed != "":
		p.Note(p.Styles.Bad, p.Words.Say("list.more.failed", l.Failed))
	case l.reading:
		p.Say(p.Styles.Dim.Render("   " + p.Words.Say("list.more.reading")))
	default:
		p.Others(l.Total - len(l.Items))
	}
}

// Others adds how many more rows there are than are shown.
func (p *Base[T, A]) Others(n int) {
	if n > 0 {
		p.Say(p.Styles.Dim.Render("   " + p.Words.Say("list.others", cells.Number(n))))
	}
}
