package config

import (
	"reflect"
	"sync"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory/bounds"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/ui/setting"
	"memoria/ui/term"
)

// KindOf says how a setting is changed; choices are what it, or each entry of
// it, may be.
func KindOf(v reflect.Value, choices []string) setting.Kind {
	switch {
	case v.Type() == durationType:
		return setting.Duration
	case v.Kind() == reflect.Bool:
		return setting.Switch
	case v.Kind() == reflect.Slice:
		return setting.List
	case v.Kind() == reflect.String && len(choices) > 0:
		return setting.Choice
	case v.Kind() == reflect.String:
		return setting.Text
	}
	return setting.Number
}

// Limits is what a setting may be, in words, and where these can be listed one by
// one. min and max are set where it is a range of numbers.
type Limits struct {
	Words    string
	Choices  []string
	min, max string
}

// Allowed are the limits of every setting, as the packages that own it declare them.
var Allowed = sync.OnceValue(func() map[string]Limits {
	out := map[string]Limits{"agent": {Words: agentIDs}}
	for _, key := range Keys() {
		if v := bounds.Field(reflect.ValueOf(Default()), key); v.Kind() == reflect.Bool {
			out[key] = Limits{Words: "true or false"}
		}
	}
	for _, t := range []struct {
		table    string
		settings []bounds.Setting
	}{
		{"model", model.Settings()}, {"chat", chat.Settings()}, {"context", chat.ContextSettings()},
		{"memory", manager.Settings()}, {"embedding", model.EmbedSettings()}, {"embedding", recall.VectorSettings()},
		{"journal", journal.Settings()}, {"backup", manager.BackupSettings()}, {"ui", term.Settings()},
	} {
		for _, s := range t.settings {
			out[t.table+"."+s.Key] = Limits{Words: s.Allowed, Choices: s.Choices, min: s.Min, max: s.Max}
		}
	}
	return out
})
