package policy

import (
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/dating"
	"memoria/memory/policy/lang"
)

// Dated resolves the relative date of a candidate against the moment said (P9a): the content keeps the user's
// words followed by the date, and When becomes a date. A goal ends with its date.
func Dated(c Candidate, said time.Time, loc *time.Location) Candidate {
	if said.IsZero() || c.Content == "" || c.Risk == RiskSecret {
		return c
	}
	if asPlan(c, said, loc) {
		c.Type, c.Tags = memory.TypeGoal, append(slices.Clone(c.Tags), "goal", "目标")
	}
	switch c.Type {
	case memory.TypeGoal:
		return datedGoal(c, said, loc)
	case memory.TypeFact, memory.TypeRelationship, memory.TypeEpisode:
		if (!strings.HasPrefix(c.Key, "note/") || clearPast.Match(c.Content)) && !birth(c.Key) && !annual.Match(c.Content) {
			c.Content = dating.Words(c.Content, said, loc, false)
		}
	}
	return c
}

// asPlan reports whether words kept as the user said them, or asked to be kept, name a coming day. They are a plan then,
// and end with the day; of a note it must be clear which day.
func asPlan(c Candidate, said time.Time, loc *time.Location) bool {
	note := strings.HasPrefix(c.Key, "note/") && dating.Dates(c.Content, said, loc)
	return (c.AsSaid() || note) && c.Type != memory.TypeGoal && c.Type != memory.TypeRule && !annual.Match(c.Content) &&
		dating.Plans(c.Content, said, loc)
}

// clearPast is a time before the message that a note can only mean so: 上个月在同济住院.
var clearPast = lang.Form("clearPast")

// annual is a day that comes every year: "alfie's birthday is 3 June".
var annual = lang.Form("annual")

// birth reports whether a slot holds an annual day.
func birth(key string) bool {
	return strings.HasPrefix(key, "birth") || strings.HasSuffix(key, "/birthday") || strings.HasSuffix(key, "anniversary")
}

func datedGoal(c Candidate, said time.Time, loc *time.Location) Candidate {
	at, ok := text.When{}, false
	st, stated := c.Statement()
	if stated && st.When != "" {
		if at, ok = dating.Resolve(st.When, said, loc, true); !ok {
			at, ok = text.Resolve("in "+st.When, said, loc, true) // "2027" alone
		}
	}
	if !ok {
		at, ok = dating.Resolve(c.Content, said, loc, true)
	}
	if !ok || st.When == "" && dating.Weekly(c.Content, at) {
		return c
	}
	if stated && st.When != "" {
		st.When = at.ISO()
		c.setStatement(st)
	}
	if at.To.After(said) {
		c.ValidTo = at.To
	}
	// A night ends with its day: a plan for Sunday evening is not one for Monday.
	if y, m, d := at.To.In(loc).Date(); at.To.Sub(at.From) < 24*time.Hour && !c.ValidTo.IsZero() {
		if midnight := time.Date(y, m, d, 0, 0, 0, 0, loc); midnight.After(said) && midnight.After(at.From) && midnight.Before(at.To) {
			c.ValidTo = midnight
		}
	}
	c.Content = dating.Words(c.Content, said, loc, true)
	return c
}
