package status

import (
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Saving says whether everything the user wrote is on the disk.
type Saving int

// The states of saving.
const (
	Saved Saving = iota
	InWork
	Failed
)

// Top is what the first line says.
type Top struct {
	Words words.Words

	Agent, Model, Endpoint, Title string
	Color                         string // of the agent's name; empty for the theme's own
	Turns                         int
	Saving                        Saving
	// Notice takes the place of model, title and saving where nothing is saved.
	Notice string
	// Demo marks a memory that is thrown away at the end.
	Demo bool
}

// View draws the line in w cells. The title gives way first, then the endpoint.
func (t Top) View(s theme.Styles, w int) string {
	right := ""
	if t.Turns > 0 {
		right = s.Dim.Render(list.Count(t.Words, t.Turns, "turn") + "  ")
	}
	switch {
	case t.Notice != "":
	case t.Saving == Saved:
		right += s.Good.Render("● " + t.Words.Say("top.saved") + " ")
	case t.Saving == InWork:
		right += s.Warn.Render("○ " + t.Words.Say("top.saving"))
	case t.Saving == Failed:
		right += s.Bad.Render("✗ " + t.Words.Say("top.unsaved"))
	}
	right += " "
	room := w - cells.Width(right) - 1
	parts := []string{clean.Line(t.Agent), clean.Line(t.Model)}
	if e := clean.Line(t.Endpoint); e != "" && w >= 90 {
		parts[1] = t.Words.Say("top.model", parts[1], e)
	}
	left := s.Strong.Render(" memoria")
	if t.Demo {
		left += s.Warn.Render(" " + t.Words.Say("top.demo"))
	}
	left += "   "
	if parts[0] != "memoria" { // the default agent bears the program's name
		style := s.Accent
		if t.Color != "" {
			style = s.Shade(t.Color)
		}
		left += style.Render(parts[0]) + s.Dim.Render(" · ")
	}
	if t.Notice != "" {
		notice := clean.Truncate(clean.Line(t.Notice), max(0, room-cells.Width(left)), cells.Ellipsis)
		return cells.Spread(left+s.Warn.Render(notice), right, w)
	}
	left += s.Dim.Render(parts[1])
	if title := clean.Line(t.Title); title != "" {
		if left2 := room - cells.Width(left) - 3; left2 >= 8 {
			left += s.Dim.Render(" · ") + s.Text.Render(clean.Truncate(title, left2, cells.Ellipsis))
		}
	}
	return cells.Spread(left, right, w)
}

// Bottom is what the last line says.
type Bottom struct {
	Words words.Words

	Keys []key.Binding
	// Say replaces the keys: a question or what just happened.
	Say    string
	Tokens int // of the last package, an estimate
	Window int // messages in it
	Took   time.Duration
	Cost   string // of the last turn, with its currency; empty when unknown
	// Index names the indexes that are not ready; empty when all are.
	Index string
}

// View draws the line in w cells. Keys that do not fit are left out whole.
func (b Bottom) View(s theme.Styles, w int) string {
	right := b.figures(s, w)
	room := w - cells.Width(right) - 2
	if b.Say != "" {
		if cells.Width(clean.Line(b.Say)) > room { // the figures give way
			right, room = "", w-2
		}
		return cells.Spread(" "+s.Warn.Render(clean.Truncate(clean.Line(b.Say), max(0, room), cells.Ellipsis)), right, w)
	}
	left := " "
	used := 1
	for _, k := range b.Keys {
		h := k.Help()
		n := cells.Width(h.Key) + 1 + cells.Width(h.Desc)
		if used > 1 {
			n += 3
		}
		if used+n > room {
			break
		}
		if used > 1 {
			left += s.Dim.Render(" · ")
		}
		left += s.Key.Render(h.Key) + s.Dim.Render(" "+h.Desc)
		used += n
	}
	return cells.Spread(left, right, w)
}

// figures are what stands at the right: the index first, which is never left
// out; of the others as many as leave the keys half of the line.
func (b Bottom) figures(s theme.Styles, w int) string {
	var parts []string
	if b.Took > 0 {
		parts = append(parts, s.Dim.Render(seconds(b.Words, b.Took)))
	}
	if b.Cost != "" {
		parts = append(parts, s.Dim.Render(clean.Line(b.Cost)))
	}
	if b.Tokens > 0 {
		parts = append(parts, s.Dim.Render(b.Words.Say("bottom.sent", list.Count(b.Words, b.Window, "message"))),
			s.Dim.Render("~"+list.Count(b.Words, b.Tokens, "token")))
	}
	right := ""
	for _, p := range parts { // the last to come stands first
		line := p
		if right != "" {
			line += s.Dim.Render(" · ") + right
		}
		if cells.Width(line)+2 > w/2 {
			break
		}
		right = line
	}
	if b.Index != "" {
		index := s.Warn.Render(clean.Line(b.Index))
		if right == "" || cells.Width(index)+cells.Width(right)+4 > w/2 {
			right = index
		} else {
			right = index + s.Dim.Render(" · ") + right
		}
	}
	if right != "" {
		right += " "
	}
	return right
}

// seconds shows a duration with one decimal below a minute.
func seconds(w words.Words, d time.Duration) string {
	if d < time.Minute {
		return w.Say("time.short.seconds", fmt.Sprintf("%.1f", d.Seconds()))
	}
	return w.Say("time.short.minutes", fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60))
}
