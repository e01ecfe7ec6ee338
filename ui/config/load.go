package config

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

// Load reads the file at path over the defaults and then the environment
// over both. A missing file is no error unless must is true. Errors are
// *Error.
func Load(path string, must bool, env []string) (Config, Origins, error) {
	l := load(path, must, env, 1)
	if len(l.Faults) > 0 {
		return Default(), nil, l.Faults[0]
	}
	return l.Config, l.From, nil
}

// MaxFaults is how many faults [Check] looks for: a file with more of them
// is no configuration.
const MaxFaults = 30

// Check reads a configuration as [Load] does and returns everything
// that is wrong with it, [MaxFaults] faults at most: first those of the file,
// from top to bottom. What cannot be parsed hides the rest.
func Check(path string, must bool, env []string) []*Error {
	faults := load(path, must, env, MaxFaults).Faults
	slices.SortStableFunc(faults, func(a, b *Error) int {
		return cmp.Or(-cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return faults
}

// Loaded is one reading of the configuration. It continues after a fault, up to the number of
// faults that was asked for. The fields are valid also with faults: the setting has its default.
type Loaded struct {
	path, source string
	env          []string
	most         int // faults to look for
	Config       Config
	From         Origins
	Faults       []*Error
}

func load(path string, must bool, env []string, most int) *Loaded {
	source, fault := Read(path, must)
	if fault != nil {
		return &Loaded{path: path, Config: Default(), From: Origins{}, Faults: []*Error{fault}}
	}
	return Parse(path, source, env, most)
}

// Parse is load for the text of a file.
func Parse(path, source string, env []string, most int) *Loaded {
	l := &Loaded{path: path, source: source, env: env, most: most, Config: Default(), From: Origins{}}
	for _, step := range []func(){l.decode, l.environment, l.validate} {
		if step(); l.full() {
			break
		}
	}
	return l
}

func (l *Loaded) full() bool { return len(l.Faults) >= l.most }

func (l *Loaded) add(e *Error) {
	if !l.full() {
		l.Faults = append(l.Faults, e)
	}
}

// inFile adds a fault of a setting in the file.
func (l *Loaded) inFile(e *Error) {
	e.File = l.path
	if e.Line == 0 {
		e.Line = LineOf(l.source, e.Key)
	}
	l.add(e)
}

// Read returns the text of a configuration file of at most 1 MB. A missing file is empty unless
// must is true.
func Read(path string, must bool) (string, *Error) {
	fault := func(err error) *Error {
		var pe *fs.PathError // repeats the path
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return &Error{File: path, Text: "cannot be read: " + err.Error()}
	}
	if stat, err := os.Stat(path); err == nil && stat.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDir) != 0 {
		return "", &Error{File: path, Text: "cannot be read: it is no file but a pipe, a socket or a folder"}
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
		return "", &Error{File: path, Text: "is larger than 1 MB"}
	}
	return string(b), nil
}

// validate checks the values. A setting with several faults is reported once.
func (l *Loaded) validate() {
	told := map[string]bool{}
	for _, fault := range l.Config.Faults() {
		if !told[fault.Key] {
			told[fault.Key] = true
			l.locate(fault)
		}
	}
}

// locate adds a fault of a value with the place that the value came from.
func (l *Loaded) locate(fault *Error) {
	name, _ := Variable(l.env, fault.Key)
	switch {
	case l.From[fault.Key] == FromEnvironment:
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
