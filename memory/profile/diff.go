package profile

import "memoria/memory"

// Difference is a line that only one of two versions has.
type Difference struct {
	Added bool `json:"added"` // otherwise it was removed
	memory.ProfileLine
}

// String formats the difference: "+ background: Lives in Lyon."
func (d Difference) String() string {
	sign, section := "- ", ""
	if d.Added {
		sign = "+ "
	}
	if d.Section != memory.SectionNone {
		section = string(d.Section) + ": "
	}
	return sign + section + Said(d.Text)
}

// Diff returns the removed and added lines, section by section, in order. A line that
// only moved within its section is not a difference.
func Diff(before, after memory.Profile) []Difference {
	old, now := before.Shown(), after.Shown()
	count := func(lines []memory.ProfileLine) map[place]int {
		n := map[place]int{}
		for _, l := range lines {
			n[placeOf(l)]++
		}
		return n
	}
	had, has := count(old), count(now)
	out := []Difference{}
	for place := memory.SectionNone.Place(); place < len(memory.Sections()); place++ {
		for _, l := range old {
			if l.Section.Place() != place || l.Text == "" {
				continue
			}
			if has[placeOf(l)]--; has[placeOf(l)] < 0 {
				out = append(out, Difference{ProfileLine: l})
			}
		}
		for _, l := range now {
			if l.Section.Place() != place || l.Text == "" {
				continue
			}
			if had[placeOf(l)]--; had[placeOf(l)] < 0 {
				out = append(out, Difference{Added: true, ProfileLine: l})
			}
		}
	}
	return out
}
