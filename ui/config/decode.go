package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"memoria/memory/bounds"
)

// decode takes the settings of the file over. The text becomes a plain tree first, and each
// value is checked against its own setting, so that a wrong one hides no other.
func (l *Loaded) decode() {
	var all map[string]any
	md, err := toml.Decode(l.source, &all)
	if err != nil {
		l.inFile(parseFault(l.source, err))
		return
	}
	var refused []string
	for _, k := range md.Keys() {
		key := k.String()
		if slices.ContainsFunc(refused, func(table string) bool { return strings.HasPrefix(key, table+".") }) {
			continue // reported with its table
		}
		fault := unknownSettingIn(md, &l.Config, k)
		if fault == nil {
			fault = mismatch(key, valueAt(all, k), take(&l.Config, k, valueAt(all, k)))
		}
		if fault == nil {
			l.From[key] = FromFile
			continue
		}
		refused = append(refused, key)
		if l.inFile(fault); l.full() {
			return
		}
	}
}

// unknownSettingIn refuses a name that no setting has. The parser takes "Base_URL" for
// base_url, but where a setting was set must be known, and there must be one way to set it.
func unknownSettingIn(md toml.MetaData, cfg *Config, k toml.Key) *Error {
	if isSetting(cfg, k) {
		return nil
	}
	return unknownSetting(k.String(), settable(md))
}

// parseFault words what the parser refused.
func parseFault(source string, err error) *Error {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return &Error{Text: err.Error()}
	}
	// Where a line ends too early, the parser's own count is one ahead.
	line := 1 + strings.Count(source[:min(max(pe.Position.Start, 0), len(source))], "\n")
	return &Error{Line: line, Key: pe.LastKey, Text: pe.Message}
}

// valueAt returns what a decoded file has under a key.
func valueAt(all map[string]any, k toml.Key) any {
	var v any = all
	for _, name := range k {
		table, _ := v.(map[string]any)
		v = table[name]
	}
	return v
}

// take sets a setting, or an entry of a table whose entries the user names, to a value of the
// file. It reports whether the value has the setting's type.
func take(cfg *Config, k toml.Key, value any) bool {
	for _, t := range namedTables {
		n := len(t.path)
		if len(k) <= n || !slices.Equal(k[:n], t.path) {
			continue
		}
		table := cfg.field(strings.Join(t.path, "."))
		if table.IsNil() {
			table.Set(reflect.MakeMap(table.Type()))
		}
		entry, name := reflect.New(table.Type().Elem()).Elem(), reflect.ValueOf(k[n])
		if now := table.MapIndex(name); now.IsValid() {
			entry.Set(now)
		}
		to := entry
		if len(k) > n+1 {
			to = bounds.Field(entry, k[n+1])
		}
		ok := put(to, value)
		if ok {
			table.SetMapIndex(name, entry)
		}
		return ok
	}
	return put(cfg.field(strings.Join(k, ".")), value)
}

// put sets a field to a value of the file, if their types agree. Of a table it takes nothing:
// its settings have keys of their own.
func put(to reflect.Value, value any) bool {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		return put(to.Elem(), value)
	}
	switch value := value.(type) {
	case map[string]any:
		return to.Kind() == reflect.Struct || to.Kind() == reflect.Map
	case string:
		if to.Type() == durationType {
			d, err := time.ParseDuration(value)
			if err != nil {
				return false
			}
			to.SetInt(int64(d))
			return true
		}
		if to.Kind() == reflect.String {
			to.SetString(value)
			return true
		}
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(value)
			return true
		}
	case int64:
		switch {
		case to.Type() == durationType:
		case to.CanInt():
			to.SetInt(value)
			return true
		case to.CanFloat():
			to.SetFloat(float64(value))
			return true
		}
	case float64:
		if to.CanFloat() {
			to.SetFloat(value)
			return true
		}
	case []any:
		list := make([]string, len(value))
		for i, v := range value {
			s, ok := v.(string)
			if !ok {
				return false
			}
			list[i] = s
		}
		if to.Kind() == reflect.Slice {
			to.Set(reflect.ValueOf(list))
			return true
		}
	}
	return false
}

// mismatch says what a value of the file is and what its setting wants; nil if they agree.
func mismatch(key string, value any, agree bool) *Error {
	if agree {
		return nil
	}
	if v := bounds.Field(reflect.ValueOf(Default()), key); v.IsValid() && v.Type() == durationType {
		switch value := value.(type) {
		case int64:
			return &Error{Key: key, Text: `a duration is a string such as "30m"`}
		case string:
			return &Error{Key: key, Text: fmt.Sprintf(`%q is no duration such as "30m"`, value)}
		}
	}
	return &Error{Key: key, Text: "is " + kindInWords(value) + "; " + wantedAt(key) + " is wanted"}
}

// kindInWords names the kind of a value in a file.
func kindInWords(v any) string {
	switch v := v.(type) {
	case string:
		return "text"
	case int64, float64:
		return "a number"
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return "a date"
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "another kind of value"
}

// wantedAt says in words what a setting takes; empty when it is none.
func wantedAt(key string) string {
	if strings.HasPrefix(key, "model.prices.") && strings.Count(key, ".") > 1 {
		return "a number"
	}
	if strings.HasPrefix(key, "agents.") && strings.Count(key, ".") > 1 {
		return "text in quotes"
	}
	cfg := Default()
	v := cfg.field(key)
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
		return "a number" + inRange(key)
	case v.CanInt():
		return "a whole number" + inRange(key)
	}
	return ""
}

// inRange says between what a number must be; empty where it is not bounded on both sides.
func inRange(key string) string {
	s, _ := declared(key)
	if s.min == "" {
		return ""
	}
	return " from " + s.min + " to " + s.max
}
