package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/index/text"
)

var durationType = reflect.TypeFor[time.Duration]()

// keys lists the key of every setting, sorted.
func keys() []string {
	var out []string
	walk(func(key string, table, _ bool) {
		if !table {
			out = append(out, key)
		}
	})
	slices.Sort(out)
	return out
}

// walk visits every setting and every table of them. restart says that a change takes
// effect after a restart: the field, or that of a table around it, has the tag
// effect:"restart". Every other change takes effect at once (I5).
func walk(visit func(key string, table, restart bool)) {
	var below func(t reflect.Type, prefix string, restart bool)
	below = func(t reflect.Type, prefix string, restart bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			restart, key := restart || f.Tag.Get("effect") == "restart", prefix+f.Tag.Get("toml")
			switch {
			case f.Anonymous:
				below(f.Type, prefix, restart)
			case key == prefix || f.Tag.Get("toml") == "-" || f.Type.Kind() == reflect.Map:
			case f.Type.Kind() == reflect.Struct:
				visit(key, true, restart)
				below(f.Type, key+".", restart)
			default:
				visit(key, false, restart)
			}
		}
	}
	below(reflect.TypeFor[Config](), "", false)
}

// aliases are the second names of variables (I5).
var aliases = map[string]string{
	"memory.rag_top_n":          "MEMORY_RETRIEVAL_LIMIT",
	"memory.eviction_threshold": "MEMORY_EVICTION_THRESHOLD",
}

// variable returns the environment variable that sets a key, and its value.
// An alias is used only when the variable itself is not set.
func variable(env []string, key string) (name, value string) {
	name = variableOf(key)
	if value = Lookup(env, name); value != "" {
		return name, value
	}
	if second := aliases[key]; second != "" && Lookup(env, second) != "" {
		return second, Lookup(env, second)
	}
	return name, ""
}

// variableOf names the environment variable of a key: MEMORIA_<TABLE>_<KEY>.
func variableOf(key string) string {
	return "MEMORIA_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// Lookup returns the value of an environment variable. Of several the last counts; an
// empty value is the same as none.
func Lookup(env []string, name string) (value string) {
	for _, kv := range env {
		if n, v, ok := strings.Cut(kv, "="); ok && n == name {
			value = v
		}
	}
	return value
}

// environment sets the settings that MEMORIA_<TABLE>_<KEY> names, and refuses an unknown
// name with the prefix of a table.
func (l *Loaded) environment() {
	var known, tables []string
	for _, key := range keys() {
		name, value := variable(l.Env, key)
		known = append(known, variableOf(key))
		if table, _, ok := strings.Cut(key, "."); ok {
			tables = append(tables, variableOf(table)+"_")
		}
		if value == "" {
			continue
		}
		if err := assign(l.Config.field(key), value); err != nil {
			l.add(&Error{Key: name, Text: err.Error()})
			continue
		}
		l.From[key] = FromEnvironment
	}
	told := map[string]bool{}
	for _, kv := range l.Env {
		name, value, _ := strings.Cut(kv, "=")
		meant := slices.ContainsFunc(tables, func(t string) bool { return strings.HasPrefix(name, t) })
		if meant && value != "" && !slices.Contains(known, name) && !told[name] {
			told[name] = true
			l.add(unknownSetting(name, known))
		}
	}
}

// unknownSetting is the error for a name that no setting has.
func unknownSetting(name string, known []string) *Error {
	text := "no such setting"
	if near := Nearest(name, known); near != "" {
		text += "; did you mean " + near + "?"
	}
	return &Error{Key: name, Text: text}
}

// assign parses a value of the environment; lists are separated by commas.
func assign(v reflect.Value, s string) error {
	switch p := v.Addr().Interface().(type) {
	case *time.Duration:
		d, err := time.ParseDuration(s)
		if err != nil {
			return fmt.Errorf("%q is no duration such as 30m", s)
		}
		*p = d
		return nil
	case *[]string:
		*p = nil
		for part := range strings.SplitSeq(s, ",") {
			*p = append(*p, strings.TrimSpace(part))
		}
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", s)
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is no whole number", s)
		}
		v.SetInt(n)
	case reflect.Float64:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", s)
		}
		v.SetFloat(f)
	default:
		return errors.New("cannot be set by the environment")
	}
	return nil
}

// plainKey removes the spaces and quotes from a key as it is written in a file.
var plainKey = strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "")

// lineOf returns the line of a file in which a key is set, or else the one that opens
// its table; 0 when there is neither. The parser reports lines only for errors.
func lineOf(source, key string) int {
	key = plainKey.Replace(key)
	table, around := "", 0
	for n, line := range strings.Split(source, "\n") {
		line = strings.TrimSpace(line)
		var name string
		if header, ok := strings.CutPrefix(line, "["); ok {
			header, _, _ = strings.Cut(strings.TrimPrefix(header, "["), "]")
			name = plainKey.Replace(header)
			table = name + "."
		} else if left, _, ok := strings.Cut(line, "="); ok {
			name = table + plainKey.Replace(left)
		}
		switch {
		case name == "":
		case name == key:
			return n + 1
		case strings.HasPrefix(key, name+"."):
			around = n + 1
		}
	}
	return around
}

// Nearest returns the known key that is most similar to an unknown one, or "". A key in
// the wrong table is found by its last part.
func Nearest(key string, known []string) string {
	const limit = 100 // a longer one is no typing error
	if len(key) > limit {
		return ""
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	best, at := "", max(3, len(key)/3)
	key = strings.ToLower(key)
	for _, k := range known {
		folded := strings.ToLower(k)
		d := text.Distance(key, folded)
		if a, b := last(key), last(folded); len(a) > 3 {
			d = min(d, 1+2*text.Distance(a, b))
		}
		if d < at {
			best, at = k, d
		}
	}
	return best
}
