package profile

import (
	"slices"
	"time"

	"memoria/memory"
)

// News is the new state of an item.
type News struct {
	ID   string
	Item *memory.Item // current state; nil if deleted
}

// Follow updates the lines derived from the items in news. A new line is added at the end
// of its section, or in place of the line of the superseded item. The line of an item that
// no longer belongs in the profile is removed. The user's lines are unchanged.
func Follow(p memory.Profile, news []News, now time.Time) memory.Profile {
	lines := slices.Clone(p.Lines)
	gone := map[string]bool{}
	for _, n := range news {
		at := slices.IndexFunc(lines, func(l memory.ProfileLine) bool { return l.ItemID == n.ID })
		l, ok := memory.ProfileLine{}, false
		if n.Item != nil && !slices.Contains(p.Removed, n.ID) {
			l, ok = lineOf(*n.Item, now)
		}
		switch {
		case !ok:
			gone[n.ID] = true
		case at >= 0 && lines[at].Section == l.Section:
			if lines[at].Text == l.Text { // keep the version that first had this text
				l.ItemVersion = lines[at].ItemVersion
			}
			l.Hidden = lines[at].Hidden
			lines[at] = l
		default:
			lines = insert(slices.DeleteFunc(lines, func(l memory.ProfileLine) bool { return l.ItemID == n.ID }), l, n.Item.Supersedes)
		}
	}
	p.Lines = tidy(slices.DeleteFunc(lines, func(l memory.ProfileLine) bool { return l.Derived() && gone[l.ItemID] }))
	return p
}

// Concerns reports whether one of the items has a line or should have one. It does not
// read the text of the lines, so p may come without the text of derived lines.
func Concerns(p memory.Profile, news []News, now time.Time) bool {
	return slices.ContainsFunc(news, func(n News) bool {
		if indexOf(p.Lines, n.ID) >= 0 {
			return true
		}
		if n.Item == nil {
			return false
		}
		_, ok := Belongs(*n.Item, now)
		return ok
	})
}

// lineOf returns the line of an item; ok is false if it has none.
func lineOf(it memory.Item, now time.Time) (l memory.ProfileLine, ok bool) {
	s, ok := Belongs(it, now)
	return memory.ProfileLine{
		Section: s, Text: LineOf(it.Content), ItemID: it.ID, ItemVersion: it.Version, Importance: it.Importance,
	}, ok
}

// insert inserts l after the line of the item with id previous, if that is in the same
// section, and otherwise at the end of the section.
func insert(lines []memory.ProfileLine, l memory.ProfileLine, previous string) []memory.ProfileLine {
	for i, other := range lines {
		if other.Derived() && other.ItemID == previous && other.Section == l.Section {
			return slices.Insert(lines, i+1, l)
		}
	}
	return append(lines, l)
}

// Edit merges the user's edit into the current profile. shown is the version that the user
// saw, and document the result. Unchanged lines still follow their items. The items of
// removed lines never get a line again. All other lines are the user's. Lines added to the
// profile since shown stay.
func Edit(now, shown memory.Profile, document string) memory.Profile {
	derived := map[place][]string{} // the items of the shown lines
	users := map[place]int{}        // the number of shown lines of the user
	for _, l := range shown.Shown() {
		if l.Derived() {
			derived[placeOf(l)] = append(derived[placeOf(l)], l.ItemID)
		} else {
			users[placeOf(l)]++
		}
	}
	var lines []memory.ProfileLine
	kept := map[string]bool{}
	for _, l := range Parse(document) {
		at := placeOf(l)
		ids := derived[at]
		if len(ids) == 0 {
			lines = append(lines, l)
			continue
		}
		derived[at], kept[ids[0]] = ids[1:], true
		if i := indexOf(now.Lines, ids[0]); i >= 0 {
			lines = append(lines, now.Lines[i])
		}
	}
	out := now
	out.Removed = slices.Clone(now.Removed)
	for _, l := range shown.Shown() {
		if !l.Derived() || kept[l.ItemID] {
			continue
		}
		kept[l.ItemID] = true
		out.Removed = with(out.Removed, l.ItemID)
		for _, other := range now.Lines { // a hidden line with the same text must not replace it
			if other.Derived() && other.Hidden && folded(other.Text) == folded(l.Text) {
				kept[other.ItemID] = true
				out.Removed = with(out.Removed, other.ItemID)
			}
		}
	}
	for _, l := range now.Lines {
		switch {
		case l.Derived():
			if !kept[l.ItemID] {
				lines = append(lines, l)
			}
		case users[placeOf(l)] > 0:
			users[placeOf(l)]--
		case l.Text != "":
			lines = append(lines, l)
		}
	}
	out.Lines = tidy(lines)
	return out
}

