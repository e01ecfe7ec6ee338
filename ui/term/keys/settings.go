package keys

import "charm.land/bubbles/v2/key"

// Settings works in the part that shows the settings.
type Settings struct {
	Moves
	Edit, Detail, Reset, Undo, Filter, Copy key.Binding
}

func newSettings(l Moves, filter key.Binding) Settings {
	return Settings{
		Moves:  l,
		Edit:   bind("enter", "change", "enter", "e"),
		Detail: bind("o", "all about it", "o"),
		Reset:  bind("d", "default", "d", "backspace", "delete"),
		Undo:   bind("u", "undo", "u"),
		Filter: filter,
		Copy:   bind("y", "copy", "y"),
	}
}

// settingsGroup is the help of that part.
func (m Map) settingsGroup() Group {
	s := m.Settings
	s.Edit.SetHelp("enter / e", "change a setting, now and in the file, when ctrl+s saves it")
	s.Detail.SetHelp("o", "all about it: help, what is allowed, where it comes from")
	s.Reset.SetHelp("d", "back to the default: it is taken out of the file")
	s.Undo.SetHelp("u", "take the last change back")
	s.Filter.SetHelp("/", "only settings with these words")
	return Group{"Settings", []key.Binding{s.Up, s.Down, s.Edit, s.Detail, s.Reset, s.Undo, s.Filter, s.Copy}}
}
