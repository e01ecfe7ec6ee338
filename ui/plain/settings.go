package plain

import (
	"errors"
	"slices"

	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/config"
)

// settings says every setting, or those with these words; one alone with all there
// is to say about it.
func (s *session) settings(words string) {
	all, ok := s.allSettings()
	if !ok {
		return
	}
	found := config.Match(all, words)
	if one, err := config.Find(words); err == nil {
		found = withKey(all, one.Key)
	}
	switch len(found) {
	case 0:
		s.say("no setting has these words: %s", clean.Line(words))
		return
	case 1:
		s.sayAll(found[0])
		return
	}
	var rows []string
	for _, i := range found {
		row := i.Key + ": " + i.Value
		if i.Later != "" {
			row += ", after restart " + i.Later
		}
		if i.Set() {
			row += " (" + i.From.String() + ")"
		}
		rows = append(rows, clean.Line(row))
	}
	s.pages(rows, len(rows), "setting", "settings", "/settings and its name says what it is for; /set and its name and a value changes it")
}

// allSettings are the settings; ok is false when there are none to see, which is
// said.
func (s *session) allSettings() (all []config.Setting, ok bool) {
	if s.o.Settings == nil {
		s.say("there are no settings to change here")
		return nil, false
	}
	all, err := s.o.Settings.List()
	if err != nil {
		s.say("error: the file as it is now cannot be used: %s", clean.Line(err.Error()))
	}
	return all, len(all) > 0
}

// withKey returns the setting with this key.
func withKey(all []config.Setting, key string) []config.Setting {
	i := slices.IndexFunc(all, func(i config.Setting) bool { return i.Key == key })
	return all[i : i+1]
}

// sayAll says everything about a setting.
func (s *session) sayAll(i config.Setting) {
	s.say("%s is %s", i.Key, clean.Line(i.Value))
	for _, line := range []struct{ name, text string }{
		{"what it is for", i.Help}, {"after restart", i.Later}, {"allowed", i.Allowed}, {"default", i.Default},
		{"it comes from", i.Source()}, {"variable", i.Variable}, {"takes effect", i.Effect()}, {"note", i.Note},
	} {
		if line.text != "" {
			s.say("%s: %s", line.name, clean.Line(line.text))
		}
	}
}

// set changes a setting: "rag_top_n 7". A name alone says it; undo takes the last
// change back.
func (s *session) set(arg string) {
	all, ok := s.allSettings()
	if !ok {
		return
	}
	word, value, ok := config.Cut(arg)
	switch i, err := config.Find(word); {
	case word == "undo" || word == "撤销":
		s.settled(s.o.Settings.Undo())
	case err != nil:
		s.say("error: %s", clean.Line(err.Error()))
	case !ok:
		s.sayAll(withKey(all, i.Key)[0])
		s.say("/set %s and a value changes it, /unset %s gives it its default, /set undo takes the last change back", i.Key, i.Key)
	default:
		s.settled(s.o.Settings.Set(i.Key, value))
	}
}

func (s *session) unset(word string) {
	if _, ok := s.allSettings(); ok {
		s.settled(s.o.Settings.Unset(word))
	}
}

// settled says what became of a change.
func (s *session) settled(c app.Change, err error) {
	switch {
	case errors.Is(err, app.ErrNothing):
		s.say("no setting was changed in this run")
	case err != nil:
		s.say("error: %s", clean.Line(err.Error()))
	default:
		s.say("%s", clean.Line(c.Words()))
	}
}
