package config

import "fmt"

// flagOf is the flag that sets a setting.
var flagOf = map[string]string{"agent": "agent", "model.name": "model"}

// Describe returns every setting as it is in l, in the order of the example. next is
// the newest reading of the same source: the lines are those of its file, and what
// differs takes effect after a restart.
func (l *Loaded) Describe(next *Loaded) []Setting {
	all := Settings()
	for n := range all {
		s := &all[n]
		s.Value = typed(l.Config.field(s.Key))
		s.From, s.Where = l.origin(next.source, s.Key)
		if later := typed(next.Config.field(s.Key)); len(next.Faults) == 0 && later != s.Value {
			s.Later = later
		}
		s.Note = l.keyNote(s.Key)
		if s.Key == "embedding.api_key_env" && l.Config.Embedding.BaseURL == "" {
			s.Note = "the key of [model] is used"
		}
		if name, value := variable(l.Env, s.Key); value != "" && l.From[s.Key] == FromRun {
			s.Note = name + " is set, and overrides the file after restart"
		}
	}
	return all
}

// Origin returns where the value of a setting, or of an entry of agents or prices, was
// set, and the place: FILE:LINE, the variable or the flag.
func (l *Loaded) Origin(key string) (from Origin, where string) { return l.origin(l.source, key) }

// Line returns the line of the file that sets a key, or opens its table; 0 for none.
func (l *Loaded) Line(key string) int { return lineOf(l.source, key) }

func (l *Loaded) origin(source, key string) (from Origin, where string) {
	switch from = l.From[key]; from {
	case FromFile:
		return from, fmt.Sprintf("%s:%d", l.Path, lineOf(source, key))
	case FromEnvironment:
		name, value := variable(l.Env, key)
		if value == "" {
			name = BaseURLVariable
		}
		return from, name
	case FromFlag:
		return from, "--" + flagOf[key]
	case FromRun:
		if line := lineOf(source, key); line > 0 {
			return FromFile, fmt.Sprintf("%s:%d", l.Path, line)
		}
		return FromDefault, "" // it was removed from the file meanwhile
	}
	return FromDefault, ""
}

// keyNote says whether the variable that a setting names holds an API key; empty for
// other settings.
func (l *Loaded) keyNote(key string) string {
	if !namesKey(key) {
		return ""
	}
	switch name := l.Config.field(key).String(); {
	case name == "":
		return "no key is sent"
	case Lookup(l.Env, name) == "":
		return "this variable is not set"
	}
	return "this variable is set"
}

// Overridden names the variable that is stronger than the file for a setting; empty when
// none is set.
func (s Source) Overridden(key string) string {
	if name, value := variable(s.Env, key); value != "" {
		return name + " is set, and counts more than the file"
	}
	return ""
}
