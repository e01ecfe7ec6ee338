package cli

import (
	"errors"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// typeMismatch is how the parser words a value of the wrong type.
var typeMismatch = regexp.MustCompile(`^toml: (?:line (\d+) )?\(last key ("(?:[^"\\]|\\.)*")\): (.*)$`)

// decodeError words what the parser refused.
func decodeError(source string, err error) *ConfigError {
	var pe toml.ParseError
	if errors.As(err, &pe) {
		// Where a line ends too early, the parser's own count is one ahead.
		line := 1 + strings.Count(source[:min(max(pe.Position.Start, 0), len(source))], "\n")
		return &ConfigError{Line: line, Key: pe.LastKey, Text: pe.Message}
	}
	if m := typeMismatch.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		key, _ := strconv.Unquote(m[2])
		return &ConfigError{Line: line, Key: key, Text: mismatch(source, key, m[3])}
	}
	return &ConfigError{Text: strings.TrimPrefix(err.Error(), "toml: ")}
}

// mismatch says what a setting is and what it should be; what the parser said
// where that cannot be told.
func mismatch(source, key, said string) string {
	var all map[string]any
	if _, err := toml.Decode(source, &all); err != nil {
		return said
	}
	is, ok := kindOf(valueAt(all, key))
	wanted := wantedAt(key)
	if !ok || wanted == "" {
		return said
	}
	return "is " + is + "; " + wanted + " is wanted"
}

// valueAt is what a file has under a key; nil when nothing.
func valueAt(all map[string]any, key string) any {
	if v, ok := all[key]; ok {
		return v
	}
	for i := range len(key) { // a name in it may have dots of its own
		if key[i] != '.' {
			continue
		}
		if below, ok := all[unquoted(key[:i])].(map[string]any); ok {
			if v := valueAt(below, key[i+1:]); v != nil {
				return v
			}
		}
	}
	return all[unquoted(key)]
}

func unquoted(name string) string {
	if s, err := strconv.Unquote(name); err == nil {
		return s
	}
	return name
}

// kindOf says in words what a value of a file is.
func kindOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return "text", true
	case int64, float64:
		return "a number", true
	case bool:
		return strconv.FormatBool(v), true
	case time.Time:
		return "a date", true
	case []any, []map[string]any:
		return "a list", true
	case map[string]any:
		return "a table", true
	}
	return "", false
}

// wantedAt says in words what a setting takes; empty when it is none.
func wantedAt(key string) string {
	if strings.HasPrefix(key, "model.prices.") && strings.Count(key, ".") > 1 {
		return "a number"
	}
	if strings.HasPrefix(key, "agents.") && strings.Count(key, ".") > 1 {
		return "text in quotes"
	}
	cfg := DefaultConfig()
	v := field(reflect.ValueOf(&cfg).Elem(), key)
	if !v.IsValid() {
		return ""
	}
	switch {
	case v.Type() == durationType:
		return `a duration such as "30m"`
	case v.Kind() == reflect.String:
		return "text in quotes"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.Kind() == reflect.Slice:
		return `a list such as ["a", "b"]`
	case v.Kind() == reflect.Struct, v.Kind() == reflect.Map:
		return "a table, [" + key + "],"
	case v.Kind() == reflect.Float64:
		v.SetFloat(-math.MaxFloat64)
		return "a number" + bounds(cfg, key)
	case v.CanInt():
		v.SetInt(math.MinInt64)
		return "a whole number" + bounds(cfg, key)
	}
	return ""
}

// inBounds is how the rooms say what a number may be.
var inBounds = regexp.MustCompile(`(?:allowed are|must be|want) (?:from )?(\S+ to \S+)`)

// bounds says what a number may be: the room that checks it knows. cfg holds a
// value for it that none takes.
func bounds(cfg Config, key string) string {
	for _, fault := range cfg.faults() {
		if m := inBounds.FindStringSubmatch(fault.Text); m != nil && fault.Key == key {
			return " from " + m[1]
		}
	}
	return ""
}
