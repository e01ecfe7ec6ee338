package theme

import (
	"image/color"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"memoria/ui/term/shapes"
)

// Ink is the look of a part of a picture: a colour and the character that fills a cell.
type Ink struct {
	Style lipgloss.Style
	Fill  string
}

// Pictures use the terminal's own sixteen colours. Unlike others, these stay apart from each
// other on every terminal: reducing a colour to sixteen makes yellow and orange red.
const (
	red = iota + 1
	green
	yellow
	blue
	magenta
	cyan
	grey
)

// own is a colour of the terminal, in the shade for the background.
func (s Styles) own(c int) color.Color {
	switch {
	case c == grey && !s.Dark:
		return lipgloss.BrightBlack
	case c != grey && s.Dark:
		c += 8
	}
	return ansi.BasicColor(c)
}

func (s Styles) tint(c int) lipgloss.Style {
	if s.Plain {
		return lipgloss.NewStyle()
	}
	return lipgloss.NewStyle().Foreground(s.own(c))
}

// patterned reports whether the parts of a picture differ by their characters.
func (s Styles) patterned() bool { return s.Plain || s.Patterns || s.High }

// full is the character of every part where colours tell them apart.
const full = "█"

// ScoreInks are the looks of the parts of a score, in the order of words.ScoreShape.
func (s Styles) ScoreInks() []Ink {
	return s.inks([]int{blue, magenta, green, yellow, cyan, grey}, []string{full, "▓", "▒", "░", "▚", "▞"}, 0)
}

// LayerInks are the looks of the layers of a turn, in the order of words.Layers. There are
// more layers than colours: the second half has another character as well.
func (s Styles) LayerInks() []Ink {
	return s.inks([]int{blue, magenta, yellow, green, cyan, red, magenta, grey, green, cyan},
		[]string{full, "▒", "▚", "▓", "▌", "░", "▞", "▄", "▘", "▀"}, 6)
}

// inks joins colours and patterns. Without patterns, the first plain ones are full, and the
// others are shaded; 0 means that all are full.
func (s Styles) inks(colours []int, patterns []string, plain int) []Ink {
	out := make([]Ink, len(colours))
	for i, c := range colours {
		out[i] = Ink{Style: s.tint(c), Fill: full}
		switch {
		case s.patterned():
			out[i].Fill = patterns[i]
		case plain > 0 && i >= plain:
			out[i].Fill = "▒"
		}
	}
	return out
}

// shadesOfDay are the characters of a day of the calendar, by how much was learned.
var shadesOfDay = [shapes.Levels + 1]string{"·", "░", "▒", "▓", full}

// Day is a day of the calendar in two cells: a shade for what was learned, and a sign where
// something was forgotten (×) or replaced (~). A chosen day is marked.
func (s Styles) Day(level int, replaced, forgotten, chosen bool) string {
	shade, sign, after := shadesOfDay[level], " ", lipgloss.NewStyle()
	switch {
	case forgotten:
		sign, after = "×", s.tint(red)
	case replaced:
		sign, after = "~", s.tint(yellow)
	}
	switch {
	case chosen && s.Plain:
		return "◆" + sign
	case chosen:
		return s.Selected.Render(shade + sign)
	case level == 0:
		return s.Dim.Render(shade) + after.Render(sign)
	}
	return s.tint(green).Render(shade) + after.Render(sign)
}

// DayLegend are the looks of what the calendar counts: learned, replaced, forgotten.
func (s Styles) DayLegend() []Ink {
	return []Ink{{s.tint(green), "░▒▓" + full}, {s.tint(yellow), "~"}, {s.tint(red), "×"}}
}

// Kind is the look of the name of a type of memory. The name says what it is; the colour only
// helps to find it.
func (s Styles) Kind(name string) lipgloss.Style {
	if s.Plain || s.High {
		return s.Dim
	}
	kinds := []string{"rule", "goal", "relationship", "fact", "preference", "pattern"} // red to cyan
	if i := slices.Index(kinds, name); i >= 0 {
		return s.tint(red + i)
	}
	return s.Dim
}

// Bar paints a bar of parts in width cells. whole is the sum that fills them.
func (s Styles) Bar(parts []float64, inks []Ink, whole float64, width int) string {
	if s.patterned() {
		return s.Cells(shapes.Split(parts, whole, width, false), inks, " ", width)
	}
	var b strings.Builder
	cells := shapes.Stack(parts, whole, width)
	for i := 0; i < len(cells); {
		c, n := cells[i], 1
		for i+n < len(cells) && cells[i+n] == c {
			n++
		}
		style := inks[c.Left].Style
		if c.Right != shapes.None {
			style = style.Background(inks[c.Right].Style.GetForeground())
		}
		b.WriteString(style.Render(strings.Repeat(c.Block(), n)))
		i += n
	}
	return b.String() + strings.Repeat(" ", max(0, width-len(cells)))
}

// Gauge paints how much of a whole is taken, in width cells.
func (s Styles) Gauge(n, of, width int) string {
	ink := []Ink{{Style: s.Accent, Fill: full}}
	if s.patterned() {
		return s.Cells(shapes.Split([]float64{float64(n)}, float64(of), width, true), ink, "·", width)
	}
	cells := shapes.Stack([]float64{float64(n)}, float64(of), width)
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.Block())
	}
	return s.Accent.Render(b.String()) + s.Dim.Render(strings.Repeat("·", max(0, width-len(cells))))
}

// Cells paints parts of whole cells, and rest in those that are left of width.
func (s Styles) Cells(parts []int, inks []Ink, rest string, width int) string {
	var b strings.Builder
	for i, n := range parts {
		if n > 0 {
			b.WriteString(inks[i].Style.Render(strings.Repeat(inks[i].Fill, n)))
			width -= n
		}
	}
	if width > 0 {
		b.WriteString(s.Dim.Render(strings.Repeat(rest, width)))
	}
	return b.String()
}

// Legend names the parts of a picture, wrapped into width cells: "■ words ■ recent". A part
// without a name is left out.
func (s Styles) Legend(inks []Ink, names []string, width int) (out []string) {
	line, used := "", 0
	for i, ink := range inks {
		if names[i] == "" {
			continue
		}
		name := ansi.Truncate(names[i], max(1, width-3), "…")
		n := 2 + ansi.StringWidth(s.Swatch(ink)) + ansi.StringWidth(name)
		if used > 0 && used+n > width {
			out, line, used = append(out, line), "", 0
		}
		line += " " + s.Swatch(ink) + " " + s.Dim.Render(name)
		used += n
	}
	if used > 0 {
		out = append(out, line)
	}
	return out
}

// Swatch is the sign of a part in a legend.
func (s Styles) Swatch(i Ink) string {
	if i.Fill == full && !s.patterned() {
		return i.Style.Render("■")
	}
	return i.Style.Render(i.Fill)
}
