package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"memoria/chat/model"
	"memoria/memory/bounds"
	"memoria/ui/setting"
)

// atStart are the settings, and tables of them, that are read when the program
// starts. Every other one counts at once (I5).
var atStart = []string{"agent", "embedding", "backup", "memory.recall_load_on_start", "memory.recall_max_items", "ui.screen_reader"}

// isAtStart reports whether a change of a setting counts from the next start on.
func isAtStart(key string) bool {
	return slices.ContainsFunc(atStart, func(s string) bool { return key == s || strings.HasPrefix(key, s+".") })
}

// orderedKeys are all settings as the example of the file has them, and those that
// it has not at their end.
func (p *Program) orderedKeys() []string {
	known := Keys()
	out := slices.DeleteFunc(setting.ParseHelp(p.Example).Keys, func(key string) bool { return !slices.Contains(known, key) })
	for _, key := range known {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// infos describes every setting as it is in s. next is what holds from the next
// start on; nil when that is not known. source is the file.
func (p *Program) infos(s settings, next *settings, source string) (out []setting.Info) {
	help := setting.ParseHelp(p.Example)
	for _, key := range p.orderedKeys() {
		v, limits := bounds.Field(reflect.ValueOf(s.cfg), key), allowed()[key]
		i := setting.Info{
			Key: key, Kind: kindOfKey(v, limits.choices), Choices: limits.choices, Allowed: limits.words,
			Help: help.Of(key), Value: typed(v), Default: typed(bounds.Field(reflect.ValueOf(DefaultConfig()), key)),
			Variable: variableOf(key), AtStart: isAtStart(key),
		}
		i.From, i.Where = p.origin(s, source, key)
		if next != nil {
			i.Later = typed(bounds.Field(reflect.ValueOf(next.cfg), key))
		}
		if secretName(key) {
			p.noteKey(&i, s)
		}
		if i.Later == i.Value {
			i.Later = ""
		}
		if name, value := variable(p.Env, key); value != "" && s.from[key] == fromRun {
			i.Note = name + " is set, and counts more than the file from the next start on"
		}
		out = append(out, i)
	}
	return out
}

// secretName reports whether a setting names the variable that holds a key.
func secretName(key string) bool { return strings.HasSuffix(key, ".api_key_env") }

// noteKey says of the name of a variable whether there is a key in it.
func (p *Program) noteKey(i *setting.Info, s settings) {
	_, i.Note = p.keyNote(strings.Trim(i.Value, `"`))
	if i.Key == "embedding.api_key_env" && s.cfg.Embedding.BaseURL == "" {
		i.Note = "the key of [model] is used"
	}
}

// typed is a value as a person types it.
func typed(v reflect.Value) string {
	switch x := plain(v).(type) {
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
		return literal(s)
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
	if secretName(key) && text != "" && !model.NamesVariable(text) {
		return errNoSecret
	}
	return assign(v, text)
}
