package transcript

import (
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// renderer makes the lines of a message.
type renderer struct {
	styles    theme.Styles
	words     words.Pictures
	md        Markdown
	loc       *time.Location
	now       time.Time // the day that needs no date
	width     int
	shortened map[string]string // by id, see [Model.SetShortened]
	thoughts  bool              // what models thought is shown whole
}

// trace is what a tool did, between the words of an answer.
func (r *renderer) trace(it *item) (out []string) {
	for i, l := range clean.Wrap(clean.Line(it.Text), max(1, r.width-headIndent-margin-2)) {
		sign := "  "
		if i == 0 {
			sign = "⌕ "
		}
		out = append(out, r.styles.Dim.Render(sign+l))
	}
	return out
}

func (r *renderer) heading(it *item) string {
	style := r.styles.Shade(it.Color)
	if it.Role == memory.RoleUser {
		style = r.styles.User
	}
	s := style.Render(clean.Line(it.Author))
	if !it.Time.IsZero() {
		s += "  " + r.styles.Dim.Render(r.clock(it.Time))
	}
	if it.Label != "" {
		s += r.styles.Dim.Render(" · " + clean.Line(it.Label))
	}
	return s
}

// clock shows the time of day, with the date when it is not today's.
func (r *renderer) clock(t time.Time) string {
	t = t.In(r.loc)
	now := r.now.In(r.loc)
	switch {
	case r.now.IsZero(), t.YearDay() == now.YearDay() && t.Year() == now.Year():
		return t.Format("15:04")
	case t.Year() == now.Year():
		return r.words.Say("transcript.date", r.words.Month(t.Month()), t.Day(), t.Format("15:04"))
	}
	return t.Format("2006-01-02 15:04")
}

// plain renders a text as it is, not as Markdown, with its mark.
func (r *renderer) plain(it *item, width int) []string {
	if !it.marked() || it.mark[1] > len(it.Text) {
		text, _ := clean.Text(it.Text)
		return trimBlank(clean.Wrap(text, width))
	}
	lo, hi := it.mark[0], it.mark[1]
	before, _ := clean.Text(it.Text[:lo])
	marked, _ := clean.Text(it.Text[lo:hi])
	after, _ := clean.Text(it.Text[hi:])
	// Style line by line: a style must not run over a line's end.
	lines := strings.Split(marked, "\n")
	for i, l := range lines {
		lines[i] = r.styles.Mark.Render(l)
	}
	rows := clean.WrapStyled(before+strings.Join(lines, "\n")+after, width)
	it.markLine = max(0, len(clean.Wrap(before, width))-1-leadingBlank(rows))
	return trimBlank(rows)
}

// footer says how an answer ended when it did not end well, and what a reader
// cannot see in a text.
func (r *renderer) footer(it *item, width int) []string {
	var out []string
	add := func(style interface{ Render(...string) string }, text string) {
		for _, l := range clean.Wrap(clean.Line(text), width) {
			out = append(out, style.Render(l))
		}
	}
	if it.stream == nil {
		if _, hidden := clean.Text(it.Text); hidden > 0 {
			add(r.styles.Warn, "! "+r.words.Count(hidden, "hidden character"))
		}
	}
	if it.Remark != "" {
		add(r.styles.Dim, "↳ "+it.Remark)
	}
	if note := r.shortened[it.ID]; note != "" {
		add(r.styles.Dim, "↳ "+r.words.Say("transcript.for-model", r.words.Translate(note)))
	}
	out = append(out, r.lessonLines(it.Lessons, width)...)
	if it.Offer != "" {
		add(r.styles.Warn, "! "+it.Offer)
	}
	switch it.Status {
	case memory.StatusCancelled:
		add(r.styles.Warn, "■ "+r.words.Say("transcript.cancelled"))
	case memory.StatusInterrupted:
		if it.Note == nil {
			add(r.styles.Warn, "■ "+r.words.Say("transcript.interrupted"))
		}
	case memory.StatusError:
		if it.Note == nil {
			add(r.styles.Bad, "✗ "+r.words.Say("transcript.failed"))
		}
	}
	if n := it.Note; n != nil {
		add(r.styles.Bad, "✗ "+r.words.Translate(n.Title))
		add(r.styles.Text, r.words.Translate(n.Text))
		if n.Hint != "" {
			add(r.styles.Dim, "→ "+r.words.Translate(n.Hint))
		}
	}
	if it.stream == nil {
		out = append(out, r.sourceLines(it.Sources, width)...)
	}
	if it.Ways != "" {
		out = append(out, r.styles.Accent.Render(clean.Line(it.Ways))+r.styles.Dim.Render(" < >"))
	}
	return out
}

// leadingBlank is the number of blank lines at the beginning.
func leadingBlank(lines []string) (n int) {
	for n < len(lines) && strings.TrimSpace(lines[n]) == "" {
		n++
	}
	return n
}

// trimBlank drops blank lines at both ends.
func trimBlank(lines []string) []string {
	lines = lines[leadingBlank(lines):]
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
