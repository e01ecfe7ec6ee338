package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/memory/manager"
)

// LoadConfig reads the file at path over the defaults and then the environment
// over both. A missing file is no error unless must is true. Errors are
// *ConfigError.
func LoadConfig(path string, must bool, env []string) (Config, Origins, error) {
	l := load(path, must, env, 1)
	if len(l.faults) > 0 {
		return DefaultConfig(), nil, l.faults[0]
	}
	return l.cfg, l.from, nil
}

// maxFaults is how many faults [CheckConfig] looks for: a file with more of them
// is no configuration.
const maxFaults = 30

// CheckConfig reads a configuration as [LoadConfig] does and returns everything
// that is wrong with it, [maxFaults] faults at most: first those of the file,
// from top to bottom. What cannot be parsed hides the rest.
func CheckConfig(path string, must bool, env []string) []*ConfigError {
	faults := load(path, must, env, maxFaults).faults
	slices.SortStableFunc(faults, func(a, b *ConfigError) int {
		return cmp.Or(-cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return faults
}

// loading is one reading of the configuration. It goes on after a fault, as far
// as it was asked to.
type loading struct {
	path, source string
	env          []string
	most         int // faults to look for
	cfg          Config
	from         Origins
	faults       []*ConfigError
}

func load(path string, must bool, env []string, most int) *loading {
	source, fault := readConfig(path, must)
	if fault != nil {
		return &loading{path: path, cfg: DefaultConfig(), from: Origins{}, faults: []*ConfigError{fault}}
	}
	return loadText(path, source, env, most)
}

// loadText is load for the text of a file.
func loadText(path, source string, env []string, most int) *loading {
	l := &loading{path: path, source: source, env: env, most: most, cfg: DefaultConfig(), from: Origins{}}
	for _, step := range []func(){l.decode, l.environment, l.validate} {
		if step(); l.full() {
			break
		}
	}
	return l
}

func (l *loading) full() bool { return len(l.faults) >= l.most }

func (l *loading) add(e *ConfigError) {
	if !l.full() {
		l.faults = append(l.faults, e)
	}
}

// inFile adds a fault of a setting in the file.
func (l *loading) inFile(e *ConfigError) {
	e.File = l.path
	if e.Line == 0 {
		e.Line = lineOf(l.source, e.Key)
	}
	l.add(e)
}

func readConfig(path string, must bool) (string, *ConfigError) {
	fault := func(err error) *ConfigError {
		var pe *fs.PathError // repeats the path
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return &ConfigError{File: path, Text: "cannot be read: " + err.Error()}
	}
	if stat, err := os.Stat(path); err == nil && stat.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDir) != 0 {
		return "", &ConfigError{File: path, Text: "cannot be read: it is no file but a pipe, a socket or a folder"}
	}
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !must:
		return "", nil
	case err != nil:
		return "", fault(err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return "", fault(err)
	}
	if len(b) > maxConfig {
		return "", &ConfigError{File: path, Text: "is larger than 1 MB"}
	}
	return string(b), nil
}

// decode takes the settings of the file over. The parser stops at the first
// value of a wrong type; it is taken out, and the rest is tried again.
func (l *loading) decode() {
	source := l.source
	for {
		cfg := DefaultConfig()
		md, err := toml.Decode(source, &cfg)
		if err == nil {
			l.cfg = cfg
			l.names(md)
			return
		}
		fault := decodeError(source, err)
		if source != l.source {
			fault.Line = 0 // of what was written anew
		}
		key := fault.Key
		l.inFile(fault)
		var ok bool
		if source, ok = without(source, key); !ok || l.full() {
			return
		}
	}
}

// names notes which settings the file has, and refuses names that none has. The
// parser takes "Base_URL" for base_url. Here it is a mistake: where a setting was
// set must be known, and there must be one way to set it.
func (l *loading) names(md toml.MetaData) {
	var refused []string
	for _, k := range md.Keys() {
		if l.full() {
			return
		}
		key := k.String()
		if slices.ContainsFunc(refused, func(table string) bool { return strings.HasPrefix(key, table+".") }) {
			continue // told with its table
		}
		if !isSetting(&l.cfg, k) {
			refused = append(refused, key)
			l.inFile(unknownSetting(key, settable(md)))
			continue
		}
		v := field(reflect.ValueOf(&l.cfg).Elem(), key)
		if v.IsValid() && v.Type() == durationType && md.Type(k...) != "String" {
			v.Set(field(reflect.ValueOf(DefaultConfig()), key))
			l.inFile(&ConfigError{Key: key, Text: `a duration is a string such as "30m"`})
			continue
		}
		l.from[key] = FromFile
	}
}

// validate checks the values. Where a room tells only the first fault of its
// table, that setting gets its default and the room is asked again.
func (l *loading) validate() {
	cfg, told := l.cfg, map[string]bool{}
	for again := true; again && !l.full(); {
		again = false
		for _, fault := range cfg.faults() {
			if told[fault.Key] {
				continue
			}
			told[fault.Key] = true
			l.locate(fault)
			if v := field(reflect.ValueOf(&cfg).Elem(), fault.Key); v.IsValid() && v.Kind() != reflect.Struct {
				v.Set(field(reflect.ValueOf(DefaultConfig()), fault.Key))
				again = true
			}
		}
	}
}

// locate adds a fault of a value with the place that the value came from.
func (l *loading) locate(fault *ConfigError) {
	name, _ := variable(l.env, fault.Key)
	switch {
	case l.from[fault.Key] == FromEnvironment:
		fault.Key = name
		l.add(fault)
	case l.source != "":
		l.inFile(fault)
	default:
		l.add(fault)
	}
}

// isSetting reports whether a setting or a table has this very name.
func isSetting(cfg *Config, k toml.Key) bool {
	for _, t := range namedTables {
		if n := len(t.path); len(k) >= n && slices.Equal(k[:n], t.path) {
			return len(k) <= n+1 || len(k) == n+2 && slices.Contains(t.settings, k[n+1])
		}
	}
	return field(reflect.ValueOf(cfg).Elem(), strings.Join(k, ".")).IsValid()
}

// namedTables are the tables whose entries the user names, and what an entry has.
var namedTables = []struct {
	path     toml.Key
	settings []string
}{
	{toml.Key{"agents"}, []string{manager.AgentName, manager.AgentPersona, manager.AgentModel, manager.AgentColor}},
	{toml.Key{"model", "prices"}, []string{"input", "cached_input", "output"}},
}

// settable lists what could be meant in a file: every setting, every table, and
// the settings of the entries that the file names.
func settable(md toml.MetaData) []string {
	out := Keys()
	for _, key := range Keys() {
		for table := key; ; {
			i := strings.LastIndexByte(table, '.')
			if i < 0 {
				break
			}
			table = table[:i]
			out = append(out, table)
		}
	}
	for _, t := range namedTables {
		out = append(out, t.path.String())
		for _, k := range md.Keys() {
			if n := len(t.path); len(k) > n && slices.Equal(k[:n], t.path) {
				for _, name := range t.settings {
					out = append(out, append(slices.Clone(k[:n+1]), name).String())
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// without returns a TOML text with one setting taken out; false when the text
// cannot be parsed or has no such setting.
func without(source, key string) (string, bool) {
	var all map[string]any
	md, err := toml.Decode(source, &all)
	if err != nil {
		return "", false
	}
	i := slices.IndexFunc(md.Keys(), func(k toml.Key) bool { return k.String() == key })
	if i < 0 {
		return "", false
	}
	k := md.Keys()[i]
	in := all
	for _, name := range k[:len(k)-1] {
		below, ok := in[name].(map[string]any)
		if !ok {
			return "", false
		}
		in = below
	}
	delete(in, k[len(k)-1])
	var out bytes.Buffer
	if toml.NewEncoder(&out).Encode(all) != nil {
		return "", false
	}
	return out.String(), true
}
