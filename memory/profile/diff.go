package profile

import "memoria/memory"

// Difference is a line that one version has and the other has not.
type Difference struct {
	Added bool `json:"added"` // else it is gone
	memory.ProfileLine
}

// String is the difference as a line: "+ background: Lives in Lyon."
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

// Diff returns what was taken out of a document and what came into it, section by
// section, in the order of the lines. A line that only moved within its section is
// no difference.
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
