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
func ProfileLine(l memory.ProfileLine) string {
	from := Say("profile.yours")
	if l.Derived() {
		from = Say("profile.follows", ShortID(l.ItemID))
	}
	return clean.Line(profile.Said(l.Text)) + " (" + from + ")"
}

// ProfileRemarks are the size of the profile and its peculiarities.
func ProfileRemarks(p profiles.Profile) (out []string) {
	if len(p.Shown()) > 0 {
		out = append(out, Say("profile.size", p.Version, p.Tokens, p.Limit))
	}
	if p.Waiting > 0 {
		out = append(out, Say("profile.waiting", Count(p.Waiting, "more line has")))
	}
	if !p.Sent {
		out = append(out, Say("profile.unsent"))
	}
	return out
}

// ProfileVersion is a version of the profile and who made it.
func ProfileVersion(v profiles.Change, now time.Time) Row {
	undone := ""
	if v.Undone {
		undone = Say("change.undone")
	}
	row := Row{
		Sentence: Say("profile.version", v.Version, when(v.Time, now), clean.Line(v.Words())),
		Columns:  fmt.Sprintf("%4d  %s  %s", v.Version, when(v.Time, now), clean.Line(v.Words())),
	}
	for _, id := range v.Items {
		row.Columns += " " + ShortID(id)
	}
	if undone != "" {
		row.Sentence += ", " + undone
		row.Columns += " [" + undone + "]"
	}
	for _, d := range v.Diff {
		row.Sentence += "\n" + Difference(d)
		row.Columns += "\n    " + clean.Line(d.String())
	}
	return row
}

// Difference is a line that came into the profile or left it; signs alone may not be heard.
func Difference(d profile.Difference) string {
	if d.Added {
		return Say("profile.in", clean.Line(d.String()[2:]))
	}
	return Say("profile.out", clean.Line(d.String()[2:]))
}
