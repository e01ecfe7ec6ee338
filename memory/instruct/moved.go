package instruct

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/dating"
	"memoria/memory/retrieve"
)

// moved reads another date for a plan, "the dentist moved to Friday": a plan that the message names, or the last one told.
func (r contrastReader) moved(last []memory.Item, all func() []memory.Item) (Contrast, bool) {
	m := r.c.movedTo.Find(r.v.Text)
	to := m != nil
	if !to && r.c.takesBack.Match(r.v.Text) {
		m = r.c.isOn.Find(r.v.Text)
	}
	if m == nil {
		m = r.onlyDate()
	}
	comes := m == nil // 他说明天就能来
	if comes {
		m = r.c.saysComes.Find(r.v.Text)
	}
	if m == nil {
		return Contrast{}, false
	}
	at := m[1]
	now, ok := datePhrase(r.v.Text[at:], r.said)
	if ok = ok && now.lo == 0; to && !ok {
		at, now, ok = r.dateAt(at)
	}
	if !ok || comes && !r.c.comesThen.Match(r.v.Text[at+now.time:]) {
		return Contrast{}, false
	}
	var found []memory.Item
	about := retrieve.Analyse(r.v.Text[:m[0]], "").Distinctive
	if r.c.takesBack.Match(r.v.Text) && m[0] == m[1] {
		about = nil
	}
	if len(about) > 0 {
		found = keepBest(plansOf(all()), about)
	}
	thing := groupsOf(r.c.movedTo, r.v.Text)["o"]
	if to && len(found) == 0 { // "they moved me to the 18th for the test"
		if more := namedIn(thing + " " + r.clauseAfter(at+now.time)); len(more) > 0 {
			found = keepBest(plansOf(all()), append(about, more...))
		}
	}
	if i := slices.IndexFunc(last, isPlan); i >= 0 && len(found)+len(about)+len(thing) == 0 &&
		(!comes || r.c.comes.Match(text.Fold(last[i].Content))) {
		found = last[i : i+1]
	}
	if len(found) != 1 {
		found = r.visit(r.v.Text[:m[0]], all)
	}
	if len(found) != 1 || r.ownedByOther(found[0]) {
		return Contrast{}, false
	}
	return r.onDay(found[0], at, now)
}

// rearranged reads another day from what somebody says who comes, or cannot come: "gas man rang, he's coming tomorrow instead".
// The plan is one that the message names, by its old day also, or the last one told, or the only one with a visitor.
func (r contrastReader) rearranged(last []memory.Item, all func() []memory.Item) (Contrast, bool) {
	for n, s := range r.clauses {
		m := r.c.newDay.Find(r.text(s))
		if m == nil || m[0] > 0 {
			continue
		}
		lo, now, ok := r.dateAt(s.lo + m[1])
		if !ok {
			continue
		}
		lead := groupsOf(r.c.newDay, r.text(s))
		tail := r.c.newDayTail.Find(r.v.Text[lo+now.time:])
		instead := tail != nil && tail[0] == 0
		earlier := r.v.Text[:s.lo]
		if !instead && lead["only"] == "" && !r.c.cannotDay.Match(earlier) {
			continue
		}
		may := plansOf(all())
		visit := lead["visitor"] != "" && lead["who"] == ""
		if visit {
			may = slices.DeleteFunc(may, func(it memory.Item) bool { return !r.c.comes.Match(text.Fold(it.Content)) })
		}
		named := strings.TrimSpace(r.c.gotInTouch.Regexp().ReplaceAllString(text.Fold(earlier), " ") + " " + lead["who"])
		about := append(namedIn(named), weekdays.FindAllString(named, -1)...)
		var found []memory.Item
		switch i := slices.IndexFunc(last, isPlan); {
		case len(about) > 0:
			found = keepBest(may, about)
		case !instead && lead["only"] == "":
		case i >= 0 && n == 0 && (!visit || r.c.comes.Match(text.Fold(last[i].Content))):
			found = last[i : i+1]
		case visit:
			found = may
		}
		if len(found) == 1 && !r.ownedByOther(found[0]) {
			c, ok := r.onDay(found[0], lo, now)
			c.visit = visit
			return c, ok
		}
	}
	return Contrast{}, false
}

// isNewDay reports whether a folded text may say another day as [contrastReader.rearranged] reads it.
func (c contrasts) isNewDay(folded string) bool {
	return slices.ContainsFunc(clausesOf(folded), func(s span) bool {
		m := c.newDay.Find(folded[s.lo:s.hi])
		return m != nil && m[0] == 0
	})
}

