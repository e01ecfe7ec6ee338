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
	if _, table := value.(map[string]any); table {
		return to.Kind() == reflect.Struct || to.Kind() == reflect.Map
	}
	if _, text := value.(string); to.Type() == durationType && !text || to.Kind() == reflect.Struct || to.Kind() == reflect.Map {
		return false
	}
	field := reflect.New(reflect.MapOf(reflect.TypeFor[string](), to.Type()))
	if _, err := toml.Decode("x = "+Literal(value), field.Interface()); err != nil {
		return false
	}
	to.Set(field.Elem().MapIndex(reflect.ValueOf("x")))
	return true
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

// wantedAt says in words what a setting or a table takes; empty for neither.
func wantedAt(key string) string {
	for _, t := range namedTables {
		if strings.HasPrefix(key, t.path.String()+".") && strings.Count(key, ".") > len(t.path) {
			return t.wanted
		}
	}
	s, isSetting := declared(key)
	defaults := Default()
	switch v := defaults.field(key); {
	case v.IsValid() && !isSetting:
		return "a table, [" + key + "],"
	case v.IsValid() && v.CanInt() && s.Kind == Number:
		return "a whole number" + inRange(s)
	case s.Kind == Number:
		return "a number" + inRange(s)
	}
	return wanted[s.Kind]
}

// wanted says in words what a setting of a kind takes.
var wanted = map[Kind]string{
	Duration: `a duration such as "30m"`, Text: "text in quotes", Choice: "text in quotes",
	Switch: "true or false", List: `a list such as ["a", "b"]`,
}

// inRange says between what a number must be; empty where it is not bounded on both sides.
func inRange(s Setting) string {
	if s.min == "" {
		return ""
	}
	return " from " + s.min + " to " + s.max
}
