package config

import (
	"strings"

	"memoria/memory/bounds"
	"memoria/ui/term/theme"
)

// UI is the [ui] table: how the program looks in a terminal.
type UI struct {
	// Theme is "auto", "dark", "light", "contrast" or "none"; auto and contrast
	// depend on the background that the terminal reports.
	Theme theme.Kind `toml:"theme"`
	// Language is the language of the interface: "auto", which is that of the locale, "en" or
	// "zh".
	Language Language `toml:"language" effect:"restart"`
	// Mouse lets the wheel scroll and a click choose a pane. Most terminals then
	// select text only while Shift is held.
	Mouse bool `toml:"mouse"`
	// PanelWidth is the panel's share of a wide screen, in percent.
	PanelWidth int `toml:"panel_width"`
	// ScreenReader talks line by line instead of drawing a screen.
	ScreenReader bool `toml:"screen_reader" effect:"restart"`
}

// Language is a language of the interface.
type Language string

// The languages, and the choice of one by the locale.
const (
	LanguageAuto    Language = "auto"
	LanguageEnglish Language = "en"
	LanguageChinese Language = "zh"
)

// Spoken returns the language that the setting means in an environment. Auto is Chinese when
// the locale is: the first of LC_ALL, LC_MESSAGES and LANG that is not empty.
func (l Language) Spoken(env []string) Language {
	if l == LanguageEnglish || l == LanguageChinese {
		return l
	}
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale := strings.ToLower(Lookup(env, variable))
		if locale == "" {
			continue
		}
		if name := strings.FieldsFunc(locale, func(r rune) bool { return r < 'a' || r > 'z' }); len(name) > 0 && name[0] == "zh" {
			return LanguageChinese
		}
		break
	}
	return LanguageEnglish
}

// Language returns the language of the interface, also when the configuration has faults.
func (s Source) Language() Language { return Read(s).Config.UI.Language.Spoken(s.Env) }

func defaultUI() UI {
	return UI{Theme: theme.Auto, Language: LanguageAuto, Mouse: true, PanelWidth: 40}
}

func uiSettings() []bounds.Setting {
	return []bounds.Setting{
		bounds.OneOf("theme", theme.Kinds()...), bounds.OneOf("language", LanguageAuto, LanguageEnglish, LanguageChinese),
		bounds.Between("panel_width", 20, 70),
	}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c UI) Validate() error { return bounds.Check(c, uiSettings()) }
