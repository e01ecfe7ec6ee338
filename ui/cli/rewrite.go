package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"memoria/memory/bounds"
	"memoria/ui/setting"
	"memoria/ui/tomlfile"
)

// configHead stands first in a configuration file that is made by the program.
const configHead = "# The configuration of memoria. 'memoria config show' prints every setting, and\n# 'memoria config show KEY' what one is for.\n"

// edit is a change of one setting in the file: what it is to say, as in TOML, or
// nothing to take it out.
type edit struct{ key, literal string }

// errOtherChange says that a text would not mean what it should. Nothing is written
// then.
var errOtherChange = errors.New("the file could not be changed without changing more than that; nothing was written")

// besides are the names of keys that were given for an address: when the address
// changes, the file forgets them, so that no key goes where it was not meant to.
var besides = map[string]string{"model.base_url": "model.api_key_env", "embedding.base_url": "embedding.api_key_env"}

// value is what a setting is in force as after it was typed; the error says why it
// cannot be that.
func (p *Program) value(cfg Config, key, text string) (reflect.Value, error) {
	v := bounds.Field(reflect.ValueOf(&cfg).Elem(), key)
	had := cfg.faults()
	if err := retype(v, key, text); err != nil {
		return v, err
	}
	for _, fault := range cfg.faults() {
		if fault.Key == key || len(had) == 0 {
			return v, errors.New(fault.Text)
		}
	}
	return v, nil
}

// typedLiteral writes a value as in TOML; a duration as it was typed.
func typedLiteral(v reflect.Value, text string) string {
	if text = strings.TrimSpace(text); v.Type() == durationType && !strings.HasPrefix(text, `"`) {
		return literal(text)
	}
	return literal(plain(v))
}

// rewrite makes changes in the configuration file, all or none, and returns them
// with those that came along. The file is read again, and must then say just what
// was wanted.
func (p *Program) rewrite(path string, edits ...edit) (made []edit, err error) {
	err = tomlfile.Change(path, configHead, func(source string) (string, error) {
		before := loadText(path, source, nil, maxFaults)
		made = edits
		for _, e := range edits {
			other := p.keyLeftBehind(before, e)
			if other != "" && !slices.ContainsFunc(edits, func(e edit) bool { return e.key == other }) {
				made = append(made[:len(made):len(made)], edit{key: other})
			}
		}
		out, wanted := source, before.cfg
		for _, e := range made {
			if out, err = tomlfile.Edit(out, strings.Split(e.key, "."), e.literal); err != nil {
				if len(before.faults) > 0 {
					return "", before.faults[0]
				}
				return "", err
			}
			if err := place(&wanted, e); err != nil {
				return "", err
			}
		}
		after := loadText(path, out, nil, maxFaults)
		switch {
		case len(after.faults) > 0:
			return "", after.faults[0]
		case !reflect.DeepEqual(after.cfg, wanted):
			return "", errOtherChange
		}
		// With the variables of now it has to be a configuration too.
		if all := loadText(path, out, p.Env, 1); len(all.faults) > 0 && len(loadText(path, source, p.Env, 1).faults) == 0 {
			return "", all.faults[0]
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
func (p *Program) keyLeftBehind(before *loading, e edit) string {
	other := besides[e.key]
	if other == "" || before.from[other] != FromFile {
		return ""
	}
	after := before.cfg
	if place(&after, e) != nil {
		return ""
	}
	was := bounds.Field(reflect.ValueOf(before.cfg), e.key).String()
	if is := bounds.Field(reflect.ValueOf(after), e.key).String(); sameURL(was, is) {
		return ""
	}
	return other
}

// place makes an edit in a configuration.
func place(cfg *Config, e edit) error {
	v := bounds.Field(reflect.ValueOf(cfg).Elem(), e.key)
	if e.literal == "" {
		v.Set(bounds.Field(reflect.ValueOf(DefaultConfig()), e.key))
		return nil
	}
	l := &loading{source: e.key + " = " + e.literal + "\n", most: 1, cfg: DefaultConfig(), from: Origins{}}
	if l.decode(); l.full() {
		return errors.New(l.faults[0].Text)
	}
	v.Set(bounds.Field(reflect.ValueOf(l.cfg), e.key))
	return nil
}

// leftBehindNote says which key no longer goes anywhere.
func leftBehindNote(edits, made []edit) (notes []string) {
	for _, e := range made[len(edits):] {
		notes = append(notes, e.key+" was taken out: a key goes only to the address it was set beside; set it again to send one")
	}
	return notes
}

// outweighed says what counts more than the file at the next start; empty for
// nothing.
func (p *Program) outweighed(key string) string {
	if name, value := variable(p.Env, key); value != "" {
		return name + " is set, and counts more than the file"
	}
	return ""
}

// findKey is the setting that a person named, by its key or the end of it.
func (p *Program) findKey(word string) (string, error) {
	var all []setting.Info
	for _, key := range Keys() {
		all = append(all, setting.Info{Key: key})
	}
	i, err := setting.Find(all, word)
	var unknown *setting.UnknownError
	if errors.As(err, &unknown) {
		if near := nearest(word, Keys()); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return "", err
	}
	return i.Key, err
}
