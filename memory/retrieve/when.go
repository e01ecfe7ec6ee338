package retrieve

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"time"

	"memoria/index/text"
)

// Span is a time span: From is included, To is not, and a zero side is open.
type Span struct{ From, To time.Time }

// All reports whether the span is open on both sides.
func (s Span) All() bool { return s.From.IsZero() && s.To.IsZero() }

// Has reports whether a moment is in the span.
func (s Span) Has(at time.Time) bool {
	return (s.From.IsZero() || !at.Before(s.From)) && (s.To.IsZero() || at.Before(s.To))
}

// dated is a reference time for parsing when only the words that name a time matter.
var dated = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// readTime records the time that a message names, and returns the message without it.
func (q *Query) readTime(message string, now time.Time) string {
	at := now
	if at.IsZero() {
		at = dated
	}
	rest, from, to, ok := text.Dates(message, at, at.Location())
	if ok && !now.IsZero() {
		q.When = Span{From: from, To: to}
	}
	return rest
}

// Units of measure, separated by white space; lines that begin with # are comments.
//
//go:embed data/units.txt
var unitTable string

// measures matches a number with its unit in a folded text.
var measures = sync.OnceValue(func() *regexp.Regexp {
	var words, signs []string
	for line := range strings.Lines(unitTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, u := range strings.Fields(line) {
			quoted := strings.ReplaceAll(regexp.QuoteMeta(text.Fold(u)), "_", `\s+`)
			if r := first(u); r < 0x80 && (r >= 'a' && r <= 'z') {
				words = append(words, quoted)
			} else {
				signs = append(signs, quoted)
			}
		}
	}
	const number = `(\d+(?:[.,]\d+)?)`
	return regexp.MustCompile(`[$€£¥]\s?` + number + `|` +
		number + `\s*(?:(?:` + strings.Join(words, "|") + `)\b|(?:` + strings.Join(signs, "|") + `))`)
})

// addMeasures makes numbers with a unit distinctive (R5): 45 in 45岁 and "45 years
// old", unlike 45 alone.
func (q *Query) addMeasures(message string) {
	for _, m := range measures().FindAllStringSubmatch(text.Fold(message), -1) {
		q.Distinctive = append(q.Distinctive, text.QueryTerms(m[1]+m[2])...)
	}
}
