package config

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"memoria/ui/config/tomlfile"
)

// configHead begins a configuration file that the program creates.
const configHead = "# The configuration of memoria. 'memoria config show' prints every setting, and\n" +
	"# 'memoria config show KEY' what one is for.\n"

// Edit is a change of one setting in the file. Literal is the new value as TOML; an
// empty one removes the setting.
type Edit struct{ Key, Literal string }

// errOtherChange means that the edited text would not have the wanted meaning.
var errOtherChange = errors.New("the file could not be changed without changing more than that; nothing was written")

// KeyBeside maps the setting of an address to the one that names its API key. When the
// address changes, the file drops the key, so that it is never sent elsewhere.
var KeyBeside = map[string]string{"model.base_url": "model.api_key_env", "embedding.base_url": "embedding.api_key_env"}

// Rewritten is a change of the configuration file.
type Rewritten struct {
	Made  []Edit // the edits, and those that they caused
	Undo  []Edit // restore what the file said before
	Notes []string
}

// Rewrite makes edits in the configuration file, all or none. It reads the file again
// under a lock, and verifies that the result says what was wanted and nothing else.
func Rewrite(path string, env []string, edits ...Edit) (r Rewritten, err error) {
	err = tomlfile.Change(path, configHead, func(source string) (string, error) {
		before := parse(Source{Path: path}, source, maxFaults)
		r = Rewritten{Made: edits}
		for _, e := range edits {
			other := keyLeftBehind(before, e)
			if other != "" && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Key == other }) {
				r.Made = append(r.Made[:len(r.Made):len(r.Made)], Edit{Key: other})
				note := " was taken out: a key goes only to the address it was set beside; set it again to send one"
				r.Notes = append(r.Notes, other+note)
			}
		}
		out, wanted := source, before.Config
		for _, e := range r.Made {
			r.Undo = append(r.Undo, before.edit(e.Key))
			if out, err = tomlfile.Edit(out, strings.Split(e.Key, "."), e.Literal); err != nil {
				if len(before.Faults) > 0 {
					return "", before.Faults[0]
				}
				return "", err
			}
			if err := apply(&wanted, e); err != nil {
				return "", err
			}
		}
		after := parse(Source{Path: path}, out, maxFaults)
		switch {
		case len(after.Faults) > 0:
			return "", after.Faults[0]
		case !reflect.DeepEqual(after.Config, wanted):
			return "", errOtherChange
		}
		// It must also be valid together with the current environment.
		with := Source{Path: path, Env: env}
		if all := parse(with, out, 1); len(all.Faults) > 0 && len(parse(with, source, 1).Faults) == 0 {
			return "", all.Faults[0]
		}
		return out, nil
	})
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = fmt.Errorf("%s cannot be written: %w", path, pe.Err)
	}
	return r, err
}

// edit returns the edit that makes a file say what it says now about a setting.
func (l *Loaded) edit(key string) Edit {
	if l.From[key] != FromFile {
		return Edit{Key: key}
	}
	return Edit{Key: key, Literal: Literal(l.Config.Value(key))}
}

// keyLeftBehind returns the setting that names the API key of an address that the edit
// replaces; empty when the file has none.
func keyLeftBehind(before *Loaded, e Edit) string {
	other := KeyBeside[e.Key]
	if other == "" || before.From[other] != FromFile {
		return ""
	}
	after := before.Config
	if apply(&after, e) != nil {
		return ""
	}
	if SameURL(before.Config.field(e.Key).String(), after.field(e.Key).String()) {
		return ""
	}
	return other
}

// apply makes an edit in a configuration.
func apply(cfg *Config, e Edit) error {
	if e.Literal == "" {
		defaults := Default()
		cfg.SetValue(e.Key, defaults.Value(e.Key))
		return nil
	}
	l := &Loaded{source: e.Key + " = " + e.Literal + "\n", most: 1, Config: Default(), From: Origins{}}
	if l.decode(); l.full() {
		return errors.New(l.Faults[0].Text)
	}
	cfg.SetValue(e.Key, l.Config.Value(e.Key))
	return nil
}

// SameURL reports whether two addresses differ at most in a trailing slash.
func SameURL(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }
