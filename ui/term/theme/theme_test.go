package theme

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"memoria/memory"
	"memoria/ui/term/shapes"
)

// luminance is the relative luminance of WCAG 2.1.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

// ratio is the contrast ratio of WCAG 2.1, 1 to 21.
func ratio(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Every text can be read on its background: 4.5:1 in the usual themes, 7:1 in
// the one for it. Lines between panes are no text.
func TestContrast(t *testing.T) {
	backgrounds := map[bool]color.Color{true: lipgloss.Color("#1a1b26"), false: lipgloss.Color("#ffffff")}
	for _, tt := range []struct {
		kind Kind
		dark bool
		want float64
	}{{Dark, true, 4.5}, {Light, false, 4.5}, {Contrast, true, 7}, {Contrast, false, 7}} {
		v := reflect.ValueOf(New(tt.kind, tt.dark))
		for i := range v.NumField() {
			style, ok := v.Field(i).Interface().(lipgloss.Style)
			name := v.Type().Field(i).Name
			if !ok || name == "Rule" && tt.kind != Contrast {
				continue
			}
			fore := style.GetForeground()
			if _, none := fore.(lipgloss.NoColor); none {
				continue
			}
			if r := ratio(fore, backgrounds[tt.dark]); r < tt.want {
				t.Errorf("%s, dark %v: %s has %.1f:1, want %.1f:1", tt.kind, tt.dark, name, r, tt.want)
			}
		}
	}
}

// Every agent's colour has a shade in every theme, which can be read there.
func TestShades(t *testing.T) {
	if len(shades) != len(memory.AgentColors()) {
		t.Errorf("%d shades for %d colours", len(shades), len(memory.AgentColors()))
	}
	backgrounds := map[bool]color.Color{true: lipgloss.Color("#1a1b26"), false: lipgloss.Color("#ffffff")}
	for _, name := range memory.AgentColors() {
		for _, dark := range []bool{true, false} {
			for kind, want := range map[Kind]float64{Auto: 4.5, Contrast: 7} {
				if r := ratio(New(kind, dark).Shade(name).GetForeground(), backgrounds[dark]); r < want {
					t.Errorf("%s, dark %v: %s has %.1f:1, want %.1f:1", kind, dark, name, r, want)
				}
			}
		}
		if s := New(None, true).Shade(name).Render("x"); s != "x" {
			t.Errorf("%s is styled where nothing may be: %q", name, s)
		}
	}
	if s := New(Dark, true); s.Shade("").GetForeground() != s.Agent.GetForeground() {
		t.Error("no colour is another one")
	}
}

func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		if !k.Valid() {
			t.Errorf("%s is not valid", k)
		}
	}
	if Kind("neon").Valid() {
		t.Error("any kind is valid")
	}
	if s := New(None, true); !s.Plain || s.Accent.Render("x") != "x" {
		t.Error("none is styled")
	}
}

// The parts of a picture differ: by colour in all of sixteen colours, by character without
// colours. A painted bar has exactly its width.
func TestInks(t *testing.T) {
	for _, kind := range Kinds() {
		for _, dark := range []bool{true, false} {
			for _, patterns := range []bool{true, false} {
				s := New(kind, dark)
				s.Patterns = patterns
				for name, inks := range map[string][]Ink{"score": s.ScoreInks(), "layers": s.LayerInks()} {
					seen := map[string]bool{}
					for _, ink := range inks {
						look := ink.Fill
						if !s.patterned() {
							look += fmt.Sprint(colorprofile.ANSI.Convert(ink.Style.GetForeground()))
						}
						if seen[look] {
							t.Errorf("%s, dark %v: two parts of %s look like %s", kind, dark, name, look)
						}
						seen[look] = true
					}
				}
				for width := range 30 {
					bar := s.Bar([]float64{.36, .1, .12, .05, .14, .02}, s.ScoreInks(), .8, width)
					if n := ansi.StringWidth(bar); n != width {
						t.Errorf("a bar has %d cells, want %d: %q", n, width, bar)
					}
					if kind == None && strings.Contains(bar, "\x1b") {
						t.Errorf("styled where nothing may be: %q", bar)
					}
				}
				for level := range shapes.Levels + 1 {
					if n := ansi.StringWidth(s.Day(level, true, level > 1, level > 2)); n != 2 {
						t.Errorf("a day has %d cells", n)
					}
				}
			}
		}
	}
}

// On a terminal with sixteen colours every style has one of them as it is, and grey text is not
// blue. Without colours the patterns differ.
func TestFewColours(t *testing.T) {
	for _, dark := range []bool{true, false} {
		s := New(Auto, dark).For([]string{"TERM=xterm-16color"})
		v := reflect.ValueOf(s)
		for i := range v.NumField() {
			style, ok := v.Field(i).Interface().(lipgloss.Style)
			if !ok {
				continue
			}
			fore := style.GetForeground()
			if _, none := fore.(lipgloss.NoColor); none {
				continue
			}
			if colorprofile.ANSI.Convert(fore) != fore {
				t.Errorf("dark %v: %s is reduced: %v", dark, v.Type().Field(i).Name, fore)
			}
		}
		for _, name := range memory.AgentColors() {
			if fore := s.Shade(name).GetForeground(); colorprofile.ANSI.Convert(fore) != fore {
				t.Errorf("dark %v: the shade %s is reduced: %v", dark, name, fore)
			}
		}
	}
	for env, want := range map[string]bool{
		"TERM=xterm-256color": false, "TERM=xterm-16color": false, "TERM=dumb": true, "TERM=xterm NO_COLOR=1": true,
	} {
		if s := New(Dark, true).For(strings.Fields(env)); s.Patterns != want {
			t.Errorf("%s: patterns %v", env, s.Patterns)
		}
	}
	if s := New(Dark, true); s.For([]string{"TERM=xterm-256color"}).Dim.GetForeground() != s.Dim.GetForeground() {
		t.Error("other terminals have other colours")
	}
}
