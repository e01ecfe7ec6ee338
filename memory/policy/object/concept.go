package object

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

// concept is a word in the table of translations, or a literal text.
type concept struct {
	word    text.Translation
	literal string // if there is no word
}

func (c concept) equal(other concept) bool {
	if c.literal != "" || other.literal != "" {
		return c.literal == other.literal
	}
	return c.word.Names(other.word)
}

// SameThing reports whether two wordings of a value mean the same, also in two languages: "a cup of tea" and
// 茶, "two cats" and 两只猫, "May 3" and 5月3日. Within a language different words are different things: a
// kitten is not the cat.
func SameThing(a, b string) bool {
	x, y := Key(a), Key(b)
	if x == y {
		return true
	}
	if d, ok := dayOf(a); ok {
		if e, ok := dayOf(b); ok {
			return d.equal(e)
		}
	}
	if lang.HasHan(a) == lang.HasHan(b) {
		return false
	}
	// Some words of a value are not in its key, but are part of its meaning: 吃素, vegetarian.
	return sameConcepts(x, y) || sameConcepts(text.Fold(a), text.Fold(b))
}

func sameConcepts(a, b string) bool {
	return slices.EqualFunc(withoutLearning(concepts(a)), withoutLearning(concepts(b)), concept.equal)
}

// withoutLearning removes the verb to learn: a goal may include it (学德语) or not (German).
func withoutLearning(row []concept) []concept {
	if len(row) > 1 && slices.Contains(row[0].word.Same(), "learn") {
		return row[1:]
	}
	return row
}

// concepts splits an object's key into concepts.
func concepts(key string) (out []concept) {
	add := func(gap string) {
		for _, w := range literals(gap) {
			out = append(out, concept{literal: w})
		}
	}
	phrase, end := strings.ReplaceAll(key, "-", " "), 0
	for _, t := range text.Translate(phrase) {
		if !t.Names(t) || t.Start < end {
			continue // it stays a literal
		}
		add(phrase[end:t.Start])
		out, end = append(out, concept{word: t}), t.End
	}
	add(phrase[end:])
	return out
}

// literals returns the words of a text. Counts become digits, without measure words (两只), and a count of
// one is omitted, as articles are.
func literals(gap string) (out []string) {
	for _, w := range strings.Fields(gap) {
		if m := counted.Groups(w); m != nil {
			w = w[m[2]:m[3]]
		}
		if n, ok := number()[w]; ok {
			w = n
		}
		if w != "" && !(unit()[w] && len(out) > 0) {
			out = append(out, w)
		}
	}
	return out
}

var (
	counted = lang.Form("counted")
	unit    = lang.Words("unit")
	// number is the table of numbers in words; one counts as an article.
	number = lang.Table("number")
)

// SaysSame reports whether a Chinese and an English sentence have the same words: each word of one is a word
// of the other, in any order. Words of having or liking do not count. It ignores negation.
func SaysSame(a, b string) bool {
	x, y := subjects(a), subjects(b)
	within := func(c concept, row []concept) bool { return slices.ContainsFunc(row, c.equal) }
	for _, c := range x {
		if !within(c, y) {
			return false
		}
	}
	for _, c := range y {
		if !within(c, x) {
			return false
		}
	}
	return len(x) > 0 && lang.HasHan(a) != lang.HasHan(b)
}

// subjects returns the concepts of a sentence that name its subject.
func subjects(s string) (out []concept) {
	s = text.Fold(s)
	add := func(gap string) {
		for _, k := range text.Keywords(gap) {
			for _, w := range literals(k) {
				if !onlyHas()[w] {
					out = append(out, concept{literal: w})
				}
			}
		}
	}
	end := 0
	for _, t := range text.Translate(s) {
		if !t.Names(t) || t.Start < end { // they may overlap
			continue
		}
		add(s[end:t.Start])
		if end = t.End; !slices.ContainsFunc(t.Same(), func(w string) bool { return onlyHas()[w] }) {
			out = append(out, concept{word: t})
		}
	}
	add(s[end:])
	return out
}

// onlyHas are words that express only having or liking.
var onlyHas = lang.Words("onlyHas")

// calendarDay is a day of a year, as far as stated.
type calendarDay struct{ year, date string }

// equal reports whether two days can be the same: a year in only one of them is ignored.
func (d calendarDay) equal(other calendarDay) bool {
	return d.date == other.date && (d.year == other.year || d.year == "" || other.year == "")
}

var (
	yearSaid = lang.Form("yearSaid")
	// leap is the end of a leap year, the reference for days without a year.
	leap = time.Date(2000, time.December, 31, 23, 0, 0, 0, time.UTC)
)

// dayOf parses a birthday: May 3, 3rd of May 1990, 1990年5月3日.
func dayOf(s string) (calendarDay, bool) {
	s = strings.TrimSpace(text.Fold(s))
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsDigit(r) || r == '月' }) {
		return calendarDay{}, false
	}
	year := yearSaid.Text(s)
	rest, from, to, ok := text.Dates("on "+strings.Replace(s, year, "", 1), leap, time.UTC)
	if !ok || to.Sub(from) != 24*time.Hour || strings.Trim(rest, "on ") != "" {
		return calendarDay{}, false
	}
	return calendarDay{strings.Trim(year, "年, "), from.Format("01-02")}, true
}

// maxWordings bounds the result of Wordings.
const maxWordings = 64

// Wordings returns an object of a key, and its forms in the other language. A goal to learn something may
// include the verb or not.
func Wordings(object string, goal bool) []string {
	out := []string{object}
	if a, b, two := strings.Cut(object, "|"); two { // a choice; the order may differ by language
		for _, x := range Wordings(a, false)[1:] {
			for _, y := range Wordings(b, false)[1:] {
				out = append(out, min(x, y)+"|"+max(x, y))
			}
		}
		return out
	}
	row := concepts(object)
	if len(row) == 0 || slices.ContainsFunc(row, func(c concept) bool { return c.literal != "" }) {
		return out
	}
	if goal {
		row = withoutLearning(row)
	}
	chinese := !lang.HasHan(object)
	for _, w := range spelled(row, chinese) {
		out = append(out, w)
		switch {
		case goal && chinese:
			out = append(out, "学"+w, "学习"+w)
		case goal:
			out = append(out, "learn-"+w, "learn-to-"+w)
		}
	}
	return out
}

// spelled returns the spellings of a row of words in one language.
func spelled(row []concept, chinese bool) []string {
	out := []string{""}
	for i, c := range row {
		var longer []string
		for _, before := range out {
			for _, w := range c.word.Same() {
				if lang.HasHan(w) != chinese || len(longer) > maxWordings {
					continue
				}
				if chinese {
					longer = append(longer, before+w)
					continue
				}
				w = strings.TrimPrefix(before+"-"+strings.ReplaceAll(w, " ", "-"), "-")
				longer = append(longer, w)
				if i == len(row)-1 {
					longer = append(longer, lang.Plural(w))
				}
			}
		}
		out = longer
	}
	return out
}
