package theme

import (
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// For returns the styles for a terminal with this environment ("KEY=value"). Where it has
// sixteen colours the styles choose among them, because reducing others to them makes grey text
// a dark blue that is hard to read, and a warning red. Where it has none the parts of pictures
// differ by patterns.
func (s Styles) For(env []string) Styles {
	profile := colorprofile.Env(env)
	s.Patterns = profile <= colorprofile.ASCII
	if profile != colorprofile.ANSI || s.Plain || s.High {
		return s
	}
	s.Few = true
	grey := lipgloss.White
	if !s.Dark {
		grey = lipgloss.BrightBlack
	}
	s.Dim = s.Dim.Foreground(grey)
	s.Rule = s.Rule.Foreground(grey)
	s.Good = s.Good.Foreground(s.own(green))
	s.Warn = s.Warn.Foreground(s.own(yellow))
	s.Bad = s.Bad.Foreground(s.own(red))
	s.User = s.User.Foreground(s.own(magenta))
	accent := s.own(cyan)
	s.Accent, s.Agent = s.Accent.Foreground(accent), s.Agent.Foreground(accent)
	s.RuleFocus, s.Key = s.RuleFocus.Foreground(accent), s.Key.Foreground(accent)
	return s
}

// fewShades are the agents' colours among sixteen.
var fewShades = map[string]int{
	"red": red, "orange": yellow, "yellow": yellow, "green": green, "cyan": cyan, "blue": blue, "violet": magenta, "pink": magenta,
}
