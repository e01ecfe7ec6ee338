package app

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/adrg/xdg"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/ui/config"
	"memoria/ui/words"
)

// Options are the flags and the surroundings of a run.
type Options struct {
	// Flags; empty when they are not given.
	ConfigFile, DataDir, Agent, Model string
	Debug, Demo, NoMemory, Temporary  bool

	Env []string
	// Words is the wording in the language of the run, which Speak sets.
	Words   words.Words
	Now     func() time.Time
	Version string
	// Notify tells the user something besides the result, one line a call.
	Notify func(format string, args ...any)
	// Dir is the folder that relative paths start from; empty is that of the process.
	Dir string
	// Shared is what the runs of the process have in common; nil means there is no other run.
	Shared *Shared
	// Began is called when the memory is open, before the run changes anything; Talks when a
	// run that may begin again elsewhere has to go on with something else: the agent that is
	// talked to, the address that is served. They may be nil.
	Began func()
	Talks func(with string)
	// Temporarily is called after Talks with whether that conversation is temporary; it may be nil.
	Temporarily func(on bool)
	// Find looks for model servers on this computer; nil means [model.Discover].
	Find func(context.Context) []model.Found

	demo demoFolder
}

// UsageError is a call with wrong arguments or in the wrong surroundings.
type UsageError string

func (e UsageError) Error() string { return string(e) }

func wrongUsage(format string, args ...any) error { return UsageError(fmt.Sprintf(format, args...)) }

// Paths are the files and folders of a run.
type Paths struct {
	Config, Data, Log string
	// Named says that the user named the configuration file.
	Named bool
}

// Path returns the path of a file that the user named. It is relative to the folder of the
// process only without Dir.
func (o *Options) Path(name string) string {
	if name == "" || o.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.Dir, name)
}

// Paths returns where the files of the run are.
func (o *Options) Paths() Paths {
	under := func(variable, fallback string) string {
		if dir := config.Lookup(o.Env, variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "memoria")
		}
		return filepath.Join(fallback, "memoria")
	}
	named := o.Path(cmp.Or(o.ConfigFile, config.Lookup(o.Env, "MEMORIA_CONFIG")))
	return Paths{
		Config: cmp.Or(named, filepath.Join(under("XDG_CONFIG_HOME", xdg.ConfigHome), "config.toml")),
		Data:   o.Path(cmp.Or(o.DataDir, config.Lookup(o.Env, "MEMORIA_DATA_DIR"), under("XDG_DATA_HOME", xdg.DataHome))),
		Log:    filepath.Join(under("XDG_STATE_HOME", xdg.StateHome), "memoria.log"),
		Named:  named != "",
	}
}

// homeless reports whether a folder would have to be guessed: without a home directory
// it would be the root of the disk.
func (o *Options) homeless() bool {
	if runtime.GOOS == "windows" || config.Lookup(o.Env, "HOME") != "" || o.Demo {
		return false
	}
	data := o.DataDir != "" || config.Lookup(o.Env, "MEMORIA_DATA_DIR") != "" || filepath.IsAbs(config.Lookup(o.Env, "XDG_DATA_HOME"))
	file := o.ConfigFile != "" || config.Lookup(o.Env, "MEMORIA_CONFIG") != "" || filepath.IsAbs(config.Lookup(o.Env, "XDG_CONFIG_HOME"))
	return !data || !file
}

// Source returns where the configuration is read from.
func (o *Options) Source() config.Source {
	p := o.Paths()
	return config.Source{Path: p.Config, Required: p.Named, Env: o.Env, AgentFlag: o.Agent, ModelFlag: o.Model}
}

// Speak makes the run speak the language that its configuration and its environment choose.
func (o *Options) Speak() { o.Words = words.In(o.Source().Language()) }

// Words is the wording in the language of the run.
func (a *App) Words() words.Words { return a.options.Words }

// Setup is the configuration of a run and what follows from it.
type Setup struct {
	config.Loaded
	DataDir, LogPath string
	// Agent is the agent to talk to, as the configuration describes it.
	Agent memory.Agent
}

// Setup reads the configuration. With Demo it fills the demo's folder the first time.
func (o *Options) Setup() (Setup, error) {
	if o.homeless() {
		return Setup{}, wrongUsage("the home folder is not known, as HOME is not set: set it, or give --data-dir and --config")
	}
	loaded, err := config.Load(o.Source())
	if err != nil {
		return Setup{}, err
	}
	p := o.Paths()
	s := Setup{Loaded: *loaded, DataDir: p.Data, LogPath: p.Log, Agent: loaded.Config.Persona(loaded.Config.Agent)}
	if !o.Demo {
		return s, nil
	}
	return s, o.useDemo(&s)
}

// ownModel reports whether an agent is answered by a model of its own.
func (s Setup) ownModel(a memory.Agent) bool {
	return a.Model != "" && s.From["model.name"] != config.FromFlag
}

// modelOf returns the configuration of the model that answers as an agent: its own,
// unless a flag names one.
func (s Setup) modelOf(a memory.Agent) model.Config {
	cfg := s.Config.Model
	if s.ownModel(a) {
		cfg.Name = a.Model
	}
	return cfg
}
