package config

import (
	"testing"

	"memoria/ui/term/theme"
)

func TestUIBounds(t *testing.T) {
	if err := defaultUI().Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []UI{{Theme: "pink", PanelWidth: 40}, {Theme: theme.Dark, PanelWidth: 5}, {Theme: theme.Dark, PanelWidth: 90}} {
		if c.Validate() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
