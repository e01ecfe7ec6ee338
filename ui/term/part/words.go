package part

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
)

// narrowest is what a text is wrapped to in a part that is narrower still, in
// cells.
const narrowest = 8

// Styler paints a text.
type Styler interface{ Render(...string) string }

// Wrapped cleans a text, wraps it into width cells and indents its lines.
func Wrapped(style Styler, text string, width, indent int) []string {
	lines := clean.Wrap(clean.Line(text), max(narrowest, width-indent-1))
	for i, l := range lines {
		lines[i] = strings.Repeat(" ", indent) + style.Render(l)
	}
	return lines
}

// Hints names keys and what they do, with last behind them, wrapped between keys
// and never inside one.
func Hints(style Styler, width int, last string, bindings ...key.Binding) []string {
	var parts []string
	for _, b := range bindings {
		parts = append(parts, unbroken(b.Help().Key+" "+b.Help().Desc))
	}
	if last != "" {
		parts = append(parts, unbroken(last))
	}
	lines := clean.Wrap(strings.Join(parts, " · "), max(narrowest, width-2))
	for i, l := range lines {
		lines[i] = " " + style.Render(strings.Trim(l, " ·"))
	}
	return lines
}

func unbroken(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// Age says how long before now t was, in at most four cells; empty when either is
// unknown.
func Age(now, t time.Time) string {
	if t.IsZero() || now.IsZero() {
		return ""
	}
	const day = 24 * time.Hour
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 365*day:
		return fmt.Sprintf("%dd", d/day)
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}

// Ago says the same in words; what is unknown is just now.
func Ago(now, t time.Time) string {
	const day = 24 * time.Hour
	switch d := now.Sub(t); {
	case t.IsZero(), now.IsZero(), d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	default:
		return fmt.Sprintf("%d d ago", d/day)
	}
}

// Moment is a time to the minute in loc; empty when it is unknown.
func Moment(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(loc).Format("2006-01-02 15:04")
}

// Left is how many whole seconds there are until then, at least 0.
func Left(now, then time.Time) int { return max(0, int((then.Sub(now)+time.Second-1)/time.Second)) }

// Plural counts things whose plural ends in s or, for those in -ry, in ries.
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if stem, ok := strings.CutSuffix(one, "ry"); ok {
		return cells.Number(n) + " " + stem + "ries"
	}
	return cells.Number(n) + " " + one + "s"
}
