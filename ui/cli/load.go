package cli

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/memory/bounds"
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

// validate checks the values. A setting with several faults is reported once.
func (l *loading) validate() {
	told := map[string]bool{}
	for _, fault := range l.cfg.faults() {
		if !told[fault.Key] {
			told[fault.Key] = true
			l.locate(fault)
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
	return bounds.Field(reflect.ValueOf(cfg).Elem(), strings.Join(k, ".")).IsValid()
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
