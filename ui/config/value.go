package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"memoria/chat/model"
	"memoria/memory/bounds"
)

// Value returns the value of a setting; nil for an unknown key.
func (c *Config) Value(key string) any {
	v := c.field(key)
	if !v.IsValid() {
		return nil
	}
	return v.Interface()
}

// SetValue gives a setting a value that [Config.Value] or [Config.Parse] returned.
func (c *Config) SetValue(key string, value any) { c.field(key).Set(reflect.ValueOf(value)) }

// Parse returns the value that a setting gets when text is typed for it in this
// configuration. The error says why it is refused.
func (c Config) Parse(key, text string) (any, error) {
	had := c.faults()
	if err := retype(c.field(key), key, text); err != nil {
		return nil, err
	}
	for _, fault := range c.faults() {
		if fault.Key == key || len(had) == 0 {
			return nil, errors.New(fault.Text)
		}
	}
	return c.Value(key), nil
}

// Plain returns a value as TOML and JSON represent it: a duration is a string.
func Plain(value any) any {
	if d, ok := value.(time.Duration); ok {
		return d.String()
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.String {
		return v.String()
	}
	return value
}

// Literal returns a value as TOML on one line.
func Literal(value any) string {
	var b bytes.Buffer
	if d, ok := value.(time.Duration); ok {
		value = bounds.Duration(d)
	}
	if err := toml.NewEncoder(&b).Encode(map[string]any{"x": Plain(value)}); err != nil {
		return `""` // no value of a setting fails
	}
	return strings.TrimPrefix(strings.TrimRight(b.String(), "\n"), "x = ")
}

// TypedLiteral returns a value as TOML; a duration as it was typed.
func TypedLiteral(value any, text string) string {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, `"`) {
		if _, ok := value.(time.Duration); ok {
			return Literal(text)
		}
	}
	return Literal(Plain(value))
}

// typed returns a value as a person types it.
func typed(v reflect.Value) string {
	if d, ok := v.Interface().(time.Duration); ok {
		return bounds.Duration(d)
	}
	switch x := Plain(v.Interface()).(type) {
	case string:
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

// asTyped returns a text as it is typed: in quotes when its ends would be invisible.
func asTyped(s string) string {
	if s == "" || s != strings.TrimSpace(s) || strings.HasPrefix(s, `"`) || strings.ContainsAny(s, "\n\r\t") {
		return Literal(s)
	}
	return s
}

// errNoSecret refuses a key where the name of its variable belongs, without repeating it.
var errNoSecret = errors.New("this takes the name of the environment variable that holds the key, never the key itself")

// retype sets a setting to a value that a person typed.
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
	if namesKey(key) && text != "" && !model.NamesVariable(text) {
		return errNoSecret
	}
	return assign(v, text)
}

// namesKey reports whether a setting names the variable that holds an API key.
func namesKey(key string) bool { return strings.HasSuffix(key, ".api_key_env") }
