package list

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/words"
)

// narrowest is the least width that a text is wrapped to, in cells.
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

// Hints names keys and their effects, and last after them, wrapped between keys and never
// inside one.
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

// Left returns the whole seconds until then, at least 0.
func Left(now, then time.Time) int { return max(0, int((then.Sub(now)+time.Second-1)/time.Second)) }

// Plural writes a number of things; see [words.Count].
func Plural(n int, one string) string { return cells.Number(n) + " " + words.Plural(n, one) }
