package text

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Dates finds the time that a question names ("pottery last week", 去年三月的陶艺) and
// returns the question without it. now is the moment of asking. Days, weeks, months and
// years are those of loc, and weeks begin on Monday.
//
// from is the first moment of that time and to the first one after it. Either may be
// zero for an open side ("since March", 三月之前), never both. Without a year, the last
// such day or month that has begun is meant: questions look back. An ambiguous phrase
// names a time only with a preposition ("in May", "on Friday", "since 2024"; not "may",
// not "2024" alone). Of several times the first counts.
//
// ok is false if no time is named; then rest is the query. rest consists of the query's
// bytes, in order. Only the first 1,000 bytes of a query are read.
//
//	today, yesterday, the day before yesterday, last night, this morning, Friday morning
//	last week, this month, last year, the week before last, last weekend, Friday of last week
//	the last 3 days, the past week, two weeks ago, a few days ago, an hour ago
//	last March, in March, in March 2025, March of last year, in 2025
//	on 3 May, May 3rd 2025, 2026-01-28, 2026/1/28, 2026-01, on Friday, last Friday
//	今天 昨晚 前天 大前天 昨天下午 · 上周 本周 上上周 上周三 星期五 上周末
//	上个月 这个月 上月5号 三月 去年三月 2025年3月 二〇二五年 5月3日 今年 去年 前年
//	三天前 两周前 半年前 几天前 · 最近三天 过去两周 近一个月
//	since X, after X, before X, until X, from X to Y, between X and Y
//	X以来 X之后 X之前 从X到Y
//
// "Two weeks ago" is the whole week, "three months ago" the whole month; "the past week" and "the last 7
// days" are the seven days before today, and today.
func Dates(query string, now time.Time, loc *time.Location) (rest string, from, to time.Time, ok bool) {
	c := calendar{now.In(loc)}
	if y := c.now.Year(); y < firstYear+1 || y > lastYear-1 {
		return query, from, to, false
	}
	q := newDated(query)
	found := q.phrases(c, dateRules())
	for i := range found {
		p, ok := q.joined(c, found[i:])
		if !ok || !p.sound() {
			continue
		}
		return q.without(p.start, p.end), p.from, p.to, true
	}
	return query, from, to, false
}

// Limits of the parser.
const (
	maxDated  = 1000
	firstYear = 1970
	lastYear  = 2999
)

// period is a time span: from is included, to is not. A zero side is open.
type period struct{ from, to time.Time }

func (p period) sound() bool {
	in := func(t time.Time) bool { return t.IsZero() || t.Year() >= firstYear && t.Year() <= lastYear }
	if p.from.IsZero() && p.to.IsZero() || !in(p.from) || !in(p.to) {
		return false
	}
	return p.from.IsZero() || p.to.IsZero() || p.from.Before(p.to)
}

// phrase is a named time, with its bytes in the folded text.
type phrase struct {
	period
	start, end int
	// weak says that the words name a time only after a preposition.
	weak bool
	// yearless says that the year was guessed.
	yearless bool
}

// dateRule reads one form of a time.
type dateRule struct {
	form *regexp.Regexp
	// read returns the time; parts are the matched groups of form.
	read           func(c calendar, parts []string) (period, bool)
	weak, yearless bool
	notAfter       string // characters that, before a match, change its meaning
}

// dated is a folded query with offsets into the original.
type dated struct {
	query  string
	folded string
	from   []int // start in query of each byte of folded, and of its end
	to     []int // end in query of each byte's character
}

func newDated(query string) dated {
	d := dated{query: query}
	head := query[:min(len(query), maxDated)]
	for len(head) < len(query) && len(head) > 0 && !utf8.RuneStart(query[len(head)]) {
		head = head[:len(head)-1]
	}
	var b strings.Builder
	eachFolded(head, func(r rune, start, end int) {
		if unicode.IsSpace(r) {
			r = ' '
		}
		n, _ := b.WriteRune(r)
		for range n {
			d.from, d.to = append(d.from, start), append(d.to, end)
		}
	})
	d.folded = b.String()
	d.from = append(d.from, len(head))
	return d
}

// without returns the query without the source bytes of folded[start:end].
func (d dated) without(start, end int) string {
	lo, hi := d.from[start], d.to[end-1]
	left, right := strings.TrimSpace(d.query[:lo]), strings.TrimSpace(d.query[hi:])
	gap := d.query[len(strings.TrimRightFunc(d.query[:lo], unicode.IsSpace)):lo]
	if gap == "" {
		gap = d.query[hi : len(d.query)-len(strings.TrimLeftFunc(d.query[hi:], unicode.IsSpace))]
	}
	if left == "" || right == "" {
		gap = ""
	}
	return left + gap + right
}

