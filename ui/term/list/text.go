package list

import (
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
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

// Verbatim returns a text with its own line breaks, wrapped and indented, and how many of its
// characters are hidden.
func Verbatim(w words.Words, style, warn Styler, text string, width, indent int) (out []string) {
	text, hidden := clean.Text(text)
	for _, l := range clean.Wrap(text, max(narrowest, width-indent-1)) {
		out = append(out, strings.Repeat(" ", indent)+style.Render(l))
	}
	if hidden > 0 {
		out = append(out, Wrapped(warn, "! "+w.Count(hidden, "hidden character"), width, indent)...)
	}
	return out
}

// Labelled returns a value after its label, wrapped and indented, with the labels in a column;
// nothing without a value. A label that is wider than the column has a line of its own.
func Labelled(names, style Styler, label, value string, width, indent, column int) (out []string) {
	if value = clean.Line(value); value == "" {
		return nil
	}
	if label = clean.Line(label); cells.Width(label) >= column {
		out, label = Wrapped(names, label, width, indent), ""
	}
	for _, l := range clean.Wrap(value, max(narrowest, width-indent-column-1)) {
		out = append(out, strings.Repeat(" ", indent)+names.Render(cells.Fit(label, column))+style.Render(l))
		label = ""
	}
	return out
}

// Hints names keys and their effects, and last after them, wrapped between keys and never
// inside one. last may name several keys with dots between them, and is kept together where it
// fits a line.
func Hints(style Styler, width int, last string, bindings ...key.Binding) []string {
	var parts []string
	for _, b := range bindings {
		parts = append(parts, unbroken(b.Help().Key+" "+b.Help().Desc))
	}
	switch {
	case last == "":
	case cells.Width(last) <= width-2:
		parts = append(parts, unbroken(last))
	default:
		for part := range strings.SplitSeq(last, dot) {
			parts = append(parts, unbroken(part))
		}
	}
	return Joined(style, parts, dot, width, 1)
}

// dot is between keys.
const dot = " · "

func unbroken(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// Joined returns parts with a text between them, wrapped and indented, with room for the text
// at the end of a line. A part is broken only where it is wider than a line.
func Joined(style Styler, parts []string, between string, width, indent int) (out []string) {
	room := max(narrowest, width-indent-1)
	lead, line := strings.Repeat(" ", indent), ""
	flush := func() {
		for _, l := range clean.Wrap(line, room) {
			out = append(out, lead+style.Render(l))
		}
	}
	for i, p := range parts {
		after := ""
		if i < len(parts)-1 {
			after = strings.TrimRight(between, " ")
		}
		switch {
		case line == "":
			line = p
		case cells.Width(line+between+p+after) <= room:
			line += between + p
		default:
			flush()
			line = p
		}
	}
	flush()
	return out
}

// Chosen paints the line under the cursor in its whole width. The first lead cells keep their
// looks.
func Chosen(s theme.Styles, line string, lead, width int) string {
	if s.Plain {
		return line
	}
	rest := cells.Fit(ansi.Strip(ansi.TruncateLeft(line, lead, "")), max(0, width-lead))
	return ansi.Truncate(line, min(lead, width), "") + s.Selected.Render(rest)
}

// Left returns the whole seconds until then, at least 0.
func Left(now, then time.Time) int { return max(0, int((then.Sub(now)+time.Second-1)/time.Second)) }

// Count is [words.Language.Count] with a space between each three digits.
func Count(w words.Words, n int, what string) string {
	return strings.Replace(w.Count(n, what), strconv.Itoa(n), cells.Number(n), 1)
}
