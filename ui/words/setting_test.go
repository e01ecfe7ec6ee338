package words

import (
	"testing"

	"memoria/ui/clean"
	"memoria/ui/config"
)

// I5: every setting has a name in both languages: one that fits beside its value, and that no other
// setting of its table has.
func TestSettingsHaveNames(t *testing.T) {
	for _, w := range []Words{{English}, {Chinese}} {
		seen := map[string]string{}
		for _, s := range config.Settings() {
			title := w.Setting(s).Title
			if title == "" || w.Language == Chinese && title == (Words{English}).Setting(s).Title {
				t.Errorf("%s has no name in %v: %q", s.Key, w.Language, title)
			}
			if n := clean.Width(title); n > 24 {
				t.Errorf("%s: %q is %d cells wide", s.Key, title, n)
			}
			if other := seen[s.Table()+" "+title]; other != "" {
				t.Errorf("%s and %s are both %q", s.Key, other, title)
			}
			seen[s.Table()+" "+title] = s.Key
		}
	}
}