// phrases returns the times named in the text, from left to right. Of overlapping ones
// the first counts, of those with the same start the longest.
func (d dated) phrases(c calendar, rules []dateRule) []phrase {
	var all []phrase
	for _, r := range rules {
		for _, at := range r.form.FindAllStringSubmatchIndex(d.folded, -1) {
			p := phrase{start: at[0], end: at[1], weak: r.weak, yearless: r.yearless}
			if d.cutsNumber(p.start, p.end) || r.notAfter != "" && strings.ContainsRune(r.notAfter, d.before(p.start)) {
				continue
			}
			parts := make([]string, len(at)/2)
			for i := range parts {
				if at[2*i] >= 0 {
					parts[i] = d.folded[at[2*i]:at[2*i+1]]
				}
			}
			var ok bool
			if p.period, ok = r.read(c, parts); ok && p.sound() {
				all = append(all, d.narrowed(c, p))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b phrase) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	out, end := all[:0], 0
	for _, p := range all {
		if p.start >= end {
			out = append(out, p)
			end = p.end
		}
	}
	return out
}

func (d dated) before(at int) rune {
	r, _ := utf8.DecodeLastRuneInString(d.folded[:at])
	return r
}

// cutsNumber reports whether a match begins or ends within a number or a name of several parts
// (2026-01-28-deploy.md, v2026.1.28).
func (d dated) cutsNumber(start, end int) bool {
	in := func(i int, c class) bool {
		return i >= 0 && i < len(d.folded) && d.folded[i] < utf8.RuneSelf && asciiClasses[d.folded[i]]&c != 0
	}
	if in(start, inDigit) && (in(start-1, inWord) || in(start-1, inPath) && in(start-2, inWord)) {
		return true
	}
	return in(end-1, inDigit) && (in(end, inWord) || in(end, inPath) && in(end+1, inWord))
}

// narrowed extends a day by a following part of the day.
func (d dated) narrowed(c calendar, p phrase) phrase {
	if !p.to.Equal(c.after(p.from, 1)) {
		return p
	}
	m := dayPart().FindStringSubmatch(d.folded[p.end:])
	if m == nil {
		return p
	}
	p.period = c.hours(p.from, dayParts[m[1]+m[2]])
	p.end += len(m[0])
	return p
}

// joined combines the first phrase with its surrounding words and, if it begins a
// range, the second phrase.
func (d dated) joined(c calendar, found []phrase) (phrase, bool) {
	p := found[0]
	before, word := d.lead(p.start)
	if len(found) > 1 {
		if whole, ok := d.ranged(c, p, found[1], word); ok {
			whole.start = before
			whole.end += len(rangeTail().FindString(d.folded[whole.end:]))
			return whole, true
		}
	}
	if p.weak && word == "" {
		return p, false
	}
	p.start = before
	switch word {
	case "since", "自", "自从", "从":
		p.to = time.Time{}
	case "after":
		p.period = period{from: p.to}
	case "before":
		p.period = period{to: p.from}
	case "until", "till", "by", "up to":
		p.from = time.Time{}
	}
	tail := trailing().FindStringSubmatch(d.folded[p.end:])
	switch tail[1] {
	case "以来", "起", "开始":
		p.to = time.Time{}
	case "之后", "以后":
		p.period = period{from: p.to}
	case "之前", "以前":
		p.period = period{to: p.from}
	case "为止":
		p.from = time.Time{}
	}
	p.end += len(tail[0])
	return p, true
}

// lead returns the preposition of a time, and where it begins.
func (d dated) lead(start int) (at int, word string) {
	m := leading().FindStringSubmatchIndex(d.folded[:start])
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			at, word = m[i], d.folded[m[i]:m[i+1]]
			if word == "the" {
				word = ""
			}
			return at, word
		}
	}
	return start, ""
}

// ranged combines two times into one if the words between them say so.
func (d dated) ranged(c calendar, p, q phrase, lead string) (phrase, bool) {
	between := strings.TrimSpace(d.folded[p.end:q.start])
	switch between {
	case "to", "until", "till", "through", "-", "–", "—", "~", "到", "至", "直到":
	case "and", "和", "与":
		if lead != "between" && !strings.HasPrefix(d.folded[q.end:], "之间") {
			return p, false
		}
	default:
		return p, false
	}
	if (p.weak || q.weak) && lead == "" {
		return p, false
	}
	for range lastYear - firstYear { // from March to 3 May 2024
		if p.from.Before(q.to) || !p.yearless {
			break
		}
		p.from = c.date(p.from.Year()-1, p.from.Month(), p.from.Day())
	}
	return phrase{period: period{p.from, q.to}, start: p.start, end: q.end}, p.from.Before(q.to)
}
