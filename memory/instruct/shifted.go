package instruct

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/dating"
	"memoria/memory/retrieve"
)

// shifted reads another date for a plan that is counted from the one it has: "the dentist is one week later", 体检提前三天.
func (r contrastReader) shifted(last []memory.Item, all func() []memory.Item) (Contrast, bool) {
	for _, s := range r.clauses {
		said := groupsOf(r.c.shifted, r.text(s))
		m := r.c.shifted.Find(r.text(s))
		if m == nil {
			continue
		}
		days, months := shift(said)
		plan := func(it memory.Item) bool { return it.Type == memory.TypeGoal && !it.ValidTo.IsZero() }
		var found []memory.Item
		about := namedIn(said["o"])
		if len(about) == 0 { // "the hairdresser called, it's a week later"
			about = retrieve.Analyse(r.v.Text[:s.lo]+" "+r.v.Text[s.hi:], "").Distinctive
		}
		if len(about) > 0 {
			found = keepBest(slices.DeleteFunc(slices.Clone(all()), func(it memory.Item) bool { return !plan(it) }), about)
		} else if i := slices.IndexFunc(last, plan); i >= 0 {
			found = last[i : i+1]
		}
		if len(found) != 1 || days == 0 && months == 0 || r.ownedByOther(found[0]) {
			continue
		}
		it, loc := found[0], r.said.Location()
		was, ok := dating.Resolve(it.Content, r.said, loc, true)
		if !ok || was.From.IsZero() {
			continue
		}
		day := was.From.In(loc).AddDate(0, months, days)
		layout, chinese := "2 January", strings.ContainsFunc(it.Content, text.Han)
		if chinese {
			layout = "1月2号"
		}
		if day.Year() != r.said.Year() {
			layout = map[bool]string{false: layout + " 2006", true: "2006年" + layout}[chinese]
		}
		old := it.Content[beforeDate(it.Content, was.Start):was.End]
		return Contrast{Item: it, Old: old, New: day.Format(layout) + partOfDay.FindString(text.Fold(old))}, true
	}
	return Contrast{}, false
}

// isShifted reports whether a clause of a folded text may say by how much a plan is put off.
func (c contrasts) isShifted(folded string) bool {
	return slices.ContainsFunc(clausesOf(folded), func(s span) bool { return c.shifted.Match(folded[s.lo:s.hi]) })
}

// namedIn returns the words of a text by which it can name a plan: those that tell it from others or, if it has none, all.
func namedIn(s string) []string {
	q := retrieve.Analyse(s, "")
	if len(q.Distinctive) > 0 {
		return q.Distinctive
	}
	return q.Terms
}

// beforeDate returns where a date begins in a text, with the day of the week before it.
func beforeDate(s string, start int) int {
	if m := weekdayBefore.FindStringIndex(strings.ToLower(s[:start])); m != nil {
		return m[0]
	}
	return start
}

// weekdayBefore is the day of the week before a date.
var weekdayBefore = regexp.MustCompile(`\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,? $`)

// shift returns by how much a date is put off, or negative if it is brought forward.
func shift(said map[string]string) (days, months int) {
	n, err := strconv.Atoi(said["n"])
	if err != nil {
		n = max(1, slices.Index(counting, said["n"])%10)
	}
	if said["early"] != "" {
		n = -n
	}
	switch unit := said["u"]; {
	case strings.HasPrefix(unit, "fortnight"):
		return 14 * n, 0
	case strings.HasPrefix(unit, "week"), unit == "周", unit == "星期", unit == "礼拜":
		return 7 * n, 0
	case strings.HasPrefix(unit, "month"), unit == "月":
		return 0, n
	}
	return n, 0
}

// counting are numbers in words, by their last digit.
var counting = []string{
	"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
	"", "一", "两", "三", "四", "五", "六", "七", "八", "九", "", "a", "二",
}
