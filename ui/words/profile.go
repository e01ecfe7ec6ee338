package words

import (
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/manager/profiles"
	"memoria/memory/profile"
	"memoria/ui/clean"
)

// ProfileLine is a line of the profile, and whether it is the user's own or follows a memory.
func (w Words) ProfileLine(l memory.ProfileLine) string {
	from := w.Say("profile.yours")
	if l.Derived() {
		from = w.Say("profile.follows", ShortID(l.ItemID))
	}
	return clean.Line(profile.Said(l.Text)) + w.paren(from)
}

// ProfileRemarks are the size of the profile and its peculiarities.
func (w Words) ProfileRemarks(p profiles.Profile) (out []string) {
	if len(p.Shown()) > 0 {
		out = append(out, w.Say("profile.size", p.Version, p.Tokens, p.Limit))
	}
	if p.Waiting > 0 {
		out = append(out, w.Say("profile.waiting", w.Count(p.Waiting, "more line has")))
	}
	if !p.Sent {
		out = append(out, w.Say("profile.unsent"))
	}
	return out
}

// ProfileVersion is a version of the profile and who made it.
func (w Words) ProfileVersion(v profiles.Change, now time.Time) Row {
	said := w.Translate(clean.Line(v.Reason))
	if v.Origin != memory.OriginUser {
		said = w.Say("profile.by", said, w.Named("origin", string(v.Origin)))
	}
	undone := ""
	if v.Undone {
		undone = w.Say("change.undone")
	}
	row := Row{
		Sentence: w.Say("profile.version", v.Version, when(v.Time, now), said),
		Columns:  fmt.Sprintf("%4d  %s  %s", v.Version, when(v.Time, now), said),
	}
	for _, id := range v.Items {
		row.Columns += " " + ShortID(id)
	}
	if undone != "" {
		row.Sentence += w.comma() + undone
		row.Columns += " [" + undone + "]"
	}
	for _, d := range v.Diff {
		row.Sentence += "\n" + w.Difference(d)
		row.Columns += "\n    " + clean.Line(d.String())
	}
	return row
}

// Difference is a line that came into the profile or left it; signs alone may not be heard.
func (w Words) Difference(d profile.Difference) string {
	if d.Added {
		return w.Say("profile.in", clean.Line(d.String()[2:]))
	}
	return w.Say("profile.out", clean.Line(d.String()[2:]))
}
