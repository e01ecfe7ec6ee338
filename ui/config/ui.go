package config

import (
	"memoria/memory/bounds"
	"memoria/ui/term/theme"
)

// UI is the [ui] table: how the program looks in a terminal.
type UI struct {
	// Theme is "auto", "dark", "light", "contrast" or "none"; auto and contrast
	// depend on the background that the terminal reports.
	Theme theme.Kind `toml:"theme"`
	// Mouse lets the wheel scroll and a click choose a pane. Most terminals then
	// select text only while Shift is held.
	Mouse bool `toml:"mouse"`
	// PanelWidth is the panel's share of a wide screen, in percent.
	PanelWidth int `toml:"panel_width"`
	// ScreenReader talks line by line instead of drawing a screen.
	ScreenReader bool `toml:"screen_reader" effect:"restart"`
}

func defaultUI() UI {
	return UI{Theme: theme.Auto, Mouse: true, PanelWidth: 40}
}

func uiSettings() []bounds.Setting {
	return []bounds.Setting{bounds.OneOf("theme", theme.Kinds()...), bounds.Between("panel_width", 20, 70)}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c UI) Validate() error { return bounds.Check(c, uiSettings()) }
