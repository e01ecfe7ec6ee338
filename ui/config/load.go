package config

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/config/tomlfile"
)

// Source says where a configuration is read from. What counts, from weak to strong:
// defaults, the file, the environment, flags.
type Source struct {
	Path     string // of the file
	Required bool   // a missing file is an error
	Env      []string
	// AgentFlag and ModelFlag are the values of the flags; empty when they are not given.
	AgentFlag, ModelFlag string
}

// maxFaults is how many faults a reading reports: a file with more of them is no
// configuration.
const maxFaults = 30

// Loaded is one reading of the configuration. It continues after a fault: a setting
// with a fault has its default.
type Loaded struct {
	Source
	Config Config
	From   Origins
	// Faults are at most 30; first those of the file, from top to bottom. A file that
	// cannot be parsed hides the others.
	Faults []*Error

	source string // the text of the file
	usual  string // the agent in the file, unless the environment names one
	most   int    // faults to look for
}

// Load reads a configuration. The error is the first fault, a *[Error].
func Load(s Source) (*Loaded, error) {
	l := s.read(1)
	if len(l.Faults) > 0 {
		return nil, l.Faults[0]
	}
	return l, nil
}

// Read reads a configuration with all its faults.
func Read(s Source) *Loaded {
	l := s.read(maxFaults)
	slices.SortStableFunc(l.Faults, func(a, b *Error) int {
		return cmp.Or(-cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return l
}

func (s Source) read(most int) *Loaded {
	source, fault := readFile(s.Path, s.Required)
	if fault != nil {
		return &Loaded{Source: s, Config: Default(), From: Origins{}, Faults: []*Error{fault}}
	}
	return parse(s, source, most)
}

// parse reads the text of a file as the configuration of s.
func parse(s Source, source string, most int) *Loaded {
	l := &Loaded{Source: s, source: source, most: most, Config: Default(), From: Origins{}}
	for _, step := range []func(){l.decode, l.environment, l.validate, l.openAIBaseURL} {
		if step(); l.full() {
			break
		}
	}
	l.flags()
	return l
}

// BaseURLVariable is the variable of OpenAI's own tools for the address of the model.
const BaseURLVariable = "OPENAI_BASE_URL"

// openAIBaseURL uses OPENAI_BASE_URL when no base_url is set.
func (l *Loaded) openAIBaseURL() {
	url := Lookup(l.Env, BaseURLVariable)
	if url == "" || l.From["model.base_url"] != FromDefault || len(l.Faults) > 0 {
		return
	}
	l.Config.Model.BaseURL = url
	l.From["model.base_url"] = FromEnvironment
	if err := l.Config.Model.Validate(); err != nil {
		l.add(&Error{Key: BaseURLVariable, Text: err.Error()})
	}
}

// flags applies the flags, which are stronger than everything else.
func (l *Loaded) flags() {
	if l.ModelFlag != "" {
		l.Config.Model.Name = l.ModelFlag
		l.From["model.name"] = FromFlag
	}
	if l.From["agent"] != FromEnvironment {
		l.usual = l.Config.Agent
	}
	if l.AgentFlag != "" {
		if memory.ValidAgentID(l.AgentFlag) { // a name is looked up when the memory is open
			l.Config.Agent = l.AgentFlag
		}
		l.From["agent"] = FromFlag
	}
}

// DefaultAgent returns the agent to talk to when neither a flag nor a variable names
// one.
func (l *Loaded) DefaultAgent() string { return cmp.Or(l.usual, DefaultAgent) }

func (l *Loaded) full() bool { return len(l.Faults) >= l.most }

func (l *Loaded) add(e *Error) {
	if !l.full() {
		l.Faults = append(l.Faults, e)
	}
}

// inFile adds a fault of a setting in the file.
func (l *Loaded) inFile(e *Error) {
	e.File = l.Path
	if e.Line == 0 {
		e.Line = lineOf(l.source, e.Key)
	}
	l.add(e)
}

// readFile returns the text of a configuration file of at most 1 MB. A missing file is
// empty unless it is required.
func readFile(path string, required bool) (string, *Error) {
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
	case errors.Is(err, fs.ErrNotExist) && !required:
		return "", nil
	case err != nil:
		return "", fault(err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, tomlfile.MaxSize+1))
	if err != nil {
		return "", fault(err)
	}
	if len(b) > tomlfile.MaxSize {
		return "", &Error{File: path, Text: "is larger than 1 MB"}
	}
	return string(b), nil
}

// validate checks the values. A setting with several faults is reported once.
func (l *Loaded) validate() {
	told := map[string]bool{}
	for _, fault := range l.Config.faults() {
		if !told[fault.Key] {
			told[fault.Key] = true
			l.locate(fault)
		}
	}
}

// locate adds a fault of a value with the place that set the value.
func (l *Loaded) locate(fault *Error) {
	name, _ := variable(l.Env, fault.Key)
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

// isSetting reports whether a setting or a table has exactly this name.
func isSetting(cfg *Config, k toml.Key) bool {
	for _, t := range namedTables {
		if n := len(t.path); len(k) >= n && slices.Equal(k[:n], t.path) {
			return len(k) <= n+1 || len(k) == n+2 && slices.Contains(t.settings, k[n+1])
		}
	}
	return cfg.field(strings.Join(k, ".")).IsValid()
}

// namedTables are the tables whose entries the user names, what an entry has, and what
// its settings take.
var namedTables = []struct {
	path     toml.Key
	settings []string
	wanted   string
}{
	{toml.Key{"agents"}, []string{lookup.AgentName, lookup.AgentPersona, lookup.AgentModel, lookup.AgentColor}, wanted[Text]},
	{toml.Key{"model", "prices"}, []string{"input", "cached_input", "output"}, "a number"},
}

// settable lists what an unknown name in a file could mean: every setting, every table,
// and the settings of the entries that the file names.
func settable(md toml.MetaData) []string {
	var out []string
	walk(func(key string, _, _ bool) { out = append(out, key) })
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
