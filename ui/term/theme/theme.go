package theme

import (
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"
)

// Kind names a choice of colours in the configuration.
type Kind string

// The kinds of theme.
const (
	Auto  Kind = "auto"  // dark or light, as the terminal answers
	Dark  Kind = "dark"  // for dark backgrounds
	Light Kind = "light" // for light backgrounds
	None  Kind = "none"  // no escape sequences at all
	// Contrast has few colours, each at least 7:1 against its background (WCAG
	// 2.1, 1.4.6), and says with weight and underline what others say by tint.
	Contrast Kind = "contrast"
)

// Kinds are all kinds, in the order in which a choice lists them.
func Kinds() []Kind { return []Kind{Auto, Dark, Light, Contrast, None} }

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(Kinds(), k) }

// Asks reports whether k depends on what background the terminal has.
func (k Kind) Asks() bool { return k == Auto || k == Contrast }

// Styles are the looks of all parts. The zero value renders plain text.
type Styles struct {
	Text   lipgloss.Style // running text
	Dim    lipgloss.Style // secondary text: times, hints, figures
	Strong lipgloss.Style // the most important text
	Accent lipgloss.Style // names and the focus
	Good   lipgloss.Style // saved, learned
	Warn   lipgloss.Style // waiting, degraded, cut
	Bad    lipgloss.Style // failed, deleted

	User  lipgloss.Style // heading of what the user said
	Agent lipgloss.Style // heading of what the agent said

	Rule      lipgloss.Style // lines between the panes
	RuleFocus lipgloss.Style // the line over the pane that has the focus
	Selected  lipgloss.Style // the row under the list's cursor
	Mark      lipgloss.Style // the words that are pointed at
	Key       lipgloss.Style // names of keys

	// Cursor is the colour of the real cursor; nil leaves the terminal's own.
	Cursor color.Color
	// Dark says which kind of background the colours are made for.
	Dark bool
	// Plain is true when nothing may be styled.
	Plain bool
	// Patterns is true when the parts of a picture must differ by more than their colours.
	Patterns bool
	// High is true for [Contrast].
	High bool
	// Few is true when there are sixteen colours.
	Few bool
}

// New returns the styles of a kind. For [Auto] and [Contrast], dark says what the
// terminal answered; it is ignored otherwise.
func New(kind Kind, dark bool) Styles {
	switch kind {
	case None:
		return Styles{Plain: true, Dark: true}
	case Dark:
		dark = true
	case Light:
		dark = false
	}
	pick := lipgloss.LightDark(dark)
	fg := func(light, dark string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(pick(lipgloss.Color(light), lipgloss.Color(dark)))
	}
	if kind == Contrast {
		return contrast(fg, dark)
	}
	accent := fg("#00658a", "#7dcfff")
	return Styles{
		Text:      lipgloss.NewStyle(),
		Dim:       fg("#6b7080", "#828bb0"),
		Strong:    lipgloss.NewStyle().Bold(true),
		Accent:    accent,
		Good:      fg("#2f6f2f", "#9ece6a"),
		Warn:      fg("#8a5a00", "#e0af68"),
		Bad:       fg("#b3263e", "#f7768e"),
		User:      fg("#6a3fb5", "#bb9af7").Bold(true),
		Agent:     accent.Bold(true),
		Rule:      fg("#b6b9c6", "#3b4261"),
		RuleFocus: accent,
		Selected:  lipgloss.NewStyle().Reverse(true),
		Mark:      lipgloss.NewStyle().Reverse(true),
		Key:       accent,
		Dark:      dark,
	}
}

// contrast is the theme for eyes that need it.
func contrast(fg func(light, dark string) lipgloss.Style, dark bool) Styles {
	text := fg("#000000", "#ffffff")
	accent := fg("#00008b", "#ffff00").Bold(true)
	return Styles{
		Text:      text,
		Dim:       text,
		Strong:    text.Bold(true),
		Accent:    accent,
		Good:      fg("#004d00", "#7dff7d"),
		Warn:      fg("#5c2e00", "#ffd27d").Bold(true),
		Bad:       fg("#8b0000", "#ffb3b3").Bold(true).Underline(true),
		User:      text.Bold(true).Underline(true),
		Agent:     accent.Underline(true),
		Rule:      text,
		RuleFocus: accent,
		Selected:  lipgloss.NewStyle().Reverse(true).Bold(true),
		Mark:      lipgloss.NewStyle().Reverse(true),
		Key:       accent,
		Dark:      dark,
		High:      true,
	}
}