// weekdays are the names of days by which a message may name a plan.
var weekdays = regexp.MustCompile(`\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// visit returns the plans of the kind of which somebody tells who calls: the words before "moved to" name no other thing.
func (r contrastReader) visit(before string, all func() []memory.Item) (found []memory.Item) {
	at := strings.LastIndexAny(before, " ,;:.!") + 1
	if at == 0 || !r.c.movedBare.Match(before[at:]) || !r.c.tellsOf.Match(before[:at]) {
		return nil
	}
	for _, kind := range r.c.visits {
		teller := kind.tells.Find(before[:at])
		if teller == nil || r.c.somebody.Match(before[:teller[0]]) {
			continue
		}
		for _, it := range all() {
			if isPlan(it) && kind.visit.Match(text.Fold(it.Content)) {
				found = append(found, it)
			}
		}
	}
	return found
}

func isPlan(it memory.Item) bool { return it.Type == memory.TypeGoal }

func plansOf(items []memory.Item) []memory.Item {
	return slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool { return !isPlan(it) })
}

// clauseAfter returns the rest of the clause in which a place is.
func (r contrastReader) clauseAfter(at int) string {
	for _, s := range r.clauses {
		if s.lo <= at && at < s.hi {
			return r.v.Text[at:s.hi]
		}
	}
	return ""
}

// dateAt returns the date that begins at a place of the message or behind an article there, also as the day of a month
// alone, "the 13th", and its place.
func (r contrastReader) dateAt(at int) (int, dated, bool) {
	for {
		s := r.v.Text[at:]
		if d, ok := datePhrase(s, r.said); ok && d.lo == 0 {
			return at, d, true
		}
		if on, ok := dating.Resolve(s, r.said, r.said.Location(), true); ok && on.Start == 0 {
			return at, dated{0, on.End, on.End + len(timeOfDay.FindString(s[on.End:]))}, true
		}
		if !strings.HasPrefix(s, "the ") {
			return at, dated{}, false
		}
		at += len("the ")
	}
}

// onDay puts the date that begins at a place of the message in place of that of a plan.
func (r contrastReader) onDay(it memory.Item, at int, now dated) (Contrast, bool) {
	was, ok := datePhrase(it.Content, r.said)
	if !ok {
		return Contrast{}, false
	}
	right := r.v.Raw(at, at+now.time)
	if before, on := strings.CutSuffix(it.Content[:was.lo], " on "); on && withoutOn.MatchString(text.Fold(right)) {
		was.lo = len(before) + 1
	}
	if now.time > now.date { // the time of day is another, too
		return Contrast{Item: it, Old: it.Content[was.lo:was.time], New: right}, true
	}
	if m := hours.FindStringSubmatch(r.v.Text[at+now.time:]); m != nil { // "tomorrow instead, after 3"
		old := was.date + len(hoursBehind.FindString(it.Content[was.date:]))
		return Contrast{Item: it, Old: it.Content[was.lo:max(old, was.time)], New: right + " " + m[1]}, true
	}
	old := it.Content[was.lo:was.date]
	if m := dayOfMonth.FindStringSubmatch(text.Fold(right)); m != nil {
		right = r.inMonthOf(it, m[1], right)
	}
	if !partOfDay.MatchString(text.Fold(right)) { // 下周三下午三点 on 下周四 is 下周四下午三点
		if m := partOfDay.FindStringIndex(text.Fold(old)); m != nil && m[0] > 0 && m[1] == len(old) {
			right = strings.TrimSuffix(right, "了") + old[m[0]:]
		}
	}
	return Contrast{Item: it, Old: old, New: right}, true
}

// withoutOn are days before which no "on" stands.
var withoutOn = regexp.MustCompile(`^(?:today|tonight|tomorrow|next)\b`)

// hours are the time of day behind a new day, and hoursBehind behind that of a plan with the date in brackets.
var (
	hours       = regexp.MustCompile(`^(?: instead| now)?,? (` + clock + `)`)
	hoursBehind = regexp.MustCompile(`^(?: \([^)]*\))?,? ` + clock)
)

const (
	hour  = `\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?\b`
	clock = `(?:at|after|before|around|from|by|between) ` + hour + `(?: (?:and|to|till) ` + hour + `)?`
)

// dayOfMonth is a day without its month.
var dayOfMonth = regexp.MustCompile(`^(?:the )?(\d{1,2})(?:st|nd|rd|th)$`)

// inMonthOf returns a day of a month as a date in the month that a plan has, or the one beside it if the message says that
// the plan is earlier or later; other words for plans without a date.
func (r contrastReader) inMonthOf(it memory.Item, day, other string) string {
	if it.ValidTo.IsZero() {
		return other
	}
	was := it.ValidTo.In(r.said.Location()).Add(-time.Second)
	n := 0
	for _, d := range day {
		n = n*10 + int(d-'0')
	}
	on := time.Date(was.Year(), was.Month(), n, 0, 0, 0, 0, was.Location())
	switch early := earlier.MatchString(r.v.Text); {
	case early && on.After(was):
		on = on.AddDate(0, -1, 0)
	case !early && on.Before(was) && (later.MatchString(r.v.Text) || on.Before(r.said)):
		on = on.AddDate(0, 1, 0)
	}
	if on.Day() != n {
		return other
	}
	layout := "2 January"
	if on.Year() != r.said.Year() {
		layout += " 2006"
	}
	return on.Format(layout)
}

var (
	earlier = regexp.MustCompile(`\b(?:forward|earlier|sooner)\b`)
	later   = regexp.MustCompile(`\b(?:back|later|postponed|delayed|put off)\b`)
)

// ownedByOther reports whether what the message says of a plan is about the same of somebody else: "Omar's physio".
func (r contrastReader) ownedByOther(it memory.Item) bool {
	has := holds(it, "")
	for _, m := range possessive.FindAllStringSubmatch(r.v.Text, -1) {
		if len(text.Words(m[2])) > 0 && has(m[2]) && !has(m[1]) && !weekdays.MatchString(m[1]) {
			return true
		}
	}
	return !r.c.somebody.Match(text.Fold(it.Content)) && !strings.HasPrefix(it.Key, "relation") && theirs.MatchString(r.v.Text)
}

var (
	possessive = regexp.MustCompile(`\b([a-z]{3,})(?:'s|s'?) ([a-z]+)`)
	theirs     = regexp.MustCompile(`\b(?:his|her|their|your) (?:[a-z]+ )?[a-z]+(?:'s|s)? (?:is|was|has|got|been|put|moved|pushed)\b`)
)

// partOfDay is a part of the day behind a date.
var partOfDay = regexp.MustCompile(`(?:的?(?:早上|上午|中午|下午|傍晚|晚上|晚|凌晨|夜里)| (?:in the )?(?:morning|afternoon|evening|night))$`)
