package cli

import (
	"reflect"
	"sync"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory/bounds"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/ui/setting"
	"memoria/ui/term"
)

// kindOfKey says how a setting is changed; choices are what it, or each entry of
// it, may be.
func kindOfKey(v reflect.Value, choices []string) setting.Kind {
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

// limits is what a setting may be, in words, and where these can be listed one by
// one. min and max are set where it is a range of numbers.
type limits struct {
	words    string
	choices  []string
	min, max string
}

// allowed are the limits of every setting, as the packages that own it declare them.
var allowed = sync.OnceValue(func() map[string]limits {
	out := map[string]limits{"agent": {words: agentIDs}}
	for _, key := range Keys() {
		if v := bounds.Field(reflect.ValueOf(DefaultConfig()), key); v.Kind() == reflect.Bool {
			out[key] = limits{words: "true or false"}
		}
	}
	for _, t := range []struct {
		table    string
		settings []bounds.Setting
	}{
		{"model", model.Settings()}, {"chat", chat.Settings()}, {"context", chat.ContextSettings()},
		{"memory", manager.Settings()}, {"embedding", model.EmbedSettings()}, {"embedding", manager.VectorSettings()},
		{"journal", journal.Settings()}, {"backup", manager.BackupSettings()}, {"ui", term.Settings()},
	} {
		for _, s := range t.settings {
			out[t.table+"."+s.Key] = limits{words: s.Allowed, choices: s.Choices, min: s.Min, max: s.Max}
		}
	}
	return out
})