// place identifies a line by what the user sees of it. Lines may share a place.
type place struct {
	section memory.Section
	text    string
}

func placeOf(l memory.ProfileLine) place { return place{l.Section, l.Text} }

func indexOf(lines []memory.ProfileLine, item string) int {
	return slices.IndexFunc(lines, func(l memory.ProfileLine) bool { return l.ItemID == item })
}

// with returns ids with id added if it is missing.
func with(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// Undo reverts the change from before to after in the current profile. Later changes stay.
// Items whose lines it removes do not get a line again.
func Undo(now, before, after memory.Profile) memory.Profile {
	out := now
	if now.Version == after.Version {
		out.Lines, out.Removed = slices.Clone(before.Lines), slices.Clone(before.Removed)
	} else {
		out.Lines, out.Removed = slices.Clone(now.Lines), slices.Clone(now.Removed)
		for _, l := range missing(after.Lines, before.Lines) {
			if i := slices.IndexFunc(out.Lines, func(o memory.ProfileLine) bool { return same(o, l) }); i >= 0 {
				out.Lines = slices.Delete(out.Lines, i, i+1)
			}
		}
		for _, l := range missing(before.Lines, after.Lines) {
			if !l.Derived() || indexOf(out.Lines, l.ItemID) < 0 {
				out.Lines = putBack(out.Lines, before.Lines, l)
			}
		}
		out.Removed = slices.DeleteFunc(out.Removed, func(id string) bool {
			return slices.Contains(after.Removed, id) && !slices.Contains(before.Removed, id)
		})
	}
	for _, l := range now.Lines {
		if l.Derived() && indexOf(out.Lines, l.ItemID) < 0 {
			out.Removed = with(out.Removed, l.ItemID)
		}
	}
	out.Removed = slices.DeleteFunc(out.Removed, func(id string) bool { return indexOf(out.Lines, id) >= 0 })
	out.Lines = tidy(out.Lines)
	return out
}

// same reports whether two lines follow the same item, or are lines of the user with the
// same section and text.
func same(x, y memory.ProfileLine) bool {
	if x.Derived() || y.Derived() {
		return x.ItemID == y.ItemID
	}
	return placeOf(x) == placeOf(y)
}

// missing returns the lines that are not in others, as a multiset difference.
func missing(lines, others []memory.ProfileLine) (out []memory.ProfileLine) {
	rest := slices.Clone(others)
	for _, l := range lines {
		if i := slices.IndexFunc(rest, func(o memory.ProfileLine) bool { return same(o, l) }); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else if l.Derived() || l.Text != "" {
			out = append(out, l)
		}
	}
	return out
}

// putBack inserts l after the nearest line before it in old that lines still has, and
// otherwise at the start of its section.
func putBack(lines, old []memory.ProfileLine, l memory.ProfileLine) []memory.ProfileLine {
	at := slices.IndexFunc(old, func(o memory.ProfileLine) bool { return same(o, l) })
	for i := at - 1; i >= 0 && old[i].Section == l.Section; i-- {
		for j, o := range lines {
			if same(o, old[i]) {
				return slices.Insert(lines, j+1, l)
			}
		}
	}
	for j, o := range lines { // it was first
		if at >= 0 && o.Section == l.Section {
			return slices.Insert(lines, j, l)
		}
	}
	return append(lines, l)
}

// Join restores the older version old, with the lines added since then at the end of their
// sections.
func Join(old, now memory.Profile) memory.Profile {
	out := now
	out.Lines, out.Removed = slices.Clone(old.Lines), slices.Clone(old.Removed)
	for _, l := range missing(now.Lines, old.Lines) {
		if !slices.Contains(out.Removed, l.ItemID) {
			out.Lines = append(out.Lines, l)
		}
	}
	out.Lines = tidy(out.Lines)
	return out
}
