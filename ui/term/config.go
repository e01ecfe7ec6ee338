package term

import (
	"memoria/memory/bounds"
	"memoria/ui/term/theme"
)

// Config is the [ui] table of the configuration.
type Config struct {
	// Theme is "auto", "dark", "light", "contrast" or "none"; auto and contrast
	// ask the terminal for its background.
	Theme theme.Kind `toml:"theme"`
	// Mouse lets the wheel scroll and a click choose a pane. Without it the
	// terminal selects text as usual; with it most do while shift is held.
	Mouse bool `toml:"mouse"`
	// PanelWidth is the panel's share of a wide screen, in percent.
	PanelWidth int `toml:"panel_width"`
	// ScreenReader talks line by line instead of drawing a screen.
	ScreenReader bool `toml:"screen_reader"`
}

// DefaultConfig returns the defaults.
func DefaultConfig() Config {
	return Config{Theme: theme.Auto, Mouse: true, PanelWidth: 40}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{bounds.OneOf("theme", theme.Kinds()...), bounds.Between("panel_width", 20, 70)}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }
