package cli

import (
	"reflect"
	"slices"
	"strings"

	"memoria/memory/bounds"
	"memoria/ui/config"
	"memoria/ui/setting"
)

// orderedKeys are all settings as the example of the file has them, and those that
// it has not at their end.
func (p *Program) orderedKeys() []string {
	known := config.Keys()
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
		v, limits := bounds.Field(reflect.ValueOf(s.cfg), key), config.Allowed()[key]
		i := setting.Info{
			Key: key, Kind: config.KindOf(v, limits.Choices), Choices: limits.Choices, Allowed: limits.Words,
			Help: help.Of(key), Value: config.Typed(v), Default: config.Typed(bounds.Field(reflect.ValueOf(config.Default()), key)),
			Variable: config.VariableOf(key), AtStart: config.AtStart(key),
		}
		i.From, i.Where = p.origin(s, source, key)
		if next != nil {
			i.Later = config.Typed(bounds.Field(reflect.ValueOf(next.cfg), key))
		}
		if config.NamesKey(key) {
			p.noteKey(&i, s)
		}
		if i.Later == i.Value {
			i.Later = ""
		}
		if name, value := config.Variable(p.Env, key); value != "" && s.from[key] == config.FromRun {
			i.Note = name + " is set, and overrides the file after restart"
		}
		out = append(out, i)
	}
	return out
}

// noteKey says of the name of a variable whether there is a key in it.
func (p *Program) noteKey(i *setting.Info, s settings) {
	_, i.Note = p.keyNote(strings.Trim(i.Value, `"`))
	if i.Key == "embedding.api_key_env" && s.cfg.Embedding.BaseURL == "" {
		i.Note = "the key of [model] is used"
	}
}
