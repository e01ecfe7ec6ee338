package config

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"memoria/memory/bounds"
	"memoria/ui/config/tomlfile"
	"memoria/ui/setting"
)

// configHead stands first in a configuration file that is made by the program.
const configHead = "# The configuration of memoria. 'memoria config show' prints every setting, and\n# 'memoria config show KEY' what one is for.\n"

// Edit is a change of one setting in the file: what it is to say, as in TOML, or
// nothing to take it out.
type Edit struct{ Key, Literal string }

// errOtherChange says that a text would not mean what it should. Nothing is written
// then.
var errOtherChange = errors.New("the file could not be changed without changing more than that; nothing was written")

// KeyBeside are the names of keys that were given for an address: when the address
// changes, the file forgets them, so that no key goes where it was not meant to.
var KeyBeside = map[string]string{"model.base_url": "model.api_key_env", "embedding.base_url": "embedding.api_key_env"}

// Value returns what a setting becomes when text is typed for it; the error says why it
// cannot be that.
func Value(cfg Config, key, text string) (reflect.Value, error) {
	v := bounds.Field(reflect.ValueOf(&cfg).Elem(), key)
	had := cfg.Faults()
	if err := retype(v, key, text); err != nil {
		return v, err
	}
	for _, fault := range cfg.Faults() {
		if fault.Key == key || len(had) == 0 {
			return v, errors.New(fault.Text)
		}
	}
	return v, nil
}

// TypedLiteral writes a value as in TOML; a duration as it was typed.
func TypedLiteral(v reflect.Value, text string) string {
	if text = strings.TrimSpace(text); v.Type() == durationType && !strings.HasPrefix(text, `"`) {
		return Literal(text)
	}
	return Literal(Plain(v))
}

// Rewrite makes changes in the configuration file, all or none, and returns them
// with those that came along. The file is read again, and must then say just what
// was wanted.
func Rewrite(path string, env []string, edits ...Edit) (made []Edit, err error) {
	err = tomlfile.Change(path, configHead, func(source string) (string, error) {
		before := Parse(path, source, nil, MaxFaults)
		made = edits
		for _, e := range edits {
			other := keyLeftBehind(before, e)
			if other != "" && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Key == other }) {
				made = append(made[:len(made):len(made)], Edit{Key: other})
			}
		}
		out, wanted := source, before.Config
		for _, e := range made {
			if out, err = tomlfile.Edit(out, strings.Split(e.Key, "."), e.Literal); err != nil {
				if len(before.Faults) > 0 {
					return "", before.Faults[0]
				}
				return "", err
			}
			if err := place(&wanted, e); err != nil {
				return "", err
			}
		}
		after := Parse(path, out, nil, MaxFaults)
		switch {
		case len(after.Faults) > 0:
			return "", after.Faults[0]
		case !reflect.DeepEqual(after.Config, wanted):
			return "", errOtherChange
		}
		// With the variables of now it has to be a configuration too.
		if all := Parse(path, out, env, 1); len(all.Faults) > 0 && len(Parse(path, source, env, 1).Faults) == 0 {
			return "", all.Faults[0]
		}
		return out, nil
	})
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = fmt.Errorf("%s cannot be written: %w", path, pe.Err)
	}
	return made, err
}

// keyLeftBehind is the setting that names the key of the address that an edit
// replaces by another one; empty when the file has none.
func keyLeftBehind(before *Loaded, e Edit) string {
	other := KeyBeside[e.Key]
	if other == "" || before.From[other] != FromFile {
		return ""
	}
	after := before.Config
	if place(&after, e) != nil {
		return ""
	}
	was := bounds.Field(reflect.ValueOf(before.Config), e.Key).String()
	if is := bounds.Field(reflect.ValueOf(after), e.Key).String(); SameURL(was, is) {
		return ""
	}
	return other
}

// place makes an edit in a configuration.
func place(cfg *Config, e Edit) error {
	v := bounds.Field(reflect.ValueOf(cfg).Elem(), e.Key)
	if e.Literal == "" {
		v.Set(bounds.Field(reflect.ValueOf(Default()), e.Key))
		return nil
	}
	l := &Loaded{source: e.Key + " = " + e.Literal + "\n", most: 1, Config: Default(), From: Origins{}}
	if l.decode(); l.full() {
		return errors.New(l.Faults[0].Text)
	}
	v.Set(bounds.Field(reflect.ValueOf(l.Config), e.Key))
	return nil
}

// Find returns the key of the setting that a person named, by its key or the end of it.
func Find(word string) (string, error) {
	var all []setting.Info
	for _, key := range Keys() {
		all = append(all, setting.Info{Key: key})
	}
	i, err := setting.Find(all, word)
	var unknown *setting.UnknownError
	if errors.As(err, &unknown) {
		if near := Nearest(word, Keys()); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return "", err
	}
	return i.Key, err
}

// SameURL reports whether two addresses differ at most in a slash at the end.
func SameURL(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }
