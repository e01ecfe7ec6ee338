package words

import (
	"strings"
	"sync"

	"memoria/ui/clean"
	"memoria/ui/config"
)

// choices are the lists of what settings may be, by their English.
var choices = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, s := range config.Settings() {
		if last := len(s.Choices) - 1; last > 0 {
			all[s.Allowed] = s.Choices
			all[strings.Join(s.Choices[:last], ", ")+" and "+s.Choices[last]] = s.Choices // in a refusal
		}
	}
	return all
})

// Setting returns a setting with what is said about it in the language: its name, its help, what
// it allows and its note.
func (w Words) Setting(i config.Setting) config.Setting {
	if id := "settings.name." + i.Key; Has(id) {
		i.Title = w.Say(id)
	}
	if help, ok := settingHelp[i.Key]; ok && w.Language == Chinese {
		i.Help = help
	}
	i.Allowed, i.Note = w.Translate(i.Allowed), w.Translate(i.Note)
	return i
}

// SettingRow is a setting in a list, with its value and where it comes from.
func (w Words) SettingRow(i config.Setting) Row {
	row := i.Key + w.colon() + i.Value
	if i.Later != "" {
		row += w.comma() + w.Say("setting.restart", i.Later)
	}
	if i.Set() {
		row += w.paren(w.Translate(i.From.String()))
	}
	row = clean.Line(row)
	return Row{Sentence: row, Columns: row}
}

// source says where the value of a setting comes from.
func source(w Words, i config.Setting) string {
	from := w.Translate(i.From.String())
	if i.Where == "" || !i.Set() {
		return from
	}
	return from + w.comma() + i.Where
}

// SettingFields is everything about a setting but its value.
func (w Words) SettingFields(i config.Setting) (f Fields) {
	i = w.Setting(i)
	f.add(w, "setting.help", i.Help)
	f.add(w, "setting.later", i.Later)
	f.add(w, "setting.allowed", i.Allowed)
	f.add(w, "setting.default", i.Default)
	f.add(w, "setting.source", source(w, i))
	f.add(w, "setting.variable", i.Variable)
	f.add(w, "setting.effect", w.Translate(i.Effect()))
	f.add(w, "setting.note", i.Note)
	return f
}
