package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// shades are those of the agents' colours: on light and on dark backgrounds, and
// the same with high contrast.
var shades = map[string][4]string{
	"red":    {"#b3263e", "#f7768e", "#8b0000", "#ffb3b3"},
	"orange": {"#9a4a00", "#ff9e64", "#6b3000", "#ffc999"},
	"yellow": {"#7a6000", "#e0af68", "#544400", "#ffff00"},
	"green":  {"#2f6f2f", "#9ece6a", "#004d00", "#7dff7d"},
	"cyan":   {"#00658a", "#7dcfff", "#004a55", "#7dffff"},
	"blue":   {"#2a55c0", "#7aa2f7", "#00008b", "#b3ccff"},
	"violet": {"#6a3fb5", "#bb9af7", "#4b0082", "#d9b3ff"},
	"pink":   {"#a8327a", "#ff9ecb", "#7a0052", "#ffb3e0"},
}

// Shade is the look of an agent's heading in one of the colours of memory.AgentColors; any other
// name has that of [Styles].Agent.
func (s Styles) Shade(name string) lipgloss.Style {
	shade, ok := shades[name]
	if !ok || s.Plain {
		return s.Agent
	}
	if s.Few {
		return s.Agent.Foreground(s.own(fewShades[name]))
	}
	light, dark := shade[0], shade[1]
	if s.High {
		light, dark = shade[2], shade[3]
	}
	return s.Agent.Foreground(pick(s.Dark, light, dark))
}

func pick(dark bool, onLight, onDark string) color.Color {
	return lipgloss.LightDark(dark)(lipgloss.Color(onLight), lipgloss.Color(onDark))
}

// Dot is a mark in an agent's colour, which a list shows before its name. Where
// nothing may be coloured the colour's name says it elsewhere.
func (s Styles) Dot(name string) string {
	if name == "" {
		return s.Shade(name).Render("○")
	}
	return s.Shade(name).Render("●")
}
