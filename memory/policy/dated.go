package policy

import (
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
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
		if !strings.HasPrefix(c.Key, "note/") && !birth(c.Key) {
			c.Content = datedWords(c.Content, said, loc, false)
		}
	}
	return c
}

// asPlan reports whether words kept as the user said them name a coming day: "My brother visits
// on Saturday". They are a plan then, and end with the day.
func asPlan(c Candidate, said time.Time, loc *time.Location) bool {
	if !c.AsSaid() || c.Type == memory.TypeGoal || c.Type == memory.TypeRule || notAhead.Match(text.Fold(c.Content)) {
		return false
	}
	at, ok := text.Resolve(c.Content, said, loc, true)
	if ok && anyWeek.Match(text.Fold(c.Content[at.Start:at.End])) && !onceOnly.Match(text.Fold(c.Content)) {
		return false
	}
	return ok && at.To.After(said) && at.From.Before(said.AddDate(2, 0, 0)) && at.To.Sub(at.From) < 32*24*time.Hour
}

var (
	notAhead = lang.Form("notAhead")
	onceOnly = lang.Form("onceOnly") // done once, even so: 周五飞北京
	anyWeek  = lang.Form("anyWeek")  // a day of any week: 周三
)

// birth reports whether a slot holds an annual day.
func birth(key string) bool {
	return strings.HasPrefix(key, "birth") || strings.HasSuffix(key, "/birthday") || strings.HasSuffix(key, "anniversary")
}

func datedGoal(c Candidate, said time.Time, loc *time.Location) Candidate {
	at, ok := text.When{}, false
	st, stated := c.Statement()
	if stated && st.When != "" {
		if at, ok = text.Resolve(st.When, said, loc, true); !ok {
			at, ok = text.Resolve("in "+st.When, said, loc, true) // "2027" alone
		}
	}
	if !ok {
		at, ok = text.Resolve(c.Content, said, loc, true)
	}
	if !ok {
		return c
	}
	if stated && st.When != "" {
		st.When = at.ISO()
		c.setStatement(st)
	}
	if at.To.After(said) {
		c.ValidTo = at.To
	}
	c.Content = datedWords(c.Content, said, loc, true)
	return c
}

// datedWords inserts the date after the first words that name it relatively.
func datedWords(content string, said time.Time, loc *time.Location, ahead bool) string {
	at, ok := text.Resolve(content, said, loc, ahead)
	if !ok || !ahead && at.Yearless {
		return content
	}
	words, label := content[at.Start:at.End], at.String()
	if lang.HasHan(words) {
		label = at.Chinese()
	}
	if hasYear(words) || label == "" || strings.ContainsAny(content, "()（）") {
		return content
	}
	if lang.HasHan(words) {
		return content[:at.End] + "（" + label + "）" + content[at.End:]
	}
	return content[:at.End] + " (" + label + ")" + content[at.End:]
}

// hasYear reports whether words name a year explicitly.
func hasYear(words string) bool { return ownYear.Match(text.Fold(words)) }

var ownYear = lang.Form("ownYear")
