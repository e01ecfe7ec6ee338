package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"memoria/chat/model"
	"memoria/memory/bounds"
)

// Plain is a setting's value as TOML and JSON write it: durations are strings.
func Plain(v reflect.Value) any {
	switch {
	case v.Type() == durationType:
		return fmt.Sprint(v.Interface())
	case v.Kind() == reflect.String:
		return v.String()
	}
	return v.Interface()
}

// Literal writes a value as it stands in a TOML file, on one line.
func Literal(v any) string {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(map[string]any{"x": v}); err != nil {
		return `""` // no value of a setting fails
	}
	return strings.TrimPrefix(strings.TrimRight(b.String(), "\n"), "x = ")
}

// LiteralOf writes a value as in TOML.
func LiteralOf(v reflect.Value) string {
	if v.Type() == durationType {
		return Literal(Typed(v))
	}
	return Literal(Plain(v))
}

// Typed is a value as a person types it.
func Typed(v reflect.Value) string {
	switch x := Plain(v).(type) {
	case string:
		if d, ok := v.Interface().(time.Duration); ok {
			return bounds.Duration(d)
		}
		return asTyped(x)
	case []string:
		if len(x) == 0 {
			return "[]"
		}
		return strings.Join(x, ", ")
	default:
		return fmt.Sprint(x)
	}
}

// asTyped is a text as it is typed: in quotes where its ends could not be seen.
func asTyped(s string) string {
	if s == "" || s != strings.TrimSpace(s) || strings.HasPrefix(s, `"`) || strings.ContainsAny(s, "\n\r\t") {
		return Literal(s)
	}
	return s
}

// errNoSecret is what is said to somebody who puts a key where its variable's name
// belongs. What was typed is not repeated.
var errNoSecret = errors.New("this takes the name of the environment variable that holds the key, never the key itself")

// retype sets a setting to what a person typed.
func retype(v reflect.Value, key, text string) error {
	text = strings.TrimSpace(text)
	quoted := func(in string, to any) bool {
		_, err := toml.Decode("X = "+in, to)
		return err == nil
	}
	switch {
	case v.Kind() == reflect.Slice:
		var list struct{ X []string }
		if !strings.HasPrefix(text, "[") || !quoted(text, &list) {
			list.X = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，、 \t", r) })
		}
		v.Set(reflect.ValueOf(append([]string{}, list.X...)))
		return nil
	case v.Kind() == reflect.Bool:
		switch strings.ToLower(text) {
		case "on", "yes", "开", "是":
			text = "true"
		case "off", "no", "关", "否":
			text = "false"
		}
	case strings.HasPrefix(text, `"`):
		var one struct{ X string }
		if quoted(text, &one) {
			text = one.X
		}
	}
	if NamesKey(key) && text != "" && !model.NamesVariable(text) {
		return errNoSecret
	}
	return assign(v, text)
}

// NamesKey reports whether a setting names the variable that holds a key.
func NamesKey(key string) bool { return strings.HasSuffix(key, ".api_key_env") }

// AtStart reports whether a change of a setting counts from the next start on.
func AtStart(key string) bool {
	return slices.ContainsFunc(atStart, func(s string) bool { return key == s || strings.HasPrefix(key, s+".") })
}

// atStart are the settings, and tables of them, that are read when the program
// starts. Every other one counts at once (I5).
var atStart = []string{"agent", "embedding", "backup", "memory.recall_load_on_start", "memory.recall_max_items", "ui.screen_reader"}
