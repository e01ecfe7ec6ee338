package dating

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

// Forms of dates.txt.
var (
	notAhead = lang.Form("notAhead") // not about a coming day
	onceOnly = lang.Form("onceOnly") // done once, even so: 周五飞北京
	anyWeek  = lang.Form("anyWeek")  // a day of any week: 周三
	bareDay  = lang.Form("bareDay")  // a weekday without a word for the week
	eachWeek = lang.Form("eachWeek") // what happens every week
	thenOn   = lang.Form("thenOn")   // what somebody will do on a day: 周日回来
	wasThen  = lang.Form("wasThen")  // something was so on a day
	begunIn  = lang.Form("begunIn")  // something began or happened then
	notYet   = lang.Form("notYet")   // so from a coming day on: 下个月就九岁了
	ownYear  = lang.Form("ownYear")
	manyDays = lang.Form("manyDays") // after a weekday: of every week
	itsDate  = lang.Form("itsDate")  // after a weekday: its date
	shortDay = lang.Form("shortDay") // a day to come that only a plan names so: "wed", 2moro, "the 19th"
	weekOf   = lang.Form("weekOf")   // which days of every week: "3 days a week, mon wed and thurs"
	longDays = lang.Table("longDays")
)

// Ahead reports whether a text does not say that it is about the past or about every week.
func Ahead(s string) bool { return !notAhead.Match(text.Fold(s)) && !begunIn.Match(text.Fold(s)) }

// Once reports whether a text is about one day, although it names only the day of the week.
func Once(s string) bool {
	s = text.Fold(s)
	return onceOnly.Match(s) || thenOn.Match(s) && !eachWeek.Match(s)
}

// NotYet reports whether a text tells what will be so only from a coming day on.
func NotYet(s string) bool { return notYet.Match(text.Fold(s)) }

// Plans reports whether a text in the user's words names a coming day: "My brother visits on Saturday".
func Plans(content string, said time.Time, loc *time.Location) bool {
	if !Ahead(content) {
		return false
	}
	at, ok := Resolve(content, said, loc, true)
	if ok && (anyWeek.Match(text.Fold(content[at.Start:at.End])) && !Once(content) || Weekly(content, at)) {
		return false
	}
	return ok && at.To.After(said) && at.From.Before(said.AddDate(2, 0, 0)) && at.To.Sub(at.From) < 32*24*time.Hour
}

// Dates reports whether a text names a coming day by more than the day of the week.
func Dates(content string, said time.Time, loc *time.Location) bool {
	at, ok := Resolve(content, said, loc, true)
	return ok && !bareDay.Match(text.Fold(content[at.Start:at.End]))
}

// Resolve is [text.Resolve] that reads the date after a weekday, "Friday 11 December", and days that a plan names
// shortly: "wed", 19号.
func Resolve(content string, said time.Time, loc *time.Location, ahead bool) (text.When, bool) {
	at, ok := text.Resolve(content, said, loc, ahead)
	if ok { // "the 16th at" ends before the time of day
		at.End -= len(timeFollows.FindString(content[at.Start:at.End]))
	}
	if ahead && (!ok || at.To.Sub(at.From) > 7*24*time.Hour) {
		if day, found := resolveShort(content, said, loc); found {
			return day, true
		}
	}
	if !ok || !bareDay.Match(text.Fold(content[at.Start:at.End])) || !itsDate.Match(text.Fold(content[at.End:])) {
		return at, ok
	}
	dated, found := text.Resolve(content[at.End:], said, loc, ahead)
	if !found {
		return at, ok
	}
	dated.Start, dated.End = dated.Start+at.End, dated.End+at.End
	return dated, true
}

// shortWord is such a day without what follows it.
var shortWord = regexp.MustCompile(`^(?:the )?\w+`)

var timeFollows = regexp.MustCompile(`(?i)\s+(at|from|by)$`)

// resolveShort resolves the first day that is named shortly.
func resolveShort(content string, said time.Time, loc *time.Location) (text.When, bool) {
	folded := text.Fold(content)
	m := shortDay.Find(folded)
	if m == nil || len(folded) != len(content) {
		return text.When{}, false
	}
	word := folded[m[0]:m[1]]
	if before, _, han := strings.Cut(word, "号"); han { // what follows tells that it is no bus and no house
		word = before + "号"
	} else {
		word = shortWord.FindString(word)
	}
	day := cmp.Or(longDays()[word], "on "+word)
	if lang.HasHan(word) {
		day = word + "去"
	}
	at, ok := text.Resolve(day, said, loc, true)
	at.Start, at.End = m[0], m[0]+len(word)
	return at, ok
}

// Weekly reports whether the time that a text names is a day of every week: "every Sunday", 周一休息.
func Weekly(content string, at text.When) bool {
	return weekOf.Match(text.Fold(content)) || bareDay.Match(text.Fold(content[at.Start:at.End])) &&
		(eachWeek.Match(text.Fold(content)) || manyDays.Match(text.Fold(content[at.End:])))
}

// Words inserts the date after the first words that name it relatively. ahead says that the text is about the
// future. A day of every week gets no date, and one without a year only if it is clear which it was.
func Words(content string, said time.Time, loc *time.Location, ahead bool) string {
	at, ok := Resolve(content, said, loc, ahead)
	if !ok {
		return content
	}
	folded, day := text.Fold(content), text.Fold(content[at.Start:at.End])
	coming := !ahead && thenOn.Match(folded) && bareDay.Match(day)
	if coming {
		at, ok = Resolve(content, said, loc, true)
	}
	switch {
	case !ok, Weekly(content, at), !ahead && !coming && at.Yearless && !begunIn.Match(folded):
		return content
	case !ahead && !coming && bareDay.Match(day) && lang.HasHan(day) && !wasThen.Match(folded):
		return content
	}
	words, label := content[at.Start:at.End], at.String()
	if lang.HasHan(words) {
		label = at.Chinese()
	}
	if ownYear.Match(text.Fold(words)) || label == "" || strings.ContainsAny(content, "()（）") {
		return content
	}
	if lang.HasHan(words) {
		return content[:at.End] + "（" + label + "）" + content[at.End:]
	}
	return content[:at.End] + " (" + label + ")" + content[at.End:]
}
