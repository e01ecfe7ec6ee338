package term

import (
	"fmt"

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

// Validate reports the first value that is out of its range.
func (c Config) Validate() error {
	if !c.Theme.Valid() {
		return fmt.Errorf("theme is %q; allowed are auto, dark, light, contrast and none", c.Theme)
	}
	if c.PanelWidth < 20 || c.PanelWidth > 70 {
		return fmt.Errorf("panel_width is %d; allowed are 20 to 70 percent", c.PanelWidth)
	}
	return nil
}
