package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/term"
)

// Config is the whole configuration file (I5).
type Config struct {
	// Agent is the agent that is talked to when none is named.
	Agent   string                 `toml:"agent"`
	Model   model.Config           `toml:"model"`
	Chat    chat.Config            `toml:"chat"`
	Context chat.ContextConfig     `toml:"context"`
	Memory  manager.Config         `toml:"memory"`
	UI      term.Config            `toml:"ui"`
	Agents  map[string]AgentConfig `toml:"agents"`
}

// AgentConfig is one [agents.<id>] table.
type AgentConfig struct {
	Name    string `toml:"name"`
	Persona string `toml:"persona"`
}

// DefaultAgent is the agent of a fresh installation.
const DefaultAgent = "memoria"

// maxConfig bounds the configuration file, in bytes.
const maxConfig = 1 << 20

// DefaultConfig returns the configuration that holds when there is no file.
func DefaultConfig() Config {
	return Config{
		Agent: DefaultAgent, Model: model.DefaultConfig(), Chat: chat.DefaultConfig(),
		Context: chat.DefaultContext(), Memory: manager.DefaultConfig(), UI: term.DefaultConfig(),
	}
}

// ConfigError says what is wrong with the configuration, and where.
type ConfigError struct {
	File string // empty when it is not the file's fault
	Line int    // 0 when unknown
	Key  string // the setting or the variable
	Text string
}

func (e *ConfigError) Error() string {
	var at []string
	if e.File != "" {
		where := e.File
		if e.Line > 0 {
			where += ":" + strconv.Itoa(e.Line)
		}
		at = append(at, where)
	}
	if e.Key != "" && !strings.HasPrefix(e.Text, e.Key) {
		at = append(at, e.Key)
	}
	return strings.Join(append(at, e.Text), ": ")
}

// Origin says where a setting was set, from weak to strong.
type Origin int

// The places where a setting can come from.
const (
	FromDefault Origin = iota
	FromFile
	FromEnvironment
)

// Origins holds where each setting, as a dotted path, was set. What is missing
// has its default.
type Origins map[string]Origin

// LoadConfig reads the file at path over the defaults and then the environment
// over both. A missing file is no error unless must is true. Errors are
// *ConfigError.
func LoadConfig(path string, must bool, env []string) (Config, Origins, error) {
	cfg, from := DefaultConfig(), Origins{}
	source, err := readConfig(path, must)
	if err == nil {
		err = decode(path, source, &cfg, from)
	}
	if err == nil {
		err = fromEnvironment(&cfg, from, env)
	}
	if err == nil {
		err = locate(cfg.Validate(), path, source, from, env)
	}
	if err != nil {
		return DefaultConfig(), nil, err
	}
	return cfg, from, nil
}

func readConfig(path string, must bool) (string, error) {
	fault := func(err error) error {
		var pe *fs.PathError // repeats the path
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return &ConfigError{File: path, Text: "cannot be read: " + err.Error()}
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

func decode(path, source string, cfg *Config, from Origins) error {
	md, err := toml.Decode(source, cfg)
	if err != nil {
		return decodeError(path, source, err)
	}
	// The parser takes "Base_URL" for base_url. Here it is a mistake: where a
	// setting was set must be known, and there must be one way to set it.
	for _, k := range md.Keys() {
		key := k.String()
		if !isSetting(cfg, k) {
			fault := unknownSetting(key, settable(md))
			fault.File, fault.Line = path, lineOf(source, key)
			return fault
		}
		v := field(reflect.ValueOf(cfg).Elem(), key)
		if v.IsValid() && v.Type() == durationType && md.Type(k...) != "String" {
			return &ConfigError{File: path, Line: lineOf(source, key), Key: key, Text: `a duration is a string such as "30m"`}
		}
		from[key] = FromFile
	}
	return nil
}

// isSetting reports whether a setting or a table has this very name.
func isSetting(cfg *Config, k toml.Key) bool {
	if k[0] == "agents" {
		return len(k) < 3 || len(k) == 3 && (k[2] == "name" || k[2] == "persona")
	}
	return field(reflect.ValueOf(cfg).Elem(), strings.Join(k, ".")).IsValid()
}

// settable lists what could be meant in a file: every setting, every table, and
// the settings of the agents that the file has.
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
	for _, k := range md.Keys() {
		if len(k) >= 2 && k[0] == "agents" {
			out = append(out, toml.Key{k[0], k[1], "name"}.String(), toml.Key{k[0], k[1], "persona"}.String())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// typeMismatch is how the parser words a value of the wrong type.
var typeMismatch = regexp.MustCompile(`^toml: (?:line (\d+) )?\(last key "([^"]*)"\): (?:incompatible types: )?(.*)$`)

func decodeError(path, source string, err error) error {
	var pe toml.ParseError
	if errors.As(err, &pe) {
		// Where a line ends too early, the parser's own count is one ahead.
		line := 1 + strings.Count(source[:min(max(pe.Position.Start, 0), len(source))], "\n")
		return &ConfigError{File: path, Line: line, Key: pe.LastKey, Text: pe.Message}
	}
	if m := typeMismatch.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &ConfigError{File: path, Line: line, Key: m[2], Text: m[3]}
	}
	return &ConfigError{File: path, Text: strings.TrimPrefix(err.Error(), "toml: ")}
}

// Validate checks every table and reports the first fault as a *ConfigError,
// whose Key is the setting, or the table where it cannot be told.
func (c Config) Validate() error {
	const ids = "allowed are 1 to 64 of a-z, 0-9, - and _"
	if !memory.ValidAgentID(c.Agent) {
		return &ConfigError{Key: "agent", Text: fmt.Sprintf("%q is no agent's id; %s", c.Agent, ids)}
	}
	for id := range c.Agents {
		if !memory.ValidAgentID(id) {
			return &ConfigError{Key: toml.Key{"agents", id}.String(), Text: "no agent's id; " + ids}
		}
	}
	for _, t := range []struct {
		name string
		err  error
	}{
		{"model", c.Model.Validate()}, {"chat", c.Chat.Validate()}, {"context", c.Context.Validate()},
		{"memory", c.Memory.Validate()}, {"ui", c.UI.Validate()},
	} {
		if t.err != nil {
			return tableError(t.name, t.err)
		}
	}
	return nil
}

// tableError words a fault that a room found in its table. The rooms begin with
// the setting's name; of several faults the first is told.
func tableError(table string, err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	name, _, _ := strings.Cut(text, " ")
	name = strings.TrimSuffix(name, ":")
	key := table + "." + name
	if !slices.Contains(Keys(), key) {
		return &ConfigError{Key: table, Text: text}
	}
	return &ConfigError{Key: key, Text: key + strings.TrimPrefix(strings.TrimPrefix(text, name), ":")}
}

// locate adds to a fault of [Config.Validate] where the value came from.
func locate(err error, path, source string, from Origins, env []string) error {
	var ce *ConfigError
	if !errors.As(err, &ce) {
		return err
	}
	switch name, _ := variable(env, ce.Key); {
	case from[ce.Key] == FromEnvironment:
		return &ConfigError{Key: name, Text: ce.Text}
	case source != "":
		return &ConfigError{File: path, Line: lineOf(source, ce.Key), Key: ce.Key, Text: ce.Text}
	}
	return err
}

// persona returns an agent as the configuration describes it.
func (c Config) persona(id string) chat.Agent {
	a := c.Agents[id]
	return chat.Agent{ID: id, Name: a.Name, Persona: a.Persona}
}
