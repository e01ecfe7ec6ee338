package config

import (
	_ "embed" // the example
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory/bounds"
	"memoria/memory/journal"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

// Example is the example of the configuration file. Its values are the defaults, and
// its comments are the help of the settings.
//
//go:embed config.example.toml
var Example string

// Kind says which values a setting takes, and so how it is edited.
type Kind string

// The kinds of settings.
const (
	Text     Kind = "text"
	Number   Kind = "number"
	Duration Kind = "duration"
	Switch   Kind = "switch" // true or false
	Choice   Kind = "choice" // one of Choices
	List     Kind = "list"   // any of Choices, in an order
)

// Setting declares a setting, and holds its value in a configuration. It never holds
// an API key.
type Setting struct {
	Key     string // dotted, "memory.rag_top_n"
	Kind    Kind
	Default string   // as it is typed
	Title   string   // what a user calls it; empty where it has only its key. Package words fills it in
	Help    string   // one paragraph; empty when the example has none
	Choices []string // for Choice and List
	Allowed string   // "0 to 100"; empty when the help says it
	// Variable is the environment variable that sets it.
	Variable string
	// AtStart says that a change takes effect after a restart; else it does at once.
	AtStart bool

	Value string // in force, as it is typed
	From  Origin
	// Where is the place that set the value: FILE:LINE, the variable or the flag.
	Where string
	// Later is the value after a restart, when it differs from Value.
	Later string
	Note  string // anything else to know; empty for nothing

	min, max string // where both bound a number
}

// Settings lists every setting in the order of the example, each with its default
// value. Entries of agents and prices are not settings.
func Settings() []Setting { return slices.Clone(table()) }

// table is the one declaration of all settings.
var table = sync.OnceValue(func() []Setting {
	declared := map[string]bounds.Setting{"agent": {Allowed: agentIDs}}
	for _, t := range []struct {
		name     string
		settings []bounds.Setting
	}{
		{"model", model.Settings()}, {"chat", chat.Settings()}, {"context", compose.Settings()},
		{"memory", write.Settings()}, {"embedding", model.EmbedSettings()}, {"embedding", recall.VectorSettings()},
		{"journal", journal.Settings()}, {"backup", vault.Settings()}, {"api", apiSettings()}, {"ui", uiSettings()},
	} {
		for _, s := range t.settings {
			declared[t.name+"."+s.Key] = s
		}
	}
	help := parseHelp(Example)
	known, atStart := keys(), map[string]bool{}
	walk(func(key string, _, restart bool) { atStart[key] = restart })
	order := slices.DeleteFunc(help.keys, func(key string) bool { return !slices.Contains(known, key) })
	for _, key := range known {
		if !slices.Contains(order, key) {
			order = append(order, key)
		}
	}
	out := make([]Setting, len(order))
	defaults := Default()
	for n, key := range order {
		d, v := declared[key], defaults.field(key)
		if v.Kind() == reflect.Bool {
			d.Allowed = "true or false"
		}
		out[n] = Setting{
			Key: key, Kind: kindOf(v, d.Choices), Default: typed(v), Help: help.of(key), Choices: d.Choices, Allowed: d.Allowed,
			Variable: variableOf(key), AtStart: atStart[key], Value: typed(v), min: d.Min, max: d.Max,
		}
	}
	return out
})

// common are the settings that most users look for, in the order in which they are shown.
var common = []string{
	"ui.language", "ui.theme", "model.name", "model.base_url", "model.api_key_env", "memory.rag_top_n", "memory.analysis",
	"memory.pii_policy", "memory.enable_user_profile", "memory.enable_agentic_search", "memory.archival_default_write",
	"journal.enabled", "chat.passive_timeout", "chat.hard_timeout", "agent",
}

// Common reports whether the setting is one of those that most users look for.
func (s Setting) Common() bool { return slices.Contains(common, s.Key) }

// CommonFirst moves the common settings to the beginning; the others stay in their order.
func CommonFirst(all []Setting) {
	rank := func(s Setting) int {
		if i := slices.Index(common, s.Key); i >= 0 {
			return i
		}
		return len(common)
	}
	slices.SortStableFunc(all, func(a, b Setting) int { return rank(a) - rank(b) })
}

// kindOf returns the kind of a setting with the type of v; choices are what it, or
// each entry of it, may be.
func kindOf(v reflect.Value, choices []string) Kind {
	switch {
	case v.Type() == durationType:
		return Duration
	case v.Kind() == reflect.Bool:
		return Switch
	case v.Kind() == reflect.Slice:
		return List
	case v.Kind() == reflect.String && len(choices) > 0:
		return Choice
	case v.Kind() == reflect.String:
		return Text
	}
	return Number
}

// declared returns the declaration of a setting.
func declared(key string) (Setting, bool) {
	i := slices.IndexFunc(table(), func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return table()[i], true
}

// Find returns the setting that a person named, by its key or by an unambiguous end of
// it. The error suggests the nearest key.
func Find(word string) (Setting, error) {
	var found []Setting
	folded := strings.ToLower(strings.TrimSpace(word))
	for _, s := range table() {
		if s.Key == folded {
			return s, nil
		}
		if folded != "" && strings.HasSuffix(s.Key, "."+folded) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		if near := Nearest(word, keys()); near != "" {
			return Setting{}, fmt.Errorf("there is no setting %q; did you mean %s?", folded, near)
		}
		if near := containing(folded); near != "" {
			return Setting{}, fmt.Errorf("there is no setting %q; did you mean %s?", folded, near)
		}
		return Setting{}, fmt.Errorf("there is no setting %q", folded)
	case 1:
		return found[0], nil
	}
	var could []string
	for _, s := range found {
		could = append(could, s.Key)
	}
	slices.Sort(could)
	return Setting{}, fmt.Errorf("%s could be %s", folded, strings.Join(could, " or "))
}

// containing names the settings with a part of a key, such as "rag_top"; none if these are
// many.
func containing(part string) string {
	const least, most = 3, 3 // letters, keys
	var found []string
	for _, k := range keys() {
		if len(part) >= least && strings.Contains(k, part) {
			found = append(found, k)
		}
	}
	if len(found) > most {
		return ""
	}
	return strings.Join(found, " or ")
}

// Match returns the settings that have all of the words in their key, value or help.
func Match(all []Setting, words string) (out []Setting) {
	wanted := strings.Fields(strings.ToLower(words))
	for _, s := range all {
		in := strings.ToLower(strings.Join([]string{s.Key, s.Title, s.Value, s.Help, s.From.String(), s.Variable}, "\n"))
		ok := true
		for _, w := range wanted {
			ok = ok && strings.Contains(in, w)
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}

// Cut splits what a person types to change a setting, "rag_top_n 7" or
// "rag_top_n = 7". ok is false when there is no value.
func Cut(typed string) (word, value string, ok bool) {
	word, value, _ = strings.Cut(strings.TrimSpace(typed), " ")
	if at := strings.IndexByte(word, '='); at > 0 { // rag_top_n=7
		word, value = word[:at], word[at:]+" "+value
	}
	value = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(value), "="))
	return word, value, value != ""
}

// Table returns the table of the file that the setting is in; empty for none.
func (s Setting) Table() string { return s.Key[:max(0, strings.LastIndexByte(s.Key, '.'))] }

// Name returns the setting's name in its table.
func (s Setting) Name() string { return s.Key[strings.LastIndexByte(s.Key, '.')+1:] }

// Set reports whether the value was set anywhere, even to the default.
func (s Setting) Set() bool { return s.From != FromDefault }

// Changed reports whether the value differs from the default, now or after a restart.
func (s Setting) Changed() bool { return s.Value != s.Default || s.Later != "" && s.Later != s.Default }

// Source says in words where the value comes from.
func (s Setting) Source() string {
	if s.Where == "" || s.From == FromDefault {
		return s.From.String()
	}
	return s.From.String() + ", " + s.Where
}

// Effect says when a change takes effect.
func (s Setting) Effect() string {
	if s.AtStart {
		return "after restart"
	}
	return "now"
}

// Number returns the value of a whole number.
func (s Setting) Number() (int, bool) {
	n, err := strconv.Atoi(s.Value)
	return n, err == nil
}

// NamesKey reports whether the setting names the variable that holds an API key.
func (s Setting) NamesKey() bool { return namesKey(s.Key) }

// field returns the field of a setting, which can be changed.
func (c *Config) field(key string) reflect.Value { return bounds.Field(reflect.ValueOf(c).Elem(), key) }
